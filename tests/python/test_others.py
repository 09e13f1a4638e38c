"""Forests, incremental components and lists."""
import pickle

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components as scipys

import copse


@pytest.fixture(scope="module")
def edges():
    return np.random.default_rng(4).integers(0, 3000, (2500, 2))


def test_a_spanning_forest_spans(edges):
    matrix = sparse.coo_array((np.ones(len(edges)), edges.T), shape=(3000, 3000))
    count = scipys(matrix)[0]
    for given in (edges, (edges[:, 0].copy(), edges[:, 1].copy()), matrix, matrix.tocsr(), copse.Graph.of(edges, 3000)):
        forest = copse.spanning_forest(given, None if sparse.issparse(given) or isinstance(given, copse.Graph) else 3000, labels=True)
        assert forest.count == count and forest.edges.shape == (3000 - count, 2)
        assert forest.verify()
        assert np.array_equal(forest.labels, copse.components(matrix).labels)


def test_a_spanning_forest_of_a_file_holds_no_edges_and_is_proved_by_the_file(edges, tmp_path):
    path = tmp_path / "edges.csv"
    np.savetxt(path, edges * 7, fmt="%d", delimiter=",")
    forest = pickle.loads(pickle.dumps(copse.spanning_forest(path, labels=True, threads=2)))
    answer = copse.components(path)
    assert forest.ids.tolist() == answer.ids.tolist() and forest.labels.tolist() == answer.labels.tolist()
    assert forest.count == answer.count and len(forest.edges) == forest.vertices - forest.count
    assert "united while parsed" in forest.report.explanation and forest.report.edges == len(edges)
    assert forest.verify()
    held = copse.spanning_forest(path, variant="serial.hb.rem")
    assert held.verify() and held.report.variant == "serial.hb.rem"
    np.savetxt(path, np.column_stack([np.unique(edges * 7)] * 2), fmt="%d", delimiter=",")  # the same vertices, joined by nothing
    assert not forest.verify()


def test_trees_have_roots_and_tours(edges):
    forest = copse.spanning_forest(edges, 3000)
    rooted, tour = copse.root_forest(forest), copse.euler_tour(forest)
    assert np.array_equal(rooted.parents, tour.parents) and np.array_equal(rooted.depths, tour.depths)
    labels = copse.components(edges, vertices=3000).labels
    roots = np.arange(3000) == rooted.parents
    assert np.array_equal(np.flatnonzero(roots), np.unique(labels))
    assert np.array_equal(rooted.depths[~roots], rooted.depths[rooted.parents[~roots]] + 1)
    assert np.array_equal(tour.order[tour.preorder], np.arange(3000))
    assert np.array_equal(tour.sizes[roots], np.unique(labels, return_counts=True)[1])
    again = copse.euler_tour(forest.edges.copy(), 3000)
    assert np.array_equal(again.order, tour.order)
    with pytest.raises(ValueError, match="cycle"):
        copse.root_forest(np.array([[0, 1], [1, 2], [2, 0]]))


def test_sparse_ids_are_no_forest():
    with pytest.raises(ValueError, match="dense ids"):
        copse.spanning_forest(np.array([[0, 10**12]]))


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64])
def test_ranks_count_links(dtype):
    order = np.random.default_rng(5).permutation(1000)
    successors = np.empty(1000, dtype)
    successors[order[:-1]], successors[order[-1]] = order[1:], order[-1]
    ranks = copse.rank_list(successors)
    assert np.array_equal(ranks[order], np.arange(999, -1, -1))
    assert np.array_equal(copse.rank_list(successors, origin="head")[order], np.arange(1000))
    weights = np.arange(1000)
    assert np.array_equal(copse.rank_list(successors, weights)[order], np.cumsum(weights[order][::-1])[::-1])
    assert copse.rank_list(successors, weights, operation="max")[order[0]] == 999


