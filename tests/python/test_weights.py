"""Scores and weights: NaN is a missing value, a threshold is rounded once to the type of floats, integers and decimals compare exactly."""
import copy
import decimal
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

import copse
from copse._cluster import cluster_components

D = decimal.Decimal
NAN = float("nan")


def arrow(scores, kind=None):
    return pa.table({"l": list(range(1, len(scores) + 1)), "r": list(range(2, len(scores) + 2)), "s": pa.array(scores, kind, from_pandas=False)})


def of_dict(scores):
    return {"l": np.arange(1, len(scores) + 1), "r": np.arange(2, len(scores) + 2), "s": scores}


def stored(folder, table, suffix):
    path = str(folder / f"t{suffix}")
    if suffix == ".parquet":
        pq.write_table(table, path, row_group_size=1)
    else:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    return path


def joined(found):
    """The clusters of an answer of any kind, as lists of ids."""
    ids, labels = np.asarray(found["id"]).tolist(), np.asarray(found["cluster_id"]).tolist()
    return sorted([i for i, label in zip(ids, labels) if label == k] for k in set(labels))


@pytest.mark.parametrize("make", [
    lambda f: arrow([1.0, NAN, 0.5]),
    lambda f: arrow(np.array([1, NAN, 0.5], np.float32)),
    lambda f: arrow(np.array([1, NAN, 0.5], np.float16)),
    lambda f: pa.table({**{n: arrow([1.0, NAN, 0.5])[n] for n in "lr"}, "s": pa.chunked_array([[1.0], [NAN, 0.5]])}),
    lambda f: stored(f, arrow([1.0, NAN, 0.5]), ".parquet"),
    lambda f: stored(f, arrow(np.array([1, NAN, 0.5], np.float32)), ".arrow"),
    lambda f: pl.DataFrame(of_dict(np.array([1, NAN, 0.5]))),
    lambda f: of_dict(np.array([1, NAN, 0.5], np.float32)),
    lambda f: of_dict([1.0, NAN, 0.5]),
    lambda f: of_dict(np.array([D(1), D("NaN"), D("0.5")], object)),
], ids=["float64", "float32", "float16", "chunks", "parquet", "arrow file", "polars", "numpy", "list", "decimals"])
def test_nan_is_refused_with_its_row_or_dropped_and_counted(make, tmp_path):
    calls = [
        lambda **k: cluster_components(make(tmp_path), ("l", "r"), score="s", threshold=0.5, **k),
        lambda **k: copse.cluster(make(tmp_path), columns=("l", "r"), score="s", threshold=[0.5, 0.75], **k),
        lambda **k: copse.cluster(make(tmp_path), columns=("l", "r"), score="s", max_size=2, **k),
        lambda **k: copse.weighted_forest(make(tmp_path), "s", columns=("l", "r"), goal="maximum", **k),
        lambda **k: copse.thresholds(make(tmp_path), "s", columns=("l", "r"), **k),
        lambda **k: copse.explain(make(tmp_path), 1, 2, "s", columns=("l", "r"), **k),
    ]
    for call in calls:
        with pytest.raises(copse.InputError, match="column 's': found (NaN|a null) in row 1, expected a value; nulls='drop'"):
            call()
        call(nulls="drop")
    left_out = calls[0](nulls="drop").left_out
    assert (left_out.rows, left_out.nulls, left_out.below) == (3, 1, 0)
    assert calls[3](nulls="drop").weights.tolist() == [1.0, 0.5]


def test_nan_in_arrays_and_matrices_is_refused_with_its_position():
    edges = [(0, 1), (1, 2)]
    for weights in ([0.5, NAN], np.array([0.5, NAN], np.float32), np.array([0.5, NAN], np.float16)):
        with pytest.raises(copse.InputError, match="position 1"):
            copse.weighted_forest(edges, weights)
    matrix = sparse.csr_array(([0.5, NAN], ([0, 1], [1, 2])), shape=(3, 3))
    with pytest.raises(copse.InputError, match="position 1"):
        copse.thresholds(matrix)
    with pytest.raises(copse.InputError, match="found NaN in row 1"):
        copse.cluster(matrix, threshold=0.5)
    assert copse.connected_components(np.array([[0, NAN], [0, 0]]))[0] == 2, "SciPy's rule for dense matrices"


