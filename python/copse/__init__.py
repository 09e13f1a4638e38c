"""copse: connected components, spanning forests and list ranks of large graphs, as fast as memory allows.

The distribution is called copse-graph. `connected_components` is a drop-in for SciPy's; `components` takes matrices, arrays, tables and
files; `Incremental` keeps components up to date while edges arrive, `Dynamic` while they arrive and leave.
"""
import sys as _sys

from copse._load import core as _core
from copse import _pickles as _pickles
from copse._bridges import Bridges, bridges
from copse._cluster import ClusterReport, cluster
from copse._compare import Comparison, compare
from copse._components import checksum, components, plan, variants, verify
from copse._device import DeviceComponents, Prepared, prepare
from copse._dynamic import Dynamic, DynamicBatch
from copse._dynamic_questions import DynamicSnapshot
from copse._explain import Explanation, explain
from copse._forest import EulerTour, Forest, RootedForest, euler_tour, rank_list, root_forest, spanning_forest
from copse._graph import Graph, generate, read_graph
from copse._incremental import Incremental
from copse._result import Components
from copse._scipy import connected_components
from copse._texts import Note
from copse._weighted import WeightedForest, dendrogram, thresholds, weighted_forest

__version__ = _core.build_info()["version"]
Error = _core.Error
UsageError = _core.UsageError
InputError = _core.InputError
FileError = _core.FileError
ResourceError = _core.ResourceError
Report = _core.Report
Verdict = _core.Verdict


if "polars" in _sys.modules:
    from copse import polars as _polars  # noqa: F401


def build_info():
    """Returns a dict with the facts about this build: version, cuda, zlib, zstd and compiler.

    >>> import copse
    >>> copse.build_info()["version"] == copse.__version__
    True
    """
    return _core.build_info()


def gpus():
    """Returns a list of the usable GPUs of this machine, each a dict; an empty list if this build has no GPU part.

    >>> import copse
    >>> all("name" in gpu for gpu in copse.gpus())
    True
    """
    return _core.gpus()


__all__ = [
    "Bridges", "Comparison", "ClusterReport", "Components", "DeviceComponents", "Dynamic", "DynamicBatch", "DynamicSnapshot", "Error", "EulerTour", "Explanation", "FileError", "Forest", "Graph", "Incremental",
    "InputError", "Note", "Prepared", "Report", "ResourceError", "RootedForest", "UsageError", "Verdict", "WeightedForest", "bridges", "build_info",
    "checksum", "cluster", "compare", "components", "connected_components", "dendrogram", "euler_tour", "explain", "generate", "gpus", "plan", "prepare",
    "rank_list", "read_graph", "root_forest", "spanning_forest", "thresholds", "variants", "verify", "weighted_forest",
]
