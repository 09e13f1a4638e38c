#!/usr/bin/env python3
"""Runs the blocks of a page in order (extract.py says how): run.py PAGE COPSE FOLDER_OF_COMPILED_BLOCKS FILES"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from extract import blocks


def fail(page, line, what):
    sys.exit(f"{page}:{line}: {what}")


def run(command, folder, page, line):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if done.returncode != 0:
        fail(page, line, f"exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def session(text, line):
    """(line, command, expected output) of each `$ ` line of a console block."""
    steps = []
    for number, row in enumerate(text.splitlines(), line):
        if row.startswith("$ "):
            steps.append((number, row[2:], []))
        elif steps:
            steps[-1][2].append(row)
    return steps


def matches(expected, actual):
    pattern = ".*?".join(re.escape(part) for part in "\n".join(expected).strip().split("..."))
    return re.fullmatch(pattern, actual.strip(), re.S) is not None


def main():
    page, copse, compiled, files = (Path(argument).resolve() for argument in sys.argv[1:5])
    os.environ["PATH"] = f"{copse.parent}:{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(files, folder, dirs_exist_ok=True)
        ran = 0
        for index, (kind, line, text) in enumerate(blocks(page)):
            if kind == "cpp":
                run([compiled / f"{page.stem}_{index}"], folder, page, line)
            elif kind == "sh":
                run(["bash", "-euo", "pipefail", "-c", text], folder, page, line)
            elif kind == "console":
                for number, command, expected in session(text, line):
                    actual = run(["bash", "-euo", "pipefail", "-c", command], folder, page, number)
                    if not matches(expected, actual):
                        fail(page, number, "`{}` printed\n{}\nexpected\n{}".format(command, actual, "\n".join(expected)))
            else:
                continue
            ran += 1
        print(f"{page.name}: {ran} blocks ran")


if __name__ == "__main__":
    main()
