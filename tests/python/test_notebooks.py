"""Arrays by DLPack, frames of other libraries, and answers as notebooks show and plot them."""
import sys

import numpy as np
import pytest

import copse


class OnlyDLPack:
    """An array of which nothing is known but DLPack."""

    def __init__(self, array):
        self._array = np.asarray(array)

    def __dlpack__(self, **keywords):
        return self._array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class Elsewhere(OnlyDLPack):
    """An array in memory that NumPy cannot read."""

    def __dlpack__(self, **keywords):
        raise BufferError("it is on another device")


def test_arrays_come_in_by_dlpack():
    pairs, left, right = [[0, 1], [2, 3]], [0, 2], [1, 3]
    assert copse.components(OnlyDLPack(pairs)).labels.tolist() == [0, 0, 2, 2]
    assert copse.components((OnlyDLPack(left), OnlyDLPack(right)), 5).count == 3
    assert copse.spanning_forest((OnlyDLPack(left), OnlyDLPack(right))).count == 2
    assert copse.weighted_forest(OnlyDLPack(pairs), OnlyDLPack([.5, .25])).total == .75
    with pytest.raises(copse.UsageError, match="another device"):
        copse.components(Elsewhere(pairs))


def test_labels_go_out_by_dlpack():
    for found in (copse.components([(0, 1), (2, 3)], 4), copse.components([(10, 11)]), copse.Incremental(3).components()):
        assert np.from_dlpack(found).tolist() == found.labels.tolist() == np.asarray(found).tolist()
        assert found.__dlpack_device__()[0] == 1
        found.__dlpack__()  # as consumers call it that know nothing of read-only memory
    with pytest.raises(BufferError, match="integers"):
        np.from_dlpack(copse.components({"l": ["a"], "r": ["b"]}))


def test_numpy_makes_an_array_of_the_labels():
    found = copse.components([(0, 1)], 3)
    assert np.asarray(found, float).dtype == float
    copy = np.array(found)
    copy[0] = 7
    assert found.labels[0] == 0


def test_answers_show_themselves_as_html():
    found = copse.components({"l": ["<a>"], "r": ["b"]})
    forest = copse.weighted_forest([(0, 1)], [.5])
    for answer in (found, forest, copse.spanning_forest([(0, 1)]), copse.bridges([(0, 1)]), copse.components(np.empty((0, 2), int))):
        shown = answer._repr_html_()
        assert shown.startswith("<table>") and shown.endswith("</table>") and shown.count("<tr>") == shown.count("</tr>") > 3
    assert "<td>1,000</td>" in copse.components([(0, 1)], 1000)._repr_html_()


def test_sizes_and_thresholds_are_plotted_by_matplotlib():
    pytest.importorskip("matplotlib").use("Agg")
    ax = copse.components([(0, 1), (1, 2)], 6).plot_sizes()
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[1, 3], [3, 1]]]
    forest = copse.weighted_forest([(0, 1), (1, 2)], [.9, .5], goal="maximum")
    same = forest.plot_thresholds(at=[.9, .5], ax=ax)
    assert same is ax and ax.lines[-2].get_ydata().tolist() == [2, 1] and ax.lines[-1].get_ydata().tolist() == [2, 3]


def test_altair_plots_where_matplotlib_is_missing(monkeypatch):
    pytest.importorskip("altair")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    chart = copse.components([(0, 1), (1, 2)], 6).plot_sizes().to_dict()
    assert {(row["x"], row["y"]) for row in chart["data"]["values"]} == {(1, 3), (3, 1)}
    with pytest.raises(copse.UsageError, match="pip install matplotlib"):
        copse.components([(0, 1)]).plot_sizes(ax=object())


def test_a_plot_without_either_library_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(copse.UsageError, match="pip install matplotlib"):
        copse.components([(0, 1)]).plot_sizes()


def test_frames_of_polars_have_a_namespace():
    pl = pytest.importorskip("polars")
    import copse.polars  # noqa: F401

    frame = pl.DataFrame({"l": ["a", "c"], "r": ["b", "d"], "s": [.9, .2]})
    for edges in (frame, frame.lazy()):
        assert edges.copse.components(columns=("l", "r")).rows() == [("a", "a"), ("b", "a"), ("c", "c"), ("d", "c")]
        assert edges.copse.components(columns=("l", "r"), score="s", threshold=.5, output_label="group").columns == ["id", "group"]
        assert edges.copse.cluster(columns=("l", "r"), score="s", threshold=.5).height == 2
        assert edges.copse.thresholds("s")["components"].to_list() == [3, 2]
        assert edges.copse.dendrogram("s", columns=("l", "r")).shape == (3, 4)
        assert edges.copse.weighted_forest("s").count == edges.copse.spanning_forest(columns=("l", "r")).count == edges.copse.bridges(columns=("l", "r")).count == 2


def test_frames_of_narwhals_are_taken_as_what_they_wrap():
    nw, pandas = pytest.importorskip("narwhals"), pytest.importorskip("pandas")
    frame = pandas.DataFrame({"l": ["a", "c"], "r": ["b", "d"], "s": [.9, .2]})
    edges = nw.from_native(frame)
    assert isinstance(copse.cluster(edges, columns=("l", "r"), score="s", threshold=.5), pandas.DataFrame)
    assert isinstance(copse.thresholds(edges, "s"), pandas.DataFrame)
    assert copse.components(edges, columns=("l", "r")).count == copse.spanning_forest(edges, columns=("l", "r")).count == 2


def test_tables_of_ibis_are_read():
    ibis = pytest.importorskip("ibis")
    pytest.importorskip("pyarrow")
    edges = ibis.memtable({"l": ["a", "c"], "r": ["b", "d"], "s": [.9, .2]})
    try:
        edges.to_pyarrow()
    except Exception as error:  # an engine that this ibis does not know
        pytest.skip(f"ibis cannot read its own table: {error}")
    assert copse.cluster(edges, columns=("l", "r"), score="s", threshold=.5).num_rows == 2
    assert copse.components(edges, columns=("l", "r")).count == copse.weighted_forest(edges, "s", columns=("l", "r")).count == 2
