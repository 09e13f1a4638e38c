"""From what callers have to arrays that the compiled module borrows: without a copy where they are contiguous integers."""
import numbers

import numpy as np

from copse._load import core


def unmasked(array, what):
    """Any array as one of NumPy, whose elements all count. Raises UsageError for a mask, which NumPy would drop in silence."""
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise core.UsageError(f"{what} must not have masked elements; fill them or leave them out")
    expect_sound(array, what)
    array = of_dlpack(array, what)
    try:
        return np.asarray(array)
    except ValueError as error:  # rows of different lengths
        raise core.UsageError(f"{what} must be an array, not a list of elements of different lengths") from error


def of_dlpack(array, what="edges"):
    """An object with `__dlpack__` and no NumPy protocol as a NumPy array over the same memory; other objects unchanged. Raises UsageError."""
    if not hasattr(array, "__dlpack__") or hasattr(array, "__array__") or hasattr(array, "__array_interface__"):
        return array
    try:
        return np.from_dlpack(array)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise core.UsageError(f"{what} must be in host memory, where NumPy can read it; it cannot read this {type(array).__name__} ({error})") from error


def expect_sound(array, what):
    """Raises InputError for an array of pyarrow that NumPy would read beyond its buffers, or whose dictionary lacks an index."""
    if type(array).__module__.partition(".")[0] != "pyarrow" or not hasattr(array, "type"):
        return
    from copse import _arrow_sizes

    _arrow_sizes.expect_rows(array, what.removeprefix("column '").removesuffix("'"), whole=True)


def integers(array, what):
    """A C-contiguous array of 32- or 64-bit integers in the machine's byte order; copied only where `array` is none. Raises UsageError."""
    given, array = array, unmasked(array, what)
    if array.ndim == 0:
        raise core.UsageError(f"{what} must be an array or a list of integers, not {type(given).__name__}")
    if array.dtype.kind == "O" or (array.dtype.kind == "f" and isinstance(given, (list, tuple))):
        array = _of_objects(given, array)
    if array.dtype.kind not in "iu":
        if array.size == 0:
            return np.empty(array.shape, dtype=np.int64)
        raise core.UsageError(f"{what} must hold integers, not {_kind_of(array)}")
    if array.dtype.itemsize < 4:
        return array.astype(np.int32, order="C")
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _of_objects(given, array):
    """Python's own integers as an array of them, where all fit into one type: NumPy makes objects or floats of some."""
    objects = np.asarray(given, dtype=object)
    if not objects.size or not all(isinstance(v, numbers.Integral) and not isinstance(v, (bool, np.bool_)) for v in objects.flat):
        return array
    smallest, largest = min(objects.flat), max(objects.flat)
    if -(2**63) <= smallest and largest < 2**63:
        return objects.astype(np.int64)
    return objects.astype(np.uint64) if 0 <= smallest and largest < 2**64 else array


def _kind_of(array):
    """The kind of elements of an array, for error messages; for objects, the type of the first that is not an integer."""
    if array.dtype.kind in "UST":
        return "strings"
    if array.dtype != object:
        return str(array.dtype)
    return next((type(v).__name__ for v in array.flat if not isinstance(v, numbers.Integral)), "integers of more than 64 bits")


def weights(array):
    """A contiguous column of weights of a type that is compared as it is: float32, float64, or integers of 32 or 64 bits. Raises UsageError."""
    array = unmasked(array, "score")
    if array.size == 0 and array.dtype.kind not in "iuf":
        array = array.astype(np.float64)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind not in "iufb" or array.ndim != 1:
        raise core.UsageError(f"score must hold one number per edge, not {array.dtype} in the shape {array.shape}")
    if kind == "b" or (kind in "iu" and size < 4):
        return np.ascontiguousarray(array, np.int32)
    if kind == "f" and size not in (4, 8):
        return np.ascontiguousarray(array, np.float32 if size < 4 else np.float64)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def pairs(edges):
    """Edges as an array of shape (m, 2)."""
    if type(edges).__module__.partition(".")[0] == "networkx":
        raise core.UsageError("edges must not be a NetworkX graph; call NetworkX's own functions with backend='copse'")
    edges = integers(edges, "edges")
    if edges.size == 0 and edges.ndim == 1:
        return edges.reshape(0, 2)
    expect_pairs(edges, "edges")
    return edges


def expect_pairs(array, what):
    """Raises UsageError unless an array has the shape (m, 2)."""
    if len(array.shape) != 2 or array.shape[1] != 2:
        raise core.UsageError(f"{what} must have the shape (m, 2), not {tuple(array.shape)}")


def columns(sources, targets):
    """Two columns of one integer type."""
    sources, targets = integers(sources, "sources"), integers(targets, "targets")
    if sources.ndim != 1 or targets.ndim != 1:
        raise core.UsageError(f"sources and targets must have one dimension each, not {sources.ndim} and {targets.ndim}")
    if sources.size != targets.size:
        raise core.UsageError(f"sources and targets must have the same length, not {sources.size} and {targets.size}")
    if sources.dtype != targets.dtype:
        common = np.result_type(sources, targets)
        if common.kind == "f":  # uint64 and signed together: the values decide
            common = np.dtype(np.int64 if min(sources.min(initial=0), targets.min(initial=0)) < 0 else np.uint64)
            large = next(((side, column) for side, column in (("sources", sources), ("targets", targets)) if column.max(initial=0) >= 2**63), None)
            if common.kind == "i" and large is not None:
                side, column = large
                row = int(np.argmax(column >= 2**63))
                raise core.InputError(f"{side}[{row}]: found {column[row]}, expected ids below 2^63, as one id is negative")
        sources, targets = sources.astype(common), targets.astype(common)
    return sources, targets


def is_column_pair(edges):
    """A tuple of two arrays of one dimension, of Arrow and Polars too; tuples of plain numbers could be edges, and are not taken for columns."""
    return isinstance(edges, tuple) and len(edges) == 2 and any(_dimensions(e) == 1 for e in edges)


def _dimensions(array):
    array = of_dlpack(array)
    return getattr(array, "ndim", 1 if hasattr(array, "__array__") else 0)


def is_sparse(matrix):
    """True for a sparse matrix of SciPy, and for objects with its attributes."""
    return hasattr(matrix, "tocsr") and hasattr(matrix, "format")


def expect_square(matrix, what="graph"):
    """The number of rows of a matrix. Raises UsageError unless it has as many columns."""
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise core.UsageError(f"{what} must be a matrix of shape (N, N), not {tuple(matrix.shape)}")
    return matrix.shape[0]


def graph_of_sparse(matrix):
    """A SciPy sparse matrix as a graph: CSR, CSC and COO in place; other formats as CSR. Explicit zeros are edges."""
    rows = expect_square(matrix)
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
    rows = expect_square(matrix)
    if matrix.dtype.kind not in "biufc":
        try:
            matrix = matrix.astype(np.float64)
        except (TypeError, ValueError):
            raise core.UsageError(f"graph must be a matrix of numbers, not of {matrix.dtype}") from None
    edges = ~np.ma.getmaskarray(matrix) if isinstance(matrix, np.ma.MaskedArray) else (matrix != 0) & np.isfinite(matrix)
    sources, targets = np.nonzero(edges)
    return core.Graph.of_columns(np.ascontiguousarray(sources), np.ascontiguousarray(targets), rows)


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
            f"edges: found {largest} as the largest of {sizes} ids, expected dense ids; renumber them, or pass vertices={largest + 1}"
        )
    return largest
