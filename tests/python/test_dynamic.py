"""Edges that arrive and leave: random histories against NetworkX, ids that stay, and answers of the caller's kind."""
import datetime
import random
import threading
import uuid

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import copse

PAIRS = {"l": ["a", "b", "x"], "r": ["b", "c", "y"], "s": [.9, .2, .8], "t": [3, 1, 2]}


def ids_of_kind(kind):
    """Twelve ids of that kind."""
    return {
        "text": list("abcdefghijkl"), "bytes": [bytes([200 + i]) for i in range(12)], "uuid": [uuid.UUID(int=i * 7) for i in range(12)],
        "signed": [i * 10**15 - 5 * 10**15 for i in range(12)], "unsigned": [2**63 + i for i in range(12)],
    }[kind]


def columns_of(pairs, kind):
    if kind == "unsigned":
        return np.array(pairs, np.uint64).reshape(-1, 2)
    return {"l": [u for u, _ in pairs], "r": [v for _, v in pairs]}


@pytest.mark.parametrize("kind", ["text", "bytes", "uuid", "signed", "unsigned"])
@pytest.mark.parametrize("seed", range(3))
def test_random_histories_are_those_of_the_definition(kind, seed):
    draw, known, names = random.Random(seed), nx.Graph(), ids_of_kind(kind)
    graph = copse.Dynamic(history="all")
    ids, before = {}, {}
    for number in range(1, 40):
        action = draw.choice(["insert", "insert", "erase", "vertices", "revert"])
        pairs = [(draw.choice(names), draw.choice(names)) for _ in range(draw.randrange(1, 5))]
        kept = known.copy()
        if action == "insert":
            known.add_edges_from(pairs)
            batch = graph.insert(columns_of(pairs, kind))
        elif action == "erase":
            known.remove_edges_from(pairs)
            batch = graph.erase(columns_of(pairs, kind))
        elif action == "vertices":
            known.remove_nodes_from([pairs[0][0]])
            batch = graph.erase_vertices(np.array([pairs[0][0]], np.uint64) if kind == "unsigned" else [pairs[0][0]])
        elif graph.last_batch == 0:
            continue
        else:
            batch = graph.revert(graph.last_batch)
            known = before
        before = kept
        assert (batch.number, graph.edge_count, graph.vertices) == (graph.last_batch, known.number_of_edges(), known.number_of_nodes())
        expected = {v: min(c, key=lambda one: one.bytes if kind == "uuid" else one) for c in nx.connected_components(known) for v in c}
        found = graph.components()
        assert dict(zip(found.ids.tolist(), found.labels.tolist())) == expected
        now = dict(zip(names, graph.component_of(np.array(names, np.uint64) if kind == "unsigned" else names).tolist()))
        for u in names:
            assert graph.size_of(u) == (len(nx.node_connected_component(known, u)) if u in known else 0) and (u in graph) == (u in known)
            assert now[u] == (-1 if graph.component_of(u) is None else graph.component_of(u))
            assert all((now[u] == now[v] != -1) == (expected.get(u, u) == expected.get(v, -1) and u in known) for v in names)
        assert graph.connected(columns_of([(u, v) for u in names for v in names], kind)).tolist() == [now[u] == now[v] != -1 for u in names for v in names]
        changes = graph.changes(graph.last_batch - 1)
        if isinstance(changes, pa.Table):  # the last batch that had columns was a table
            changes = [tuple(-1 if value is None else value for value in row.values()) for row in changes.to_pylist()]
        changes = {row[0]: (row[1], row[2]) for row in (changes.tolist() if isinstance(changes, np.ndarray) else changes)}
        as_held = (lambda v: v.bytes) if kind == "uuid" else (lambda v: v)
        assert {as_held(k) if k in names else k: v for k, v in changes.items()} == {as_held(v): (ids.get(v, -1), now[v]) for v in names if ids.get(v, -1) != now[v]}
        ids = now


