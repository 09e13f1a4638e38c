"""Tables of every library and layout, in batches; clusters with scores and singletons."""
import gc
import threading
import time
import uuid

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import copse
from copse._cluster import cluster_components

PAIRS = [("b", "a"), ("c", "b"), ("x", "y"), ("long name that is held elsewhere", "x")]
CLUSTERS = {"a": "a", "b": "a", "c": "a", "long name that is held elsewhere": "long name that is held elsewhere",
            "x": "long name that is held elsewhere", "y": "long name that is held elsewhere"}


def as_dict(table):
    table = pa.table(table) if not isinstance(table, pd.DataFrame) else pa.Table.from_pandas(table)
    ids, labels = (table.column(i).to_pylist() for i in (0, 1))
    return dict(zip(ids, labels))


@pytest.mark.parametrize("kind", [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()])
@pytest.mark.parametrize("encoded", [False, True])
def test_integers_of_every_width(kind, encoded):
    l, r = pa.array([5, 7, 100], kind), pa.array([7, 3, 100], kind)
    if encoded:
        l, r = l.dictionary_encode(), r.dictionary_encode()
    found = copse.components(pa.table({"l": l, "r": r}))
    assert found.ids.tolist() == [3, 5, 7, 100] and found.labels.tolist() == [3, 3, 3, 100]
    assert found.left_out.rows == 3


STRINGS = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view(), "dictionary", "sliced"]


@pytest.mark.parametrize("kind", STRINGS, ids=str)
def test_strings_of_every_layout(kind):
    plain = [pa.array(side) for side in zip(*PAIRS)]
    if kind == "dictionary":
        columns = [c.dictionary_encode() for c in plain]
    elif kind == "sliced":
        columns = [pa.concat_arrays([pa.array(["no", "no", "no"]), c, pa.array(["no"])]).slice(3, len(PAIRS)) for c in plain]
    else:
        columns = [c.cast(kind) for c in plain]
    found = as_dict(copse.cluster(pa.table(columns, names=["l", "r"])))
    if "binary" in str(kind):
        found = {k.decode(): v.decode() for k, v in found.items()}
    assert found == CLUSTERS


def test_uuids_are_binaries_of_fixed_width():
    ids = sorted(uuid.UUID(int=i * 7919).bytes for i in range(5))
    table = pa.table({"l": pa.array([ids[4], ids[1]], pa.binary(16)), "r": pa.array([ids[2], ids[4]], pa.binary(16))})
    found = copse.cluster(table)
    assert as_dict(found) == {ids[1]: ids[1], ids[2]: ids[1], ids[4]: ids[1]}


def test_signed_beside_unsigned_columns():
    table = pa.table({"l": pa.array([1], pa.int64()), "r": pa.array([2**63 + 5], pa.uint64())})
    assert copse.components(table).ids.tolist() == [1, 2**63 + 5]


def make(kind, tmp_path):
    left, right = (list(side) for side in zip(*PAIRS))
    if kind == "pyarrow":
        return pa.table({"l": left, "r": right})
    if kind == "reader":
        return pa.RecordBatchReader.from_batches(pa.schema([("l", pa.string()), ("r", pa.string())]), pa.table({"l": left, "r": right}).to_batches(2))
    if kind == "batch":
        return pa.RecordBatch.from_pydict({"l": left, "r": right})
    if kind == "pandas":
        return pd.DataFrame({"l": left, "r": right})
    if kind == "polars":
        return pl.DataFrame({"l": left, "r": right})
    if kind == "duckdb":
        return duckdb.sql("select * from (values " + ", ".join(f"('{u}', '{v}')" for u, v in PAIRS) + ") t(l, r)")
    if kind == "dict":
        return {"l": left, "r": np.array(right)}
    path = tmp_path / ("e." + kind)
    if kind == "parquet":
        pq.write_table(pa.table({"l": left, "r": right}), path, row_group_size=3)
    else:
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, pa.schema([("l", pa.string()), ("r", pa.string())])) as writer:
            writer.write_table(pa.table({"l": left, "r": right}))
    return path


