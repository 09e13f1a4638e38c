#!/usr/bin/env python3
"""The Python package beside SciPy and pandas, on one thread unless told: bench/python_package.py OUT.json, with copse, scipy, pandas and pyarrow.

Four measurements, each alternating with what it is compared to: a CSR matrix of 1 M vertices and 4 M entries (time, and peak memory beside
the matrix); a graph of 10 vertices (time of a call); 10 M pairs of strings with a score from a Parquet file to a table of clusters (and peak
memory; copse with each number of --threads, pandas and SciPy as they come); 100 M pairs of int64 as Arrow batches beside the same columns in
one call. Times are by the clock and by the processor; the latter is what to look at where others use the machine. Add the result with
bench/summarise.py python OUT.json.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from series import write_series

import copse
from copse._load import core
from copse._options import options


def alternately(rounds, ways, unit, scale, calls=1):
    """Seconds of each way and of its processors, the ways taking turns: (way, measure, unit, samples)."""
    found = {(name, measure): [] for name in ways for measure in ("time", "cpu")}
    for _ in range(rounds):
        for name, way in ways.items():
            start, cpu = time.perf_counter(), time.process_time()
            for _ in range(calls):
                way()
            found[name, "time"].append((time.perf_counter() - start) * scale / calls)
            found[name, "cpu"].append((time.process_time() - cpu) * scale / calls)
    return [(name, measure, unit, samples) for (name, measure), samples in found.items()]


def random_rows(n, m):
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, n, (2, m), dtype=np.int32)
    return sparse.coo_array((np.ones(m), (rows, columns)), shape=(n, n)).tocsr()


def matrix(rounds):
    given = random_rows(1_000_000, 4_000_000)
    assert np.array_equal(connected_components(given)[1], copse.connected_components(given)[1])
    for directed in (True, False):
        ways = {
            "scipy": lambda: connected_components(given, directed=directed),
            "copse": lambda: copse.connected_components(given, directed=directed, threads=1),
        }
        for name, *rest in alternately(rounds, ways, "ms", 1e3):
            yield "random_1M_4M", name, f"directed={directed}", *rest


PEAK = """
import sys
sys.path.insert(0, sys.argv[3])
import copse, pandas, scipy.sparse.csgraph
from copse._cluster import cluster_components
from python_package import by_pandas, random_rows
def peak():
    return int(next(l for l in open('/proc/self/status') if l.startswith('VmHWM')).split()[1]) * 1024
if sys.argv[2] == '':
    given = random_rows(1_000_000, 4_000_000)
    ways = {'copse': lambda g: copse.connected_components(g, threads=1)[1], 'scipy': lambda g: scipy.sparse.csgraph.connected_components(g)[1]}
    ways[sys.argv[1]](random_rows(10, 20))
else:
    given = sys.argv[2]
    threads = int(sys.argv[4])
    ways = {'copse': lambda path: cluster_components(path, 'l', 'r', score='p', threshold=0.5, threads=threads), 'pandas_scipy': by_pandas}
    ways[sys.argv[1]](given.replace('pairs', 'few'))
open('/proc/self/clear_refs', 'w').write('5')
before = peak()
answer = ways[sys.argv[1]](given)
print(peak() - before, len(answer))
"""


def memory(graph, names, path="", threads=1):
    """Peak memory beside the input, each way in a process of its own."""
    for name in names:
        command = [sys.executable, "-c", PEAK, name, path, os.path.dirname(os.path.abspath(__file__)), str(threads)]
        peak, vertices = map(int, subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split())
        setting = "" if threads == 1 else f"threads={threads}"
        yield graph, name, setting, "memory", "MiB", [peak / 2**20], threads
        yield graph, name, setting, "vertices", "count", [vertices], threads


def overhead():
    given = random_rows(10, 20)
    ways = {"scipy": lambda: connected_components(given), "copse": lambda: copse.connected_components(given)}
    for name, *rest in alternately(20, ways, "us", 1e6, calls=1000):
        yield "random_10", name, "", *rest


def by_pandas(path):
    frame = pd.read_parquet(path, columns=["l", "r", "p"])
    frame = frame[frame["p"] >= 0.5]
    codes, names = pd.factorize(pd.concat([frame["l"], frame["r"]], ignore_index=True))
    half = len(frame)
    graph = sparse.coo_array((np.ones(half, np.int8), (codes[:half], codes[half:])), shape=(len(names), len(names)))
    return pd.DataFrame({"id": names, "cluster_id": connected_components(graph, directed=False)[1]})


def strings(rounds, folder, threads):
    path, count = os.path.join(folder, "pairs.parquet"), 10_000_000
    rng = np.random.default_rng(2)
    ids = pc.binary_join_element_wise("record-", pc.utf8_lpad(pa.array(np.arange(8_000_000)).cast(pa.string()), 9, "0"), "")
    left, right = (ids.take(pa.array(rng.integers(0, 8_000_000, count))) for _ in range(2))
    table = pa.table({"l": left, "r": right, "p": rng.random(count)})
    pq.write_table(table, path)
    pq.write_table(table.slice(0, 1000), path.replace("pairs", "few"))
    del ids, left, right, table
    for threads_of_copse in threads:
        yield from memory("parquet_10M_strings", ["pandas_scipy", "copse"], path, threads_of_copse)
    answers = {}

    def by_copse(count):
        answers[count] = copse.cluster(path, "l", "r", score="p", threshold=0.5, threads=count)["cluster_id"]

    ways = {"pandas_scipy": lambda: answers.update(pandas=by_pandas(path)["cluster_id"])}
    ways |= {count: lambda count=count: by_copse(count) for count in threads}
    found = alternately(rounds, ways, "s", 1)
    for count in threads:
        for name, *rest in found:
            if name in ("pandas_scipy", count):
                yield "parquet_10M_strings", name if name != count else "copse", "" if count == 1 else f"threads={count}", *rest, count
        assert answers["pandas"].nunique() == len(answers[count].unique())


def integers(rounds):
    n, m = 10_000_000, 100_000_000
    rng = np.random.default_rng(3)
    left, right = rng.integers(0, n, (2, m))
    table = pa.table({"l": left, "r": right})

    def whole():
        sink = core.Sink(None, options(threads=1))
        sink.add_columns(left, right)
        return sink.finish()

    def batches():
        reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(131_072))
        return copse.components(reader, threads=1)

    for name, *rest in alternately(rounds, {"columns": whole, "arrow_batches": batches}, "s", 1):
        yield "pairs_100M_int64", name, "", *rest


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--large-rounds", type=int, default=2, help="of the two with 10 M and 100 M pairs")
    parser.add_argument("--threads", default="1", help="of copse, for the strings: one number or several, as in 1,2,16")
    parser.add_argument("--parts", help="some of overhead,matrix,memory,strings,integers")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        parts = {
            "overhead": overhead,
            "matrix": lambda: matrix(arguments.rounds),
            "memory": lambda: memory("random_1M_4M", ["scipy", "copse"]),
            "strings": lambda: strings(arguments.large_rounds, folder, [int(count) for count in arguments.threads.split(",")]),
            "integers": lambda: integers(arguments.large_rounds),
        }
        found = []
        for name in arguments.parts.split(",") if arguments.parts else parts:
            for row in parts[name]():
                print(*row[:5], f"{sorted(row[5])[len(row[5]) // 2]:.4g}", flush=True)
                found.append(row)
    write_series(arguments.out, found, 1, version=copse.__version__)


if __name__ == "__main__":
    main()
