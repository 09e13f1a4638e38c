#!/usr/bin/env python3
"""Writes docs/reference/cli.md from what `copse --help` says.

Usage: cli_page.py COPSE > docs/reference/cli.md
       cli_page.py COPSE docs/reference/cli.md     exit status 1, with the differences, when the page is not what would be written

Options that many commands share are shown once. The page is that of a build with the GPU part, as other builds have fewer options: there
the check is skipped (exit status 77).
"""
import difflib
import re
import subprocess
import sys

SHARED = ("-h,--help", "--threads N  ", "--memory LIMIT", "--progress auto")
INTRODUCTION = """# Command line

Written by `tests/docs/cli_page.py` from what `copse --help` says; do not edit.

A GRAPH is a file, `-` (standard input) or a generator spec such as `rmat:scale=20,edges=16,seed=7`. Results go to standard output, notes,
progress and errors to standard error. No input is ever overwritten, and no output is left half written.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a check failed: wrong labels, wrong answers in a benchmark |
| 2 | misuse or bad input |
| 3 | out of memory, disk or ids |

"""


def help_of(copse, command):
    return subprocess.run([copse, *command.split(), "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout


def commands_of(copse):
    """All that `copse --help` lists, in its order, and the commands under them."""
    listed = re.findall(r"^  ([a-z]+)  ", group(help_of(copse, ""), "Subcommands"), re.M)
    return [name for command in listed for name in ([command, "bench compare"] if command == "bench" else [command])]


def options_of(text):
    """Lines of an option and what continues it, as one piece each; other lines are pieces of one line."""
    pieces = []
    for line in text.splitlines():
        if line.startswith(" " * 30) and pieces and pieces[-1].startswith("  "):
            pieces[-1] += "\n" + line
        else:
            pieces.append(line)
    return pieces


def without_shared(text):
    """A command's own options: those of every command and the group Reading are left out, and lists that depend on the build."""
    kept, skipping = [], False
    for piece in options_of(text):
        if not piece.startswith(" "):
            skipping = piece in ("Reading:", "Variants:")
        if not skipping and not piece.strip().startswith(SHARED):
            kept.append(piece)
    text = re.sub(r"\n\n\n+", "\n\n", "\n".join(kept)).strip()
    return re.sub(r"\n*Options:$", "", text)


def group(text, title):
    match = re.search(rf"^{title}:\n(.*?)(?=\n\n|\n\S|\Z)", text, re.S | re.M)
    return match[1].rstrip()


def page_of(copse):
    of_components = help_of(copse, "components")
    shared = "\n".join(piece for piece in options_of(of_components) if piece.strip().startswith(SHARED))
    page = INTRODUCTION
    page += f"## Options of every command that computes\n\n```text\n{shared}\n```\n\n"
    page += f"## Options of every command that reads a graph\n\n```text\n{group(of_components, 'Reading')}\n```\n\n"
    page += "[Formats](formats.md) says what each format is and how ids, headers and columns are read.\n"
    for command in commands_of(copse):
        text = without_shared(help_of(copse, command))
        title, _, rest = text.partition("\n")
        sentence = title if title.endswith((".", "?")) else title + "."
        page += f"\n## copse {command}\n\n{sentence}\n\n```text\n{rest.strip()}\n```\n"
    return page


def main():
    copse, page = sys.argv[1], page_of(sys.argv[1])
    if len(sys.argv) == 2:
        print(page, end="")
        return
    if "GPU part: on" not in subprocess.run([copse, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout:
        print("skipped: this build has no GPU part")
        sys.exit(77)
    with open(sys.argv[2], encoding="utf-8") as file:
        differences = list(difflib.unified_diff(file.read().splitlines(), page.splitlines(), sys.argv[2], "as it would be written", lineterm=""))
    print("\n".join(differences) or "fresh")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