KINDS = ["pyarrow", "reader", "batch", "pandas", "polars", "duckdb", "dict", "parquet", "arrow"]


@pytest.mark.parametrize("kind", KINDS)
def test_tables_of_every_library(kind, tmp_path):
    answer = copse.cluster(make(kind, tmp_path), output_id="record", output_cluster="group")
    assert isinstance(answer, {"pandas": pd.DataFrame, "polars": pl.DataFrame}.get(kind, pa.Table))
    names = list(answer.columns) if kind in ("pandas", "polars") else answer.column_names
    assert names == ["record", "group"]
    assert as_dict(answer) == CLUSTERS
    assert copse.components(make(kind, tmp_path)).count == 2


@pytest.mark.parametrize("kind", ["parquet", "pandas", "dict"])
def test_tables_without_pyarrow(kind, tmp_path, monkeypatch):
    table = make(kind, tmp_path)
    monkeypatch.setattr("copse._table_files.has_pyarrow", lambda: False)
    monkeypatch.setattr("copse._table_files._by_pyarrow", lambda *_: None)
    found = copse.components(table)
    assert dict(zip(found.ids.tolist(), found.labels.tolist())) == CLUSTERS
    monkeypatch.setattr("copse._table_files._by_duckdb", lambda *_: None)
    assert copse.components(make(kind, tmp_path)).count == 2
    monkeypatch.setattr("copse._table_files._by_polars", lambda *_: None)
    if kind == "parquet":
        with pytest.raises(ValueError, match="pip install pyarrow"):
            copse.components(table)


@pytest.mark.parametrize("library", ["pyarrow", "pandas", "polars", "duckdb"])
def test_answers_are_read_by_every_library(library):
    found = copse.components(np.array([[4, 9], [5, 5]]))
    if library == "pyarrow":
        rows = pa.table(found).to_pydict()
    elif library == "pandas":
        rows = found.to_pandas().to_dict("list")
    elif library == "polars":
        rows = pl.DataFrame(found).to_dict(as_series=False)
    else:
        rows = dict(zip(("id", "label"), map(list, zip(*duckdb.sql("select * from found").fetchall()))))
    assert rows == {"id": [4, 5, 9], "label": [4, 5, 4]}


def test_scores_thresholds_and_singletons():
    pairs = pa.table({"l": [1, 2, 3, 4], "r": [2, 3, 4, 5], "p": [0.9, 0.5, float("nan"), 0.95]})
    ids = pa.table({"id": [1, 2, 3, 4, 5, 77]})
    found = copse.cluster(pairs, columns=("l", "r"), score="p", threshold=0.9, vertices=ids, nulls="drop")
    assert as_dict(found) == {1: 1, 2: 1, 3: 3, 4: 4, 5: 4, 77: 77}
    for kind in (pa.float32(), pa.int32()):
        whole = pairs.set_column(2, "p", pa.array([2, 1, 0, 3], kind))
        assert as_dict(copse.cluster(whole, columns=("l", "r"), score="p", threshold=2)) == {1: 1, 2: 1, 4: 4, 5: 4}
    for vertices in ([77, 1], np.array([77]), pd.Series([77]), pl.Series([77]), {"v": [77]}, pd.DataFrame({"a": [0], "v": [77]})):
        found = copse.cluster(pairs, columns=("l", "r"), vertices=vertices, id="v" if isinstance(vertices, (dict, pd.DataFrame)) else None)
        assert as_dict(found)[77] == 77
    texts = copse.cluster({"l": ["a"], "r": ["b"]}, vertices=["z", "b"])
    assert as_dict(texts) == {"a": "a", "b": "a", "z": "z"}


