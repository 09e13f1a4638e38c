"""Arguments that would give another answer than was asked for are refused, and in words."""
import numpy as np
import pytest

import copse


def test_masked_elements_are_no_weights_and_no_ids():
    edges, masked = np.array([[0, 1], [1, 2]]), np.ma.array([1.0, 2.0], mask=[False, True])
    calls = [
        lambda: copse.weighted_forest(edges, masked), lambda: copse.weighted_forest(np.ma.array(edges, mask=edges == 2), [1, 2]),
        lambda: copse.components(np.ma.array(edges, mask=edges == 2)), lambda: copse.bridges(np.ma.array(edges, mask=edges == 2)),
        lambda: copse.weighted_forest(edges, [1, 2], goal="maximum").weakest(np.ma.array(edges, mask=edges == 2)),
        lambda: copse.cluster({"l": np.ma.array([1, 2], mask=[False, True]), "r": [3, 4]}),
        lambda: copse.cluster({"l": [1, 2], "r": [3, 4], "p": masked}, columns=("l", "r"), score="p", threshold=0.5),
        lambda: copse.rank_list(np.ma.array([1, 1], mask=[False, True])),
    ]
    for call in calls:
        with pytest.raises(copse.UsageError, match="masked elements"):
            call()
    assert copse.components(np.ma.array(edges)).count == 1


def test_numbers_that_are_none_are_refused_in_words():
    edges = [(0, 1)]
    forest = copse.weighted_forest(edges, [1], goal="maximum")
    calls = [
        (lambda: copse.weighted_forest(edges, [1], -1), "vertices: found -1, expected 0 or more"), (lambda: copse.components(edges, 1.5), "vertices: found 1.5"),
        (lambda: copse.components(edges, 2**64), "vertices: found 18446744073709551616"), (lambda: copse.components(edges, seed=-1), "seed"),
        (lambda: copse.components(edges, threads=2**40), "threads"), (lambda: copse.Incremental(-1), "vertices"),
        (lambda: forest.labels_at(float("nan")), "threshold: found NaN"), (lambda: forest.labels_at("x"), "threshold: found 'x'"),
        (lambda: forest.clusters(1.5), "count"), (lambda: forest.limited(-1), "max_size"), (lambda: copse.thresholds(forest, points=1.5), "points"),
        (lambda: copse.dendrogram(forest, top="x"), "top"), (lambda: forest.weakest([(0, 9)]), "found 9, expected a vertex"),
        (lambda: copse.cluster({"l": [1], "r": [2], "p": [0.5]}, columns=("l", "r"), score="p", threshold=float("nan")), "threshold: found NaN"),
    ]
    for call, reason in calls:
        with pytest.raises(copse.UsageError, match=reason):
            call()


def test_no_column_of_an_answer_takes_the_place_of_another():
    table, forest = {"l": [1], "r": [2], "p": [0.5]}, copse.weighted_forest([(0, 1)], [1], goal="maximum")
    with pytest.raises(copse.UsageError, match="output_id"):
        copse.cluster(table, columns=("l", "r"), output_id="x", output_cluster="x")
    with pytest.raises(copse.UsageError, match="output_id"):
        copse.cluster(table, columns=("l", "r"), score="p", threshold=[0.1, 0.2], output_cluster=["id", "b"])
    with pytest.raises(copse.UsageError, match="three names"):
        forest.to_table(output_columns=("u", "u"))


@pytest.mark.parametrize("ids", [["a", 0.0], [0.0, "a"], ["a", 1.5]])
def test_strings_beside_fractions_are_no_ids(ids):
    with pytest.raises(copse.UsageError, match="column 'l': found float, expected integers or strings"):
        copse.cluster({"l": ids, "r": ["x", "y"]})


