"""Graphs in folders: what is opened again is what was closed, in this process and in others, whatever the ids are."""
import datetime
import os
import random
import signal
import subprocess
import sys
import time
import uuid

import numpy as np
import pandas as pd
import pytest

import copse

pytestmark = pytest.mark.skipif(not copse._core.has_dynamic_store(), reason="libsqlite3 is not on this machine")
IDS = {
    "text": list("abcdefgh"), "bytes": [bytes([200 + i]) for i in range(8)], "uuid": [uuid.UUID(int=i * 7) for i in range(8)],
    "signed": [i * 10**15 - 5 * 10**15 for i in range(8)], "unsigned": np.arange(8, dtype=np.uint64) + np.uint64(2**63),
}


def state_of(graph):
    found = graph.components()
    history = [graph.events(number).tolist() for number in range(graph.oldest_batch, graph.last_batch + 1)]
    ids = list(found.ids.tolist())
    return ids, found.labels.tolist(), [graph.component_of(one) for one in ids], sorted(graph.edges().tolist(), key=repr), history


@pytest.mark.parametrize("kind", IDS)
def test_what_is_opened_again_is_what_was_closed(kind, tmp_path):
    draw, names = random.Random(kind), IDS[kind]
    made = {"weights": True, "times": True, "history": "all"}
    twin, folder = copse.Dynamic(**made), tmp_path / "graph"
    graph = copse.Dynamic.open(folder, **made, durability="relaxed")
    for number in range(40):
        sources, targets = ([names[draw.randrange(8)] for _ in range(3)] for _ in range(2))
        edges = (np.array(sources), np.array(targets)) if kind == "unsigned" else list(zip(sources, targets))
        scores, times = [draw.random() for _ in range(3)], [draw.randrange(100) for _ in range(3)]
        action = draw.choice(["insert", "insert", "erase", "expire", "revert"])
        for one in (graph, twin):
            if action == "insert":
                one.insert(edges, score=scores, time=times)
            elif action == "erase":
                one.erase(edges)
            elif action == "expire":
                one.expire(number)
            elif one.last_batch:
                try:
                    one.revert(one.last_batch)
                except copse.UsageError as error:
                    assert "left a window" in str(error)
        if number % 7 == 3:
            graph.close()
            graph = copse.Dynamic.open(folder, durability="relaxed")
        assert state_of(graph) == state_of(twin)
    reader = copse.Dynamic.open(folder, read_only=True)
    assert state_of(reader) == state_of(twin) and reader.last_batch == graph.last_batch
    assert type(graph.members(names[0]).tolist()[0]) is type(twin.members(names[0]).tolist()[0]) if names[0] in twin else True


def test_dates_and_the_first_id_are_remembered(tmp_path):
    day = datetime.datetime(2024, 5, 1)
    with copse.Dynamic.open(tmp_path, times=True, history=9) as graph:
        assert graph.insert([]).number == 1 and graph.expire(day).number == 2 and not os.listdir(tmp_path)
        assert graph.insert([(uuid.UUID(int=5), uuid.UUID(int=6))], time=[day]).number == 3
        with pytest.raises(copse.UsageError, match=f"process {os.getpid()} writes"):
            copse.Dynamic.open(tmp_path)
    with copse.Dynamic.open(tmp_path) as graph:
        assert graph.edges()["time"].tolist() == [1714521600000000000] and graph.components().ids.tolist() == [uuid.UUID(int=5), uuid.UUID(int=6)]
        assert graph.insert([(uuid.UUID(int=7), uuid.UUID(int=6))], time=[day - datetime.timedelta(1)]).dropped == 1
        with pytest.raises(copse.UsageError, match="time must be dates, as in earlier batches, not integers"):
            graph.expire(7)
    with copse.Dynamic.open(tmp_path / "late", times=True) as graph:
        graph.insert([("a", "b")])
        graph.insert([("a", "c")], time=[np.datetime64("2024-05-01")])
    with pytest.raises(copse.UsageError, match="time must be dates"), copse.Dynamic.open(tmp_path / "late") as graph:
        graph.expire(7)


def test_the_past_and_other_readers(tmp_path):
    with copse.Dynamic.open(tmp_path) as graph:
        with pytest.raises(copse.UsageError, match="no ids yet"):
            graph.at(0)
        graph.insert(pd.DataFrame({"l": [1], "r": [2]}))
        reader = copse.Dynamic.open(tmp_path, read_only=True)
        graph.insert([(2, 3)])
        assert (reader.size_of(1), reader.refresh(), reader.size_of(1)) == (2, 2, 3)
        assert [graph.at(number).vertices for number in range(3)] == [0, 2, 3]
        with pytest.raises(copse.UsageError, match="without read_only"):
            reader.insert([(5, 6)])
        with pytest.raises(copse.UsageError, match="last is 2"):
            graph.at(3)
    with pytest.raises(copse.UsageError, match="closed"):
        graph.insert([(1, 2)])
    with pytest.raises(copse.UsageError, match="weights must be False, as when .* was made, not True"):
        copse.Dynamic.open(tmp_path, weights=True)
    with pytest.raises(copse.UsageError, match="memory"):
        copse.Dynamic().at(1)
    with pytest.raises(copse.InputError, match="not the folder of a graph"):
        copse.Dynamic.open(tmp_path / "none", read_only=True)
    with pytest.raises(copse.UsageError, match="durability"):
        copse.Dynamic.open(tmp_path, durability="some")


