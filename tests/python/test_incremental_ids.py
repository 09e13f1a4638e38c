"""Incremental with ids of any kind, from any source, against components() of all edges so far."""
import uuid

import copse
import numpy as np
import pyarrow as pa
import pytest

NAMES = {
    "dense": lambda i: i,
    "sparse": lambda i: i * 1_000_000_007 + 3,
    "negative": lambda i: (i - 40) * 123_456_789_123,
    "text": lambda i: f"v{i}",
    "bytes": lambda i: b"\xff%d" % i,
    "uuid": lambda i: uuid.UUID(int=i + 1),
}


def answer_of(found):
    return dict(zip(found.ids.tolist(), found.labels.tolist()))


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_batches_of_any_ids_are_as_all_edges_at_once(kind, seed, tmp_path):
    random, name = np.random.default_rng(seed), NAMES[kind]
    live, edges = copse.Incremental(threads=1 + seed), []
    for step in range(6):
        batch = [(name(int(u)), name(int(v))) for u, v in random.integers(0, 120, (25, 2))]
        edges += batch
        left, right = map(list, zip(*batch))
        columns = batch if kind in ("text", "bytes", "uuid") else (np.array(left), np.array(right))
        live.insert([batch, columns, {"l": left, "r": right}][step % 3])
    left, right = map(list, zip(*edges))
    expected = answer_of(copse.components({"l": left, "r": right}))
    assert answer_of(live.components()) == expected
    assert (live.vertices, live.count) == (len(expected), len(set(expected.values())))
    asked = [(name(int(u)), name(int(v))) for u, v in random.integers(0, 140, (50, 2))]
    same = [u == v or (u in expected and v in expected and expected[u] == expected[v]) for u, v in asked]
    assert live.connected(asked).tolist() == same
    members = list(expected)
    sizes = [sum(label == expected[v] for label in expected.values()) for v in members]
    assert live.size_of(members).tolist() == sizes and live.size_of(members[0]) == sizes[0]
    assert members[0] in live and name(500) not in live and live.size_of(name(500)) == 0
    live.save(tmp_path / "live")
    if kind not in ("bytes", "uuid"):
        assert answer_of(copse.Incremental.open(tmp_path / "live").components()) == expected
    other = copse.Incremental()
    other.insert([(name(500), members[0])])
    other.merge(live)
    assert other.size_of(name(500)) == sizes[0] + 1


def test_kinds_do_not_mix():
    live = copse.Incremental()
    live.insert([])
    live.insert([("a", "b")])
    for call in (lambda: live.insert([(1, 2)]), lambda: live.connected([(1, 2)]), lambda: live.size_of(1), lambda: live.insert(np.array([[1, 2]]))):
        with pytest.raises(copse.UsageError, match="ids must be strings, as in the first batch, not "):
            call()
    assert 1 not in live and "a" in live
    with pytest.raises(copse.UsageError, match="ids must be integers with record_forest=True, not strings"):
        copse.Incremental(record_forest=True).insert([("a", "b")])
    numbers = copse.Incremental()
    numbers.insert(np.array([[-1, 2]]))
    with pytest.raises(copse.InputError, match="18446744073709551615"):
        numbers.insert(np.array([[2**64 - 1, 2]], np.uint64))
    with pytest.raises(copse.UsageError):
        numbers.merge(live)
    assert (numbers.vertices, live.vertices) == (2, 2)


def test_rows_with_nulls_are_left_out_if_asked():
    table = pa.table({"l": ["a", None, "c"], "r": ["b", "b", "d"], "x": [1, 2, 3]})
    live = copse.Incremental()
    with pytest.raises(copse.InputError):
        live.insert(table, columns=("l", "r"))
    live.insert(table, columns=("l", "r"), nulls="drop")
    assert (live.vertices, live.count) == (4, 2)