@pytest.mark.parametrize("values", [[1, None, 3], ["a", None, "c"], "dictionary", "all"])
def test_nulls_are_errors_or_dropped_and_counted(values):
    left = pa.array(["a", None, "c"]).dictionary_encode() if values == "dictionary" else pa.nulls(3) if values == "all" else pa.array(values)
    table = pa.table({"l": left, "r": left, "p": pa.array([1.0, 1.0, None])})
    first = 0 if values == "all" else 1
    with pytest.raises(ValueError, match=f"column 'l': found a null in row {first}"):
        copse.cluster(table, columns=("l", "r"))
    found = copse.components(table.select(["l", "r"]).slice(0, 0))
    assert found.count == 0
    found = cluster_components(table, ("l", "r"), nulls="drop")
    assert found.left_out.nulls == (3 if values == "all" else 1) and found.vertices == 3 - found.left_out.nulls
    if values != "all":
        with pytest.raises(ValueError, match="column 'p': found a null in row 2"):
            cluster_components(pa.table({"l": [1, 2, 3], "r": [1, 2, 3], "p": [1.0, 1.0, None]}), ("l", "r"), score="p", threshold=0.5)


def test_nulls_in_arrays_and_frames():
    frame = {"l": np.array(["a", None, "c"], object), "r": np.array(["b", "b", "d"], object), "p": np.array([1.0, 1.0, 0.0])}
    with pytest.raises(ValueError, match="column 'l': found a null in row 1"):
        copse.cluster(frame, columns=("l", "r"))
    found = cluster_components(frame, ("l", "r"), score="p", threshold=0.5, nulls="drop")
    assert found.ids.tolist() == ["a", "b"] and (found.left_out.nulls, found.left_out.below, found.left_out.rows) == (1, 1, 3)


@pytest.mark.parametrize("none", [None, float("nan"), pd.NA], ids=str)
def test_a_missing_score_is_a_null(none):
    frame = {"l": [1, 2, 3, None], "r": [2, 3, 9, 4], "p": np.array([0.9, none, 0.2, 0.1], object)}
    with pytest.raises(ValueError, match="column 'p': found a null in row 1"):
        copse.cluster(frame, columns=("l", "r"), score="p", threshold=0.5)
    found = cluster_components(frame, ("l", "r"), score="p", threshold=0.5, nulls="drop")
    assert found.ids.tolist() == [1, 2] and (found.left_out.nulls, found.left_out.below, found.left_out.rows) == (1, 2, 4)
    by_arrow = pa.table({"l": [1, 2, 3, None], "r": [2, 3, 9, 4], "p": pa.array([0.9, None, 0.2, 0.1])})
    same = cluster_components(by_arrow, ("l", "r"), score="p", threshold=0.5, nulls="drop")
    assert (same.left_out.nulls, same.left_out.below) == (1, 2) and same.checksum() == found.checksum()


@pytest.mark.parametrize("scores", [["high", "low"], np.array(["1", "2"]), [None, "low"]])
def test_scores_that_are_no_numbers_are_refused(scores):
    with pytest.raises(copse.UsageError, match="column 'p' must hold numbers, not "):
        copse.cluster({"l": [1, 2], "r": [2, 3], "p": scores}, columns=("l", "r"), score="p", threshold=0.5)


def test_batches_are_one_table():
    rng = np.random.default_rng(2)
    edges = rng.integers(0, 40_000, (100_000, 2))
    table = pa.table({"l": edges[:, 0], "r": edges[:, 1]})
    whole = copse.components(edges)
    for size in (1000, 1 << 17):
        reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(size))
        assert copse.components(reader).checksum() == whole.checksum()
    texts = pa.table({"l": pa.array(edges[:, 0].astype(str)), "r": pa.array(edges[:, 1].astype(str))})
    found = copse.components(pa.RecordBatchReader.from_batches(texts.schema, texts.to_batches(70_000)))
    assert found.count == whole.count and sorted(found.sizes()) == sorted(whole.sizes())


