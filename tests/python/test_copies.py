"""Answers and graphs can be pickled and copied, and a copy answers what the original does."""
import copy
import multiprocessing
import pickle
import uuid

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import copse

sparse = pytest.importorskip("scipy.sparse")
WAYS = {"deepcopy": copy.deepcopy, "copy": copy.copy, **{f"pickle {p}": lambda thing, p=p: pickle.loads(pickle.dumps(thing, p)) for p in range(6)}}
FRAME = pd.DataFrame({"l": ["b", "c", "x"], "r": ["a", "b", "y"], "w": [0.9, 0.5, 0.7]})
UUIDS = pd.DataFrame({"l": [uuid.UUID(int=1), uuid.UUID(int=3)], "r": [uuid.UUID(int=2), uuid.UUID(int=4)], "w": [1, 2]})
MATRIX = sparse.coo_array(([0.9, 0.5, 0.7], ([0, 1, 3], [1, 2, 4])), shape=(6, 6))
SPARSE = np.array([[10, 20], [20, 30], [2**40, 5]])
GIVEN = {
    "strings": (FRAME, {"columns": ("l", "r")}, "w"), "UUIDs": (UUIDS, {"columns": ("l", "r")}, "w"), "rows": (MATRIX.tocsr(), {}, None), "columns": (MATRIX, {}, None),
    "pairs": (np.array([[0, 1], [1, 2], [3, 4]]), {}, [0.9, 0.5, 0.7]), "pairs of 32 bits": (np.array([[0, 1], [1, 2]], np.int32), {}, np.array([1, 2], np.float32)),
    "sparse": (pa.table({"l": SPARSE[:, 0], "r": SPARSE[:, 1], "w": [3, 1, 2]}), {"columns": ("l", "r")}, "w"), "nothing": (np.empty((0, 2), int), {}, []),
}


@pytest.fixture(params=WAYS)
def again(request):
    return WAYS[request.param]


@pytest.fixture(params=GIVEN)
def given(request):
    return GIVEN[request.param]


def same(one, other):
    assert np.array_equal(np.asarray(one), np.asarray(other)) and np.asarray(one).dtype == np.asarray(other).dtype


def test_components(given, again):
    edges, how, _ = given
    edges = edges[["l", "r"]] if isinstance(edges, pd.DataFrame) else edges.select(["l", "r"]) if isinstance(edges, pa.Table) else edges
    found = copse.components(edges, **how)
    assert found.labels.size == len(found)  # what is cached is no part of a copy
    twin = again(found)
    for name in ("ids", "labels", "numbers", "first"):
        same(getattr(found, name), getattr(twin, name))
    assert twin.count == found.count and twin.checksum() == found.checksum() and repr(twin) == repr(found)
    assert twin.report.variant == found.report.variant and twin.report.notes == found.report.notes and twin.report.phases == found.report.phases
    assert pa.table(twin).equals(pa.table(found)) and twin.to_pandas().equals(found.to_pandas())
    if found.left_out is None:
        assert twin.verify() or not isinstance(edges, np.ndarray)
    else:
        assert (twin.left_out.rows, twin.left_out.nulls, twin.left_out.below) == (found.left_out.rows, 0, 0)


def test_weighted_forests(given, again):
    edges, how, weights = given
    found = copse.weighted_forest(edges, weights, goal="maximum", **how)
    twin = again(found)
    for name in ("edges", "weights", "ids"):
        same(getattr(found, name), getattr(twin, name))
    assert (twin.positions is None) == (found.positions is None) and twin.goal == "maximum" and twin.count == found.count
    assert twin.labels_at(0.6).checksum() == found.labels_at(0.6).checksum() and repr(twin) == repr(found)
    same(copse.dendrogram(twin), copse.dendrogram(found))
    if isinstance(edges, np.ndarray) or sparse.issparse(edges):
        assert twin.verify() and twin.positions.tolist() == found.positions.tolist()
    else:
        assert type(twin.to_table()) is type(found.to_table())


