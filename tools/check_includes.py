#!/usr/bin/env python3
"""Holds the dependency rule of the design: which room may include which, and who may use OpenMP or CUDA, print, or exit.

Usage: check_includes.py [ROOT]    prints one line a fault, `file:line: found X, expected Y`; exit status 1 when there is any.
"""
import re
import sys
from pathlib import Path

# Room -> the rooms it may include, beside itself. A room is the folder under src/ or include/copse/.
BELOW = {
    "core": "",
    "graph": "core",
    "labels": "core graph",
    "io": "core graph labels",
    "gen": "core graph backend",
    "verify": "core graph labels io",
    "store": "core graph labels io",
    "rules": "core",
    "parents": "core",
    "backend": "core graph rules parents",
    "sample": "core graph rules parents backend",
    "finish": "core graph rules parents backend",
    "list_ranking": "core graph rules parents backend",
    "drivers": "core graph labels io verify rules parents backend sample finish list_ranking",
    "fast": "core graph rules parents backend",
    "choose": "core graph rules parents backend own",
    "registry": "core graph labels io gen verify store rules parents backend sample finish list_ranking drivers own choose",
}
# Headers of the tier "use", directly under include/copse: the room each belongs to. The umbrella is for users only.
USE_TIER = {
    "components.hpp": "drivers",
    "copse.hpp": "umbrella",
    "euler_tour.hpp": "drivers",
    "gpu_incremental.hpp": "drivers",
    "gpu_solver.hpp": "registry",
    "incremental.hpp": "registry",
    "labelling.hpp": "labels",
    "list_ranking.hpp": "drivers",
    "live_stream.hpp": "registry",
    "operations.hpp": "graph",
    "spanning_forest.hpp": "drivers",
    "verify.hpp": "verify",
    "verify_ranks.hpp": "verify",
}
# Folders that use the library. bench and tests may look at everything; the others see what a user sees: the headers under
# include/copse, less the inner rooms.
OUTSIDE = {"cli", "examples", "bench", "tests", "python"}
INNER = {"rules", "parents", "backend", "sample", "finish", "list_ranking"}
MAY_PRINT = {"cli", "examples", "bench", "tests"}

SOURCES = {".hpp", ".cpp", ".cuh", ".cu"}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
OPENMP = re.compile(r"\s*#\s*pragma\s+omp\b|\bomp_[a-z_]+\s*\(|\b_Pragma\s*\(\s*\"omp")
CUDA = re.compile(r"(cuda|cub|thrust)/|cuda[a-z_]*\.h$")
PRINTS = re.compile(
    r"\bstd::(?:cout|cerr|clog|wcout|wcerr)\b|\bfmt::v?print\b"
    r"|(?<![\w.>])(?:std::|::)?(?:f|v|vf)?printf\s*\(|(?<![\w.>])(?:std::|::)?(?:f?puts|putchar|perror)\s*\("
)
EXITS = re.compile(r"(?<![\w.>:])(?:std::|::)?(?:exit|_exit|_Exit|quick_exit|abort|terminate)\s*\(")
TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?:.*?)\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z_])\'(?:\\.|[^\'\\\n])*\'', re.S)


def without_comments_and_strings(text):
    """Blanks what is no code, keeping the lines; include lines keep their names."""
    def blank(match):
        token = match.group(0)
        line_start = text.rfind("\n", 0, match.start()) + 1
        if token[0] == '"' and INCLUDE.match(text[line_start : match.end()]):
            return token
        return '""' + "\n" * token.count("\n")
    return TOKENS.sub(blank, text)


def room_of(path):
    """Room of a path relative to the root, or None for files the rule does not concern."""
    parts = path.parts
    if parts[:2] == ("include", "copse"):
        return parts[2] if len(parts) > 3 else USE_TIER.get(parts[2], "unknown header of the tier 'use'")
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else None
    return parts[0] if parts[0] in OUTSIDE else None


def target_of(root, file, quoted, name):
    """The file of ours that an include names, relative to the root; None when it is not ours, or there is none."""
    folders = ([file.parent] if quoted else []) + [Path("src"), Path("include")] + ([Path("tests")] if file.parts[0] == "tests" else [])
    for folder in folders:
        candidate = (root / folder / name).resolve()
        if candidate.is_file() and candidate.is_relative_to(root):
            return candidate.relative_to(root)
    return None


def include_fault(root, file, room, quoted, name):
    target = target_of(root, file, quoted, name)
    if target is None:
        ours = quoted or name.startswith("copse/")
        return (f"include of {name}", "a file of this project") if ours else None
    other = room_of(target)
    if other == room or other is None:
        return None
    if room in ("cli", "examples", "python"):
        if target.parts[0] == "src" or other in INNER:
            return (f"{room} including {target}", "headers of include/copse outside the inner rooms only")
        return None
    if room in ("bench", "tests", "umbrella"):
        return None
    if room not in BELOW:
        return (f"a file in room '{room}'", "a room known to tools/check_includes.py")
    if other not in BELOW[room].split():
        return (f"{room} including {target} ({other})", f"only {BELOW[room] or 'itself'}")
    return None


def cuda_fault(file, name):
    """CUDA's headers are for what nvcc compiles and for src/backend; what nvcc compiles is for nothing else."""
    if file.suffix in (".cuh", ".cu") or file.parts[0] == "tests":
        return None
    if name.endswith(".cuh"):
        return (f"{file.suffix} including {name}", "a .cuh included by .cuh and .cu only")
    if CUDA.match(name) and file.parts[:2] != ("src", "backend"):
        return (name, "CUDA in .cuh, .cu and src/backend only")
    return None


def faults_of(root, file):
    room = room_of(file)
    if room is None:
        return
    code = without_comments_and_strings((root / file).read_text(encoding="utf-8"))
    for number, line in enumerate(code.splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            name = include.group(2)
            if name == "omp.h" and room not in ("backend", "bench", "tests"):
                yield number, "omp.h", "OpenMP in src/backend only"
            fault = cuda_fault(file, name) or include_fault(root, file, room, include.group(1) == '"', name)
            if fault:
                yield number, *fault
        elif room not in ("backend", "bench", "tests") and OPENMP.search(line):
            yield number, "OpenMP", "it in src/backend only"
        elif room not in MAY_PRINT and PRINTS.search(line):
            yield number, "a call that prints", "it in cli/ only"
        elif room not in MAY_PRINT and EXITS.search(line):
            yield number, "a call that ends the process", "an exception"


def check(root):
    """All faults of the tree as lines."""
    root = Path(root).resolve()
    lines = []
    files = 0
    for folder in ("include", "src", *sorted(OUTSIDE)):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                files += 1
                file = path.relative_to(root)
                lines += [f"{file}:{number}: found {found}, expected {expected}" for number, found, expected in faults_of(root, file)]
    if files == 0:
        lines.append(f"{root}: found no source, expected include/, src/ and cli/")
    return lines


if __name__ == "__main__":
    result = check(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    print("\n".join(result), end="\n" if result else "")
    sys.exit(1 if result else 0)