@pytest.mark.parametrize("kind", [np.float16, np.float32])
@pytest.mark.parametrize("make", [
    lambda s, f: pd.DataFrame(of_dict(s)),
    lambda s, f: pl.DataFrame(of_dict(s)) if s.dtype != np.float16 else arrow(s),
    lambda s, f: arrow(s),
    lambda s, f: pa.table({**{n: arrow(s)[n] for n in "lr"}, "s": pa.array(list(s) + [None])[:-1].cast(pa.from_numpy_dtype(s.dtype))}),
    lambda s, f: stored(f, arrow(s), ".parquet"),
    lambda s, f: stored(f, arrow(s), ".arrow"),
    lambda s, f: of_dict(s),
    lambda s, f: of_dict(np.array(list(s), object)),
], ids=["pandas", "polars", "arrow", "cast", "parquet", "arrow file", "numpy", "objects"])
def test_a_threshold_is_rounded_once_to_the_type_of_the_scores(kind, make, tmp_path):
    scores = np.array([0.9, 0.85, 0.3], kind)
    for threshold in (0.9, 0.85, 0.3, float(scores[0]), np.nextafter(scores[0], kind(2)), 0.8995, 1e300, -1e300):
        want = int((scores >= kind(threshold)).sum()) if abs(threshold) < 2 else (3 if threshold < 0 else 0)
        table = make(scores, tmp_path)
        assert len(scores) - cluster_components(table, ("l", "r"), score="s", threshold=threshold).left_out.below == want, threshold
        forest = copse.weighted_forest(make(scores, tmp_path), "s", columns=("l", "r"), goal="maximum")
        assert 4 - forest.labels_at(threshold).count == want, threshold
        assert np.asarray(copse.thresholds(forest, at=[threshold])["components"]).tolist() == [4 - want]
        if want:
            several = copse.cluster(make(scores, tmp_path), columns=("l", "r"), score="s", threshold=[threshold, 0.3], output_cluster=["cluster_id", "b"])
            assert joined(several) == joined(copse.cluster(make(scores, tmp_path), columns=("l", "r"), score="s", threshold=threshold, vertices=[1, 2, 3, 4]))


def test_the_width_of_arrays_matrices_and_files_counts_too(tmp_path):
    edges = [(0, 1), (1, 2)]
    for kind in (np.float16, np.float32):
        forest = copse.weighted_forest(edges, np.array([0.9, 0.1], kind), goal="maximum")
        assert forest.labels_at(0.9).count == 2 and forest.labels_at(np.nextafter(kind(0.9), kind(2))).count == 3
    exact = copse.weighted_forest(edges, np.array([np.float32(0.9), 0.1]), goal="maximum")
    assert exact.labels_at(0.9).count == 3, "a double is compared as it is"
    matrix = sparse.coo_array((np.array([0.9, 0.1], np.float32), ([0, 1], [1, 2])), shape=(3, 3))
    assert joined(copse.cluster(matrix, threshold=0.9)) == [[0, 1], [2]]
    for form in ("coo", "csr", "csc"):
        path = str(tmp_path / f"{form}.npz")
        sparse.save_npz(path, sparse.coo_matrix(matrix).asformat(form))
        assert copse.read_graph(path, threshold=0.9).stored == 1
        assert copse.weighted_forest(path, goal="maximum").labels_at(0.9).count == 2


BIG = 2**53


