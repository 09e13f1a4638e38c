"""Functions that are siblings take the same inputs, and say in words what they do not take."""
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import copse

sparse = pytest.importorskip("scipy.sparse")
hierarchy = pytest.importorskip("scipy.cluster.hierarchy")
CLI = Path(copse.__file__).parents[2] / "cli" / "copse"
INDEX_COLUMN = Path(__file__).resolve().parents[1] / "corpus/cases/pandas-index-column/input.csv"
EDGES = [(1, 2), (2, 3), (3, 1), (5, 6)]


def made(kind, tmp_path):
    frame = pd.DataFrame(EDGES, columns=["l", "r"])
    texts = {"csv": "l,r\n", "txt": "", "tsv": "l\tr\n", "mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n7 7 4\n"}
    if kind in texts:
        between = {"csv": ",", "tsv": "\t"}.get(kind, " ")
        ends = [(v, u) if kind == "mtx" and u < v else (u, v) for u, v in EDGES]
        (tmp_path / f"e.{kind}").write_text(texts[kind] + "".join(f"{u}{between}{v}\n" for u, v in ends))
        return tmp_path / f"e.{kind}"
    if kind in ("parquet", "arrow"):
        path = tmp_path / f"e.{kind}"
        table = pa.Table.from_pandas(frame)
        if kind == "parquet":
            pq.write_table(table, path)
        else:
            with pa.ipc.new_file(path, table.schema) as file:
                file.write_table(table)
        return str(path)
    ends = np.array(EDGES)
    return {
        "pandas": frame, "polars": pl.DataFrame(frame), "pyarrow": pa.Table.from_pandas(frame), "dict": {"l": ends[:, 0], "r": ends[:, 1]}, "array": ends,
        "columns": (ends[:, 0], ends[:, 1]), "list": EDGES, "coo": sparse.coo_array((np.ones(4), tuple(ends.T)), shape=(7, 7)),
        "csr": sparse.csr_array((np.ones(4), tuple(ends.T)), shape=(7, 7)), "csr matrix": sparse.csr_matrix((np.ones(4), tuple(ends.T)), shape=(7, 7)),
        "graph": copse.Graph.of(ends),
    }[kind]


