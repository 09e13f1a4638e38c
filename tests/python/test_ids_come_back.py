"""The ids of an answer are those that went in, of the same type: a join of the answer with its input finds every row."""
import datetime
import decimal
import uuid

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import copse

UUIDS = [uuid.UUID(int=i << 100) for i in (3, 1, 2)]
DIGESTS = [b"1111111111111111", b"\xff" * 16, b"2222222222222222"]  # some of which are UTF-8


def pandas_frame(values, dtype):
    return pd.DataFrame({"l": pd.Series(values[:2], dtype=dtype), "r": pd.Series(values[1:], dtype=dtype)})


NUMBERS = [5, 3, 100]
DECIMALS = [decimal.Decimal(number) for number in (5, 3, 100)]
PANDAS = {
    **{kind: (NUMBERS, kind) for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "Int64", "UInt8")},
    "int64[pyarrow]": (NUMBERS, "int64[pyarrow]"),
    "uint64 beyond int64": ([2**63 + 1, 3, 2**63], "uint64"),
    "objects of integers": (NUMBERS, object),
    "str": (["b", "a", "\u00e4"], "str"),
    "objects of str": (["b", "a", "\u00e4"], object),
    "string[python]": (["b", "a", "c"], "string[python]"),
    "string[pyarrow]": (["b", "a", "c"], "string[pyarrow]"),
    "large_string[pyarrow]": (["b", "a", "c"], pd.ArrowDtype(pa.large_string())),
    "dictionary[pyarrow]": (["b", "a", "c"], pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))),
    "bytes": ([b"a", b"b", b"\xff"], object),
    "digests": (DIGESTS, object),
    "binary[pyarrow]": ([b"a", b"b", b"\xff"], pd.ArrowDtype(pa.binary())),
    "binary(16)[pyarrow]": (DIGESTS, pd.ArrowDtype(pa.binary(16))),
    "UUIDs": (UUIDS, object),
    "decimal128(38, 0)[pyarrow]": (DECIMALS, pd.ArrowDtype(pa.decimal128(38, 0))),
    "categories": (["b", "a", "c"], pd.CategoricalDtype(["c", "b", "a", "unused"])),
    "ordered categories": (["b", "a", "c"], pd.CategoricalDtype(["c", "b", "a"], ordered=True)),
    "categories of integers": (NUMBERS, pd.CategoricalDtype([100, 5, 3])),
    "categories of bytes": ([b"a", b"\xff", b"b"], pd.CategoricalDtype([b"a", b"b", b"\xff"])),
}


@pytest.mark.parametrize("name", PANDAS)
def test_a_frame_of_pandas_is_joined_with_its_answer(name):
    values, dtype = PANDAS[name]
    frame = pandas_frame(values, dtype)
    for answer in (copse.cluster(frame), copse.components(frame).to_pandas(label="cluster_id")):
        assert answer.dtypes["id"] == frame.dtypes["l"] and answer.dtypes["cluster_id"] == frame.dtypes["l"]
        assert len(frame.merge(answer, left_on="l", right_on="id")) == 2 and len(frame.merge(answer, left_on="r", right_on="id")) == 2
        assert set(answer["id"]) == set(values) and set(answer["cluster_id"]) == {min(values)}
        assert {type(v) for v in answer["id"].tolist()} == {type(v) for v in frame["l"].tolist()}
    assert set(copse.components(frame).ids.tolist()) == set(values)
    frame["w"] = [1.0, 2.0]
    table = copse.weighted_forest(frame, "w").to_table()
    assert table.dtypes["u"] == frame.dtypes["l"] and len(frame.merge(table, left_on=["l", "r"], right_on=["u", "v"])) == 2
    assert set(copse.weighted_forest(frame, "w").ids.tolist()) == set(values)
    assert copse.bridges(frame, columns=("l", "r")).edges.tolist() == [values[:2], values[1:]]
    assert sorted(copse.spanning_forest(frame, columns=("l", "r")).edges.tolist()) == sorted([values[:2], values[1:]])
    why = copse.explain(frame, values[0], values[2], "w")
    assert why.path.tolist() == values and why.links.dtypes["from"] == frame.dtypes["l"]


