#!/usr/bin/env python3
"""Holds the words of the project: one word for one meaning. Each pattern below is a word that was given up, with the one to use instead.

Usage: check_words.py [ROOT]    prints one line a fault, `file:line: found X, expected Y`; exit status 1 when there is any.
"""
import re
import sys
from pathlib import Path

PLACES = (
    "src", "include", "cli", "python", "mpi", "bench", "tests", "tools", "examples", "docs", "README.md", "CONTRIBUTING.md", "cmake", ".ci"
)
# What tells of the past, holds names of the past, or holds the words themselves.
EXCEPT = re.compile(
    r"docs/decisions/|bench/results/|tests/corpus/|tests/tools/cases_[^/]*\.txt$|tests/cases_[^/]*\.txt$"
    r"|tools/check_words\.py$|tests/tools/(check_words|tables)_test\.py$|tests/docs/check_pages\.py$|tests/cli/old_names_test\.cpp$"
)
BINARY = {".npy", ".bin", ".gz", ".xz", ".zst", ".png", ".sg", ".egr", ".coo", ".coo64", ".pyc"}
CODE = {".hpp", ".cpp", ".cuh", ".cu", ".inc"}

# (pattern, the word to use). These are looked for everywhere, in texts and comments too; a blank also fits the end of a line.
ANYWHERE = [
    (r"(?<![a-z])own(?:_| )path", "fast path"),
    (r"solve_own", "solve_fast"),
    (r"span_own", "spanning_forest"),
    (r"gpu_ideas", "gpu_techniques"),
    (r"looks_of", "profile_of"),
    (r"known_there", "a noun, such as vertices_on_gpu"),
    (r"there_and_back", "a noun, such as round_trip"),
    (r"turn_round", "a noun, such as reversed"),
    (r"(keeping|contracting)_rest|gpu_rest|rest_device", "a name with gpu_part"),
    (r"\bsettlers?\b", "finish function"),
    (r"\bregistry\b", "variants (the table), api or device"),
    (r"\bown::", "fast::"),
    (r"\b(hb|none)\.own\b|\bhybrid\.own\b", "finish fast"),
    (r"\brows? of the table\b", "variant"),
    (r"\brows? of (cuda|omp|serial|hybrid)\b", "variant of"),
    (r"\b(cuda|omp|serial|hybrid) rows?\b", "variant"),
    (r"\b(bytes|words|arcs|edges|launches|reads|loads|stores) an? (vertex|arc|edge)\b", "per (a rate)"),
    (r"\b(gpu_row_for|find_row|row_choice|hybrid_row|incremental_row|bench_row|every_row|rows_to_measure)\b", "a name with variant or entry"),
    (r"\bissues? [0-9]+\b", "the reason, in words"),
    (r"\bbars? of\b", "the requirement, in words"),
]
# These are looked for in code only, without its comments and texts.
IN_CODE = [
    (r"\b(told|made)\b\s*(\.|->|\[|[={(;,)])", "a noun, such as report or result"),
    (r"& with\b", "context"),
]
# A blank, or the end of a line of a comment.
BLANK = r"(?:[ \t]+|[ \t]*\n[ \t]*(?://+|#)?[ \t]*)"
COMPILED = [(re.compile(p.replace(" ", BLANK), re.I if " " in p else 0), word) for p, word in ANYWHERE]
COMPILED_IN_CODE = [(re.compile(p), word) for p, word in IN_CODE]
COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])\'(?:\\.|[^\'\\\n])*\'', re.S
)


def faults_of(text, is_code):
    """(line number, what was found, what to write) of each word in `text` that was given up."""
    code = COMMENT_OR_TEXT.sub(lambda match: '""' + "\n" * match.group(0).count("\n"), text) if is_code else ""
    for where, patterns in ((text, COMPILED), (code, COMPILED_IN_CODE)):
        for pattern, word in patterns:
            for match in pattern.finditer(where):
                yield where.count("\n", 0, match.start()) + 1, " ".join(match.group(0).split()), word


def files_of(root):
    for place in PLACES:
        top = root / place
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_file() and path.suffix not in BINARY and "__pycache__" not in path.parts and not EXCEPT.search(name):
                yield name, path


def check(root):
    """All faults of the tree as lines."""
    lines = []
    files = 0
    for name, path in files_of(Path(root).resolve()):
        files += 1
        found = set(faults_of(path.read_text(encoding="utf-8", errors="replace"), path.suffix in CODE))
        lines += [f"{name}:{number}: found {what}, expected {word}" for number, what, word in sorted(found)]
    if files == 0:
        lines.append(f"{root}: found no files, expected src, docs and others")
    return lines


if __name__ == "__main__":
    result = check(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    print("\n".join(result), end="\n" if result else "")
    sys.exit(1 if result else 0)
