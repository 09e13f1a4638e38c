#!/usr/bin/env python3
"""Checks that the name of a type is unique: a class, struct, union or enum defined at namespace scope has its name in one file only.
Nested types, forward declarations and specialisations of templates do not count.

Usage: check_type_names.py [ROOT]    prints one line per fault, `file:line: found X, expected Y`; exit status 1 when there is any.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

from check_includes import SOURCES, without_comments_and_strings

FOLDERS = ("src", "include", "cli", "mpi", "python/src", "lab")

DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
# What precedes an opening brace: a scope that names are seen through, or a type that is defined.
SCOPE = re.compile(r"\bnamespace\b[^=()]*$|\bextern\s*\"\"\s*$")
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\s*\([^{]*?\)\s*|\[\[.*?\]\]\s*)*"
                  r"(\w+)\s*(?:final\s*)?(?::(?!:).*)?$", re.S)


def types_of(text):
    """(line, name) of each type that the text of a file defines at namespace scope."""
    code = DIRECTIVE.sub(lambda match: "\n" * match.group(0).count("\n"), without_comments_and_strings(text))
    inside, start = [], 0  # for each open brace: is it that of a namespace?
    for brace in re.finditer(r"[{};]", code):
        head = code[start:brace.start()]
        start = brace.end()
        if brace.group(0) == "{":
            defined = TYPE.search(head) if all(inside) else None
            if defined:
                yield code.count("\n", 0, brace.start()) + 1 - head[defined.start(1):].count("\n"), defined.group(1)
            inside.append(bool(SCOPE.search(head)))
        elif brace.group(0) == "}" and inside:
            inside.pop()


def check(root):
    """All faults of the tree as lines."""
    root = Path(root).resolve()
    places = defaultdict(dict)  # name -> file -> line
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES:
                for line, name in types_of(path.read_text(encoding="utf-8")):
                    places[name].setdefault(path.relative_to(root), line)
    lines = []
    for name, files in sorted(places.items()):
        first, *others = files
        lines += [f"{file}:{files[file]}: found a second type `{name}`, expected the name in {first} only" for file in others]
    if not any(places.values()):
        lines.append(f"{root}: found no types, expected src, include and others")
    return lines


if __name__ == "__main__":
    result = check(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    print("\n".join(result), end="\n" if result else "")
    sys.exit(1 if result else 0)
