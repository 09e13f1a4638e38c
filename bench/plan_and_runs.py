#!/usr/bin/env python3
"""What copse plan expects beside what copse components takes, on the same files:

  python3 bench/plan_and_runs.py build/release/cli/copse [--edges 5000000] [--rounds 3] [--folder /tmp] [--json OUT]

One random graph as text of dense ids, sparse ids and strings; each round asks for the plan and then runs, on one thread and on all.
Seconds are by the clock; bytes are what the plan counts and what the run held at most. bench/summarise.py plan OUT takes the result.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

from series import Series

NAMES = {"dense": lambda v: str(v), "sparse": lambda v: str(v * 1_000_000_007 + 5_000_000_000), "strings": lambda v: f"record-{v:010d}"}


def write_graph(copse, folder, edges):
    """The three files of one graph, whose vertices are a fifth of its edges."""
    dense = folder / "dense.el"
    subprocess.run([copse, "generate", f"er:n={edges // 5},m={edges},seed=3", "-o", dense], check=True, stdout=subprocess.DEVNULL)
    files = {"dense": dense, "sparse": folder / "sparse.el", "strings": folder / "strings.el"}
    with open(dense) as lines, open(files["sparse"], "w") as sparse, open(files["strings"], "w") as strings:
        for line in lines:
            u, v = (int(word) for word in line.split()[:2])
            sparse.write(f"{NAMES['sparse'](u)} {NAMES['sparse'](v)}\n")
            strings.write(f"{NAMES['strings'](u)} {NAMES['strings'](v)}\n")
    return files


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("copse")
    arguments.add_argument("--edges", type=int, default=5_000_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()))
    arguments.add_argument("--json", type=pathlib.Path)
    given = arguments.parse_args()
    found = Series()

    def answer(*words):
        return json.loads(subprocess.run([given.copse, *map(str, words), "--json"], check=True, capture_output=True).stdout)

    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        for ids, file in write_graph(given.copse, pathlib.Path(folder), given.edges).items():
            for threads in sorted({1, os.cpu_count()}):
                samples = {("plan", "time"): [], ("run", "time"): [], ("plan", "memory"): [], ("run", "memory"): []}
                for _ in range(given.rounds):
                    plan = next(way for way in answer("plan", file, "--threads", threads)["ways"] if way["way"] == "stream")
                    run = answer("components", file, "--threads", threads)
                    for variant, seconds, size in (("plan", plan["seconds"], plan["bytes"]), ("run", run["seconds"]["total"], run["peak_bytes"])):
                        samples[variant, "time"].append(1e3 * seconds)
                        samples[variant, "memory"].append(size / 1e6)
                for (variant, measure), values in samples.items():
                    found.add(f"er,edges={given.edges},ids={ids}", variant, measure, {"time": "ms", "memory": "MB"}[measure], threads, values)
    found.write(given.json)


if __name__ == "__main__":
    main()
