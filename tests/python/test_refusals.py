"""Arguments that would give another answer than was asked for are refused, and in words."""
import ast
import re
from pathlib import Path

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
        (lambda: copse.weighted_forest(edges, [1], -1), "vertices must be 0 or more, not -1"), (lambda: copse.components(edges, 1.5), "vertices must be an integer, not 1.5"),
        (lambda: copse.components(edges, 2**64), "vertices must be from 0 to 18446744073709551615, not 18446744073709551616"), (lambda: copse.components(edges, seed=-1), "seed"),
        (lambda: copse.components(edges, threads=2**40), "threads"), (lambda: copse.Incremental(-1), "vertices"),
        (lambda: forest.labels_at(float("nan")), "threshold must be a number, not NaN"), (lambda: forest.labels_at("x"), "threshold must be a number, not 'x'"),
        (lambda: forest.clusters(1.5), "count"), (lambda: forest.limited(-1), "max_size"), (lambda: copse.thresholds(forest, points=1.5), "points"),
        (lambda: copse.dendrogram(forest, top="x"), "top"), (lambda: forest.weakest([(0, 9)]), "ids: 9 is not a vertex of the graph"),
        (lambda: copse.cluster({"l": [1], "r": [2], "p": [0.5]}, columns=("l", "r"), score="p", threshold=float("nan")), "threshold must be a number, not NaN"),
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
    with pytest.raises(copse.UsageError, match="column 'l' must hold integers or strings, not float"):
        copse.cluster({"l": ids, "r": ["x", "y"]})


def test_arguments_of_another_kind_are_refused_in_words(tmp_path):
    edges, file = [(0, 1)], tmp_path / "edges.csv"
    file.write_text("1,2\n")
    answer, table = copse.components(edges), {"l": [1], "r": [2], "p": [0.5]}
    calls = [
        (lambda: copse.generate(5), "spec must be a string, not 5"), (lambda: copse.generate("path:n=5", raw="yes"), "raw must be True or False, not 'yes'"),
        (lambda: copse.read_graph(file, header="yes"), "header must be True or False, not 'yes'"), (lambda: copse.read_graph(file, ids=5), "ids must be a string, not 5"),
        (lambda: copse.read_graph(file, format=5), "format must be a string, not 5"), (lambda: copse.read_graph(None), "path must be a string or a path, not NoneType"),
        (lambda: copse.read_graph(file, columns=5), "columns must (give|name) two columns.*, not 5"), (lambda: copse.components(table, columns=("l", "r", "p")), "columns must name two columns, not "),
        (lambda: copse.weighted_forest(table, "p", columns=5), "columns must (give|name) two columns.*, not 5"), (lambda: copse.components(edges, variant=5), "variant must be a string, not 5"),
        (lambda: copse.components(edges, device="cuda:99999999999"), "the device must be auto, cpu, "), (lambda: copse.components(edges, memory="9" * 30), "memory must be from 0 to 18446744073709551615, not 1"),
        (lambda: answer.checksum(-1), "threads must be 1 or more, not -1"), (lambda: copse.checksum([0], threads="2"), "threads must be an integer, not '2'"),
        (lambda: copse.variants([]), "problem must be 'components', "), (lambda: copse.rank_list([0], operation=5), "operation must be a string, not 5"),
        (lambda: copse.rank_list([0], origin=5), "origin must be a string, not 5"), (lambda: copse.spanning_forest(edges, labels="no"), "labels must be True or False, not 'no'"),
        (lambda: copse.bridges(edges, multigraph="no"), "multigraph must be True or False, not 'no'"), (lambda: copse.Incremental(record_forest="no"), "record_forest must be True or False, not 'no'"),
        (lambda: copse.Incremental.open(5), "path must be a string or a path, not int"), (lambda: copse.Incremental().insert((np.zeros(2, int), np.zeros(1, int))), "sources and targets must have the same length, not 2 and 1"),
        (lambda: answer.to_arrow(5, "b"), "the name of a column must be a string, not 5"), (lambda: answer.to_pandas("a", "a"), "the two columns must have different names, not 'a' twice"),
        (lambda: copse.components(5), "edges must be an array or a list of integers, not int"), (lambda: copse.components(p for p in edges), "edges must be an array or a list of integers, not generator"),
        (lambda: copse.components([(0, 1), (1,)]), "different lengths"), (lambda: copse.components([("a", "b")]), "edges must hold integers, not strings"),
        (lambda: copse.connected_components(np.array([["a"]])), "graph must be a matrix of numbers, not of <U1"), (lambda: copse.Graph(5), "Graph.. cannot be called with int; use Graph.of"),
        (lambda: copse.connected_components(np.eye(2), return_labels="no"), "return_labels must be True or False, not 'no'"),
    ]
    for call, reason in calls:
        with pytest.raises(copse.UsageError, match=reason):
            call()