KINDS = ["csv", "txt", "tsv", "mtx", "parquet", "arrow", "pandas", "polars", "pyarrow", "dict", "array", "columns", "list", "coo", "csr", "csr matrix", "graph"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_spanning_forest_is_of_whatever_its_siblings_take(kind, tmp_path):
    given = made(kind, tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        forest, found = copse.spanning_forest(given, labels=True), copse.bridges(given)
        answer = copse.components(given)
    assert forest.verify() and forest.vertices - forest.count == 3 and forest.count == found.components
    assert (5, 6) in {tuple(sorted(e)) for e in forest.edges.tolist()} and [tuple(sorted(e)) for e in found.edges.tolist()] == [(5, 6)]
    labels = dict(zip(forest.ids.tolist(), forest.labels.tolist()))
    assert {v: labels[v] for v in (1, 2, 3, 5, 6)} == {1: 1, 2: 1, 3: 1, 5: 5, 6: 5}
    assert {v: c for v, c in zip(answer.ids.tolist(), answer.labels.tolist()) if v in labels and v in (1, 2, 3, 5, 6)} == {1: 1, 2: 1, 3: 1, 5: 5, 6: 5}


def test_a_spanning_forest_of_strings_and_of_columns_by_name(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("w,from_id,to_id\n1,b,a\n2,c,b\n3,y,x\n")
    forest = copse.spanning_forest(path, columns=("from_id", "to_id"), ids="strings", labels=True)
    assert forest.ids.tolist() == ["a", "b", "c", "x", "y"] and forest.labels.tolist() == ["a", "a", "a", "x", "x"] and forest.verify()
    assert {frozenset(e) for e in forest.edges.tolist()} == {frozenset("ab"), frozenset("bc"), frozenset("xy")}
    assert copse.root_forest(forest).parents.tolist() == ["a", "a", "b", "x", "x"]
    nulls = pd.DataFrame({"l": ["a", None], "r": ["b", "c"]})
    assert copse.spanning_forest(nulls, nulls="drop").edges.tolist() == [["a", "b"]]
    with pytest.raises(copse.InputError, match="null in row 1"):
        copse.spanning_forest(nulls)


FLAT = [lambda: sparse.coo_array(np.array([1.0, 0, 2])), lambda: sparse.csr_array(np.array([1.0, 0, 2])), lambda: sparse.dok_array((5,))]
TAKE_MATRICES = {
    "components": copse.components, "connected_components": copse.connected_components, "cluster": copse.cluster, "spanning_forest": copse.spanning_forest,
    "weighted_forest": copse.weighted_forest, "bridges": copse.bridges, "thresholds": copse.thresholds, "dendrogram": copse.dendrogram, "Graph.of": copse.Graph.of,
}


@pytest.mark.parametrize("make", FLAT)
@pytest.mark.parametrize("call", TAKE_MATRICES)
def test_a_sparse_array_of_one_dimension_is_refused_in_words(call, make):
    with pytest.raises(copse.UsageError, match=r"must be a matrix of shape \(N, N\), not \([35],\)"):
        TAKE_MATRICES[call](make())


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "dok", "lil", "dia", "bsr"])
def test_a_matrix_of_every_format_is_clustered(kind):
    matrix = sparse.coo_array(([0.9, 0.2], ([0, 2], [1, 3])), shape=(4, 4)).asformat(kind)
    assert copse.cluster(matrix, threshold=0.5)["cluster_id"].to_pylist() == [0, 0, 2, 3]
    assert copse.spanning_forest(matrix, labels=True).labels.tolist() == [0, 0, 2, 2]


@pytest.mark.parametrize("call", TAKE_MATRICES)
def test_matrices_that_are_not_square_are_refused_in_words(call):
    with pytest.raises(copse.UsageError, match=r"must be a matrix of shape \(N, N\), not \(2, 3(, 4)?\)"):
        TAKE_MATRICES[call](sparse.coo_array((2, 3)))
    if call not in ("connected_components", "cluster"):
        with pytest.raises(copse.UsageError, match=r"must be a matrix of shape \(N, N\), not \(2, 3, 4\)"):
            TAKE_MATRICES[call](sparse.coo_array((2, 3, 4)))


@pytest.mark.parametrize("loop", [None, 0.95, 100.0])
@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.75, 0.9])
def test_a_cut_of_the_dendrogram_is_a_threshold(loop, threshold):
    edges, weights = [(0, 1), (1, 2), (0, 2), (3, 4), (2, 3)], [0.9, 0.5, 0.4, 0.75, 0.25]
    if loop is not None:  # a loop is in no forest
        edges, weights = [*edges, (4, 4)], [*weights, loop]
    forest = copse.weighted_forest(edges, weights, goal="maximum")
    tree = copse.dendrogram(edges, weights)
    clusters = hierarchy.fcluster(tree, forest.weights.max() - threshold + 1e-12, "distance")
    labels = forest.labels_at(threshold).labels
    assert {(a, b) for a in range(5) for b in range(5) if clusters[a] == clusters[b]} == {(a, b) for a in range(5) for b in range(5) if labels[a] == labels[b]}
    assert tree[0, 2] == 0 and np.array_equal(copse.dendrogram(forest), tree)


def test_a_file_with_an_index_column_is_read_as_the_command_line_reads_it():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            answer = copse.components(INDEX_COLUMN)
        except copse.InputError as error:
            assert "columns=" in str(error)
            return
    if not CLI.exists():
        pytest.skip("the command line is not built")
    told = subprocess.run([CLI, "components", INDEX_COLUMN, "-o", "-", "--output-format", "csv"], capture_output=True, text=True, check=True)
    assert [line.split(",")[0] for line in told.stdout.splitlines()[1:]] == list(map(str, answer.ids.tolist()))
    assert len(caught) == told.stderr.count("note: ")
    named = copse.components(INDEX_COLUMN, columns=("id_l", "id_r"))
    assert named.ids.tolist() == [11, 12, 13, 20, 21] and named.labels.tolist() == [11, 11, 11, 20, 20]
