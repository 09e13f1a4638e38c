"""Arrays in the memory of a GPU, of CuPy, PyTorch, JAX and Numba: solved where they are, on the stream of their library.

They say where they are by __cuda_array_interface__; new arrays (labels, narrow ids) are made by their own library.
"""
import importlib

import numpy as np

from copse import _arrays
from copse._load import core
from copse._options import options
from copse._pickles import refuse


def is_on_device(edges):
    """An array of a GPU, a tuple of two, or a sparse matrix of CuPy or PyTorch."""
    if isinstance(edges, tuple):
        return len(edges) == 2 and all(hasattr(e, "__cuda_array_interface__") for e in edges)
    kind = type(edges).__module__.partition(".")[0]
    if kind == "torch":  # a sparse tensor cannot be asked for the interface of an array, not even whether it has it
        return edges.is_cuda
    return kind == "cupyx" or hasattr(edges, "__cuda_array_interface__")


class _Library:
    """The functions that are needed of a library, except those that it names in its own way."""

    def bounds(self, array):
        """Its smallest and largest element; waits for the GPU."""
        return int(array.min()), int(array.max())


class _Torch(_Library):
    def __init__(self, like):
        self._torch, self.device = importlib.import_module("torch"), like.device

    def stream(self):
        return self._torch.cuda.current_stream(self.device).cuda_stream

    def empty(self, size):
        return self._torch.empty(size, dtype=self._torch.int32, device=self.device)

    def narrow(self, array):
        return array.to(self._torch.int32)

    def stack(self, columns):
        return self._torch.stack(columns, dim=1)

    def view(self, holder):
        return self._torch.as_tensor(holder, device=self.device)


class _Cupy(_Library):
    def __init__(self, like):
        self._cupy = importlib.import_module("cupy")

    def stream(self):
        return self._cupy.cuda.get_current_stream().ptr

    def empty(self, size):
        return self._cupy.empty(size, self._cupy.int32)

    def narrow(self, array):
        return array.astype(self._cupy.int32)

    def stack(self, columns):
        return self._cupy.stack(columns, axis=1)

    def view(self, holder):
        return self._cupy.asarray(holder)


class _Numba:  # its arrays have no arithmetic
    def __init__(self, like):
        self._cuda = importlib.import_module("numba.cuda")

    def stream(self):
        return 0

    def empty(self, size):
        return self._cuda.device_array(size, np.int32)

    def bounds(self, array):
        raise core.UsageError(
            "a Numba array of edges needs vertices=, 32-bit ids and the shape (m, 2); cupy.asarray(array), which makes no copy, needs none of these"
        )

    narrow = stack = bounds

    def view(self, holder):
        return self._cuda.as_cuda_array(holder)


class _Jax(_Library):
    def __init__(self, like):
        self._jax = importlib.import_module("jax.numpy")

    def stream(self):
        return 0

    def empty(self, size):
        return self._jax.zeros(size, self._jax.int32).block_until_ready()

    def narrow(self, array):
        return array.astype(self._jax.int32).block_until_ready()

    def stack(self, columns):
        return self._jax.stack(columns, axis=1).block_until_ready()

    def view(self, holder):
        raise core.UsageError("prepare() takes arrays of CuPy, PyTorch or Numba, not of JAX")


_LIBRARIES = {"torch": _Torch, "cupy": _Cupy, "numba": _Numba, "numba_cuda": _Numba, "jaxlib": _Jax, "jax": _Jax}


def _library_of(array):
    kind = type(array).__module__.partition(".")[0]
    if kind not in _LIBRARIES:
        raise core.UsageError(f"arrays on a GPU must be of CuPy, PyTorch, JAX or Numba, not of {kind}")
    return _LIBRARIES[kind](array)