@pytest.mark.parametrize(
    "table, keywords, text",
    [
        ({"l": [1.5], "r": [2]}, {}, "float64"),
        ({"l": [1], "r": ["a"]}, {}, "one kind"),
        ({"a": [1], "b": [2], "c": [3]}, {}, "columns must name the two columns of ids; the columns of the table are a, b, c"),
        ({"a": [1], "b": [2]}, {"columns": ("a", "z")}, "no column named 'z'"),
        ({"a": [1], "b": [2]}, {"columns": ("a",)}, "columns must name two columns"),
        ({"a": [1], "b": [2]}, {"score": "a"}, "both score= and threshold="),
        ({"a": [1], "b": [2]}, {"nulls": "keep"}, "nulls"),
    ],
)
@pytest.mark.parametrize("kind", ["arrow", "dict"])
def test_what_cannot_be_clustered_is_refused(table, keywords, text, kind):
    given = pa.table(table) if kind == "arrow" else {k: v if isinstance(v, list) else v.to_numpy() for k, v in table.items()}
    if text == "float64" and kind == "arrow":
        text = "column 'l': found float64, expected integers, strings"
    with pytest.raises(ValueError, match=text):
        copse.cluster(given, **keywords)


def test_an_error_of_a_stream_is_told():
    def batches():
        yield pa.RecordBatch.from_pydict({"l": [1], "r": [2]})
        raise RuntimeError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("l", pa.int64()), ("r", pa.int64())]), batches())
    with pytest.raises(ValueError, match="the disk is gone"):
        copse.components(reader)


def test_a_small_table_takes_any_number_of_threads():
    batches = [pa.RecordBatch.from_pydict({"l": [f"a{i}"] * 5, "r": [f"a{i + 1}"] * 5}) for i in range(5000)]
    for count in (0, 1, 2, 5000):
        reader = pa.RecordBatchReader.from_batches(batches[0].schema, iter(batches[:count]))
        found = copse.components(reader, threads=9)
        assert (found.left_out.rows, found.vertices, found.count) == (5 * count, count + (count > 0), min(count, 1))


def test_the_caller_alone_reads_what_is_no_file():
    readers = set()

    def batches():
        for i in range(60):
            readers.add(threading.get_ident())
            yield pa.RecordBatch.from_arrays([pa.array(np.arange(20_000) + i), pa.array(np.arange(20_000))], names=["l", "r"])

    reader = pa.RecordBatchReader.from_batches(pa.schema([("l", pa.int64()), ("r", pa.int64())]), batches())
    assert copse.components(reader, threads=8).count == 1
    assert readers == {threading.get_ident()}


def test_a_reader_that_never_rests_is_stopped_by_the_callback():
    read = []

    def batches():
        for i in range(150):
            time.sleep(0.02)
            read.append(i)
            yield pa.RecordBatch.from_arrays([pa.array(np.arange(20_000) + i), pa.array(np.arange(20_000))], names=["l", "r"])

    def stop(*_):
        raise RuntimeError("enough")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("l", pa.int64()), ("r", pa.int64())]), batches())
    with pytest.raises(RuntimeError, match="enough"):
        copse.components(reader, threads=4, progress=stop)
    assert len(read) < 150


@pytest.mark.parametrize("threads", [1, 4])
def test_a_large_id_beside_a_negative_one_is_named_by_its_row(threads):
    ids, left = np.arange(70_000, dtype=np.uint64), np.zeros(70_000, np.int64)
    ids[60_001] = 2**64 - 1
    for column in (pa.array(ids), pa.array(ids).dictionary_encode()):
        found = copse.components(pa.table({"l": left, "r": column}), threads=threads)
        assert found.count == 1 and found.ids[-1] == 2**64 - 1 and found.ids.dtype == np.uint64
        left[5] = -3
        expected = "column 'r' in row 60001: found the id 18446744073709551615|column 'l' in row 5: found the id -3"
        with pytest.raises(copse.InputError, match=expected):
            copse.components(pa.table({"l": left, "r": column}), threads=threads)
        left[5] = 0


