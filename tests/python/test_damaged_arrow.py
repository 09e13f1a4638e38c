"""Damaged Arrow data is refused with its column and row, from files, streams, tables and columns, and never read beyond its buffers."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import copse

CASE = Path(__file__).resolve().parents[1] / "corpus/cases/damaged-arrow/make.py"
WORDS = ["ann", "bob", "carl", "dora"]
ROWS = 4


def buffer(values, kind):
    return pa.py_buffer(np.array(values, kind).tobytes())


def strings(kind, offsets, text=b"annbobcarldora"):
    """pyarrow looks at the first and the last offset: they are right, and of rows that table_of() cuts off."""
    width = "i8" if "large" in str(kind) else "i4"
    held = [None, buffer([0, *offsets, len(text)], width), pa.py_buffer(text)]
    return pa.Array.from_buffers(kind, ROWS + 2, held)


def dictionary(indices, kind="i4", values=WORDS, validity=None):
    index_type = pa.from_numpy_dtype(np.dtype(kind))
    made = pa.Array.from_buffers(index_type, len(indices), [validity, buffer(indices, kind)])
    return pa.DictionaryArray.from_arrays(made, pa.array(values) if isinstance(values, list) else values, safe=False)


def view(size, number, offset, kind=pa.string_view()):
    views = b"".join([(5).to_bytes(4, "little") + b"alice".ljust(12, b"\0")] * 2
                     + [size.to_bytes(4, "little", signed=True) + b"long" + number.to_bytes(4, "little", signed=True) + offset.to_bytes(4, "little", signed=True)]
                     + [(3).to_bytes(4, "little") + b"bob".ljust(12, b"\0")])
    return pa.Array.from_buffers(kind, ROWS, [None, pa.py_buffer(views), pa.py_buffer(b"long enough to be elsewhere")])


GOOD = [0, 3, 6, 10, 14]
OFFSETS = {"negative": ([0, -3, 6, 10, 14], 0), "descending": ([0, 6, 3, 10, 14], 1), "beyond the data": ([0, 3, 6, 10, 99], 3),
           "beyond in the middle": ([0, 3, 6000, 10, 14], 1), "negative at first": ([-1, 3, 6, 10, 14], 0)}
DAMAGED = {
    **{f"{kind}: offsets {name}": (strings(kind, offsets), row) for kind in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
       for name, (offsets, row) in OFFSETS.items()},
    "no UTF-8": (strings(pa.string(), GOOD, b"annb\xffbcarldora"), 1),
    **{f"index {i} of {kind}": (dictionary([0, i, 2, 3], kind), 1) for kind, i in
       [("i1", 99), ("i2", -3), ("i4", 99), ("i4", -3), ("i4", 2**30), ("i8", 2**40), ("u1", 200), ("u4", 2**32 - 1), ("u8", 2**63 + 5), ("i4", 4)]},
    "index of an empty dictionary": (dictionary([0, 0, 0, 0], values=pa.array([], pa.string())), 0),
    "index of integers": (dictionary([0, 1, 2, 7], values=pa.array([5, 6, 7], pa.int64())), 3),
    "index of a dictionary in a dictionary": (dictionary([0, 1, 2, 3], "i1", dictionary([0, 1, 9, 3])), 2),
    "offsets of a dictionary": (dictionary([3, 2, 1, 0], values=strings(pa.string(), [0, 3, 600, 10, 14]).slice(1, ROWS)), 1),
    "descending offsets of a dictionary": (dictionary([0, 3, 2, 1], values=strings(pa.string(), [0, 3, 2, 10, 14]).slice(1, ROWS)), 3),
    "view of another buffer": (view(20, 3, 0), 2),
    "view of a negative buffer": (view(20, -1, 0), 2),
    "view beyond its buffer": (view(20, 0, 20), 2),
    "view before its buffer": (view(20, 0, -4), 2),
    "view of negative size": (view(-5, 0, 0), 2),
    "view of binaries": (view(2**30, 0, 0, pa.binary_view()), 2),
}
CALLS = {
    "components": lambda table: copse.components(table, columns=("l", "r")),
    "cluster": lambda table: copse.cluster(table, columns=("l", "r")),
    "bridges": lambda table: copse.bridges(table, columns=("l", "r")),
    "weighted_forest": lambda table: copse.weighted_forest(table, "w", columns=("l", "r")),
    "vertices": lambda table: copse.cluster({"l": table["r"], "r": table["r"]}, vertices=table, id="l"),
}


def table_of(column, name="l"):
    other = pa.array([0] * len(column)) if pa.types.is_integer(getattr(column.type, "value_type", column.type)) else pa.array(
        [b"ann" if "binary" in str(column.type) else "ann"] * len(column))
    columns = {"l": column, "r": other} if name == "l" else {"l": other, "r": column}
    table = pa.table({**columns, "w": pa.array([1.0] * len(column))})
    return table.slice(1, ROWS) if len(column) == ROWS + 2 else table


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_table_is_refused(name, call):
    column, row = DAMAGED[name]
    with pytest.raises(copse.InputError, match=f"column 'l': found .* in row {row}, expected"):
        CALLS[call](table_of(column))


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_stream_and_chunk_and_pair_of_columns_is_refused(name):
    column, row = DAMAGED[name]
    table = table_of(column, "r")
    for given in (table.to_reader(), table.to_batches()[0], {n: table[n] for n in ("l", "r")}):
        with pytest.raises(copse.InputError, match=f"column 'r': found .* in row {row}, expected"):
            copse.components(given, columns=("l", "r"))
    with pytest.raises(copse.Error, match="found|must"):
        copse.components({"l": np.zeros(ROWS, np.int64), "r": table["r"]})
    with pytest.raises(copse.Error, match="found|must"):
        copse.components((table["r"], table["l"]))


def test_rows_are_counted_over_chunks():
    good, bad = pa.array(WORDS).dictionary_encode(), dictionary([0, 1, 50, 2])
    left = pa.chunked_array([good, good, bad])
    table = pa.table({"l": left, "r": left})
    with pytest.raises(copse.InputError, match="column 'l': found the dictionary index 50 in row 10, expected one from 0 to 3"):
        copse.components(table)
    late = pa.chunked_array([pa.array(WORDS), strings(pa.string(), OFFSETS["beyond the data"][0])])
    with pytest.raises(copse.InputError, match="column 'l': found the string offset 99 in row 8, expected one from 0 to 14, the bytes of text"):
        copse.components(pa.table({"l": late, "r": late}).slice(0, 9))


def test_what_no_row_reads_may_be_damaged():
    nulls = dictionary([0, 99, 2, 3], validity=pa.py_buffer(b"\x0d"))
    table = pa.table({"l": nulls, "r": pa.array(WORDS)})
    assert copse.cluster(table, nulls="drop").num_rows == 3
    unused = dictionary([0, 1, 1, 0], values=strings(pa.string(), [0, 3, 6, 600, 14]).slice(1, ROWS))
    assert copse.components(pa.table({"l": unused, "r": pa.array([*WORDS[:3], WORDS[0]])})).vertices == 3
    low = pa.table({"l": dictionary([0, 99, 2, 3]), "r": pa.array(WORDS), "p": [1.0, 0.0, 1.0, 1.0]})
    assert copse.cluster(low, columns=("l", "r"), score="p", threshold=0.5).num_rows == 3


@pytest.mark.parametrize("value", [99, -3, 2**30, 4])
@pytest.mark.parametrize("stream", [False, True], ids=["file", "stream"])
def test_a_damaged_file_is_refused(value, stream, tmp_path):
    subprocess.run([sys.executable, CASE, str(value if value < 2**31 else 0)], cwd=tmp_path, check=True)
    path = tmp_path / "damaged.arrow"
    if stream:
        names = pa.array(WORDS).dictionary_encode()
        table = pa.table({"l": names, "r": pa.array(["bob", "carl", "dora", "ann"]).dictionary_encode()})
        with pa.ipc.new_stream(path, table.schema) as file:
            file.write_table(table)
        data = bytearray(path.read_bytes())
        at = data.find(np.array([0, 1, 2, 3], dtype="i4").tobytes())
        data[at + 4 : at + 8] = np.array([value], dtype="i4").tobytes()
        path.write_bytes(data)
    for call in (CALLS["components"], CALLS["cluster"], CALLS["bridges"]):
        with pytest.raises(copse.InputError, match=f"column 'l': found the dictionary index {value} in row 1, expected one from 0 to 3"):
            call(path)


@pytest.mark.parametrize("offset", [-5, 2**31 - 1, 5000])
def test_offsets_of_a_file_are_checked(offset, tmp_path):
    table = pa.table({"l": pa.array(WORDS, pa.string()), "r": pa.array(["bob", "carl", "dora", "ann"], pa.string())})
    path = tmp_path / "damaged.arrow"
    with pa.ipc.new_file(path, table.schema) as file:
        file.write_table(table)
    data = bytearray(path.read_bytes())
    at = data.find(np.array(GOOD, dtype="i4").tobytes())
    data[at + 8 : at + 12] = np.array([offset], dtype="i4").tobytes()
    path.write_bytes(data)
    with pytest.raises(copse.InputError, match="column 'l': found the string offset .* in row 1, expected"):
        copse.components(path)


def test_a_file_that_is_cut_or_is_none_is_refused(tmp_path):
    table = pa.table({"l": pa.array(WORDS * 50), "r": pa.array(WORDS * 50)})
    path = tmp_path / "cut.arrow"
    with pa.ipc.new_file(path, table.schema) as file:
        file.write_table(table)
    data = path.read_bytes()
    for size in (0, 5, 200, len(data) // 2, len(data) - 3):
        path.write_bytes(data[:size])
        with pytest.raises(copse.Error):
            copse.components(path)
    rng = np.random.default_rng(1)
    for _ in range(200):  # whatever is damaged: an answer or an error of ours
        damaged = bytearray(data)
        for at in rng.integers(0, len(data), 3):
            damaged[at] = rng.integers(0, 256)
        path.write_bytes(damaged)
        try:
            copse.components(path)
        except copse.Error:
            pass


class Arrays:
    """A producer of its own, as other libraries than pyarrow are: only the C interface says what it holds."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("name", [n for n in DAMAGED if "index" in n or "view" in n or "descending" in n or "negative" in n or n == "no UTF-8"])