def test_what_is_no_list_is_refused():
    with pytest.raises(ValueError, match="0"):
        copse.rank_list(np.array([1, 0]))
    assert copse.rank_list(np.array([1, -1])).tolist() == [1, 0]
    assert copse.rank_list(copse.generate("list:n=10")).size == 10
    for wrong in ({"operation": "mean"}, {"origin": "tail"}, {"variant": "none"}):
        with pytest.raises(ValueError):
            copse.rank_list(np.array([1, 1]), **wrong)


def test_incremental_components_follow_the_edges(edges, tmp_path):
    live = copse.Incremental(record_forest=True)
    for batch in np.array_split(edges, 7):
        live.insert(batch)
    static = copse.components(edges)
    assert live.count == static.count and live.vertices == static.vertices
    answer = live.components()
    assert np.array_equal(answer.ids, static.ids) and np.array_equal(answer.labels, static.labels)
    pairs = np.random.default_rng(6).integers(0, 3000, (500, 2))
    label = dict(zip(static.ids.tolist(), static.labels.tolist()))
    truth = [u == v or (u in label and v in label and label[u] == label[v]) for u, v in pairs.tolist()]
    assert live.connected(pairs).tolist() == truth
    assert live.connected((pairs[:, 0].copy(), pairs[:, 1].copy())).dtype == bool
    assert copse.components(live.forest()).checksum() == copse.components(edges[edges[:, 0] != edges[:, 1]]).checksum()
    live.save(tmp_path / "live.bin")
    again = copse.Incremental.open(tmp_path / "live.bin")
    assert again.components().checksum() == answer.checksum()
    other = copse.Incremental()
    other.insert([(1, 4000)])
    again.merge(other)
    assert 4000 in again and 4001 not in again and again.size_of(4000) == np.sum(static.labels == label[1]) + 1
    with pytest.raises(FileNotFoundError):
        copse.Incremental.open(tmp_path / "none")
    with pytest.raises(OSError):
        live.save(tmp_path / "none" / "live.bin")
    (tmp_path / "bad").write_bytes(b"nothing")
    with pytest.raises(ValueError):
        copse.Incremental.open(tmp_path / "bad")


@pytest.mark.parametrize(("weights", "keywords", "text"), [
    (np.array([2**63, 1], "u8"), {}, "9223372036854775808"), ([[1], [2]], {}, "weights must have one dimension, not 2"), (None, {"operation": "min"}, "operation='min' needs weights="),
])
def test_weights_of_lists_that_would_be_others_are_refused(weights, keywords, text):
    with pytest.raises(ValueError, match=text):
        copse.rank_list([1, 1], weights, **keywords)
    assert copse.rank_list([1, 1], np.array([2**63 - 1, 1], "u8"), operation="max").tolist() == [2**63 - 1, 1]


def test_what_is_no_vertex_is_in_no_incremental():
    live = copse.Incremental(2)
    assert 1 in live and -1 not in live and 2**70 not in live and "a" not in live
    assert live.size_of(-1) == 0
    with pytest.raises(copse.UsageError, match="ids must be integers, as in the first batch, not 'a'"):
        live.size_of("a")
    with pytest.raises(copse.UsageError, match="other must be an Incremental, not int"):
        live.merge(5)


@pytest.mark.parametrize(("keywords", "text"), [
    ({"columns": (1, 2, 3)}, "two columns"), ({"columns": "l"}, "two columns"), ({"columns": (0, 1)}, "columns must be 1 or more, not 0"),
    ({"score": -1, "threshold": 1}, "score"), ({"score": "s", "threshold": float("nan")}, "NaN"), ({"vertices": -1}, "vertices"),
])
def test_what_says_no_column_and_no_weight_is_refused(tmp_path, keywords, text):
    (tmp_path / "pairs.csv").write_text("l,r,s\n1,2,.5\n")
    with pytest.raises(copse.UsageError, match=text):
        copse.read_graph(tmp_path / "pairs.csv", **keywords)


def test_ids_that_incremental_cannot_hold_are_refused():
    live = copse.Incremental(5, record_forest=True)
    for bad in (-1, 2**32 - 1, 2**40):
        with pytest.raises(ValueError, match=str(bad)):
            live.insert(np.array([[0, bad]]))
    assert live.count == 5
