"""A function with the signature of SciPy's `connected_components`."""
import numpy as np

from copse import _arrays
from copse._graph import Graph
from copse._load import core
from copse._options import flag, options

_graph_of_rows = core.Graph.of_rows
_DIRECT = (np.dtype(np.int32), np.dtype(np.int64))


def connected_components(
    csgraph, directed=True, connection="weak", return_labels=True, *, variant="auto", device=None, threads=None, memory=None,
    gpu_memory=None, progress=None,
):
    """Finds the connected components of a matrix, as scipy.sparse.csgraph.connected_components does.

    csgraph: a Graph; an (N, N) sparse matrix or array of SciPy, whose entries are the arcs, explicit zeros included; or a dense matrix, in
    which 0, NaN and infinities are not arcs (in a masked array, all elements that are not masked are arcs). CSR, CSC and COO are read in
    place. directed, connection: only weak components are found, which for an undirected graph are all there are; strong components of a
    directed graph are refused. variant, device, threads, memory, gpu_memory, progress: see `components`.

    Returns (n_components, labels), or n_components alone with return_labels=False. labels: N numbers 0 .. n_components - 1 in the order of
    the smallest vertices, int32 (int64 for N of 2^31 and more). Close to O(N + entries) time, and 4 bytes per vertex.
    Raises UsageError (a ValueError), ResourceError (a MemoryError).

    >>> import copse, scipy.sparse
    >>> count, labels = copse.connected_components(scipy.sparse.csr_array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
    >>> count, labels.tolist()
    (2, [0, 0, 1])
    """
    if connection != "weak":
        _expect_weak(directed, connection)
    if getattr(csgraph, "format", None) in ("csr", "csc"):
        # Symmetry is checked only if a variant or a GPU needs to know it; uniting all arcs costs less than checking.
        graph = _graph_in_place(csgraph, False if variant == "auto" and device is None else None)
    elif isinstance(csgraph, Graph):
        graph = csgraph._core
    elif _arrays.is_sparse(csgraph):
        graph = _arrays.graph_of_sparse(csgraph)
    else:
        graph = _arrays.graph_of_dense(np.asanyarray(csgraph))
    count, labels = core.numbered_components(graph, options(variant, device, threads, memory, 1, progress, gpu_memory), flag(return_labels, "return_labels"))
    return (count, labels) if return_labels else count


def _graph_in_place(matrix, symmetric):
    """The rows (or columns: weak components do not tell them apart) of a matrix; most need no look at their arrays but this."""
    offsets, targets = matrix.indptr, matrix.indices
    if len(matrix.shape) == 2 and matrix.shape[0] == matrix.shape[1] and offsets.dtype == targets.dtype and offsets.dtype in _DIRECT and offsets[-1] == targets.size:
        return _graph_of_rows(offsets, targets, symmetric)
    return _arrays.graph_of_sparse(matrix)


def _expect_weak(directed, connection):
    if str(connection).lower() not in ("weak", "strong"):
        raise core.UsageError(f"connection must be 'weak' or 'strong', not {connection!r}")
    if directed and str(connection).lower() == "strong":
        raise core.UsageError(
            "connection must be 'weak' for a directed graph: copse finds weak components only; for strong ones use SciPy or NetworkX"
        )
