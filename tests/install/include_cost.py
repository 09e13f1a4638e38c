"""What it costs to include a header, in processor time: include_cost.py COMPILER INCLUDE HEADER MOST compares it with the standard headers that it
includes, directly or through others of copse, and fails above MOST times these."""

import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROUNDS, ATTEMPTS = 7, 3  # others use the machine, too


def standard_headers(include, header, seen):
    for name in re.findall(r"^\s*#\s*include <([^>]+)>", (include / header).read_text(encoding="utf-8"), re.M):
        if not name.startswith("copse"):
            yield name
        elif name not in seen:
            seen.add(name)
            yield from standard_headers(include, name, seen)


def seconds(compiler, include, source):
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before = spent()
    subprocess.run([compiler, "-std=c++20", "-I", str(include), "-fsyntax-only", str(source)], check=True)
    return spent() - before


def main(compiler, include, header, most):
    include = pathlib.Path(include)
    for _ in range(ATTEMPTS):
        if compared(compiler, include, header) <= float(most):
            return 0
    return 1


def compared(compiler, include, header):
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = pathlib.Path(folder, "ours.cpp"), pathlib.Path(folder, "theirs.cpp")
        ours.write_text(f"#include <{header}>\n")
        theirs.write_text("".join(f"#include <{name}>\n" for name in sorted(set(standard_headers(include, header, set())))))
        rounds = [[seconds(compiler, include, source) for source in (ours, theirs)] for _ in range(ROUNDS)]
    least = [min(times) for times in zip(*rounds)]
    print(f"{header}: {least[0]:.3f} s, its standard headers {least[1]:.3f} s: {least[0] / least[1]:.2f} times")
    return least[0] / least[1]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
