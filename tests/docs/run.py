#!/usr/bin/env python3
"""Runs the blocks of a page in order (extract.py says how): run.py PAGE NAME COPSE FOLDER_OF_COMPILED_BLOCKS FILES ROOT"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from extract import blocks, contains, is_program


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
    for number, content in enumerate(text.splitlines(), line):
        if content.startswith("$ "):
            steps.append((number, content[2:], []))
        elif steps:
            steps[-1][2].append(content)
    return steps


def matches(expected, actual):
    pattern = ".*?".join(re.escape(part) for part in "\n".join(expected).strip().split("..."))
    return re.fullmatch(pattern, actual.strip(), re.S) is not None


def check_excerpt(page, block, root):
    source = root / block.source
    if not source.is_file():
        fail(page, block.line, f"an excerpt of {block.source}, which does not exist")
    if not contains(source.read_text(encoding="utf-8"), block.text):
        fail(page, block.line, f"these lines are not in {block.source}; copy them anew")


def main():
    page, name = Path(sys.argv[1]).resolve(), sys.argv[2]
    copse, compiled, files, root = (Path(argument).resolve() for argument in sys.argv[3:7])
    os.environ["PATH"] = f"{copse.parent}:{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(files, folder, dirs_exist_ok=True)
        ran = 0
        for index, block in enumerate(blocks(page)):
            if is_program(block):
                run([compiled / f"{name}_{index}"], folder, page, block.line)
            elif block.source:
                check_excerpt(page, block, root)
            elif block.kind == "sh":
                run(["bash", "-euo", "pipefail", "-c", block.text], folder, page, block.line)
            elif block.kind == "console":
                for number, command, expected in session(block.text, block.line):
                    actual = run(["bash", "-euo", "pipefail", "-c", command], folder, page, number)
                    if not matches(expected, actual):
                        fail(page, number, "`{}` printed\n{}\nexpected\n{}".format(command, actual, "\n".join(expected)))
            else:
                continue
            ran += 1
        print(f"{page.name}: {ran} blocks ran")


if __name__ == "__main__":
    main()
