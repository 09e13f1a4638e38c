#!/usr/bin/env python3
"""The Python package beside SciPy and pandas, on one thread: bench/python_package.py OUT.json, with copse, scipy, pandas and pyarrow.

Four measurements, each alternating with what it is compared to: a CSR matrix of 1 M vertices and 4 M entries (time, and peak memory beside
the matrix); a graph of 10 vertices (time of a call); 10 M pairs of strings with a score from a Parquet file to a table of clusters; 100 M
pairs of int64 as Arrow batches beside the same columns in one call. Add the result with bench/summarise.py python_package OUT.json.
"""
import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse
from scipy.sparse.csgraph import connected_components

import copse
from copse._load import core
from copse._options import options


def alternately(rounds, ways):
    """Seconds of each way, the ways taking turns."""
    seconds = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            seconds[name].append(time.perf_counter() - start)
    return seconds


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
        for name, seconds in alternately(rounds, ways).items():
            yield "random_1M_4M", name, f"directed={directed}", "call", "ms", [1e3 * s for s in seconds]


PEAK = """
import resource, sys
sys.path.insert(0, sys.argv[2])
import copse, scipy.sparse.csgraph
from python_package import random_rows
def peak():
    return int(next(l for l in open('/proc/self/status') if l.startswith('VmHWM')).split()[1]) * 1024
given = random_rows(1_000_000, 4_000_000)
copse.connected_components(random_rows(10, 20)), scipy.sparse.csgraph.connected_components(random_rows(10, 20))
open('/proc/self/clear_refs', 'w').write('5')
before = peak()
if sys.argv[1] == 'copse':
    copse.connected_components(given, threads=1)
else:
    scipy.sparse.csgraph.connected_components(given)
print(peak() - before)
"""


def memory():
    for name in ("scipy", "copse"):
        command = [sys.executable, "-c", PEAK, name, os.path.dirname(os.path.abspath(__file__))]
        peak = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        yield "random_1M_4M", name, "", "peak_beside_input", "MiB", [peak / 2**20]


def overhead():
    given = random_rows(10, 20)
    for name, way in (("scipy", connected_components), ("copse", copse.connected_components)):
        samples = []
        for _ in range(20):
            start = time.perf_counter()
            for _ in range(1000):
                way(given)
            samples.append((time.perf_counter() - start) * 1e3)  # us of one call
        yield "random_10", name, "", "call", "us", samples


def by_pandas(path):
    frame = pd.read_parquet(path, columns=["l", "r", "p"])
    frame = frame[frame["p"] >= 0.5]
    codes, names = pd.factorize(pd.concat([frame["l"], frame["r"]], ignore_index=True))
    half = len(frame)
    graph = sparse.coo_array((np.ones(half, np.int8), (codes[:half], codes[half:])), shape=(len(names), len(names)))
    return pd.DataFrame({"id": names, "cluster_id": connected_components(graph, directed=False)[1]})


def strings(rounds, folder):
    path, count = os.path.join(folder, "pairs.parquet"), 10_000_000
    rng = np.random.default_rng(2)
    ids = pa.array([f"record-{v:09d}" for v in range(8_000_000)])
    left, right = (ids.take(pa.array(rng.integers(0, 8_000_000, count))) for _ in range(2))
    pq.write_table(pa.table({"l": left, "r": right, "p": rng.random(count)}), path)
    del ids, left, right
    found = []
    ways = {
        "pandas_scipy": lambda: found.append(by_pandas(path)["cluster_id"].nunique()),
        "copse": lambda: found.append(len(copse.cluster(path, "l", "r", score="p", threshold=0.5, threads=1)["cluster_id"].unique())),
    }
    for name, seconds in alternately(rounds, ways).items():
        yield "parquet_10M_strings", name, "", "end_to_end", "s", seconds
    assert len(set(found)) == 1, found


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

    for name, seconds in alternately(rounds, {"columns": whole, "arrow_batches": batches}).items():
        yield "pairs_100M_int64", name, "", "unite", "s", seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = [*overhead(), *matrix(arguments.rounds), *memory(), *strings(2, folder), *integers(2)]
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    names = ("graph", "variant", "setting", "measure", "unit", "samples")
    result = {
        "benchmark": "series",
        "machine": {
            "cores": os.cpu_count(), "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), "load": os.getloadavg()[0],
            "version": copse.__version__, "commit": commit, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        },
        "series": [{**dict(zip(names, row)), "threads": 1} for row in found],
    }
    with open(arguments.out, "w", encoding="utf-8") as file:
        json.dump(result, file)
    for row in found:
        print(*row[:5], f"{sorted(row[5])[len(row[5]) // 2]:.4g}")


if __name__ == "__main__":
    main()
