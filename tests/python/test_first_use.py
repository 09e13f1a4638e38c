"""What people hand over in their first ten minutes: other kinds of tables and arrays, beside SciPy's answer or that of plain arrays."""
import decimal

import numpy as np
import pytest

import copse

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
sparse = pytest.importorskip("scipy.sparse")

ANSWER = {1: 1, 2: 1, 3: 1, 8: 8, 9: 8}


def clusters(table):
    if isinstance(table, pa.Table):
        table = table.to_pandas()
    return dict(zip(table["id"].to_list(), table["cluster_id"].to_list()))


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil"])
def test_a_matrix_is_clustered_as_scipy_does_at_every_threshold(kind):
    rng = np.random.default_rng(3)
    for _ in range(20):
        n = int(rng.integers(1, 40))
        ends, scores = rng.integers(0, n, (2, n)), rng.random(n)
        matrix = sparse.coo_array((scores, tuple(ends)), shape=(n, n)).tocsr().asformat(kind)  # tocsr: entries that repeat are summed
        strong = matrix.tocoo()
        for threshold in (None, 0.3, 0.9):
            kept = np.ones(strong.nnz, bool) if threshold is None else strong.data >= threshold
            links = sparse.coo_array((np.ones(kept.sum()), (strong.row[kept], strong.col[kept])), shape=(n, n))
            numbers = sparse.csgraph.connected_components(links, directed=False)[1]
            smallest = np.array([np.flatnonzero(numbers == k)[0] for k in numbers])
            found = copse.cluster(matrix, threshold=threshold)
            assert found["id"].to_pylist() == list(range(n)) and found["cluster_id"].to_pylist() == smallest.tolist()
        several = copse.cluster(matrix, threshold=[0.3, 0.9])
        assert several["cluster_id_0_9"].to_pylist() == found["cluster_id"].to_pylist()
    with pytest.raises(copse.UsageError, match=r"pairs must be a matrix of shape \(N, N\), not \(2, 3\)"):
        copse.cluster(sparse.csr_array((2, 3)))


def test_pairs_of_arrays_and_lists_are_clustered():
    left, right = [1, 2, 8], [2, 3, 9]
    given = [
        np.column_stack([left, right]), list(zip(left, right)), (np.array(left), np.array(right)), (pd.Series(left), pl.Series(right)),
        np.asfortranarray(np.column_stack([left, right]).astype(">i8")),
    ]
    for pairs in given:
        assert clusters(copse.cluster(pairs)) == ANSWER
    assert clusters(copse.cluster([("b", "a"), ("c", "b")])) == {"a": "a", "b": "a", "c": "a"}
    assert copse.cluster([]).num_rows == 0 and clusters(copse.cluster([(1, 2)], vertices=[5])) == {1: 1, 2: 1, 5: 5}


def test_tables_that_are_read_when_asked_are_read(tmp_path):
    from pyarrow import dataset, parquet

    frame = pl.DataFrame({"other": ["x"] * 4, "l": [1, 2, 8, 3], "r": [2, 3, 9, 8], "p": [0.9, 0.8, 0.7, 0.1]})
    found = copse.cluster(frame.lazy(), columns=("l", "r"), score="p", threshold=0.5)
    assert isinstance(found, pl.DataFrame) and clusters(found) == ANSWER
    folder = tmp_path / "parts"
    folder.mkdir()
    for part in range(2):
        parquet.write_table(frame[2 * part : 2 * part + 2].to_arrow(), folder / f"{part}.parquet")
    parquet.write_table(frame.to_arrow(), tmp_path / "all.parquet")
    for given in (folder, str(folder), dataset.dataset(folder), parquet.ParquetFile(tmp_path / "all.parquet")):
        assert clusters(copse.cluster(given, columns=("l", "r"), score="p", threshold=0.5)) == ANSWER
    for given in (frame.lazy(), folder, dataset.dataset(folder)):
        with pytest.raises(copse.UsageError, match="has no column named 'z'; its columns are other, l, r, p"):
            copse.cluster(given, columns=("l", "z"))


def test_missing_values_in_plain_columns_are_nulls_and_no_ids():
    given = [["a", None, "c"], ["a", float("nan"), "c"], pa.array(["a", None, "c"]), pl.Series(["a", None, "c"]), pd.Series(["a", None, "c"])]
    for left in given:
        table = {"l": left, "r": ["b", "x", "d"]}
        with pytest.raises(copse.InputError, match="found a null in row 1"):
            copse.cluster(table)
        assert clusters(copse.cluster(table, nulls="drop")) == {"a": "a", "b": "a", "c": "c", "d": "c"}
    for left in (pa.array([1, None, 2**60 + 1]), pl.Series([1, None, 2**60 + 1]), pd.array([1, None, 2**60 + 1], "Int64"), [1, None, 2**60 + 1]):
        assert clusters(copse.cluster({"l": left, "r": [2, 3, 4]}, nulls="drop")) == {1: 1, 2: 1, 4: 4, 2**60 + 1: 4}