class _Input:
    """A graph on a GPU: its view, what it keeps alive, and how many ids were narrowed."""

    def __init__(self, edges, vertices, trusted, symmetric=False):
        self.narrowed, self._kept = 0, []
        if hasattr(edges, "indptr"):
            offsets, targets = edges.indptr, edges.indices
        elif hasattr(edges, "crow_indices") and "csr" in str(edges.layout):
            offsets, targets = edges.crow_indices(), edges.col_indices()
        else:
            if hasattr(edges, "row"):  # COO of cupyx
                vertices, edges = edges.shape[0], (edges.row, edges.col)
            self.library = _library_of(edges[0] if isinstance(edges, tuple) else edges)
            self.graph = self._pairs(edges, vertices, trusted)
            return
        self.library = _library_of(targets)
        offsets, targets = self._ids(offsets, narrow=False), self._ids(targets)
        bits, (count,) = _bits(offsets), offsets.shape
        self.graph = core.DeviceGraph.of_rows(_address(offsets), bits, count - 1, _address(targets), targets.shape[0], trusted, symmetric)

    def _pairs(self, edges, vertices, trusted):
        if isinstance(edges, tuple):
            edges = self.library.stack([self._ids(column) for column in edges])
        edges = self._ids(edges)
        _arrays.expect_pairs(edges, "edges")
        if vertices is None:
            vertices = self.library.bounds(edges)[1] + 1 if edges.shape[0] else 0
        return core.DeviceGraph.of_pairs(_address(edges), edges.shape[0], vertices, trusted)

    def _ids(self, array, narrow=True):
        """Contiguous integers; ids of 64 bits as 32-bit ones, once they are known to fit."""
        form = array.__cuda_array_interface__
        if form["typestr"][1] not in "iu" or form["typestr"][2:] not in ("4", "8"):
            raise core.UsageError(f"edges must hold integers of 32 or 64 bits, not {form['typestr']}")
        if form.get("strides") is not None:
            array = array.contiguous() if hasattr(array, "contiguous") else importlib.import_module("cupy").ascontiguousarray(array)
        if narrow and form["typestr"][2:] == "8":
            smallest, largest = self.library.bounds(array) if array.shape[0] else (0, 0)
            if smallest < 0 or largest >= 2**31:
                raise core.InputError(f"edges: found ids from {smallest} to {largest}, expected 0 to 2^31 - 1 on a GPU")
            self.narrowed += int(np.prod(array.shape))
            array = self.library.narrow(array)
        self._kept.append(array)
        return array


def _bits(array):
    return 8 * int(array.__cuda_array_interface__["typestr"][2:])


def _address(array):
    return array.__cuda_array_interface__["data"][0]


class DeviceComponents:
    """The answer for a graph on a GPU: `labels`, one per vertex, in an array of the same library on that GPU."""

    __slots__ = ("labels", "report", "narrowed")

    def __init__(self, labels, report, narrowed):
        #: canonical labels, int32, written on the library's stream
        self.labels = labels
        #: what the solve did; None for a trusted graph, whose labels are enqueued only
        self.report = report
        #: ids of 64 bits that were copied to 32 bits first
        self.narrowed = narrowed

    def __reduce__(self):
        return DeviceComponents, (self.labels, self.report, self.narrowed)


def components(edges, vertices, variant, seed, trusted=False):
    """components() of arrays on a GPU."""
    given = _Input(edges, vertices, trusted)
    labels = given.library.empty(given.graph.vertices)
    report = core.solve_on_device(given.graph, _address(labels), given.library.stream(), options(variant, seed=seed))
    return DeviceComponents(labels, report, given.narrowed)


class _Memory:
    """Labels of a prepared solve as their library sees them. Not called read-only, which Torch refuses."""

    def __init__(self, owner, address, size):
        self._owner = owner
        self.__cuda_array_interface__ = {"shape": (size,), "typestr": "<i4", "data": (address, False), "version": 3, "strides": None, "stream": None}


class Prepared:
    """A solver on a GPU for graphs of one size, made by `prepare`: all is allocated, so that a solve does little more than run the kernels."""

    __slots__ = ("_library", "_solve", "_vertices", "_last", "_labels", "_address")

    def __init__(self, edges, variant):
        checked = _Input(edges, None, False)
        room = checked.library.empty(checked.graph.vertices)
        report = core.solve_on_device(checked.graph, _address(room), checked.library.stream(), options(variant))
        if not report.variant.endswith(".fast"):
            raise core.UsageError(
                f"prepare() needs rows that hold every edge in both directions, and a variant of the fast path, not {report.variant}"
            )
        given = _Input(edges, None, True, symmetric=True)
        self._library, self._vertices, self._labels, self._address, self._last = given.library, given.graph.vertices, None, None, None
        # The results of the check are not passed on, so auto would choose with less knowledge of the rows.
        self._solve = core.PreparedSolve(given.library.stream(), given.graph, options(report.variant))

    def __reduce__(self):
        refuse("Prepared", "call prepare() again where the GPU is")

    def solve(self, edges):
        """Returns the labels of a graph with the same number of vertices and at most as many arcs, as an array of the library; they are valid
        until the next call."""
        if self._last is None or self._last[0] is not edges:
            self._last = (edges, _Input(edges, None, True, symmetric=True))
        address = self._solve.solve(self._last[1].graph)
        if address != self._address:
            self._address, self._labels = address, self._library.view(_Memory(self, address, self._vertices))
        return self._labels

    @property
    def report(self):
        """The report of the last solve."""
        return self._solve.report


def prepare(edges, *, variant="auto"):
    """Prepares to solve graphs of the size of this one, which is given as rows (CSR) on a GPU: a matrix of cupyx or a torch.sparse_csr tensor.

    The rows must hold every edge in both directions. The rows given here are checked; those of later solves are not. Returns Prepared.
    Raises UsageError, ResourceError.
    """
    return Prepared(edges, variant)
