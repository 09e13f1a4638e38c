"""Loads the compiled module: the one with CUDA where the distribution copse-graph-cuda13 is installed, otherwise our own."""
import importlib
import importlib.util


def _load():
    if importlib.util.find_spec("copse_cuda13") is not None:
        from copse._version import version

        cuda = importlib.import_module("copse_cuda13._core")
        if version is not None and cuda.build_info()["version"] != version:
            raise ImportError(
                f"copse-graph-cuda13 {cuda.build_info()['version']} does not fit copse-graph {version}; install the same version: "
                f"pip install copse-graph-cuda13=={version}"
            )
        return cuda
    return importlib.import_module("copse._core")


core = _load()
