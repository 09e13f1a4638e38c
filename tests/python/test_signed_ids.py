"""Negative ids, as hashes of warehouses and of the JVM are half of the time: every call takes them and answers with them."""
import pickle

import copse
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ENDS = [-1, 0, 1, -(2**63), 2**63 - 1]


def hashes(seed, count=2000):
    random = np.random.default_rng(seed)
    ids = np.concatenate([random.integers(-(2**63), 2**63 - 1, count // 2, endpoint=True), np.array(ENDS)])
    return ids[random.integers(0, ids.size, count)], ids[random.integers(0, ids.size, count)]


def smallest(sources, targets):
    graph = nx.Graph(zip(sources.tolist(), targets.tolist()))
    return {id: min(members) for members in nx.connected_components(graph) for id in members}


def answer(found):
    assert found.ids.dtype == found.labels.dtype == np.int64
    return dict(zip(found.ids.tolist(), found.labels.tolist()))


@pytest.mark.parametrize("threads", [1, 7])
@pytest.mark.parametrize("seed", range(4))
def test_columns_of_every_kind_are_those_of_the_definition(seed, threads, tmp_path):
    sources, targets = hashes(seed)
    expected = smallest(sources, targets)
    table = pa.table({"l": sources, "r": targets})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=100)
    np.save(tmp_path / "a.npy", np.column_stack([sources, targets]))
    table.to_pandas().to_csv(tmp_path / "a.csv", index=False)
    given = [
        np.column_stack([sources, targets]), (sources, targets), table, table.to_pandas(), pl.from_arrow(table), {"l": sources, "r": targets},
        tmp_path / "a.parquet", tmp_path / "a.npy", tmp_path / "a.csv",
    ]
    for edges in given:
        assert answer(copse.components(edges, threads=threads)) == expected, type(edges)
    np.column_stack([sources, targets]).tofile(tmp_path / "a.coo64")
    assert answer(copse.components(tmp_path / "a.coo64", signed=True, threads=threads)) == expected
    assert copse.components(tmp_path / "a.coo64").ids.dtype == np.uint64


def test_narrow_columns_keep_their_sign():
    for kind in (np.int8, np.int16, np.int32):
        assert answer(copse.components((np.array([-1, 5], kind), np.array([5, -9], kind)))) == {-9: -9, -1: -9, 5: -9}


def test_clusters_have_the_type_of_the_caller():
    sources, targets = hashes(7)
    expected = smallest(sources, targets)
    frame = pd.DataFrame({"l": sources, "r": targets, "score": np.linspace(0, 1, sources.size)})
    made = copse.cluster(frame, columns=("l", "r"))
    assert made.dtypes.tolist() == [np.int64, np.int64] and dict(zip(made["id"], made["cluster_id"])) == expected
    several = copse.cluster(frame, columns=("l", "r"), score="score", threshold=[0.0, 0.5], vertices=np.array([-77]), output_cluster=["low", "high"])
    assert dict(zip(several["id"], several["low"])) == {**expected, -77: -77}
    half = frame[frame.score >= 0.5]
    assert {k: v for k, v in zip(several["id"], several["high"]) if k in set(half.l) | set(half.r)} == smallest(half.l.values, half.r.values)
    nullable = copse.cluster(pd.DataFrame({"l": pd.array([-5, 2], "Int64"), "r": pd.array([2, 3], "Int64")}))
    assert nullable["id"].dtype == "Int64" and nullable["cluster_id"].tolist() == [-5, -5, -5]


def test_answers_are_proved_kept_and_looked_up():
    sources, targets = hashes(3)
    found = copse.components((sources, targets))
    assert found.verify()
    again = pickle.loads(pickle.dumps(found))
    assert answer(again) == answer(found) and again.checksum() == found.checksum()
    table = pa.table(found)
    assert table.schema.types == [pa.int64(), pa.int64()] and table["id"].to_pylist() == sorted(answer(found))


def test_forests_and_bridges_name_negative_ids():
    frame = pd.DataFrame({"l": [-1, -3, 7], "r": [2, 2, 8], "w": [1.0, 2.0, 3.0]})
    forest = copse.weighted_forest(frame, columns=("l", "r"), score="w")
    assert sorted(map(sorted, forest.edges.tolist())) == [[-3, 2], [-1, 2], [7, 8]]
    assert sorted(map(sorted, copse.spanning_forest(frame[["l", "r"]]).edges.tolist())) == [[-3, 2], [-1, 2], [7, 8]]
    assert len(copse.bridges(frame[["l", "r"]]).edges) == 3


def test_a_mixture_with_large_ids_is_refused():
    large, negative = np.array([2**64 - 1], np.uint64), np.array([-1])
    with pytest.raises(copse.InputError, match="found"):
        copse.components((negative, large))
    with pytest.raises(copse.InputError, match="found -1 in row 0 and 18446744073709551615 in row 1"):
        copse.cluster({"l": [-1, 2**64 - 1], "r": [1, 2]})
    with pytest.raises(copse.InputError, match="as .* has"):
        copse.cluster(pa.table({"l": negative, "r": [3]}), vertices=large)


def test_incremental_takes_them_unless_it_records_a_forest():
    live = copse.Incremental()
    live.insert(np.array([[-1, 2]]))
    assert live.components()[2] == -1
    with pytest.raises(copse.InputError, match="found the id -1, expected ids from 0 to"):
        copse.Incremental(record_forest=True).insert(np.array([[-1, 2]]))


def test_stars_of_engines_keep_signs():
    from copse import _stars

    sources, targets = hashes(9)
    parts = [pa.record_batch({"l": sources[i::3], "r": targets[i::3]}) for i in range(3)]
    stars = [_stars.forest([part], part.schema, ("l", "r"), pa.int64()) for part in parts]
    merged = _stars.merged(stars, pa.int64())
    assert dict(zip(merged["id"].to_pylist(), merged["component"].to_pylist())) == smallest(sources, targets)
