"""The library for C by ctypes: tables of pyarrow in and out, as docs/how-to/embed.md shows, and answers as by the definition."""
import ctypes
import gc
import os
import re
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import copse

LIBRARY = os.environ.get("COPSE_C_LIBRARY", "")
pytestmark = pytest.mark.skipif(not Path(LIBRARY).is_file(), reason="libcopse_c is not built (COPSE_C_LIBRARY)")
PAGE = Path(__file__).parents[2] / "docs/how-to/embed.md"


class Table(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("source", ctypes.c_char_p), ("target", ctypes.c_char_p), ("weight", ctypes.c_char_p),
                ("threshold", ctypes.c_char_p), ("drop_nulls", ctypes.c_int), ("vertices_only", ctypes.c_int)]

    def __init__(self, **fields):
        super().__init__(ctypes.sizeof(Table), **fields)


class Counts(ctypes.Structure):
    _fields_ = [("rows", ctypes.c_uint64), ("nulls", ctypes.c_uint64), ("below", ctypes.c_uint64)]


@pytest.fixture(scope="module")
def library():
    return ctypes.CDLL(LIBRARY)


def components(library, table, counts=None, **columns):
    """copse_components_stream(): a table, or the status and the text of the error."""
    given, found = (ctypes.create_string_buffer(5 * 8) for _ in range(2))
    error = ctypes.create_string_buffer(1024)
    table.to_reader(max_chunksize=1000)._export_to_c(ctypes.addressof(given))
    options = ctypes.byref(Table(**columns)) if columns else None
    counts = counts if counts is None else ctypes.byref(counts)
    status = library.copse_components_stream(given, options, found, counts, None, error)
    if status != 0:
        return status, error.raw[4:].split(b"\0")[0].decode()
    return pa.RecordBatchReader._import_from_c(ctypes.addressof(found)).read_all()


def test_the_page_shows_what_works():
    block = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)[1]
    shown = {}
    exec(block.replace("libcopse_c.so.1", LIBRARY), shown)
    found = shown["components"](pa.table({"l": ["b", "x"], "r": ["a", "y"]}))
    assert found.to_pydict() == {"id": ["a", "b", "x", "y"], "component": ["a", "a", "x", "x"]}
    with pytest.raises(ValueError, match="the target must be column 1 or be named"):
        shown["components"](pa.table({"l": [1]}))


def pairs(kind, seed=1):
    random = np.random.default_rng(seed)
    left, right = (random.integers(-100 if pa.types.is_signed_integer(kind) else 0, 120, 90) for _ in range(2))
    return pa.table({"l": pa.array(left, pa.int64()).cast(kind), "r": pa.array(right, pa.int64()).cast(kind)})


def by_definition(left, right):
    """The smallest id that a chain of pairs leads to, of every id."""
    labels = {v: v for v in left + right}
    while True:
        before = dict(labels)
        for u, v in zip(left, right):
            labels[u] = labels[v] = min(labels[u], labels[v])
        if labels == before:
            return labels


INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]


@pytest.mark.parametrize("kind", INTEGERS, ids=str)
@pytest.mark.parametrize("encoded", [False, True])
def test_integers_of_every_width_agree_with_the_definition(library, kind, encoded):
    table = pairs(kind)
    expected = by_definition(*(table[name].to_pylist() for name in table.column_names))
    if encoded:
        table = pa.table({name: table[name].dictionary_encode() for name in table.column_names})
    found = components(library, table)
    assert found["id"].to_pylist() == sorted(expected)
    assert dict(zip(found["id"].to_pylist(), found["component"].to_pylist())) == expected


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), "dictionary"], ids=str)
def test_strings_of_every_layout(library, kind):
    left, right = ["b", "a string that is long enough to lie elsewhere", "x"], ["a", "b", "y"]
    column = lambda values: pa.array(values).dictionary_encode() if kind == "dictionary" else pa.array(values, kind)  # noqa: E731
    found = components(library, pa.table({"l": column(left), "r": column(right)}))
    binary = kind in (pa.binary(), pa.large_binary())
    assert found.schema.field("id").type == (pa.large_binary() if binary else pa.large_string())
    ids = [value.decode() if binary else value for value in found["id"].to_pylist()]
    groups = [value.decode() if binary else value for value in found["component"].to_pylist()]
    first = "a"
    assert dict(zip(ids, groups)) == {"a": first, "b": first, left[1]: first, "x": "x", "y": "x"}


def test_many_batches_and_threads(library):
    random = np.random.default_rng(3)
    left, right = random.integers(0, 2**62, 50_000), random.integers(0, 2**62, 50_000)
    left[1:] = np.where(random.random(49_999) < .5, right[:-1], left[1:])
    table = pa.table({"l": left, "r": right})
    expected = copse.components(table)
    found = components(library, table)
    assert found["id"].to_numpy().tolist() == expected.ids.tolist()
    assert found["component"].to_numpy().tolist() == expected.labels.tolist()


def test_thresholds_nulls_and_counts(library):
    table = pa.table({"s": pa.array([.9, .3, None, .9], pa.float32()), "r": [2, 4, 6, None], "l": [1, 3, 5, 7]})
    counts = Counts()
    found = components(library, table, counts, source=b"l", target=b"r", weight=b"s", threshold=b"0.9", drop_nulls=1)
    assert found.to_pydict() == {"id": [1, 2], "component": [1, 1]}
    assert (counts.rows, counts.nulls, counts.below) == (4, 2, 1)
    status, text = components(library, table, source=b"l", target=b"r")
    assert status == 2 and "column 'r': found a null in row 3" in text


def test_what_is_refused_is_released(library):
    gc.collect()
    before = pa.total_allocated_bytes()
    status, text = components(library, pa.table({"l": [1.5] * 1000, "r": [2.5] * 1000}))
    assert status == 1 and "column 'l': found float64, expected integers, strings or binaries" in text
    status, text = components(library, pa.table({"l": ["a"] * 1000, "r": [1] * 1000}))
    assert status == 1 and "ids of one kind" in text
    gc.collect()
    assert pa.total_allocated_bytes() == before


def test_a_table_lives_longer_than_what_made_it(library):
    found = components(library, pa.table({"l": ["p" * 100, "q"], "r": ["q", "r"]}))
    column = found["component"]
    del found
    gc.collect()
    assert column.to_pylist() == ["p" * 100] * 3


def test_polars_reads_the_answer(library):
    found = pl.from_arrow(components(library, pl.DataFrame({"l": ["b"], "r": ["a"]}).to_arrow()))
    assert found.rows() == [("a", "a"), ("b", "a")]


def test_the_version_is_that_of_the_package(library):
    library.copse_version.restype = ctypes.c_char_p
    assert library.copse_version().decode() == copse.__version__
