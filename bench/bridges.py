#!/usr/bin/env python3
"""Times `copse bridges` on one thread and on many, with and without the list of biconnected components, in turns with an earlier build and a
classical search, and says whether the answers agree.

Usage: bench/bridges.py COPSE [--before COPSE] [--lowpoint PROGRAM] [--threads 1,16] [--rounds 5] [--folder DIR] [--json FILE] [SPEC...]
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

GRAPHS = ["rmat:scale=22,edges=16,shuffle=1", "er:n=4000000,m=16000000,shuffle=1", "osm:side=2048,keep=.6,shuffle=1"]
HUGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}  # copse asks for them, so the other program gets them, too


def solve(copse, file, threads, blocks):
    """One run: seconds, phases, and the numbers of the answer."""
    command = [copse, "bridges", file, "--threads", str(threads), "--json"]
    with tempfile.TemporaryDirectory() as folder:
        if blocks:
            command += ["--biconnected", f"{folder}/blocks.csv"]
        report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    answer = {key: report[key] for key in ("bridges", "articulation_points", "two_edge_connected", "biconnected", "components")}
    return report["seconds"]["solve"], report["phases"], answer


def low_points(program, file):
    run = subprocess.run([program, file, "1"], check=True, capture_output=True, text=True, env={**os.environ, **HUGE_PAGES})
    return float(run.stdout.split()[0]) / 1e3


def median(samples):
    return 1e3 * statistics.median(samples)


def phases_text(all_phases):
    names = list(all_phases[0])
    return ", ".join(f"{name} {median([phases[name] for phases in all_phases]):.1f}" for name in names)


def measure(options, spec, file, threads, blocks):
    programs = {"copse": options.copse, **({"before": options.before} if options.before else {})}
    runs = {name: [] for name in programs}
    classical = []
    for _ in range(options.rounds):
        for name, program in programs.items():
            runs[name].append(solve(program, file, threads, blocks))
        if options.lowpoint and threads == 1:
            classical.append(low_points(options.lowpoint, file))
    result = {"graph": spec, "threads": threads, "blocks": blocks, "samples": {name: [run[0] for run in all_] for name, all_ in runs.items()}}
    line = f"{spec}  threads {threads}  blocks {'yes' if blocks else 'no'}  copse {median(result['samples']['copse']):.1f} ms"
    if options.before:
        before, now = median(result["samples"]["before"]), median(result["samples"]["copse"])
        agree = all(run[2] == runs["copse"][0][2] for all_ in runs.values() for run in all_)
        line += f"  before {before:.1f} ms ({before / now:.2f})  answers {'agree' if agree else 'DIFFER'}"
    if classical:
        result["samples"]["lowpoint"] = classical
        line += f"  low points {median(classical):.1f} ms ({median(result['samples']['copse']) / median(classical):.2f})"
    print(line, flush=True)
    for name, all_ in runs.items():
        print(f"  {name}: {phases_text([run[1] for run in all_])}", flush=True)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("copse")
    parser.add_argument("specs", nargs="*", metavar="SPEC")
    parser.add_argument("--before")
    parser.add_argument("--lowpoint")
    parser.add_argument("--threads", default="1,16")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", help="where generated graphs are kept")
    parser.add_argument("--json", help="all samples, in seconds")
    options = parser.parse_intermixed_args()
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(options.folder or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for spec in options.specs or GRAPHS:
            file = folder / (spec.translate(str.maketrans(":,=", "___")) + ".sg")
            if not file.exists():
                subprocess.run([options.copse, "generate", spec, "-o", file], check=True)
            for threads in map(int, options.threads.split(",")):
                for blocks in (False, True):
                    results.append(measure(options, spec, str(file), threads, blocks))
    if options.json:
        Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
