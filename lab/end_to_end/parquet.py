"""Parquet from the shell: python3 -m lab.end_to_end.parquet OUT.json, with a copse command, a Python that has copse and pyarrow, SciPy and pyarrow.

10 M scored pairs of strings to a file of labels, by the command and by the package, each in a process of its own, in turns; the package's seconds are also
those without its imports. And pairs of int64 ids to labels in memory, by the command and by pyarrow and SciPy; with the peak memory of each process.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .kit import Recorder

BY_PACKAGE = """
import sys, time
import copse, pyarrow.parquet as pq
path, out, threads, score = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
start = time.perf_counter()
found = copse.components(path, columns=("l", "r"), threads=threads, **({"score": "p", "threshold": 0.5} if score else {}))
if out:
    pq.write_table(found.to_arrow("id", "component"), out)
print(time.perf_counter() - start)
"""

BY_SCIPY = """
import sys, time
import numpy as np, pyarrow.parquet as pq
from scipy import sparse
from scipy.sparse.csgraph import connected_components
start = time.perf_counter()
table = pq.read_table(sys.argv[1])
left, right = (table[name].to_numpy() for name in ("l", "r"))
n = int(max(left.max(), right.max())) + 1
graph = sparse.coo_array((np.ones(len(left), np.int8), (left, right)), shape=(n, n))
count, labels = connected_components(graph, directed=False)
print(time.perf_counter() - start)
"""


def write_strings(path, count):
    import pyarrow.compute as pc

    names, rng = count * 4 // 5, np.random.default_rng(2)
    ids = pc.binary_join_element_wise("record-", pc.utf8_lpad(pa.array(np.arange(names)).cast(pa.string()), 9, "0"), "")
    left, right = (ids.take(pa.array(rng.integers(0, names, count))) for _ in range(2))
    pq.write_table(pa.table({"l": left, "r": right, "p": rng.random(count)}), path)


def write_integers(path, count):
    rng, rows = np.random.default_rng(3), 1 << 20
    with pq.ParquetWriter(path, pa.schema([("l", pa.int64()), ("r", pa.int64())]), use_dictionary=False) as out:
        for begin in range(0, count, rows):
            left, right = (rng.integers(0, count // 4, min(rows, count - begin)) for _ in range(2))
            out.write_table(pa.table({"l": left, "r": right}))


# A process begins with the peak memory of the one that started it, so a small one has to.
STARTER = """
import os, subprocess, sys, time
start = time.perf_counter()
process = subprocess.Popen(sys.argv[1:])
_, status, used = os.wait4(process.pid, 0)
print(time.perf_counter() - start, used.ru_maxrss / 1024, file=sys.stderr)
sys.exit(1 if status else 0)
"""


def run(command):
    """Wall seconds and peak MiB of a process, and what it printed."""
    done = subprocess.run([sys.executable, "-S", "-c", STARTER, *map(os.fspath, command)], check=True, capture_output=True, text=True)
    seconds, mebibytes = map(float, done.stderr.splitlines()[-1].split())
    return seconds, mebibytes, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--copse", default="build/release/cli/copse")
    parser.add_argument("--python", default=sys.executable, help="that has copse and pyarrow")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--integers", type=int, default=100_000_000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--commit", help="of the command, where this is no repository")
    given = parser.parse_args()
    out, found = Recorder("python", **({"commit": given.commit} if given.commit else {})), {}

    def note(graph, variant, seconds, mebibytes, inside=None):
        for measure, value in (("time", seconds), ("memory", mebibytes), ("time_inside", inside)):
            if value is not None:
                found.setdefault((graph, variant, measure), []).append(value)

    with tempfile.TemporaryDirectory() as folder:
        strings, integers, labels = (pathlib.Path(folder, name) for name in ("strings.parquet", "integers.parquet", "labels.parquet"))
        write_strings(strings, given.pairs)
        write_integers(integers, given.integers)
        command = [given.copse, "components", "--columns", "l,r", "--threads", str(given.threads), "--progress", "never"]
        for _ in range(given.rounds):
            seconds, mebibytes, _text = run([*command, strings, "--weight", "p", "--min-weight", "0.5", "-o", labels])
            note("parquet_10M_strings_to_file", "command", seconds, mebibytes)
            rows = pq.ParquetFile(labels).metadata.num_rows
            seconds, mebibytes, text = run([given.python, "-c", BY_PACKAGE, strings, labels, str(given.threads), "score"])
            note("parquet_10M_strings_to_file", "package", seconds, mebibytes, float(text))
            if pq.ParquetFile(labels).metadata.num_rows != rows:
                raise SystemExit("different answers")
        for turn in range(max(1, given.rounds // 3)):
            note("parquet_100M_integers", "command", *run([*command, integers])[:2])
            seconds, mebibytes, text = run([given.python, "-c", BY_PACKAGE, integers, "", str(given.threads)])
            note("parquet_100M_integers", "package", seconds, mebibytes, float(text))
            if turn == 0:
                seconds, mebibytes, text = run([sys.executable, "-c", BY_SCIPY, integers])
                note("parquet_100M_integers", "pyarrow_scipy", seconds, mebibytes, float(text))
    for (graph, variant, measure), samples in found.items():
        out.add(graph, variant, measure, "MiB" if measure == "memory" else "s", given.threads, samples)
    for graph in ("parquet_10M_strings_to_file", "parquet_100M_integers"):
        ours, theirs = (statistics.median(found[graph, variant, "time"]) for variant in ("command", "package"))
        print(f"{graph}: the command takes {ours / theirs:.2f} times the package")
    out.write(given.out)


if __name__ == "__main__":
    main()
