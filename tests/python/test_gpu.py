"""Arrays in the memory of a GPU, of every library that is here: solved where they are, on their stream. Skipped without a GPU."""
import importlib

import numpy as np
import pytest

import copse

if not copse.gpus():
    pytest.skip("no GPU that works, or a build without CUDA", allow_module_level=True)

N = 5000
EDGES = np.random.default_rng(8).integers(0, N, (4000, 2))


class Torch:
    def __init__(self):
        self.torch = importlib.import_module("torch")

    def put(self, array):
        return self.torch.as_tensor(array, device="cuda")

    def get(self, array):
        assert array.device.type == "cuda" and array.dtype == self.torch.int32
        return array.cpu().numpy()

    def rows(self, matrix):
        index = matrix.indptr.dtype
        values = self.torch.ones(matrix.nnz)
        return self.torch.sparse_csr_tensor(matrix.indptr, matrix.indices.astype(index), values, size=matrix.shape).to("cuda")


class Cupy:
    def __init__(self):
        self.cupy = importlib.import_module("cupy")

    def put(self, array):
        return self.cupy.asarray(array)

    def get(self, array):
        assert isinstance(array, self.cupy.ndarray) and array.dtype == np.int32
        return array.get()

    def rows(self, matrix):
        return importlib.import_module("cupyx.scipy.sparse").csr_matrix(matrix.astype(np.float32))


class Numba:
    def __init__(self):
        self.cuda = importlib.import_module("numba.cuda")

    def put(self, array):
        return self.cuda.to_device(array)

    def get(self, array):
        return array.copy_to_host()


class Jax:
    def __init__(self):
        self.jax = importlib.import_module("jax")
        if self.jax.default_backend() != "gpu":
            pytest.skip("this JAX sees no GPU")

    def put(self, array):
        return self.jax.numpy.asarray(array).block_until_ready()

    def get(self, array):
        assert array.devices().pop().platform == "gpu"
        return np.asarray(array)


LIBRARIES = {"torch": Torch, "cupy": Cupy, "numba": Numba, "jax": Jax}


@pytest.fixture(params=LIBRARIES)
def library(request):
    pytest.importorskip("numba.cuda" if request.param == "numba" else request.param)
    return LIBRARIES[request.param]()


@pytest.fixture(params=["torch", "cupy"])
def full_library(request):
    pytest.importorskip(request.param)
    return LIBRARIES[request.param]()


def expected(edges=EDGES, vertices=N):
    return copse.components(edges, vertices=vertices).labels


def test_pairs_are_solved_there(library):
    found = copse.components(library.put(EDGES.astype(np.int32)), vertices=N)
    assert np.array_equal(library.get(found.labels), expected()) and found.narrowed == 0
    assert found.report.device.startswith("cuda") and found.report.solve_seconds > 0


def test_wide_ids_are_narrowed_and_counted(full_library):
    found = copse.components(full_library.put(EDGES))
    count = int(EDGES.max()) + 1
    assert found.narrowed == EDGES.size and np.array_equal(full_library.get(found.labels), expected(vertices=count))
    columns = tuple(full_library.put(EDGES[:, side].copy()) for side in (0, 1))
    assert np.array_equal(full_library.get(copse.components(columns, vertices=N).labels), expected())


def test_arrays_with_gaps_are_read_in_order(full_library):
    wide = full_library.put(np.repeat(EDGES.astype(np.int32), 2, axis=0))
    assert np.array_equal(full_library.get(copse.components(wide[::2], vertices=N).labels), expected())


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_rows_are_solved_there_and_prepared(full_library, index):
    matrix = copse.Graph.of(EDGES, N).symmetric_rows().to_scipy()
    matrix.indptr, matrix.indices = matrix.indptr.astype(index), matrix.indices.astype(np.int32 if full_library.__class__ is Cupy else index)
    rows = full_library.rows(matrix)
    for trusted in (False, True):
        found = copse.components(rows, trusted=trusted)
        assert np.array_equal(full_library.get(found.labels), expected()) and (found.report is None) == trusted
    prepared = copse.prepare(rows)
    for _ in range(3):
        assert np.array_equal(full_library.get(prepared.solve(rows)), expected())
    assert prepared.report.device.startswith("cuda")


def test_coo_of_cupy():
    cupy = pytest.importorskip("cupy")
    sparse = importlib.import_module("cupyx.scipy.sparse")
    ends = (cupy.asarray(EDGES[:, 0]), cupy.asarray(EDGES[:, 1]))
    matrix = sparse.coo_matrix((cupy.ones(len(EDGES), np.float32), ends), shape=(N, N))
    assert np.array_equal(copse.components(matrix).labels.get(), expected())


def test_what_is_enqueued_before_is_waited_for():
    torch = pytest.importorskip("torch")
    stream = torch.cuda.Stream()
    big = torch.rand(4096, 4096, device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        edges = torch.zeros(EDGES.shape, dtype=torch.int32, device="cuda")
        for _ in range(30):
            big = big @ big / 4096  # keeps the stream busy, so that the copy comes late
        edges.copy_(torch.as_tensor(EDGES.astype(np.int32)).pin_memory(), non_blocking=True)
        found = copse.components(edges, vertices=N, trusted=True).labels
        edges.zero_()  # comes after the solve
        assert np.array_equal(found.cpu().numpy(), expected())


@pytest.mark.parametrize("edges, text", [([[0, -1]], "-1"), ([[0, 2**31]], str(2**31)), ([[0.5, 1.0]], "f8|f4"), ([[0, 1, 2]], r"\(m, 2\)")])
def test_what_is_no_list_of_edges_is_refused(full_library, edges, text):
    with pytest.raises(ValueError, match=text):
        copse.components(full_library.put(np.array(edges)))


def test_ids_beyond_the_vertices_are_refused(library):
    with pytest.raises(ValueError):
        copse.components(library.put(EDGES.astype(np.int32)), vertices=10)
    assert np.array_equal(library.get(copse.components(library.put(EDGES.astype(np.int32)), vertices=N).labels), expected())


def test_numba_says_what_it_needs():
    cuda = pytest.importorskip("numba.cuda")
    for edges, vertices in ((EDGES, N), (EDGES.astype(np.int32), None)):
        with pytest.raises(ValueError, match="Numba"):
            copse.components(cuda.to_device(edges), vertices)


def test_host_arrays_are_solved_on_the_gpu():
    matrix = copse.Graph.of(EDGES, N).symmetric_rows()
    found = copse.components(matrix, device="cuda")
    assert found.report.device == "cuda:0" and np.array_equal(found.labels, expected())


def test_edges_that_arrive_go_to_the_gpu():
    found = copse.components(EDGES, device="cuda:0,0")
    here = copse.components(EDGES)
    assert found.report.device == "cuda:0,0" and np.array_equal(found.ids, here.ids) and np.array_equal(found.labels, here.labels)
    with pytest.raises(copse.UsageError, match="found strings, expected integers on a GPU"):
        copse.components({"l": ["a"], "r": ["b"]}, device="cuda")
    for make in (lambda v: int(v), lambda v: int(v) * 10**12 - 7, lambda v: f"record {v}"):
        live, expected_live = copse.Incremental(device="cuda"), copse.Incremental()
        for batch in np.array_split(EDGES, 5):
            named = [(make(u), make(v)) for u, v in batch]
            live.insert(named)
            expected_live.insert(named)
            assert live.count == expected_live.count
        assert live.variant == "cuda.none.fast"
        assert live.connected(named).all() and live.size_of(named[0][0]) == expected_live.size_of(named[0][0])
