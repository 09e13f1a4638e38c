"""components(): every way to hand over edges, the same answer."""
import gzip

import numpy as np
import pytest
from scipy import sparse

import copse

EDGES = np.array([[0, 1], [1, 2], [3, 3], [7, 8]])


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u8"])
@pytest.mark.parametrize("layout", ["rows", "fortran", "columns", "strided"])
def test_integers_of_every_type_and_layout(dtype, layout):
    edges = EDGES.astype(dtype)
    given = {
        "rows": edges, "fortran": np.asfortranarray(edges), "columns": (edges[:, 0].copy(), edges[:, 1].copy()),
        "strided": np.repeat(edges, 2, axis=0)[::2],
    }[layout]
    found = copse.components(given)
    assert found.ids.tolist() == [0, 1, 2, 3, 7, 8]
    assert found.labels.tolist() == [0, 0, 0, 3, 7, 7]
    assert found.numbers.tolist() == [0, 0, 0, 1, 2, 2]
    assert found.first.tolist() == [0, 0, 0, 3, 4, 4]
    assert found.sizes().tolist() == [3, 1, 2]
    assert (found.count, found.vertices, len(found)) == (3, 6, 6)
    assert found.verify()
    declared = copse.components(given, vertices=10)
    assert declared.labels.tolist() == [0, 0, 0, 3, 4, 5, 6, 7, 7, 9]
    assert declared.count == 7 and declared.verify()


def test_lists_of_pairs_are_edges_and_two_arrays_are_columns():
    assert copse.components([(0, 1), (1, 2)]).labels.tolist() == [0, 0, 0]
    assert copse.components(((0, 1), (2, 3))).labels.tolist() == [0, 0, 2, 2]
    assert copse.components((np.array([0, 1]), np.array([2, 3]))).labels.tolist() == [0, 1, 0, 1]


def test_sparse_and_huge_ids_keep_their_names():
    found = copse.components(np.array([[10**15, 5], [2**63 - 2, 10**15]]))
    assert found.ids.tolist() == [5, 10**15, 2**63 - 2]
    assert found.labels.tolist() == [5, 5, 5]
    assert found.ids.dtype == np.int64
    assert found.verify()
    wide = copse.components(np.array([[2**64 - 2, 5]], dtype=np.uint64))
    assert wide.ids.tolist() == [5, 2**64 - 2] and wide.ids.dtype == np.uint64


def test_unsigned_beside_signed_columns_are_integers_still():
    found = copse.components((np.array([2**63 + 1], dtype=np.uint64), np.array([4], dtype=np.int64)))
    assert found.ids.tolist() == [4, 2**63 + 1]


@pytest.mark.parametrize("empty", [np.empty((0, 2), int), [], (np.empty(0, int), np.empty(0, int)), sparse.csr_array((0, 0))])
def test_nothing_has_no_components(empty):
    found = copse.components(empty)
    assert found.count == 0 and found.labels.size == 0 and found.sizes().size == 0


@pytest.mark.parametrize(
    "edges, text",
    [
        (np.array([[0.0, 1.0]]), "must hold integers, not float64"),
        (np.array([[True, False]]), "must hold integers, not bool"),
        (np.array([["a", "b"]]), "must hold integers, not strings"),
        (np.array([[0, 1, 2]]), r"edges must have the shape \(m, 2\), not \(1, 3\)"),
        (np.array([0, 1]), r"\(2,\)"),
        ((np.array([0]), np.array([1, 2])), "sources and targets must have the same length, not 1 and 2"),
        ((np.array([-1]), np.array([2**63], np.uint64)), r"targets\[0\]: found 9223372036854775808, expected ids below 2\^63, as one id is negative"),
    ],
)
def test_what_is_no_list_of_edges_is_refused(edges, text):
    with pytest.raises(ValueError, match=text):
        copse.components(edges)


def test_an_id_beyond_the_declared_vertices_is_refused():
    with pytest.raises(copse.UsageError, match="found"):
        copse.components(EDGES, vertices=8)


def test_a_matrix_is_a_graph():
    matrix = sparse.csr_array((np.ones(2), np.array([[0, 3], [1, 1]], np.int32)), shape=(4, 4))
    found = copse.components(matrix)
    assert found.labels.tolist() == [0, 0, 2, 0] and found.labels.dtype == np.int32
    assert found.verify()


def test_labels_are_views():
    found = copse.components(EDGES, vertices=9)
    assert not found.labels.flags.owndata and not found.labels.flags.writeable
    labels = found.labels
    del found
    assert labels.tolist() == [0, 0, 0, 3, 4, 5, 6, 7, 7]


def test_files(tmp_path):
    plain, packed = tmp_path / "e.txt", tmp_path / "e.txt.gz"
    text = "".join(f"{u} {v}\n" for u, v in EDGES)
    plain.write_text(text)
    with gzip.open(packed, "wt") as file:
        file.write(text)
    for path in (plain, packed, str(plain)):
        found = copse.components(path)
        assert found.ids.tolist() == [0, 1, 2, 3, 7, 8] and found.labels.tolist() == [0, 0, 0, 3, 7, 7]
        assert found.verify()
    names = tmp_path / "names.csv"
    names.write_text("x,y\nz,y\nn,n\n")
    found = copse.components(names)
    assert found.ids.tolist() == ["n", "x", "y", "z"] and found.labels.tolist() == ["n", "x", "x", "x"]
    assert found.verify() and found.has_string_ids