def test_a_table_of_strings_outlives_its_answer():
    found = copse.components({"l": ["b", "d" * 50], "r": ["a", "c"]})
    table = found.to_arrow()
    del found
    gc.collect()
    assert table.to_pydict() == {"id": ["a", "b", "c", "d" * 50], "label": ["a", "a", "c", "c"]}
    table.validate(full=True)
    none = cluster_components(pa.table({"l": pa.array([], pa.string()), "r": pa.array([], pa.string())}))
    assert none.to_arrow().num_rows == 0


def test_frames_of_strings_are_the_same_with_and_without_objects():
    pairs = pd.DataFrame({"l": ["b", "\u00e4\u4e2d", "x"], "r": ["a", "y" * 40, "x"]})
    found = cluster_components(pairs, ("l", "r"))
    assert found._is_text()
    pd.testing.assert_frame_equal(found.to_pandas("i", "c"), pd.DataFrame({"i": found.ids, "c": found.labels}))
    assert copse.cluster(pairs, columns=("l", "r"))["id"].tolist() == ["a", "b", "x", "y" * 40, "\u00e4\u4e2d"]
    with pytest.raises(copse.UsageError, match="the ids of vertices must be strings, as in the pairs, not bytes"):
        cluster_components(pairs, ("l", "r"), vertices=np.array([b"\xff"], object))


def test_the_cpu_may_be_named_for_every_kind_of_edges(tmp_path):
    pq.write_table(pa.table({"l": ["a"], "r": ["b"], "p": [1.0]}), tmp_path / "pairs.parquet")
    for edges in (np.array([[0, 1]]), {"l": np.array([0]), "r": np.array([1])}, pa.table({"l": [0], "r": [1]})):
        assert copse.components(edges, device="cpu").count == 1
    assert copse.components(tmp_path / "pairs.parquet", columns=("l", "r"), device="cpu").has_string_ids


def test_columns_by_name_and_number(tmp_path):
    table = pa.table({"x": [0.5], "l": [1], "r": [2]})
    assert copse.components(table, columns=("l", "r")).ids.tolist() == [1, 2]
    path = tmp_path / "e.csv"
    path.write_text("9,1,2\n8,2,3\n")
    assert copse.components(path, columns=(2, 3)).ids.tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="columns="):
        copse.components(np.array([[1, 2]]), columns=("l", "r"))


def test_memory_does_not_grow_with_the_edges():
    def batches(count):
        for i in range(count):
            block = np.random.default_rng(i).integers(0, 100_000, (2, 131_072))
            yield pa.RecordBatch.from_arrays([pa.array(block[0]), pa.array(block[1])], names=["l", "r"])

    import resource

    schema = pa.schema([("l", pa.int64()), ("r", pa.int64())])
    copse.components(pa.RecordBatchReader.from_batches(schema, batches(5)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = copse.components(pa.RecordBatchReader.from_batches(schema, batches(150)))  # 300 MiB of edges
    assert found.left_out.rows == 150 * 131_072
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) < 60 * 1024


@pytest.mark.parametrize("ids", [pa.array([3, None]), pa.chunked_array([[3], [None]]), pl.Series([3, None])], ids=lambda ids: type(ids).__name__)
def test_a_column_of_vertices_may_have_nulls(ids):
    pairs = {"l": [1], "r": [2]}
    answer = copse.cluster(pairs, vertices=ids, nulls="drop").to_pydict()
    assert answer == {"id": [1, 2, 3], "cluster_id": [1, 1, 3]}
    with pytest.raises(copse.InputError, match="null in row 1"):
        copse.cluster(pairs, vertices=ids)
