#!/usr/bin/env python3
"""Checks the dependency rule of the design: which room may include which, what is installed, and who may use CUDA, start threads, print, or
exit. OpenMP is for tests/ only. And that the order of includes does not matter.

Usage: check_includes.py [ROOT]    prints one line per fault, `file:line: found X, expected Y`; exit status 1 when there is any.
"""
import re
import sys
from pathlib import Path

# Room -> the rooms it may include, beside itself. A room is a folder under src/, or one of the tables below for include/copse.
# core <- graph <- {ids <- io, gen}; core <- {rules, parents} <- {loops, gpu} <- {sample, finish, fast, list_ranking} <- drivers <- variants
# <- device <- {hybrid, plan} <- api <- {partial, clusters}. gpu's loops take their arguments from loops, and kernels that generate edges use gpu. components() asks
# plan for a device, and plan solves small graphs by the functions that public headers of lower rooms declare.
PHASES = "core graph rules parents loops gpu"
DRIVERS = PHASES + " ids io sample finish fast list_ranking"
VARIANTS = DRIVERS + " drivers"
BELOW = {
    "core": "",
    "graph": "core",
    "ids": "core graph",
    "io": "core graph ids",
    "gen": "core graph gpu",
    "verify": "core graph io",
    "rules": "core",
    "parents": "core",
    "instruments": "core parents",
    "loops": "core graph rules parents",
    "gpu": "core graph rules parents loops",
    "sample": PHASES,
    "finish": PHASES,
    "fast": PHASES,
    "list_ranking": PHASES,
    "drivers": DRIVERS,
    "variants": VARIANTS,
    "weighted": VARIANTS + " verify",
    "dynamic": "core graph ids io parents rules",
    "device": VARIANTS + " variants gen verify weighted",
    "hybrid": VARIANTS + " variants gen verify device",
    "plan": VARIANTS + " variants gen verify device",
    "api": VARIANTS + " variants gen verify device hybrid weighted plan dynamic",
    "partial": VARIANTS + " variants gen verify device weighted plan api",
    "clusters": VARIANTS + " variants verify device weighted plan api",
    "c": VARIANTS + " variants verify device weighted plan api partial",
}
# The headers directly under include/copse: the room each belongs to, the lowest whose files include it. Only users include the umbrella.
PUBLIC = {
    "arrow.h": "core",
    "bridges.hpp": "verify",
    "build.hpp": "graph",
    "cluster.hpp": "clusters",
    "compare.hpp": "api",
    "components.hpp": "drivers",
    "components_sink.hpp": "device",
    "copse.hpp": "umbrella",
    "cuda.hpp": "device",
    "dynamic.hpp": "dynamic",
    "errors.hpp": "core",
    "execution.hpp": "core",
    "generate.hpp": "gen",
    "graph.hpp": "graph",
    "group_sink.hpp": "drivers",
    "hierarchy.hpp": "weighted",
    "hidden.hpp": "core",
    "hybrid.hpp": "core",
    "incremental.hpp": "variants",
    "io.hpp": "io",
    "keyed_table.hpp": "io",
    "labels.hpp": "graph",
    "list_ranking.hpp": "graph",
    "memory.hpp": "core",
    "operations.hpp": "io",
    "options.hpp": "core",
    "pairs.hpp": "io",
    "partial.hpp": "verify",
    "plan.hpp": "plan",
    "prepared_graph.hpp": "api",
    "reading.hpp": "io",
    "report.hpp": "core",
    "rooted_forest.hpp": "graph",
    "spanning_forest.hpp": "device",
    "types.hpp": "core",
    "variants.hpp": "variants",
    "verify.hpp": "verify",
    "version.h": "core",
    "views.hpp": "graph",
    "weighted_forest.hpp": "verify",
    "weighted_graph.hpp": "io",
}
MOST_PUBLIC = 39
# include/copse/extend: the folders that are rooms; what lies beside them belongs to core.
EXTEND = {"rules", "parents"}
# Headers that count or disturb what a solve does: for the variants that count, and for lab and tests.
MAY_INSTRUMENT = {"src/variants/components_code.hpp", "src/variants/round_counts.cpp", "src/gpu/loops/counting.cuh"}
# What the command line needs and no user of the library does: it is not installed.
FOR_CLI = {"src/core/memory_error.hpp", "src/io/arrow/columnar_file.hpp", "src/io/temporaries.hpp", "src/io/table_writer.hpp", "src/io/written_suffix.hpp", "src/api/gpu_benchmark.hpp", "src/core/byte_hash.hpp", "src/core/bytes_text.hpp", "src/gen/unsorted_rows.hpp"}
# Folders that use the library. lab and tests may look at everything; the others see what is installed, python without extend/.
OUTSIDE = {"cli", "duckdb", "examples", "lab", "parquet", "tests", "python", "mpi"}
MAY_PRINT = {"cli", "examples", "lab", "tests", "mpi"}
MAY_USE_CUDA = {"gpu", "device"}

