"""The Python package compared with pandas and SciPy: python3 -m lab.end_to_end.python_package OUT.json, with copse, scipy, pandas and pyarrow.

10 M scored pairs of strings from a Parquet file to a table of clusters, by copse with each number of --threads, by pandas and SciPy as they come, in
turns; times by the clock and by the processor, which is what to look at where others use the machine. And the peak memory of each, in a process of its
own.
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

import copse

from .kit import Recorder

GRAPH = "parquet_10M_strings"


def by_pandas(path):
    frame = pd.read_parquet(path, columns=["l", "r", "p"])
    frame = frame[frame["p"] >= 0.5]
    codes, names = pd.factorize(pd.concat([frame["l"], frame["r"]], ignore_index=True))
    half = len(frame)
    graph = sparse.coo_array((np.ones(half, np.int8), (codes[:half], codes[half:])), shape=(len(names), len(names)))
    return pd.DataFrame({"id": names, "cluster_id": connected_components(graph, directed=False)[1]})


def by_copse(path, threads):
    return copse.cluster(path, columns=("l", "r"), score="p", threshold=0.5, threads=threads)


PEAK = """
import sys
from lab.end_to_end.python_package import by_copse, by_pandas
def peak():
    return int(next(l for l in open('/proc/self/status') if l.startswith('VmHWM')).split()[1]) * 1024
path, threads = sys.argv[1], int(sys.argv[2])
solve = (lambda path: by_copse(path, threads)) if threads else by_pandas
solve(path.replace('pairs', 'few'))
open('/proc/self/clear_refs', 'w').write('5')
before = peak()
solve(path)
print(peak() - before)
"""


def write_pairs(path, count, names):
    rng = np.random.default_rng(2)
    ids = pc.binary_join_element_wise("record-", pc.utf8_lpad(pa.array(np.arange(names)).cast(pa.string()), 9, "0"), "")
    left, right = (ids.take(pa.array(rng.integers(0, names, count))) for _ in range(2))
    table = pa.table({"l": left, "r": right, "p": rng.random(count)})
    pq.write_table(table, path)
    pq.write_table(table.slice(0, 1000), path.replace("pairs", "few"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--threads", default="1", help="of copse: one number or several, as in 1,8,16")
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.threads.split(",")]
    out = Recorder("python", version=copse.__version__)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pairs.parquet")
        write_pairs(path, arguments.pairs, arguments.pairs * 4 // 5)
        found, clusters = {}, set()
        for _ in range(arguments.rounds):
            for count in (0, *counts):
                start, cpu = time.perf_counter(), time.process_time()
                answer = by_copse(path, count) if count else by_pandas(path)
                found.setdefault((count, "time"), []).append(time.perf_counter() - start)
                found.setdefault((count, "cpu"), []).append(time.process_time() - cpu)
                clusters.add(len(set(answer["cluster_id"].to_pylist() if count else answer["cluster_id"])))
        if len(clusters) != 1:
            raise SystemExit(f"different answers: {clusters} clusters")
        for (count, measure), samples in found.items():
            out.add(GRAPH, "copse" if count else "pandas_scipy", measure, "s", count or os.cpu_count(), samples)
        for count in (0, *counts):
            peak = subprocess.run([sys.executable, "-c", PEAK, path, str(count)], check=True, stdout=subprocess.PIPE, text=True).stdout
            out.add(GRAPH, "copse" if count else "pandas_scipy", "memory", "MiB", count or os.cpu_count(), [int(peak) / 2**20])
    out.write(arguments.out)


if __name__ == "__main__":
    main()
