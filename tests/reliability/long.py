#!/usr/bin/env python3
"""The long form of the tests of reliability, one after the other: random graphs, kills at random moments, damaged checkpoints, allocations
that fail, and CSV files of every kind against Python's reader.

Usage: long.py BUILD [--cases N] [--kills N] [--files N] [--seed S]

BUILD is build/release, with copse_cli, cli_test, fast_random_test, incremental_test, io_binary and streaming_test.

Prints a line of figures for each; docs/measurements/reliability.md has those of one run. Exit status 1 when anything was found wrong.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def run(what, command, **environment):
    """Runs a test; its own lines of figures, and how it ended."""
    started = time.monotonic()
    asked = os.environ | {"COPSE_RELIABILITY": "long"} | {name: str(value) for name, value in environment.items()}
    done = subprocess.run([str(word) for word in command], env=asked, capture_output=True, text=True)
    figures = [line for line in done.stdout.splitlines() if line[:1].isdigit() or ": " in line and " kills, " in line]
    ended = "right" if done.returncode == 0 else f"WRONG, exit status {done.returncode}"
    print(f"{what}: {ended}, {time.monotonic() - started:.0f} s", *figures, sep="\n  ", flush=True)
    if done.returncode != 0:
        print(done.stdout[-4000:], done.stderr[-4000:], sep="\n")
    return done.returncode == 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--cases", type=int, default=1000000, help="random graphs for the fast path")
    arguments.add_argument("--kills", type=int, default=100, help="of each command that writes files")
    arguments.add_argument("--files", type=int, default=10000, help="of CSV")
    arguments.add_argument("--seed", type=int, default=1)
    asked = arguments.parse_args()
    tests = asked.build / "tests"

    def cases(folder, name, *filters):
        return [tests / folder / name, f"--gtest_filter={':'.join(filters)}", "--gtest_brief=1"]

    first_case = asked.seed * 1000000  # each number is a graph
    good = [
        run("random graphs have the labels of a breadth-first search", cases("fast", "fast_random_test", "*"),
            COPSE_RANDOM_CASES=asked.cases, COPSE_RANDOM_FIRST=first_case),
        run("commands that write files are killed",
            [sys.executable, HERE / "kills.py", asked.build / "cli" / "copse", "--kills", asked.kills, "--seed", asked.seed]),
        run("copse stream is killed and resumed", cases("cli", "cli_test", "stream.a_kill*")),
        run("checkpoints are damaged, batches cancelled and refused memory", cases("incremental", "incremental_test", "incremental_streams.*")),
        run("allocations fail while files are read", cases("io", "io_binary", "*allocation*")),
        run("allocations fail while edges are united", cases("streaming", "streaming_test", "*allocation*", "*memory_ended*")),
        run("CSV files of every kind are read as Python reads them",
            [sys.executable, HERE.parent / "cli" / "csv_against_python.py", asked.build / "cli" / "copse", "--files", asked.files,
             "--seed", asked.seed])]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