def test_a_stream_of_another_library_is_checked(name):
    column, row = DAMAGED[name]
    with pytest.raises(copse.InputError, match=f"column 'l': found .* in row {row}, expected"):
        copse.components(Arrays(table_of(column)), columns=("l", "r"))


ROW_COLUMNS = {
    "int64": pa.array(range(9)), "int16": pa.array(range(9), pa.int16()), "string": pa.array(list("abcdefghi")), "large_string": pa.array(list("abcdefghi"), pa.large_string()),
    "string_view": pa.array(list("abcdefghi"), pa.string_view()), "binary(16)": pa.array([b"x" * 16] * 9, pa.binary(16)),
    "dictionary": pa.array(list("abcdefghi")).dictionary_encode(), "nulls": pa.array([*range(8), None]), "int8 with nulls": pa.array([*range(8), None], pa.int8()),
}


@pytest.mark.parametrize("name", ROW_COLUMNS)
def test_a_file_that_claims_more_rows_than_its_buffers_hold_is_refused(name, tmp_path):
    column = ROW_COLUMNS[name]
    path = tmp_path / "long.arrow"
    table = pa.table({"l": column, "r": column, "w": pa.array([0.5] * 9)})
    with pa.ipc.new_file(path, table.schema) as file:
        file.write_table(table)
    data = path.read_bytes()
    assert (9).to_bytes(8, "little") in data
    path.write_bytes(data.replace((9).to_bytes(8, "little"), (90_000).to_bytes(8, "little")))
    for call in (CALLS["components"], CALLS["bridges"], CALLS["weighted_forest"], lambda p: copse.cluster(p, columns=("l", "r"), score="w", threshold=0.1, nulls="drop")):
        with pytest.raises(copse.InputError, match="column '[lrw]': found .* in row [0-9]+, expected|its stream failed|not an Arrow file"):
            call(path)


def test_nested_dictionaries_are_read():
    nested = dictionary([0, 1, 2, 3], "i1", dictionary([3, 2, 1, 0]))
    table = pa.table({"l": nested, "r": pa.array(["dora", "carl", "bob", "bob"])})
    assert copse.components(table).labels.tolist() == ["ann", "ann", "carl", "dora"]
