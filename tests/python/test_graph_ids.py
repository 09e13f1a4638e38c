"""Every function names the vertices of one Graph by the ids of its file; positions have names of their own."""
import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import copse

CASE = Path(__file__).resolve().parents[1] / "corpus/cases/python-graph-ids/input.csv"

FILES = {
    "the case": (CASE.read_text(), "csv", {"header": True}),
    "from 1": ("%%MatrixMarket matrix coordinate real symmetric\n5 5 3\n2 1 .9\n3 2 .5\n5 4 .7\n", "mtx", {}),
    "dense": ("0,1,.9\n1,2,.5\n3,4,.7\n", "csv", {}),
    "sparse": ("10,20,.9\n20,30,.5\n7000000000,8000000000,.7\n", "csv", {}),
    "strings": ("b,a,.9\na,c,.5\nx,\u00e4,.7\n", "csv", {"ids": "strings"}),
    "bytes": ("b,a,.9\na,c,.5\nx,y,.7\n", "csv", {"ids": "bytes"}),
    "several columns": ("b,1,a,1,.9\na,1,c,1,.5\nx,1,y,1,.7\n", "csv", {"columns": ((1, 2), (3, 4))}),
    "prefixes": ("1,1,.9\n1,2,.5\n3,3,.7\n", "csv", {"prefix_left": "b", "prefix_right": "s"}),
}


def ends(edges):
    return {frozenset(pair) for pair in np.asarray(edges).tolist()}


@pytest.fixture(params=FILES)
def file(request, tmp_path):
    text, suffix, how = FILES[request.param]
    path = tmp_path / f"graph.{suffix}"
    path.write_text(text)
    return path, how, ({"score": 3 if len(how.get("columns", ())) == 0 else 5}, "mtx" not in suffix)


def test_one_graph_has_one_naming(file):
    path, how, _ = file
    graph = copse.read_graph(path, **how)
    answer = copse.components(path, **how)
    ids, labels = answer.ids.tolist(), answer.labels.tolist()
    assert graph.ids.tolist() == ids and copse.components(graph).ids.tolist() == ids
    assert copse.components(graph).labels.tolist() == labels == copse.spanning_forest(graph, labels=True).labels.tolist()
    forest, found = copse.spanning_forest(graph), copse.bridges(graph)
    assert ends(forest.edges) == ends(found.edges) == ends(copse.spanning_forest(path, **how).edges) == ends(copse.bridges(path, **how).edges)
    assert forest.ids.tolist() == ids and ends(forest.ids[forest.end_positions]) == ends(forest.edges)
    if not graph.has_rows:
        assert ends(graph.edges) == ends(forest.edges) and np.array_equal(graph.ids[graph.end_positions], graph.edges)
        assert copse.weighted_forest(graph, np.arange(graph.stored)).ids.tolist() == ids
        assert ends(copse.weighted_forest(graph, np.arange(graph.stored)).edges) == ends(forest.edges)
    assert set(found.articulation_points.tolist()) <= set(ids) and found.two_edge_connected.ids.tolist() == ids
    roots = [label for label, parent in zip(ids, copse.root_forest(forest).parents.tolist()) if label == parent]
    assert roots == sorted(set(labels), key=ids.index) and set(copse.root_forest(forest).parents.tolist()) <= set(ids)
    tour = copse.euler_tour(forest)
    assert sorted(tour.order.tolist(), key=ids.index) == ids and tour.parents.tolist() == copse.root_forest(forest).parents.tolist()
    below = tour.order[tour.preorder[0] : tour.preorder[0] + tour.sizes[0]].tolist()
    assert sorted(below, key=ids.index) == [v for v, label in zip(ids, labels) if label == labels[0]]
    assert graph.symmetric_rows().ids.tolist() == ids
    assert graph.names is None or list(graph.names) == ids


def test_labels_of_a_graph_are_verified_by_its_ids(file):
    path, how, _ = file
    graph = copse.read_graph(path, **how)
    answer = copse.components(graph)
    assert copse.verify(graph, answer.labels) and copse.verify(graph, answer) and answer.verify() and answer.verify(graph)
    assert copse.components(path, **how).verify(graph) and copse.verify(graph, copse.components(path, **how))
    assert copse.spanning_forest(graph).verify() and copse.bridges(graph).verify()
    wrong = answer.labels.copy()
    wrong[-1] = answer.ids[0]
    verdict = copse.verify(graph, wrong)
    assert not verdict and verdict.reason
    name = answer.ids[0]
    apart = np.array(answer.ids, copy=True)
    told = copse.verify(graph, apart).reason  # every vertex its own component: an edge's ends are named by ids
    assert any(str(v.decode() if isinstance(v, bytes) else v) in told for v in answer.ids.tolist()), (told, name)
    short = copse.verify(graph, answer.labels[:-1])
    assert not short and "4 labels for 5 vertices" in short.reason or len(answer) != 5
    with pytest.raises(copse.InputError, match="labels: .* is not a vertex of the graph|labels.*: found"):
        strange = answer.labels.copy()
        strange[0] = {"i": 123456789, "O": "nobody"}[strange.dtype.kind]
        copse.verify(graph, strange)


def test_the_case_as_it_was_reported():
    graph = copse.read_graph(CASE)
    labels = copse.components(graph).labels
    assert labels.tolist() == [1, 1, 1, 4, 4]
    assert sorted(map(tuple, copse.bridges(graph).edges.tolist())) == [(1, 2), (2, 3), (4, 5)]
    assert sorted(tuple(sorted(e)) for e in copse.spanning_forest(graph).edges.tolist()) == [(1, 2), (2, 3), (4, 5)]
    assert copse.verify(graph, labels).right
    assert "vertex 3 has label 4" in copse.verify(graph, [1, 1, 4, 4, 4]).reason


def test_labels_of_other_ids_have_no_checksum_by_position():
    answer = copse.components(copse.read_graph(CASE))
    with pytest.raises(copse.InputError, match=r"labels\[0\]: found 1, expected the smallest vertex"):
        copse.checksum(answer.labels)
    assert copse.checksum(answer) == answer.checksum()
    dense = copse.components([(0, 1), (2, 3)])
    assert copse.checksum(dense.labels) == dense.checksum()


@pytest.mark.parametrize("again", [lambda g: pickle.loads(pickle.dumps(g)), copy.deepcopy, copy.copy], ids=["pickle", "deepcopy", "copy"])
def test_a_copy_of_a_graph_has_its_ids(file, again):
    path, how, _ = file
    graph = copse.read_graph(path, **how)
    twin = again(graph)
    assert twin.ids.tolist() == graph.ids.tolist() and twin.checksum() == graph.checksum() and twin.has_rows == graph.has_rows
    assert copse.components(twin).checksum() == copse.components(graph).checksum()
    assert ends(copse.spanning_forest(twin).edges) == ends(copse.spanning_forest(graph).edges)
    assert twin.stored == graph.stored and copse.verify(twin, copse.components(graph).labels)