def test_errors_of_files_are_pythons_own(tmp_path):
    with pytest.raises(FileNotFoundError):
        copse.components(tmp_path / "none.txt")
    bad = tmp_path / "bad.txt"
    bad.write_text("0 1\n0 x\n")
    with pytest.raises(ValueError, match=r"bad\.txt:2: found"):
        copse.read_graph(bad, ids="integers")


def test_wrong_labels_are_not_verified():
    matrix = sparse.csr_array((np.ones(2), ([0, 2], [1, 3])), shape=(4, 4))
    assert copse.verify(matrix, np.array([0, 0, 2, 2]))
    for wrong in ([0, 1, 2, 2], [0, 0, 0, 0], [1, 1, 2, 2]):
        verdict = copse.verify(matrix, np.array(wrong))
        assert not verdict and verdict.reason
    found = copse.components(EDGES)
    assert not found.verify(np.array([[0, 3], [1, 2], [7, 8]]))
    with pytest.raises(ValueError, match="no label"):
        found.verify(np.array([[0, 4]]))
    with pytest.raises(ValueError, match="found 9, expected a vertex below 4"):
        copse.verify(matrix, np.array([0, 0, 9, 2]))


def test_checksums_tell_answers_apart():
    a = copse.components(EDGES, vertices=9)
    assert a.checksum() == copse.checksum(a) == copse.checksum(a.labels) == copse.components(EDGES.astype(np.int32), vertices=9).checksum()
    assert a.checksum() != copse.components(EDGES[1:], vertices=9).checksum()


def test_threads_memory_and_reports():
    rng = np.random.default_rng(1)
    edges = rng.integers(0, 30000, (200_000, 2))
    answers = [copse.components(edges, vertices=30000, threads=t) for t in (1, 2, 5)]
    assert len({a.checksum() for a in answers}) == 1
    assert [a.report.threads for a in answers] == [1, 2, 5]
    assert answers[0].report.edges == 200_000 and answers[0].report.solve_seconds > 0
    with pytest.raises(MemoryError, match="bytes"):
        copse.components(edges, vertices=30000, memory=1000)
    assert copse.components(edges, vertices=30000, memory="10MB").checksum() == answers[0].checksum()


@pytest.mark.parametrize(
    "keywords, text",
    [
        ({"threads": 0}, "threads"), ({"memory": "much"}, "^memory"), ({"gpu_memory": "much"}, "gpu_memory must be a number of bytes such as .*, not 'much'"), ({"memory": -1}, "memory"), ({"device": "gpu"}, "device"),
        ({"variant": "nothing"}, "nothing"), ({"progress": 7}, "progress"),
    ],
)
def test_wrong_keywords_are_refused(keywords, text):
    with pytest.raises(ValueError, match=text):
        copse.components(EDGES, vertices=9, **keywords)


def test_graphs_that_were_read_or_generated(tmp_path):
    graph = copse.generate("rmat:scale=10,edges=4,seed=3")
    assert graph.has_rows and graph.offsets.size == graph.vertices + 1 and graph.targets.size == graph.stored
    found = copse.components(graph)
    count, numbers = copse.connected_components(graph.to_scipy())
    assert found.count == count and np.array_equal(found.numbers, numbers)
    graph.write(tmp_path / "g.sg")
    again = copse.read_graph(tmp_path / "g.sg")
    assert again.checksum() == graph.checksum()
    with pytest.raises(OSError):
        graph.write(tmp_path / "none" / "g.sg")
    raw = copse.generate("rmat:scale=10,edges=4,seed=3", raw=True)
    assert raw.edges.shape == (raw.stored, 2) and raw.symmetric_rows().checksum() == graph.checksum()
    assert copse.components(raw.edges, vertices=raw.vertices).checksum() == found.checksum()
    named = tmp_path / "n.txt"
    named.write_text("b a\nc c\n")
    assert copse.read_graph(named).names == ["a", "b", "c"]
    assert copse.components(copse.read_graph(named)).labels.tolist() == ["a", "a", "c"]
    with pytest.raises(ValueError, match="found family 'nothing', expected one of"):
        copse.generate("nothing:n=3")


def test_the_device_auto_says_why_and_other_calls_take_the_cpu(tmp_path):
    path = tmp_path / "g.el"
    path.write_text("0 1\n2 3\n")
    for found in (copse.components(str(path), device="auto"), copse.components(np.array([[0, 1], [2, 3]]), 4, device="auto")):
        assert found.count == 2 and found.report.explanation.startswith("device auto: ")
    assert copse.components(np.array([[0, 1], [2, 3]]), device="auto").count == 2
    assert copse.spanning_forest(np.array([[0, 1], [2, 3]]), 4, device="auto").report.device == "cpu"


def test_a_plan_has_the_ways_of_a_file(tmp_path):
    path = tmp_path / "g.el"
    path.write_text("".join(f"{i} {i // 2}\n" for i in range(100000)))
    plan = copse.plan(path, memory="1MB", threads=2)
    assert plan["vertices"] == plan["edges"] == 100000 and plan["sizes"] == "counted" and plan["auto"] == "stream"
    ways = {way["way"]: way for way in plan["ways"]}
    assert ways["stream"]["bytes"] == 800000 and ways["stream"]["fits"] and ways["stream"]["seconds"] > 0
    assert not ways["held"]["fits"]
    with pytest.raises(TypeError, match="plan"):
        copse.plan(path, colour="red")