SOURCES = {".hpp", ".cpp", ".cuh", ".cu"}
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
OPENMP = re.compile(r"\s*#\s*pragma\s+omp\b|\bomp_[a-z_]+\s*\(|\b_Pragma\s*\(\s*\"omp")
# Starting a thread; std::thread::id and std::thread::hardware_concurrency start none.
THREADS = re.compile(r"\bstd::j?thread\b(?!\s*::)|\bstd::async\b|\bpthread_create\b")
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
    if parts[:3] == ("include", "copse", "extend"):
        return "core" if len(parts) == 4 else parts[3] if parts[3] in EXTEND else f"extend/{parts[3]}"
    if parts[:2] == ("include", "copse"):
        return PUBLIC.get("/".join(parts[2:]), "/".join(parts[2:]))
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
    if file.parts[0] == "include" or room in ("cli", "examples", "python"):
        with_extend = room in ("cli", "examples") or file.parts[:3] == ("include", "copse", "extend")
        for_cli = room == "cli" and str(target) in FOR_CLI
        for_python = room == "python" and target.parts[:3] == ("src", "io", "arrow")  # tables are read in one place
        if not (target.parts[0] == file.parts[0] == room or is_installed(target, with_extend) or for_cli or for_python):
            installed = "headers of include/copse" + ("" if with_extend else " outside extend")
            return (f"{file.parts[0]} including {target}", installed + " only")
    if other == "instruments" != room and room not in ("lab", "tests") and str(file) not in MAY_INSTRUMENT:
        return (f"{room} including {target}", f"instruments in {', '.join(sorted(MAY_INSTRUMENT))} only")
    if other in (room, "instruments", None) or room in OUTSIDE or room == "umbrella":
        return None
    if other not in BELOW[room].split():
        return (f"{room} including {target} ({other})", f"only {BELOW[room] or 'itself'}")
    return None


def is_installed(path, with_extend):
    return path.parts[:2] == ("include", "copse") and (len(path.parts) == 3 or (with_extend and path.parts[2] == "extend"))


def cuda_fault(file, name):
    """CUDA's headers are for what nvcc compiles, for two rooms and for examples of a GPU; what nvcc compiles is for nothing else."""
    if file.suffix in (".cuh", ".cu") or file.parts[0] == "tests":
        return None
    if file.parts[0] == "examples" and file.name.startswith("gpu_") and not name.endswith(".cuh"):
        return None
    if name.endswith(".cuh"):
        return (f"{file.suffix} including {name}", "a .cuh included by .cuh and .cu only")
    if CUDA.match(name) and not (file.parts[0] == "src" and room_of(file) in MAY_USE_CUDA):
        return (name, "CUDA in .cuh, .cu, src/gpu and src/device only")
    return None


# A loop that the backends have each in a way of its own, by one name. Qualified, its name stands for those alone that are declared before;
# unqualified, for the one that the arguments find, wherever it is declared.
LOOP = re.compile(r"^[\w:\[][^\n(]*?\b(\w+)\(const (?:Backend|\w*cuda|guided<cuda>)& ", re.M)
ORDERED = re.compile(r"^#include [^\n]*\n//\n#include", re.M)


def loops_by_backend(root):
    """Names of loops that src/loops has for any backend, and src/gpu/loops for those of a GPU."""
    def names(folder):
        texts = (path.read_text(encoding="utf-8") for path in (root / folder).glob("*") if path.suffix in SOURCES)
        return {name for text in texts for name in LOOP.findall(text)}
    return names("src/loops") & names("src/gpu/loops")


def order_faults(text, room, qualified):
    """Where the order of includes matters, or is fixed by hand."""
    for match in ORDERED.finditer(text):
        yield text.count("\n", 0, match.start()) + 2, "a line that keeps includes apart", "them in one list: their order must not matter"
    if qualified and room in BELOW:
        for match in qualified.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, match.group(0)[:-1], f"{match.group(1)} unqualified: its arguments find it"


def faults_of(root, file, qualified=None):
    room = room_of(file)
    if room is None:
        return
    if room not in BELOW and room not in OUTSIDE and room != "umbrella":
        yield 1, f"a file in room '{room}'", "a room or a public header known to tools/check_includes.py"
        return
    text = (root / file).read_text(encoding="utf-8")
    yield from order_faults(text, room, qualified)
    code = without_comments_and_strings(text)
    for number, line in enumerate(code.splitlines(), 1):
        include = INCLUDE.match(line)
        if include:
            name = include.group(2)
            if name == "omp.h" and room not in ("lab", "tests"):
                yield number, "omp.h", "OpenMP in tests only"
            fault = cuda_fault(file, name) or include_fault(root, file, room, include.group(1) == '"', name)
            if fault:
                yield number, *fault
        elif room not in ("lab", "tests") and OPENMP.search(line):
            yield number, "OpenMP", "it in tests only"
        elif room not in OUTSIDE and file.parts[:2] != ("src", "core") and THREADS.search(line):
            yield number, "a thread that is started", "the threads of src/core/team.hpp"
        elif room not in MAY_PRINT and PRINTS.search(line):
            yield number, "a call that prints", "it in cli/ only"
        elif room not in MAY_PRINT and EXITS.search(line):
            yield number, "a call that ends the process", "an exception"


def check(root):
    """All faults of the tree as lines."""
    root = Path(root).resolve()
    lines = []
    files = 0
    loops = loops_by_backend(root)
    qualified = re.compile(rf"\bbackend::({'|'.join(sorted(loops))})\(") if loops else None
    for folder in ("include", "src", *sorted(OUTSIDE)):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                files += 1
                file = path.relative_to(root)
                lines += [f"{file}:{number}: found {found}, expected {expected}" for number, found, expected in faults_of(root, file, qualified)]
    public = len(list((root / "include/copse").glob("*.hpp")))
    if public > MOST_PUBLIC:
        lines.append(f"include/copse: found {public} headers beside extend/, expected at most {MOST_PUBLIC}")
    if files == 0:
        lines.append(f"{root}: found no source, expected include/, src/ and cli/")
    return lines


if __name__ == "__main__":
    result = check(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    print("\n".join(result), end="\n" if result else "")
    sys.exit(1 if result else 0)