def test_arguments_of_another_kind_are_refused_in_words(tmp_path):
    edges, file = [(0, 1)], tmp_path / "edges.csv"
    file.write_text("1,2\n")
    answer, table = copse.components(edges), {"l": [1], "r": [2], "p": [0.5]}
    calls = [
        (lambda: copse.generate(5), "spec: found 5, expected a string"), (lambda: copse.generate("path:n=5", raw="yes"), "raw: found 'yes', expected True or False"),
        (lambda: copse.read_graph(file, header="yes"), "header: found 'yes'"), (lambda: copse.read_graph(file, ids=5), "ids: found 5"),
        (lambda: copse.read_graph(file, format=5), "format: found 5"), (lambda: copse.read_graph(None), "path: found NoneType"),
        (lambda: copse.read_graph(file, columns=5), "columns: found 5"), (lambda: copse.components(table, columns=("l", "r", "p")), "columns: found"),
        (lambda: copse.weighted_forest(table, "p", columns=5), "columns: found 5"), (lambda: copse.components(edges, variant=5), "variant: found 5"),
        (lambda: copse.components(edges, device="cuda:99999999999"), "device: found"), (lambda: copse.components(edges, memory="9" * 30), "memory: found"),
        (lambda: answer.checksum(-1), "threads: found -1"), (lambda: copse.checksum([0], threads="2"), "threads: found '2'"),
        (lambda: copse.variants([]), "problem: found"), (lambda: copse.rank_list([0], operation=5), "operation: found 5"),
        (lambda: copse.rank_list([0], origin=5), "origin: found 5"), (lambda: copse.spanning_forest(edges, labels="no"), "labels: found 'no'"),
        (lambda: copse.bridges(edges, multigraph="no"), "multigraph: found 'no'"), (lambda: copse.Incremental(record_forest="no"), "record_forest: found 'no'"),
        (lambda: copse.Incremental.open(5), "path: found int"), (lambda: copse.Incremental().insert((np.zeros(2, int), np.zeros(1, int))), "2 sources and 1 targets"),
        (lambda: answer.to_arrow(5, "b"), "found 5, expected a string"), (lambda: answer.to_pandas("a", "a"), "two columns called 'a'"),
        (lambda: copse.components(5), "edges: found int"), (lambda: copse.components(p for p in edges), "edges: found generator"),
        (lambda: copse.components([(0, 1), (1,)]), "different lengths"), (lambda: copse.components([("a", "b")]), "edges: found strings"),
        (lambda: copse.connected_components(np.array([["a"]])), "graph: found a matrix of <U1"), (lambda: copse.Graph(5), "Graph: found int"),
        (lambda: copse.connected_components(np.eye(2), return_labels="no"), "return_labels: found 'no'"),
    ]
    for call, reason in calls:
        with pytest.raises(copse.UsageError, match=reason):
            call()


def test_more_vertices_than_any_memory_has_are_refused_with_their_number():
    calls = [copse.components, copse.Graph.of, copse.spanning_forest, copse.bridges, copse.root_forest, copse.euler_tour]
    for call in calls:
        with pytest.raises(MemoryError, match="vertices: found 4611686018427387904, expected fewer than 2"):
            call([(0, 1)], vertices=2**62)


def test_tables_of_another_kind_are_refused_in_words(tmp_path):
    table, broken = {"l": [1], "r": [2], "p": [0.5]}, tmp_path / "broken.parquet"
    broken.write_text("hello")
    calls = [
        (lambda: copse.cluster(table, columns=("l", "l")), "two different ones"), (lambda: copse.cluster(table, columns=(["l"], "r")), "two different ones"),
        (lambda: copse.cluster(table, columns=("l", "r"), output_id=5), "output_id: found 5"), (lambda: copse.cluster(table, columns=("l", "r"), output_cluster=["a"]), "output_cluster: found"),
        (lambda: copse.cluster({"l": 1, "r": 2}), "column 'l': found int"), (lambda: copse.cluster({"l": {1}, "r": [2]}), "column 'l': found set"),
        (lambda: copse.cluster({"l": ["a", 1], "r": ["b", "c"]}), "found int and str, expected ids of one kind"), (lambda: copse.cluster({"l": [1.5], "r": [2]}), "found float64, expected integers"),
        (lambda: copse.cluster(table, columns=("l", "r"), vertices=["a"]), "vertices: found strings, expected integers as in the pairs"),
        (lambda: copse.cluster(table, columns=("l", "r"), vertices={1, 2}), "column 'id': found set"), (lambda: copse.cluster([(1, 2)], threshold=0.5), "pairs without scores"),
        (lambda: copse.cluster([(1, 2, 3)]), r"pairs: found an array of shape \(1, 3\)"), (lambda: copse.cluster([(1, 2)], columns=("l", "r")), "names of columns for arrays"),
    ]
    for call, reason in calls:
        with pytest.raises(copse.UsageError, match=reason):
            call()
    pytest.importorskip("pyarrow")
    with pytest.raises(copse.InputError, match="broken.parquet: found no Parquet file"):
        copse.cluster(broken, columns=("l", "r"))