@pytest.mark.parametrize("name", PANDAS)
def test_an_empty_answer_keeps_its_types(name):
    values, dtype = PANDAS[name]
    frame = pandas_frame(values, dtype)
    empty = copse.cluster(frame.iloc[:0])
    assert len(empty) == 0 and empty.dtypes["id"] == frame.dtypes["l"] == empty.dtypes["cluster_id"]
    frame["p"] = [0.1, 0.2]
    none = copse.cluster(frame, columns=("l", "r"), score="p", threshold=0.5)
    assert len(none) == 0 and none.dtypes["id"] == frame.dtypes["l"]
    objects = not isinstance(values[0], (int, decimal.Decimal))
    assert copse.components(frame[["l", "r"]].iloc[:0]).ids.dtype == (object if objects and dtype is not object else np.int64)


POLARS = {
    **{kind: (NUMBERS, getattr(pl, kind)) for kind in ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")},
    "String": (["b", "a", "\u00e4"], pl.String),
    "Binary": ([b"a", b"b", b"\xff"], pl.Binary),
    "Categorical": (["b", "a", "c"], pl.Categorical),
    "Enum": (["b", "a", "c"], pl.Enum(["c", "b", "a", "unused"])),
    "Decimal": (DECIMALS, pl.Decimal(20, 0)),
}


@pytest.mark.parametrize("name", POLARS)
def test_a_frame_of_polars_is_joined_with_its_answer(name):
    values, dtype = POLARS[name]
    frame = pl.DataFrame({"l": pl.Series(values[:2], dtype=dtype), "r": pl.Series(values[1:], dtype=dtype)})
    for given in (frame, frame.lazy()):
        answer = copse.cluster(given)
        assert answer.schema["id"] == frame.schema["l"] == answer.schema["cluster_id"]
        assert frame.join(answer, left_on="l", right_on="id").height == 2 and set(answer["id"]) == set(values)
    assert copse.cluster(frame[:0]).schema["id"] == frame.schema["l"]
    assert copse.components(frame).to_polars().schema["id"] == frame.schema["l"]
    weighted = frame.with_columns(w=pl.Series([1.0, 2.0]))
    assert copse.weighted_forest(weighted, "w").to_table().join(frame, left_on=["u", "v"], right_on=["l", "r"]).height == 2
    both = copse.cluster(weighted, columns=("l", "r"), score="w", threshold=[1, 2])
    assert both.dtypes == [frame.schema["l"]] * 3


ARROW = {
    **{str(kind): (NUMBERS, kind) for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())},
    **{str(kind): (["b", "a", "\u00e4"], kind) for kind in (pa.string(), pa.large_string(), pa.string_view())},
    **{str(kind): ([b"a", b"b", b"\xff"], kind) for kind in (pa.binary(), pa.large_binary(), pa.binary_view())},
    "fixed": (DIGESTS, pa.binary(16)),
    "uuid": (UUIDS, pa.uuid()),
    **{str(kind): (DECIMALS, kind) for kind in (pa.decimal128(38, 0), pa.decimal128(3, 0))},
    **{f"dictionary of {v}": (["b", "a", "c"], pa.dictionary(pa.int8(), v)) for v in (pa.string(), pa.large_string())},
    "dictionary of integers": (NUMBERS, pa.dictionary(pa.uint16(), pa.int32())),
    "dictionary of binaries": ([b"a", b"\xff", b"b"], pa.dictionary(pa.int32(), pa.binary())),
}


def arrow_table(values, kind):
    plain = kind.value_type if pa.types.is_dictionary(kind) else kind
    made = [pa.array(side, plain) for side in (values[:2], values[1:])]
    if pa.types.is_dictionary(kind):
        made = [pa.DictionaryArray.from_arrays(pa.array([0, 1], kind.index_type), side) for side in made]
    return pa.table(made, names=["l", "r"])