@pytest.mark.parametrize("scores, threshold, want", [
    (pa.array([BIG, BIG + 1, BIG + 3]), BIG + 1, 2),
    (pa.array([BIG, BIG + 1, BIG + 3]), BIG + 3, 1),
    (pa.array([BIG, BIG + 1, BIG + 3]), D(BIG + 2), 1),
    (pa.array([2**64 - 1, 2**64 - 2], pa.uint64()), 2**64 - 1, 1),
    (pa.array([2**64 - 1, 0], pa.uint64()), 1e300, 0),
    (pa.array([-5, 4, 5]), 4.5, 1),
    (pa.array([-5, -4, 5]), -4.5, 2),
    (pa.array([1, 2], pa.int8()), float("-inf"), 2),
    (pa.array([D("0.90"), D("0.89")]), 0.9, 1),
    (pa.array([D("0.90"), D("0.89")]), D("0.9"), 1),
    (pa.array([D("0.89999999999999999999"), D("0.90000000000000000000")]), 0.9, 1),
    (pa.array([D("0.00000000000000000001"), D("0.00000000000000000000")]), D("1e-20"), 1),
    (pa.array([D(-1), D(2)]), 1e-30, 1),
    (pa.array([D("12345678901234567890123456789012345678"), D("12345678901234567890123456789012345679")]), D("12345678901234567890123456789012345679"), 1),
])
def test_integers_and_decimals_compare_exactly(scores, threshold, want):
    table = arrow(scores)
    assert len(scores) - cluster_components(table, ("l", "r"), score="s", threshold=threshold).left_out.below == want
    plain = of_dict(np.array(scores.to_pylist(), object if pa.types.is_decimal(scores.type) else scores.type.to_pandas_dtype()))
    assert len(scores) - cluster_components(plain, ("l", "r"), score="s", threshold=threshold).left_out.below == want


def test_forests_of_integers_compare_exactly_with_what_a_float_holds():
    edges, weights = [(0, 1), (1, 2), (2, 3)], np.array([BIG + 1, BIG + 3, -BIG - 1])
    forests = [copse.weighted_forest(edges, weights, goal="maximum"), copse.weighted_forest(of_dict(weights), "s", goal="maximum")]
    for forest in forests:
        assert [forest.labels_at(t).count for t in (BIG, BIG + 2, BIG + 4, -BIG, -BIG - 2)] == [2, 3, 4, 2, 1]
        with pytest.raises(copse.UsageError, match="must be a number that a float holds exactly, not 9007199254740993"):
            forest.labels_at(BIG + 1)


@pytest.mark.parametrize("threshold", [NAN, D("NaN"), "x", None, [NAN]])
def test_thresholds_that_are_no_numbers_are_refused(threshold):
    with pytest.raises(copse.UsageError):
        copse.cluster(arrow([1.0]), columns=("l", "r"), score="s", threshold=threshold)


@pytest.mark.parametrize("scores, largest", [
    (np.array([0.5, 0.25]), "0.5"), (np.array([0.9, 0.1], np.float32), "0.9"), (np.array([0.9, 0.1], np.float16), "0.(9|89990234)"), (np.array([0, -1]), "0"),
    (np.array([D("0.5"), D("0.25")], object), "0.5"),
])
def test_a_threshold_that_no_score_reaches_warns(scores, largest, tmp_path):
    exact = scores.tolist() if scores.dtype == object else scores
    for table in (arrow(exact), of_dict(scores), stored(tmp_path, arrow(exact), ".parquet")):
        with pytest.warns(UserWarning, match=f"column 's': no score reaches the threshold 0.99: the largest is {largest}"):
            copse.cluster(table, columns=("l", "r"), score="s", threshold=0.99)
    forest = copse.weighted_forest(arrow(exact), "s", columns=("l", "r"), goal="maximum")
    for call in (lambda: forest.labels_at(0.99), lambda: copse.thresholds(forest, at=[-2, 0.99])):
        with pytest.warns(UserWarning, match="no weight reaches the threshold 0.99: the largest is"):
            call()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        copse.cluster(arrow(exact), columns=("l", "r"), score="s", threshold=float(scores.max()))
        forest.labels_at(float(scores.max()))


def test_a_threshold_that_no_weight_of_a_file_reaches_warns(tmp_path):
    path = tmp_path / "w.txt"
    path.write_text("1 2 0.5\n2 3 0.25\n")
    with pytest.warns(UserWarning, match="w.txt: no weight reaches the threshold 0.99: the largest is 0.5"):
        copse.read_graph(str(path), score=3, threshold=0.99)


def test_the_width_of_a_forest_goes_with_its_copies():
    forest = copse.weighted_forest(arrow(np.array([0.9, 0.1], np.float16)), "s", columns=("l", "r"), goal="maximum")
    for copied in (pickle.loads(pickle.dumps(forest)), copy.deepcopy(forest)):
        assert copied.labels_at(0.9).count == 2
