"""`copse bridges` on one thread and on many, with and without the list of biconnected components, in turns with an earlier build and a classical
low point search. The answers of the builds must agree.

  python3 -m lab.end_to_end.bridges COPSE [--before COPSE] [--lowpoint PROGRAM] [--threads 1,16] [--rounds 11] [--folder DIR] [--json FILE] [SPEC...]
"""

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

from .kit import Recorder

GRAPHS = ["rmat:scale=22,edges=16,shuffle=1", "er:n=4000000,m=16000000,shuffle=1", "osm:side=2048,keep=.6,shuffle=1"]
HUGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}  # copse asks for them, so the other program gets them, too
ANSWER = ("bridges", "articulation_points", "two_edge_connected", "biconnected", "components")


def solve(copse, file, threads, blocks):
    """The output of `copse bridges --json`."""
    command = [copse, "bridges", file, "--threads", str(threads), "--json"]
    with tempfile.TemporaryDirectory() as folder:
        command += ["--biconnected", f"{folder}/blocks.csv"] if blocks else []
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def low_points(program, file):
    run = subprocess.run([program, file, "1"], check=True, capture_output=True, text=True, env={**os.environ, **HUGE_PAGES})
    return float(run.stdout.split()[0])


def measure(given, spec, file, threads, blocks, out):
    builds = {"copse": given.copse} | ({"before": given.before} if given.before else {})
    found, answers, setting = {}, set(), {"blocks": "yes" if blocks else "no"}
    for _ in range(given.rounds):
        for name, program in builds.items():
            report = solve(program, file, threads, blocks)
            answers.add(tuple(report[key] for key in ANSWER))
            found.setdefault((name, "solve", ""), []).append(1e3 * report["seconds"]["solve"])
            for phase, seconds in report["phases"].items():
                found.setdefault((name, "phase", phase), []).append(1e3 * seconds)
        if given.lowpoint and threads == 1:
            found.setdefault(("low_points", "solve", ""), []).append(low_points(given.lowpoint, file))
    if len(answers) != 1:
        raise SystemExit(f"{spec}: answers differ: {sorted(answers)}")
    for (name, what, phase), samples in found.items():
        out.add(spec, name, what, "ms", threads, samples, **setting, **({"phase": phase} if phase else {}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("copse")
    parser.add_argument("specs", nargs="*", metavar="SPEC")
    parser.add_argument("--before")
    parser.add_argument("--lowpoint")
    parser.add_argument("--threads", default="1,16")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--folder", help="where generated graphs are kept")
    parser.add_argument("--json")
    given = parser.parse_intermixed_args()
    out = Recorder("bridges")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(given.folder or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for spec in given.specs or GRAPHS:
            file = folder / (spec.translate(str.maketrans(":,=", "___")) + ".sg")
            if not file.exists():
                subprocess.run([given.copse, "generate", spec, "-o", file], check=True)
            for threads in map(int, given.threads.split(",")):
                for blocks in (False, True):
                    measure(given, spec, str(file), threads, blocks, out)
    out.write(given.json)


if __name__ == "__main__":
    main()