def sources(tmp_path):
    table = pa.table(PAIRS)
    pq.write_table(table, tmp_path / "pairs.parquet")
    yield PAIRS, pa.Table
    yield table, pa.Table
    yield table.to_reader(), pa.Table
    yield tmp_path / "pairs.parquet", pa.Table
    yield pd.DataFrame(PAIRS), pd.DataFrame
    yield pl.DataFrame(PAIRS), pl.DataFrame
    yield pl.LazyFrame(PAIRS), pl.DataFrame


def rows_of(table):
    return table.to_pylist() if isinstance(table, pa.Table) else table.to_dicts() if isinstance(table, pl.DataFrame) else table.to_dict("records")


@pytest.mark.filterwarnings("ignore::copse.Note")
def test_every_source_is_taken_and_answered_in_its_kind(tmp_path):
    for edges, kind in sources(tmp_path):
        graph = copse.Dynamic(weights=True, times=True, history=3)
        assert graph.insert(edges, "s", columns=("l", "r"), time="t") == (1, 3, 0, 0, 0, 0), type(edges)
        assert all(isinstance(answer, kind) for answer in (graph.edges(), graph.events(), graph.changes(0), graph.conflicts(1)))
        assert sorted(map(tuple, (row.values() for row in rows_of(graph.edges())))) == [("a", "b", .9, 3), ("b", "c", .2, 1), ("x", "y", .8, 2)]
        assert graph.expire(2).erased == 1 and "c" not in graph
        gone = [row for row in rows_of(graph.changes(1)) if row["id"] == "c"]
        assert len(gone) == 1 and gone[0]["before"] == 0 and pd.isna(gone[0]["after"])
        assert rows_of(graph.events(1))[0]["event"] == "created"
    path = tmp_path / "pairs.csv"
    pd.DataFrame(PAIRS).to_csv(path, index=False)
    graph = copse.Dynamic(weights=True)
    assert graph.insert(path, "s", columns=("l", "r")).inserted == 3 and graph.members("c").tolist() == ["a", "b", "c"]
    assert sorted(graph.edges()["weight"].tolist()) == [.2, .8, .9]
    assert graph.connected(path, columns=("l", "r")).all()


def test_arrays_matrices_and_graphs_are_taken():
    from scipy import sparse

    matrix = sparse.csr_array(([.5, .25], ([0, 2], [1, 3])), shape=(4, 4))
    graph = copse.Dynamic(weights=True)
    assert graph.insert(matrix).inserted == 2 and sorted(graph.edges()["weight"].tolist()) == [.25, .5]
    for edges in (np.array([[0, 1], [2, 3]]), (np.array([0, 2], np.int32), np.array([1, 3], np.int32)), [(0, 1), (2, 3)], copse.Graph.of([(0, 1), (2, 3)]),
                  copse.Graph.of([(0, 1), (2, 3)]).symmetric_rows()):
        graph = copse.Dynamic()
        assert graph.insert(edges).inserted == 2 and graph.count == 2 and graph.changes(0).dtype.names == ("id", "before", "after")
        assert graph.changes(0)["before"].tolist() == [-1] * 4
    assert isinstance(graph.insert((pd.Series([1]), pd.Series([2]))), copse.DynamicBatch) and isinstance(graph.events(), pd.DataFrame)


def test_ids_keep_the_type_of_the_column():
    for column, kind in ((pd.Series([1, 2], dtype="Int16"), "Int16"), (pd.Series(["a", "b"], dtype="category"), None)):
        graph = copse.Dynamic()
        graph.insert(pd.DataFrame({"l": column, "r": column}))
        assert graph.changes(0)["id"].dtype == (kind or column.dtype) and graph.changes(0)["before"].isna().all()
    graph = copse.Dynamic()
    graph.insert(pl.DataFrame({"l": [1], "r": [2]}, schema={"l": pl.UInt8, "r": pl.UInt8}))
    assert graph.changes(0).schema["id"] == pl.UInt8 and graph.changes(0).schema["before"] == pl.Int64
    ids = [uuid.UUID(int=5), uuid.UUID(int=6)]
    graph = copse.Dynamic()
    graph.insert([(ids[0], ids[1])])
    assert graph.members(ids[1]).tolist() == ids and graph.components()[ids[1]] == ids[0]


