"""A keyword means the same in every function, every function takes every source, and answers have the caller's kind."""
import inspect

import numpy as np
import pytest

import copse

PAIRS = {"l": ["a", "b", "c", "e"], "r": ["b", "c", "d", "f"], "s": [.9, .2, .8, .7]}
NUMBERS = np.array([[0, 1], [1, 2], [2, 3], [4, 5]])


def written(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("l,r,s\n" + "".join(f"{a},{b},{s}\n" for a, b, s in zip(PAIRS["l"], PAIRS["r"], PAIRS["s"])))
    return path


def sources(tmp_path):
    """(edges, the columns of ids, the column of scores) of the same pairs in every kind of table that is installed, and in a file."""
    yield PAIRS, ("l", "r"), "s"
    yield written(tmp_path), ("l", "r"), "s"
    try:
        import pandas
        import polars
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return
    yield pyarrow.table(PAIRS), ("l", "r"), "s"
    yield pandas.DataFrame(PAIRS), ("l", "r"), "s"
    yield polars.DataFrame(PAIRS), ("l", "r"), "s"
    yield polars.LazyFrame(PAIRS), ("l", "r"), "s"
    parquet.write_table(pyarrow.table(PAIRS), tmp_path / "pairs.parquet")
    yield tmp_path / "pairs.parquet", ("l", "r"), "s"


def test_scores_are_called_score_everywhere():
    for name in copse.__all__:
        function = getattr(copse, name)
        if inspect.isfunction(function) and name != "rank_list":  # whose weights are those of elements of lists
            assert not {"weights", "weight_column", "min_weight", "scores"} & set(inspect.signature(function).parameters), name
    for call in (copse.cluster, copse.components, copse.weighted_forest, copse.thresholds, copse.dendrogram, copse.explain, copse.read_graph, copse.verify):
        assert "score" in inspect.signature(call).parameters


@pytest.mark.filterwarnings("ignore::copse.Note")
def test_every_function_takes_every_source(tmp_path):
    for edges, columns, score in sources(tmp_path):
        found = copse.components(edges, columns=columns)
        assert found.count == 2 and found.members("d").tolist() == ["a", "b", "c", "d"]
        assert copse.verify(edges, found, columns=columns)
        assert copse.verify(edges, found.labels, columns=columns)
        assert not copse.verify(edges, np.array(["a"] * 6, object), columns=columns)
        above = copse.components(edges, columns=columns, score=score, threshold=.5)
        assert above.count == 3 and above["d"] == "c"
        assert copse.verify(edges, above, columns=columns, score=score, threshold=.5)
        assert not copse.verify(edges, above, columns=columns)
        assert copse.spanning_forest(edges, columns=columns).count == 2
        assert copse.bridges(edges, columns=columns).count == 4
        assert copse.weighted_forest(edges, score=score, columns=columns, goal="maximum").labels_at(.5).count == 3
        assert copse.explain(edges, "a", "d", score=score, columns=columns).weight == .2


def test_rows_with_nulls_are_left_out_as_the_error_advises():
    pairs = {"l": ["a", None], "r": ["b", "c"]}
    with pytest.raises(copse.InputError, match="nulls='drop'"):
        copse.components(pairs)
    found = copse.components(pairs, nulls="drop")
    assert found.ids.tolist() == ["a", "b"] and found.left_out.nulls == 1
    assert copse.verify(pairs, found, nulls="drop")


def test_a_table_of_more_columns_is_refused_with_advice_that_helps():
    with pytest.raises(copse.UsageError, match="columns must name the two columns of ids; the columns of the table are l, r, s"):
        copse.components(PAIRS)
    with pytest.raises(copse.UsageError, match="both score= and threshold=, or neither"):
        copse.components(PAIRS, columns=("l", "r"), score="s")
    with pytest.raises(copse.UsageError, match="score= applies only to a table or a file"):
        copse.components(NUMBERS, score="s", threshold=1)


def test_a_cluster_reports_what_it_left_out():
    pairs = {"l": ["a", "b", None], "r": ["b", "c", "d"], "s": [.9, .1, .8]}
    table, report = copse.cluster(pairs, columns=("l", "r"), score="s", threshold=.5, nulls="drop", report=True)
    assert (report.rows, report.nulls, report.below) == (3, 1, 1) and report.solve.variant
    assert len(table) == 2
    assert copse.cluster(pairs, columns=("l", "r"), score="s", threshold=[.5, .7], nulls="drop", report=True)[1].below == 1
    assert copse.cluster(pairs, columns=("l", "r"), score="s", max_size=2, nulls="drop", report=True)[1].nulls == 1
    with pytest.raises(copse.UsageError, match="report"):
        copse.cluster(pairs, columns=("l", "r"), report="yes")


def test_series_in_is_the_same_library_out():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for library, frame in ((pandas, pandas.DataFrame), (polars, polars.DataFrame)):
        l, r, s = (library.Series(v) for v in ([0, 1, 2], [1, 2, 3], [.9, .2, .8]))
        assert isinstance(copse.cluster((l, r)), frame)
        assert isinstance(copse.cluster({"l": l, "r": r}), frame)
        assert isinstance(copse.thresholds((l, r), s), frame)
        assert isinstance(copse.weighted_forest((l, r), s).to_table(), frame)
        assert isinstance(copse.explain((l, r), 0, 2, s).links, frame)


@pytest.mark.parametrize("edges, known, unknown", [
    ([(0, 1), (5, 6)], 6, 7), ({"l": ["a"], "r": ["b"]}, "b", "c"), ({"l": [b"a"], "r": [b"b"]}, b"b", "b"), ([(-3, 2)], -3, 0)
])
def test_a_vertex_is_looked_up_by_its_id(edges, known, unknown):
    found = copse.components(edges)
    place = found.ids.tolist().index(known)
    assert found[known] == found.labels[place] and known in found and unknown not in found and None not in found
    assert found.members(known).tolist() == found.ids[found.labels == found.labels[place]].tolist()
    assert list(found) == found.ids.tolist()
    for wrong in (unknown, None, 1.5):
        with pytest.raises(KeyError):
            found[wrong]
        with pytest.raises(KeyError):
            found.members(wrong)


def test_no_id_is_found_among_none():
    found = copse.components(np.empty((0, 2), int))
    assert 0 not in found and list(found) == []
