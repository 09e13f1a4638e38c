"""The version of this distribution, read from its metadata."""
from importlib.metadata import PackageNotFoundError, version as _of

try:
    version = _of("copse-graph")
except PackageNotFoundError:  # run from a build folder
    version = None
