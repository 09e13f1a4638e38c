#!/usr/bin/env python3
"""From a text edge list to written labels on one thread: `copse components FILE -o labels.npy` beside pandas.read_csv +
scipy.sparse.csgraph.connected_components + numpy.save, on the same file, one after the other in every round.

  python3 bench/end_to_end.py build/release/cli/copse [--file EDGES | --spec rmat:scale=20,edges=15,shuffle=1] [--rounds 5] [--json OUT]

Needs numpy, scipy and pandas. Both sides run as whole processes; the reference times itself from before read_csv to after save, without
the start of Python and its imports, copse is timed from start to exit. The number of components must agree.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from series import machine_facts, write_json

REFERENCE = """
import json, sys, time
import numpy, pandas
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
start = time.perf_counter()
frame = pandas.read_csv(sys.argv[1], sep=sys.argv[3], header=None, comment='#', usecols=[0, 1], dtype=numpy.int64)
u, v = frame[0].to_numpy(), frame[1].to_numpy()
n = int(max(u.max(), v.max())) + 1
matrix = coo_matrix((numpy.ones(len(u), dtype=numpy.int8), (u, v)), shape=(n, n))
count, labels = connected_components(matrix, directed=False)
numpy.save(sys.argv[2], labels)
seconds = time.perf_counter() - start
present = numpy.zeros(n, dtype=bool)
present[u] = present[v] = True
print(json.dumps({"seconds": seconds, "components": int(count - (n - present.sum()))}))
"""


def separator(path):
    with open(path, encoding="utf-8") as lines:
        line = next(line for line in lines if line.strip() and line[0] not in "#%")
    return next((s for s in "\t, " if s in line), " ")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("copse")
    arguments.add_argument("--file")
    arguments.add_argument("--spec", default="rmat:scale=20,edges=15,a=.57,b=.19,c=.19,shuffle=1,seed=7")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--json")
    asked = arguments.parse_args()
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

    with tempfile.TemporaryDirectory() as folder:
        edges = asked.file
        if edges is None:
            edges = f"{folder}/edges.el"
            subprocess.run([asked.copse, "generate", asked.spec, "-o", edges], check=True)
        split = separator(edges)
        ours, theirs = [], []
        for _ in range(asked.rounds):
            start = time.perf_counter()
            said = subprocess.run([asked.copse, "components", edges, "-o", f"{folder}/labels.npy", "--threads", "1", "--json"],
                                  check=True, capture_output=True, text=True).stdout
            ours.append(time.perf_counter() - start)
            other = json.loads(subprocess.run([sys.executable, "-c", REFERENCE, edges, f"{folder}/reference.npy", split], check=True,
                                              capture_output=True, text=True, env=one_thread).stdout)
            theirs.append(other["seconds"])
            if json.loads(said)["components"] != other["components"]:
                sys.exit(f"different answers: {json.loads(said)['components']} and {other['components']} components")
        megabytes = os.path.getsize(edges) / 1e6
        ratio = statistics.median(theirs) / statistics.median(ours)
        result = {"benchmark": "end_to_end",
                  "machine": machine_facts(),
                  "file": asked.file or asked.spec, "megabytes": megabytes, "copse_seconds_all": ours,
                  "pandas_scipy_seconds_all": theirs, "ratio_of_medians": ratio}
    print(f"{megabytes:.0f} MB: copse {statistics.median(ours):.3f} s, pandas + scipy {statistics.median(theirs):.3f} s: {ratio:.1f} times")
    if asked.json:
        write_json(asked.json, result)


if __name__ == "__main__":
    main()