def test_graphs_forests_and_bridges(given, again):
    edges, how, _ = given
    edges = edges[["l", "r"]] if isinstance(edges, pd.DataFrame) else edges.select(["l", "r"]) if isinstance(edges, pa.Table) else edges
    found = copse.bridges(edges, blocks=True, **how)
    twin = again(found)
    for name in ("edges", "positions", "smaller_sides", "articulation_points"):
        same(getattr(found, name), getattr(twin, name))
    assert [b.tolist() for b in twin.biconnected_components()] == [b.tolist() for b in found.biconnected_components()]
    assert twin.verify() and twin.two_edge_connected.checksum() == found.two_edge_connected.checksum() and twin.report.threads == found.report.threads
    forest = copse.spanning_forest(edges, labels=True, **how)
    other = again(forest)
    same(other.edges, forest.edges)
    same(other.labels, forest.labels)
    assert other.verify() and other.report.variant == forest.report.variant
    same(copse.root_forest(other).parents, copse.root_forest(forest).parents)
    tour = again(copse.euler_tour(forest))
    same(tour.order, copse.euler_tour(forest).order)
    if not how:
        graph = copse.Graph.of(edges)
        assert again(graph).checksum() == graph.checksum() and again(graph).vertices == graph.vertices


def test_graphs_that_are_ours(again, tmp_path):
    graph = copse.generate("er:n=300,m=400,seed=3")
    twin = again(graph)
    assert twin.checksum() == graph.checksum() and twin.has_rows and copse.components(twin).checksum() == copse.components(graph).checksum()
    twin.write(tmp_path / "twin.mtx")
    assert copse.read_graph(tmp_path / "twin.mtx").vertices == 300
    raw = again(copse.generate("er:n=300,m=400,seed=3", raw=True))
    assert raw.stored == 400 and not raw.has_rows


def test_verdicts_reports_and_explanations(again):
    graph = copse.Graph.of([(0, 1), (2, 3)])
    right, wrong = again(copse.verify(graph, [0, 0, 2, 2])), again(copse.verify(graph, [0, 0, 0, 0]))
    assert right and right.components == 2 and not wrong and wrong.reason
    why = again(copse.explain(FRAME, "a", "c", "w"))
    assert why.path.tolist() == ["a", "b", "c"] and why.links["to"].tolist() == ["b", "c"]
    with pytest.raises(copse.InputError) as caught:
        copse.components({"u": [None, 2], "v": [1, 2]})
    assert str(again(caught.value)) == str(caught.value) and type(again(caught.value)) is copse.InputError


def test_an_answer_of_a_file_is_verified_after_a_copy(again, tmp_path):
    (tmp_path / "f.csv").write_text("l;r\na;b\nb;c\n")
    found = copse.components(tmp_path / "f.csv", header=True, delimiter=";", ids="strings")
    assert again(found).verify() and again(found).ids.tolist() == ["a", "b", "c"]


def test_a_copy_is_its_own(again):
    edges = np.array([[0, 1], [1, 2]])
    graph = copse.Graph.of(edges)
    twin = again(graph)
    edges[1] = [1, 1]
    if again is not WAYS["copy"]:
        assert twin.edges.tolist() == [[0, 1], [1, 2]]


def solved(graph):
    return copse.components(graph)


def test_graphs_and_answers_go_to_other_processes_and_back():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        graph = copse.Graph.of(np.array([[0, 1], [3, 4]]))
        assert pool.apply(solved, (graph,)).labels.tolist() == copse.components(graph).labels.tolist()


@pytest.mark.parametrize("again", WAYS.values(), ids=WAYS)
def test_what_stays_in_its_process_says_so(again):
    with pytest.raises(TypeError, match="Incremental objects cannot be pickled or copied; use save"):
        again(copse.Incremental(3))
