#!/usr/bin/env python3
"""Where the time of a build went: build_times.py FOLDER [UNITS], from its .ninja_log. Prints the seconds of the slowest units (15, or
UNITS) and of each part of the project. They are seconds by the clock with as many units side by side as ninja ran, since the first build
in that folder; a unit that was built again counts once."""
import sys
from collections import Counter
from pathlib import Path

PARTS = [("kernels", lambda output: output.endswith(".cu.o")),
         ("precompiled headers", lambda output: output.endswith((".gch", ".pch"))),
         ("links", lambda output: not output.endswith(".o")),
         ("library", lambda output: "copse.dir" in output),
         ("command line", lambda output: output.startswith("cli/")),
         ("tests", lambda output: output.startswith("tests/")),
         ("benchmarks", lambda output: output.startswith("lab/"))]


def units(log):
    """Seconds of each command; one with several outputs has several lines, with the same times and the same hash."""
    times = {}
    for line in log.read_text().splitlines():
        fields = line.split("\t")
        if len(fields) == 5:
            times[fields[3]] = (int(fields[0]), int(fields[1]), fields[4])
    names = {}
    for output, command in times.items():
        if command not in names or len(output) < len(names[command]):
            names[command] = output
    return {output: (command[1] - command[0]) / 1000 for command, output in names.items()}


def main():
    folder, most = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 15
    seconds = units(folder / ".ninja_log")
    print(f"\nSlowest units of {folder}, in seconds:")
    for output in sorted(seconds, key=seconds.get, reverse=True)[:most]:
        print(f"{seconds[output]:8.1f}  {output}")
    parts, counts = Counter(), Counter()
    for output, spent in seconds.items():
        part = next((name for name, belongs in PARTS if belongs(output)), "other")
        parts[part] += spent
        counts[part] += 1
    print("\nParts, in seconds:")
    for part, spent in parts.most_common():
        print(f"{spent:8.1f}  {part} ({counts[part]} units)")
    print(f"{sum(parts.values()):8.1f}  all")


if __name__ == "__main__":
    main()