@pytest.mark.parametrize("name", ARROW)
def test_a_table_of_pyarrow_keeps_the_types_of_its_ids(name):
    values, kind = ARROW[name]
    table = arrow_table(values, kind)
    for given in (table, table.to_reader(), {"l": table["l"], "r": table["r"]}):
        answer = copse.cluster(given)
        assert answer.schema.field("id").type == table.schema.field("l").type == answer.schema.field("cluster_id").type
        assert set(answer["id"].to_pylist()) == set(values) and set(answer["cluster_id"].to_pylist()) == {min(values)}
    empty = copse.cluster(table.slice(0, 0))
    assert empty.num_rows == 0 and empty.schema.field("id").type == table.schema.field("l").type
    assert set(copse.components(table).ids.tolist()) == set(values)
    found = copse.components(table).to_arrow()
    assert found.schema.field("id").type == table.schema.field("l").type
    forest = copse.weighted_forest(table.append_column("w", pa.array([1.0, 2.0])), "w").to_table()
    assert forest.schema.field("u").type == table.schema.field("l").type and forest["u"].to_pylist() == values[:2]


@pytest.mark.parametrize(
    "make, kind",
    [
        (lambda v: v, "strings"), (lambda v: np.array(v), "strings"), (lambda v: [x.encode() for x in v], "bytes"),
        (lambda v: np.array(v, "S"), "bytes"), (lambda v: [uuid.UUID(int=ord(x)) for x in v], "UUIDs"), (lambda v: [ord(x) for x in v], "integers"),
        (lambda v: np.array([ord(x) for x in v], np.int16), "integers"),
    ],
)
def test_columns_without_a_table_come_back(make, kind):
    left, right = make(["b", "a"]), make(["a", "c"])
    want = {x if not isinstance(x, np.generic) else x.item() for x in [*left, *right]}
    assert set(copse.cluster({"l": left, "r": right})["id"].to_pylist()) == want
    assert set(copse.components({"l": left, "r": right}).ids.tolist()) == want
    if kind != "integers":
        assert set(copse.cluster(list(zip(left, right)))["id"].to_pylist()) == want


def test_vertices_of_another_type_make_the_answer_one_that_holds_both():
    pairs = pd.DataFrame({"l": [1], "r": [2]}, dtype="int8")
    assert copse.cluster(pairs, vertices=pd.Series([1000])).to_dict("list") == {"id": [1, 2, 1000], "cluster_id": [1, 1, 1000]}
    assert copse.cluster(pairs, vertices=pd.Series([3], dtype="int8")).dtypes["id"] == np.int8
    assert copse.cluster(pairs, vertices=[3]).dtypes["id"] == np.int8
    assert copse.cluster(pairs, vertices=[1000])["id"].tolist() == [1, 2, 1000]
    words = pd.DataFrame({"l": ["a"], "r": ["b"]}, dtype=pd.CategoricalDtype(["a", "b"]))
    assert copse.cluster(words, vertices=["z"])["id"].tolist() == ["a", "b", "z"]
    enum = pl.DataFrame({"l": ["a"], "r": ["b"]}, schema_overrides={"l": pl.Enum(["a", "b"]), "r": pl.Enum(["a", "b"])})
    assert copse.cluster(enum, vertices=pl.Series(["z"]))["id"].to_list() == ["a", "b", "z"]
    few = pa.table({"l": pa.array(["a"]).dictionary_encode(), "r": pa.array(["b"]).dictionary_encode()})
    few = few.cast(pa.schema([(n, pa.dictionary(pa.int8(), pa.string())) for n in "lr"]))
    many = copse.cluster(few, vertices=[f"v{i}" for i in range(300)])
    assert len(many["id"]) == 302 and many["id"].to_pylist()[0] == "a"


@pytest.mark.parametrize(
    "values, text",
    [
        (["a", b"b"], "must hold ids of one kind .*, not bytes and str"), (["a", 1], "a single type that Arrow knows"), ([1, b"b"], "a single type that Arrow knows"),
        ([UUIDS[0], "a"], "a single type that Arrow knows|not UUID and str"), ([UUIDS[0], b"1" * 16], "must hold ids of one kind .*, not UUID and bytes"),
        ([datetime.date(2020, 1, 1)] * 2, "must hold ids of one kind .*, not date"), ([decimal.Decimal(1)] * 2, "must hold ids of one kind .*, not Decimal"),
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), "column 'l': found timestamp, expected integers, strings or binaries"),
        (pd.to_timedelta([1, 2]), "found duration"), ([True, False], "found bool"), ([1.5, 2.5], "found float64|found double"),
        (pd.PeriodIndex(["2020", "2021"], freq="Y"), "found"), ([(1, 2), (3, 4)], "must hold ids of one kind .*, not tuple"),
    ],
)
def test_what_is_no_id_is_refused_in_words(values, text):
    frame = pd.DataFrame({"l": values, "r": values})
    with pytest.raises(copse.Error, match=text):
        copse.cluster(frame)
    with pytest.raises(copse.Error, match=text):
        copse.bridges(frame)