def test_dates_are_times():
    day = datetime.datetime(2024, 5, 1)
    for column in ([day, day + datetime.timedelta(1)], pd.Series([day, day + datetime.timedelta(1)]).dt.tz_localize("UTC"),
                   pa.array([day, day + datetime.timedelta(1)]), pl.Series([day, day + datetime.timedelta(1)]),
                   np.array(["2024-05-01", "2024-05-02"], "datetime64[D]")):
        graph = copse.Dynamic(times=True)
        graph.insert([(1, 2), (3, 4)], time=column)
        assert graph.edges()["time"].tolist() == np.array([day, day + datetime.timedelta(1)], "datetime64[ns]").tolist()
        assert graph.expire(datetime.datetime(2024, 5, 1, 3, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))).erased == 1
        with pytest.raises(copse.UsageError, match="time must be dates, as in earlier batches, not integers"):
            graph.expire(5)
        assert graph.insert([(1, 2)], time=[np.datetime64("2024-04-30")]).dropped == 1
    with pytest.raises(copse.InputError, match="1678"):
        copse.Dynamic(times=True).insert([(1, 2)], time=np.array(["3000-01-01"], "datetime64[D]"))


def test_nulls_are_refused_or_left_out():
    table = {"l": ["a", None, "c", "d", "e"], "r": ["b", "b", "d", "e", "f"], "s": [.5, .5, None, float("nan"), 1.], "t": [1, 1, 1, 1, None]}
    graph = copse.Dynamic(weights=True, times=True)
    for columns, message in ((("l", "r"), "found a null in row 1"),):
        with pytest.raises(copse.InputError, match=message):
            graph.insert({"l": table["l"], "r": table["r"]}, columns=columns)
    with pytest.raises(copse.InputError, match="'score'.*row 2"):
        graph.insert(table, "s", columns=("l", "r"), time="t")
    assert graph.last_batch == 0
    batch = graph.insert(table, "s", columns=("l", "r"), time="t", nulls="drop")
    assert (batch.inserted, batch.left_out) == (1, 4) and graph.vertices == 2


def test_keys_tell_edges_of_a_pair_apart():
    graph = copse.Dynamic(keys=True)
    assert graph.insert([("a", "b"), ("b", "a")], key=[1, 2**64 - 1]).inserted == 2
    assert sorted(graph.edges()["key"].tolist()) == [1, 2**64 - 1]
    assert graph.erase([("a", "b")], key=[1]).erased == 1 and graph.connected([("a", "b")]).all()
    assert graph.erase([("a", "b")]).erased == 1 and graph.vertices == 2
    with pytest.raises(copse.InputError, match="found -1"):
        graph.insert([("a", "b")], key=[-1])


def test_a_count_window_lets_edges_leave():
    graph = copse.Dynamic(count_window=2, keep_vertices=True)
    graph.insert([(1, 2), (3, 4), (5, 6)])
    assert graph.edge_count == 2 and graph.vertices == 6 and not graph.connected([(1, 2)])[0]
    with pytest.raises(copse.UsageError, match="left a window"):
        graph.revert(1)


def test_an_older_batch_is_refused_with_a_list_or_reverted_in_part():
    graph = copse.Dynamic(history=10)
    first = graph.insert({"l": ["a", "c"], "r": ["b", "d"]})
    graph.insert({"l": ["a"], "r": ["x"]})
    with pytest.raises(copse.UsageError, match="conflicts"):
        graph.revert(first.number)
    found = graph.conflicts(first.number).to_pylist()
    assert {"is_vertex": True, "u": "a", "v": "a"} in found
    undone = graph.revert(first.number, conflicts="skip")
    assert undone.skipped == len(found) and "d" not in graph and "a" in graph
    with pytest.raises(copse.UsageError, match="history"):
        copse.Dynamic(history=0).events(1)