def test_more_vertices_than_any_memory_has_are_refused_with_their_number():
    calls = [copse.components, copse.Graph.of, copse.spanning_forest, copse.bridges, copse.root_forest, copse.euler_tour]
    for call in calls:
        with pytest.raises(MemoryError, match="vertices must be less than 2.58, not 4611686018427387904"):
            call([(0, 1)], vertices=2**62)


def test_tables_of_another_kind_are_refused_in_words(tmp_path):
    table, broken = {"l": [1], "r": [2], "p": [0.5]}, tmp_path / "broken.parquet"
    broken.write_text("hello")
    calls = [
        (lambda: copse.cluster(table, columns=("l", "l")), "columns must name two different columns"), (lambda: copse.cluster(table, columns=(["l"], "r")), "columns must name two different columns"),
        (lambda: copse.cluster(table, columns=("l", "r"), output_id=5), "output_id must be a string, not 5"), (lambda: copse.cluster(table, columns=("l", "r"), output_cluster=["a"]), "output_cluster must be a string, not .'a'."),
        (lambda: copse.cluster({"l": 1, "r": 2}), "column 'l' must be an array or a list of one value per row, not int"), (lambda: copse.cluster({"l": {1}, "r": [2]}), "column 'l' must be an array or a list of one value per row, not set"),
        (lambda: copse.cluster({"l": ["a", 1], "r": ["b", "c"]}), "column 'l' must hold ids of one kind .*, not int and str"), (lambda: copse.cluster({"l": [1.5], "r": [2]}), "column 'l' must hold integers or strings, not float64"),
        (lambda: copse.cluster(table, columns=("l", "r"), vertices=["a"]), "the ids of vertices must be integers, as in the pairs, not strings"),
        (lambda: copse.cluster(table, columns=("l", "r"), vertices={1, 2}), "column 'id' must be an array or a list of one value per row, not set"), (lambda: copse.cluster([(1, 2)], threshold=0.5), "score is required with threshold="),
        (lambda: copse.cluster([(1, 2, 3)]), r"pairs must have the shape \(m, 2\), not \(1, 3\)"), (lambda: copse.cluster([(1, 2)], columns=("l", "r")), "columns= does not apply to an array"),
    ]
    for call, reason in calls:
        with pytest.raises(copse.UsageError, match=reason):
            call()
    pytest.importorskip("pyarrow")
    with pytest.raises(copse.InputError, match="broken.parquet: not a Parquet file"):
        copse.cluster(broken, columns=("l", "r"))


def test_errors_about_misuse_say_what_to_do():
    """`found X, expected Y` is for data: where the call is wrong, the message says what to change."""
    for path in Path(copse.__file__).parent.glob("*.py"):
        calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        texts = [ast.unparse(call) for call in calls if ast.unparse(call.func).endswith("UsageError")]
        assert [text for text in texts if re.search("found .*expected", text)] == [], path.name