@pytest.mark.parametrize(
    "ids, text",
    [
        ([True, 2], "column 'l' must hold ids of one kind .*, not bool and int"), (np.array(["2020"], "M8[Y]"), r"column 'l' must hold integers or strings, not datetime64\[Y\]"),
        (np.array([True]), "column 'l' must hold integers or strings, not bool"), ([2**64], "column 'l': found 18446744073709551616 in row 0, expected ids from -2"),
        ([-1, 2**63], "column 'l': found -1 in row 0 and 9223372036854775808 in row 1"),
        (["a", b"b"], "column 'l' must hold ids of one kind .*, not bytes and str"), ([UUIDS[0], "b"], "column 'l' must hold ids of one kind .*, not UUID and str"), (["\ud800"], "lone surrogate"), ([1.5], "column 'l' must hold integers or strings, not float64"),
        (np.zeros(1, "V16"), r"column 'l' must hold integers or strings, not \|V16"),
    ],
)
def test_columns_of_what_is_no_id_are_refused_in_words(ids, text):
    for call in (copse.cluster, copse.bridges, copse.components):
        with pytest.raises(copse.Error, match=text):
            call({"l": ids, "r": ids})


def test_both_columns_of_an_answer_have_one_type():
    for given in ({"l": [2**64 - 2], "r": [1]}, pa.table({"l": pa.array([1], pa.int64()), "r": pa.array([2**63 + 5], pa.uint64())})):
        answer = copse.cluster(given)
        assert answer.schema.types == [pa.uint64(), pa.uint64()]
    with pytest.raises(copse.UsageError, match="a table must be .*, not Series"):
        copse.cluster(pd.Series([1, 2]))


@pytest.mark.parametrize(
    "left, right",
    [(["a"], [b"a"]), ([b"a"], ["a"]), (["a"], [UUIDS[0]]), ([1], ["1"])],
)
def test_ids_of_two_kinds_are_not_the_same_ids(left, right):
    for table in (pd.DataFrame({"l": left, "r": right}), {"l": left, "r": right}, pa.table({"l": left, "r": right})):
        with pytest.raises(copse.UsageError, match="one kind|beside"):
            copse.cluster(table)


def test_objects_of_polars_are_no_ids():
    frame = pl.DataFrame({"l": pl.Series([UUIDS[0]], dtype=pl.Object), "r": pl.Series([UUIDS[0]], dtype=pl.Object)})
    with pytest.raises(copse.UsageError, match="column 'l' must hold integers, strings or bytes, not objects"):
        copse.cluster(frame)


@pytest.mark.parametrize("index", [["x", "y"], pd.Index(["x", "y"], name="key"), pd.date_range("2020", periods=2), pd.MultiIndex.from_tuples([(1, 2), (3, 4)])])
def test_the_index_of_a_frame_is_no_column(index):
    frame = pd.DataFrame({"l": ["a", "b"], "r": ["b", "c"]}, index=index)
    assert copse.cluster(frame)["id"].tolist() == ["a", "b", "c"] == copse.cluster(frame, columns=("l", "r"))["id"].tolist()
    assert copse.cluster(frame, vertices=pd.Index(["z"]))["id"].tolist() == ["a", "b", "c", "z"]


def test_a_decimal_is_asked_for_as_the_integer_that_it_is():
    table = arrow_table(DECIMALS, pa.decimal128(38, 0))
    graph = copse.Dynamic()
    graph.insert(table)
    answer = copse.components(table)
    for id in (DECIMALS[0], 5, decimal.Decimal("5.00")):
        assert graph.size_of(id) == 3 and answer[id] == 3
    for none in ("5.5", "NaN", "Infinity"):
        with pytest.raises(KeyError):
            answer[decimal.Decimal(none)]
        with pytest.raises(copse.UsageError):
            graph.size_of(decimal.Decimal(none))