def test_the_first_batch_with_ids_decides_their_kind():
    graph = copse.Dynamic(times=True)
    assert graph.insert([]).number == 1 and graph.expire(10).number == 2
    assert graph.connected([("a", "b")]).tolist() == [False] and "a" not in graph and graph.component_of("a") is None
    batch = graph.insert([("a", "b"), ("c", "d")], time=[9, 10])
    assert batch == (3, 1, 0, 1, 0, 0) and graph.members("d").tolist() == ["c", "d"]
    with pytest.raises(copse.UsageError, match="ids must be strings, as in the first batch, not integers"):
        graph.insert([(1, 2)])
    assert graph.insert([]).number == 4 and graph.last_batch == 4 and 7 not in graph
    graph = copse.Dynamic()
    graph.insert([(-1, 2)])
    with pytest.raises(copse.InputError, match="below 2\\^63"):
        graph.insert(np.array([[1, 2**63]], np.uint64))
    assert graph.last_batch == 1 and 2**63 not in graph and 2.5 not in graph
    with pytest.raises(KeyError):
        graph.members(77)


def test_misuse_says_what_to_do():
    graph = copse.Dynamic()
    for call in (lambda: graph.insert([(1, 2)], score=[1]), lambda: graph.insert([(1, 2)], time=[1]), lambda: graph.erase([(1, 2)], key=[1]),
                 lambda: graph.expire(1), lambda: graph.snapshot()):
        with pytest.raises(copse.UsageError, match="weights=True|times=True|keys=True|snapshots"):
            call()
    for call, message in (
        (lambda: graph.insert({"l": [1], "r": [2], "s": [3]}), "columns must name the two columns of ids"), (lambda: graph.insert([(1, 2)], columns=("l", "r")), "columns"),
        (lambda: graph.insert([(1, 2)], header=True), "header"), (lambda: copse.Dynamic(history="some"), "history"),
        (lambda: copse.Dynamic(weights=1), "weights"), (lambda: graph.revert(1), "history"), (lambda: graph.revert(0, conflicts="maybe"), "conflicts"),
        (lambda: graph.erase_vertices(5), "vertices"), (lambda: graph.erase_vertices({"a": [1], "b": [2]}), "id must name the column of ids in vertices"),
        (lambda: copse.Dynamic(weights=True).insert([(1, 2)], score=[1, 2]), "column 'score' must have 1 elements as 'left' has, not 2"),
    ):
        with pytest.raises(copse.UsageError, match=message):
            call()
    with pytest.raises(TypeError, match="pickle"):
        __import__("pickle").dumps(graph)
    assert graph.erase_vertices(pd.DataFrame({"id": [1], "other": [2]}), id="id").number == 1


def test_memory_that_ends_makes_the_graph_useless():
    graph = copse.Dynamic(memory=100_000)
    with pytest.raises(copse.ResourceError):
        graph.insert(np.arange(200_000).reshape(-1, 2))
    with pytest.raises(copse.ResourceError, match="make a new one"):
        graph.insert([(1, 2)])


def test_snapshots_answer_while_batches_go_in():
    graph, failures, done = copse.Dynamic(snapshots=True), [], threading.Event()
    graph.insert((np.arange(1000), np.arange(1000) + 1))

    def ask():
        while not done.is_set():
            seen = graph.snapshot()
            # a path of which each batch cuts or mends one edge
            sizes = [seen.size_of(0), seen.size_of(1000)]
            if seen.batch % 2 == 1 and (sizes != [1001, 1001] or not seen.connected([(0, 1000)])[0]):
                failures.append((seen.batch, sizes))
            if seen.batch % 2 == 0 and (sum(sizes) != 1001 or seen.connected([(0, 1000)])[0] or seen.count != 2):
                failures.append((seen.batch, sizes))

    readers = [threading.Thread(target=ask) for _ in range(3)]
    for reader in readers:
        reader.start()
    for i in range(150):
        edge = [(i * 5, i * 5 + 1)]
        graph.erase(edge)
        graph.insert(edge)
    done.set()
    for reader in readers:
        reader.join()
    assert not failures and graph.last_batch == 301