WRITER = """
import sys, copse
with copse.Dynamic.open(sys.argv[1], durability="relaxed") as graph:
    while True:
        n = graph.last_batch + 1
        graph.insert([(n, n - 1)])
        print(n, flush=True)
"""


def test_a_writer_that_is_killed_loses_nothing(tmp_path):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    last = 0
    for _ in range(3):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE, text=True, env=env)
        acknowledged = [int(writer.stdout.readline())]
        with pytest.raises(copse.UsageError, match=f"process {writer.pid} writes"):
            copse.Dynamic.open(tmp_path)
        time.sleep(.05)
        writer.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout]
        writer.wait()
        with copse.Dynamic.open(tmp_path) as graph:
            assert acknowledged[-1] <= graph.last_batch <= acknowledged[-1] + 1 and acknowledged[0] == last + 1
            assert graph.size_of(0) == graph.last_batch + 1
            last = graph.last_batch


def test_a_batch_that_cannot_be_written_is_refused(tmp_path):
    script = """
import resource, signal, sys, numpy as np, copse
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
graph = copse.Dynamic.open(sys.argv[1])
graph.insert([(1, 2)])
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, -1))
try:
    graph.insert((np.arange(200_000), np.arange(200_000) + 1))
    sys.exit(1)
except copse.ResourceError as error:
    assert "batch 2 was not committed" in str(error), error
resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
assert graph.vertices == 2 and graph.insert([(2, 3)]).number == 2
"""
    subprocess.run([sys.executable, "-c", script, tmp_path], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    with copse.Dynamic.open(tmp_path) as graph:
        assert graph.last_batch == 2 and graph.members(1).tolist() == [1, 2, 3]


def bytes_of(folder):
    return b"".join(path.read_bytes() for path in folder.iterdir())


@pytest.mark.parametrize(
    "names, raw",
    [
        ([f"the name of person {i}." for i in range(8)], str.encode),
        ([uuid.UUID(int=(i + 1) * 0xF123456789ABCDEF0123456789ABCDE) for i in range(8)], lambda one: one.bytes),
        ([(i + 1) * 1234567890123456789 // 9 for i in range(8)], lambda one: one.to_bytes(8, "little")),
    ],
    ids=["text", "uuid", "integers"],
)
def test_a_purged_vertex_is_in_no_byte_of_the_folder(names, raw, tmp_path):
    twin = copse.Dynamic(history=9)
    with copse.Dynamic.open(tmp_path, history=9) as graph:
        for one in (graph, twin):
            for step in (1, 2, 3):
                one.insert([(names[i], names[(i * step + 1) % 8]) for i in range(8)])
            one.erase_vertices([names[6]])
        assert raw(names[5]) in bytes_of(tmp_path) and raw(names[6]) in bytes_of(tmp_path)
        assert graph.erase_vertices([names[5]], purge=True) == twin.erase_vertices([names[5]], purge=True)
        found = bytes_of(tmp_path)
        assert raw(names[5]) not in found and raw(names[6]) not in found and raw(names[4]) in found
        assert state_of(graph) == state_of(twin) and graph.oldest_batch == 6
        with pytest.raises(copse.UsageError, match="oldest batch after which it can be read is 5"):
            graph.at(4)
        for one in (graph, twin):
            one.insert([(names[5], names[0])])
        assert state_of(graph) == state_of(twin)
    with copse.Dynamic.open(tmp_path) as graph:
        assert state_of(graph) == state_of(twin)
        with pytest.raises(copse.UsageError, match="purge"):
            graph.erase_vertices([names[5]], purge=1)


def test_a_state_takes_the_place_of_batches(tmp_path):
    twin = copse.Dynamic(history=2)
    with copse.Dynamic.open(tmp_path, history=2) as graph:
        graph.compact()
        for number in range(9):
            for one in (graph, twin):
                one.insert([(number, number * 2)])
            if number % 3 == 2:
                graph.compact()
        assert graph.at(7).last_batch == 7
        with pytest.raises(copse.UsageError, match="oldest batch"):
            graph.at(2)
    with copse.Dynamic.open(tmp_path, read_only=True) as graph:
        assert state_of(graph) == state_of(twin)
        with pytest.raises(copse.UsageError, match="without read_only"):
            graph.compact()
    with pytest.raises(copse.UsageError, match="in memory"):
        twin.compact()
