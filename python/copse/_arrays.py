"""From what callers have to arrays that the compiled module borrows: without a copy where they are integers that lie together."""
import numpy as np

from copse._load import core


def unmasked(array, what):
    """Any array as one of NumPy, whose elements all count. Raises UsageError for a mask, which NumPy would drop in silence."""
    if np.ma.is_masked(array):
        raise core.UsageError(f"{what}: found masked elements, expected an array without them")
    return np.asarray(array)


def integers(array, what):
    """A C-contiguous array of 32- or 64-bit integers in the machine's byte order; copied only where `array` is none. Raises UsageError."""
    array = unmasked(array, what)
    kind = array.dtype.kind
    if kind not in "iu":
        if array.size == 0:
            return np.empty(array.shape, dtype=np.int64)
        raise core.UsageError(f"{what}: found {array.dtype}, expected integers")
    if array.dtype.itemsize < 4:
        return array.astype(np.int32, order="C")
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def weights(array):
    """A contiguous column of weights of a type that is compared as it is: float32, float64, or integers of 32 or 64 bits. Raises UsageError."""
    array = unmasked(array, "weights")
    if array.size == 0 and array.dtype.kind not in "iuf":
        array = array.astype(np.float64)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind not in "iufb" or array.ndim != 1:
        raise core.UsageError(f"weights: found {array.dtype} of shape {array.shape}, expected one number per edge")
    if kind == "b" or (kind in "iu" and size < 4):
        return np.ascontiguousarray(array, np.int32)
    if kind == "f" and size not in (4, 8):
        return np.ascontiguousarray(array, np.float32 if size < 4 else np.float64)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def pairs(edges):
    """Edges as an array of shape (m, 2)."""
    edges = integers(edges, "edges")
    if edges.size == 0 and edges.ndim == 1:
        return edges.reshape(0, 2)
    if edges.ndim != 2 or edges.shape[1] != 2:
        raise core.UsageError(f"edges: found an array of shape {edges.shape}, expected (m, 2)")
    return edges


def columns(sources, targets):
    """Two columns of one integer type."""
    sources, targets = integers(sources, "sources"), integers(targets, "targets")
    if sources.ndim != 1 or targets.ndim != 1:
        raise core.UsageError(f"columns: found arrays of {sources.ndim} and {targets.ndim} dimensions, expected 1 each")
    if sources.dtype != targets.dtype:
        common = np.result_type(sources, targets)
        if common.kind == "f":  # uint64 beside signed: the values decide
            common = np.dtype(np.uint64)
            for side, column in (("sources", sources), ("targets", targets)):
                if column.dtype.kind == "i" and column.size and column.min() < 0:
                    raise core.InputError(f"{side}: found {column.min()}, expected ids of 0 or more")
        sources, targets = sources.astype(common), targets.astype(common)
    return sources, targets


def is_column_pair(edges):
    """A tuple of two arrays of one dimension; tuples of plain numbers could be edges, too, and are not taken for columns."""
    return isinstance(edges, tuple) and len(edges) == 2 and all(getattr(e, "ndim", None) == 1 for e in edges)


def is_sparse(matrix):
    """Of SciPy or with its attributes."""
    return hasattr(matrix, "tocsr") and hasattr(matrix, "format")


def graph_of_sparse(matrix):
    """A SciPy sparse matrix as a graph: CSR, CSC and COO in place; other formats as CSR. Explicit zeros are edges."""
    rows, others = matrix.shape
    if rows != others:
        raise core.UsageError(f"graph: found a matrix of shape {matrix.shape}, expected (N, N)")
    if matrix.format == "coo":
        coordinates = getattr(matrix, "coords", None) or (matrix.row, matrix.col)
        return core.Graph.of_columns(*columns(*coordinates), rows)
    if matrix.format not in ("csr", "csc"):
        matrix = matrix.tocsr()
    offsets, targets = integers(matrix.indptr, "indptr"), integers(matrix.indices, "indices")
    if offsets.dtype.itemsize < targets.dtype.itemsize:
        offsets = offsets.astype(np.int64)
    stored = int(offsets[-1]) if offsets.size else 0
    return core.Graph.of_rows(offsets, targets if stored == targets.size else targets[:stored])


def graph_of_dense(matrix):
    """An adjacency matrix: 0, NaN and infinities are no edges; of a masked one, all that is not masked are. As SciPy has it."""
    if matrix.ndim != 2:
        raise core.UsageError(f"graph: found {matrix.ndim} dimensions, expected 2")
    if matrix.shape[0] != matrix.shape[1]:
        raise core.UsageError(f"graph: found a matrix of shape {matrix.shape}, expected (N, N)")
    edges = ~np.ma.getmaskarray(matrix) if isinstance(matrix, np.ma.MaskedArray) else (matrix != 0) & np.isfinite(matrix)
    sources, targets = np.nonzero(edges)
    return core.Graph.of_columns(np.ascontiguousarray(sources), np.ascontiguousarray(targets), matrix.shape[0])


def largest_id(*arrays):
    """The largest of some ids, -1 where there is none. Raises InputError for negative ids and for gaps that would waste memory."""
    sizes = sum(a.size for a in arrays)
    if sizes == 0:
        return -1
    smallest = min(int(a.min()) for a in arrays if a.size)
    if smallest < 0:
        raise core.InputError(f"edges: found id {smallest}, expected ids of 0 or more")
    largest = max(int(a.max()) for a in arrays if a.size)
    if largest > 4 * sizes + 2**20:
        raise core.InputError(
            f"edges: found {largest} as the largest of {sizes} ids, expected dense ids; number them first, or pass vertices={largest + 1}"
        )
    return largest
