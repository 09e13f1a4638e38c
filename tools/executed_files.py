#!/usr/bin/env python3
"""Lists the files of copse that a command executes: how many files there are on the way from its input to its output.

Usage: executed_files.py [--list] [GRAPH]    of the two roads that matter most, text to labels and rows to labels, each of GRAPH (default
                                             rmat:scale=12,edges=8,seed=7)
       executed_files.py [--list] -- ARGUMENT ...     of `copse ARGUMENT ...`

Builds the command line with `cmake --preset coverage` (gcc and gcov). A file counts if one of its lines runs more often than in `copse
--version`, which sets up all commands as every run does. Prints one line per road: files in all, files of each room.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "coverage"
COPSE = BUILD / "cli" / "copse"
OURS = ("include", "src", "cli")


def build():
    subprocess.run(["tools/build.sh", "coverage", "copse_cli"], cwd=ROOT, check=True, stdout=sys.stderr)


def counts_of(data):
    """(file, line) -> how often it ran, of one translation unit."""
    text = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=BUILD, check=True, capture_output=True, text=True).stdout
    counts = Counter()
    for document in text.splitlines():
        for file in json.loads(document)["files"]:
            path = Path(file["file"])
            path = (BUILD / path if not path.is_absolute() else path).resolve()
            if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in OURS:
                continue
            for line in file["lines"]:
                counts[path.relative_to(ROOT).as_posix(), line["line_number"]] += line["count"]
    return counts


def run(arguments, folder):
    """How often each line ran in `copse ARGUMENTS`."""
    for data in BUILD.rglob("*.gcda"):
        data.unlink()
    subprocess.run([COPSE, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with ThreadPoolExecutor() as pool:
        return sum(pool.map(counts_of, sorted(BUILD.rglob("*.gcda"))), Counter())


def executed(arguments, folder, always):
    return sorted({file for (file, line), count in run(arguments, folder).items() if count > always[file, line]})


def show(name, files, listed):
    rooms = defaultdict(int)
    for file in files:
        parts = Path(file).parts
        rooms["/".join(parts[:2]) if parts[0] == "src" else parts[0]] += 1
    print(f"{name}: {len(files)} files ({', '.join(f'{room} {n}' for room, n in sorted(rooms.items()))})")
    if listed:
        print("".join(f"  {file}\n" for file in files), end="")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--list", action="store_true", help="name the files")
    arguments.add_argument("graph", nargs="?", default="rmat:scale=12,edges=8,seed=7")
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    asked, command = arguments.parse_args(sys.argv[1:split]), sys.argv[split + 1:]
    build()
    with tempfile.TemporaryDirectory() as folder:
        always = run(["--version"], folder)
        if command:
            show("copse " + " ".join(command), executed(command, Path.cwd(), always), asked.list)
            return
        for file in ("graph.el", "graph.sg"):
            subprocess.run([COPSE, "generate", asked.graph, "-o", file], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for road, graph in (("text to labels", "graph.el"), ("rows to labels", "graph.sg")):
            show(road, executed(["components", graph, "-o", "labels.csv"], folder, always), asked.list)


if __name__ == "__main__":
    main()