@pytest.mark.parametrize("bits", [None, 32, 64, 128])
def test_scores_may_be_decimals(bits):
    if bits is not None and bits < 128 and not hasattr(pa, "decimal32"):
        pytest.skip("this pyarrow has no decimals of that width")
    kind = {None: None, 32: getattr(pa, "decimal32", None), 64: getattr(pa, "decimal64", None), 128: pa.decimal128}[bits]
    scores = pa.array([decimal.Decimal(s) for s in ("0.90", "-0.80", "0.95", "0.10")], *([] if kind is None else [kind(6, 2)]))
    table = pa.table({"l": [1, 2, 8, 3], "r": [2, 3, 9, 8], "p": scores})
    assert clusters(copse.cluster(table, columns=("l", "r"), score="p", threshold=0.9)) == {1: 1, 2: 1, 8: 8, 9: 8}
    assert clusters(copse.cluster(table.slice(1), columns=("l", "r"), score="p", threshold=-0.8)) == {2: 2, 3: 2, 8: 2, 9: 2}
    assert copse.weighted_forest(table, "p", columns=("l", "r")).weights.tolist() == [0.9, -0.8, 0.95, 0.1]


def test_scores_may_be_halves():
    scores = np.array([0.9, -2.5, 6e-8, np.inf, np.nan], np.float16)
    table = pa.table({"l": [1, 2, 3, 4, 5], "r": [2, 3, 4, 5, 6], "p": pa.array(scores)})
    for threshold in (-3, -2.5, 1e-8, float(scores[0]), 7, np.inf):
        taken = scores >= threshold
        want = copse.cluster({"l": np.arange(1, 6)[taken], "r": np.arange(2, 7)[taken]})
        assert clusters(copse.cluster(table, columns=("l", "r"), score="p", threshold=threshold, nulls="drop")) == clusters(want)


def test_a_decimal_of_many_digits_is_near_its_number():
    scores = pa.array([decimal.Decimal("12345678901234567890.5"), decimal.Decimal("-12345678901234567890.5")])
    found = copse.weighted_forest(pa.table({"l": [1, 2], "r": [2, 3], "p": scores}), "p").weights
    assert np.allclose(found, [12345678901234567890.5, -12345678901234567890.5], rtol=1e-15)


def test_frames_without_rows_need_no_types():
    for frame in (pd.DataFrame({"l": [], "r": [], "p": []}), pd.DataFrame(columns=["l", "r", "p"])):
        assert copse.cluster(frame, columns=("l", "r")).shape == (0, 2)
        assert copse.cluster(frame, columns=("l", "r"), score="p", threshold=0.5).shape == (0, 2)
        assert copse.cluster(frame, columns=("l", "r"), vertices=[3]).values.tolist() == [[3, 3]]
    with pytest.raises(copse.UsageError, match="found float64, expected integers, strings or binaries; pandas keeps"):
        copse.cluster(pd.DataFrame({"l": [1.0], "r": [2.0]}))


def test_columns_need_no_strings_as_names():
    levels = pd.MultiIndex.from_tuples([("a", "l"), ("a", "r")])
    assert clusters(copse.cluster(pd.DataFrame([[1, 2], [2, 3], [8, 9]]), columns=(0, 1))) == ANSWER
    assert clusters(copse.cluster(pd.DataFrame([[1, 2], [2, 3], [8, 9]], columns=levels), columns=(("a", "l"), ("a", "r")))) == ANSWER


def test_integers_of_python_keep_their_value():
    assert copse.components([(2**63, 1), (2**63 + 1, 2)]).ids.tolist() == [1, 2, 2**63, 2**63 + 1]
    assert copse.components(np.array([[2**60 + 1, 2**60]], object)).ids.tolist() == [2**60, 2**60 + 1]
    for pair in [(2**64, 1), (2**63, -1), (True, 2.5)]:
        with pytest.raises(copse.UsageError, match="edges must "):
            copse.components([pair])


def test_two_columns_of_any_library_are_columns_and_no_two_edges():
    left, right = [0, 5], [1, 6]  # as edges they would join 0 with 5
    for make in (np.array, pl.Series, pd.Series, pa.array, lambda ids: pa.chunked_array([ids[:1], ids[1:]])):
        assert copse.components((make(left), make(right))).labels.tolist() == [0, 0, 5, 5]
    assert copse.components((np.array(left), right)).labels.tolist() == [0, 0, 5, 5]
    assert copse.components((left, right)).labels.tolist() == [0, 1, 0, 1]


def test_a_graph_is_solved_by_the_call_of_scipy():
    graph = copse.generate("er:n=300,m=200,seed=1")
    count, labels = copse.connected_components(graph)
    want, numbers = sparse.csgraph.connected_components(graph.to_scipy(), directed=False)
    assert count == want and np.array_equal(labels, numbers)


def test_a_forest_that_was_not_recorded_is_refused_in_the_words_of_python():
    with pytest.raises(copse.UsageError, match="forest.. needs Incremental.record_forest=True"):
        copse.Incremental(3).forest()
