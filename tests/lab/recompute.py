#!/usr/bin/env python3
"""Computes every printed figure and every verdict again, from the archives in lab/results, with code of its own.

  tests/lab/recompute.py [ROOT]

`python3 -m lab printed` says of each cell which samples it is made of, and how. This program reads the samples itself, computes and formats the
numbers, and looks for them in the pages; of judged claims it draws intervals of its own and comes to verdicts of its own. Every cell that
holds a measured number must be covered. Exit status 1: something differs, and what.
"""

import bisect
import csv
import functools
import json
import lzma
import math
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]).resolve()
RESULTS = ROOT / "lab" / "results"
NEAR = 0.08  # how far an end of an interval may be from one that was drawn by other dice, of the value
CLOSE = 0.02  # an end so close to a limit may be on either side of it


@functools.cache
def archive(area):
    """Samples by machine, commit, graph, variant, setting, measure and threads; each with the load of the machine per core."""
    read = {}
    for line in lzma.open(RESULTS / f"{area}.jsonl.xz", "rt"):
        document = json.loads(line)
        facts = document["facts"]
        load = facts["load"] / facts["cores"] if "load" in facts and "cores" in facts else math.inf
        for s in document["series"]:
            setting = tuple(sorted(map(tuple, s["setting"].items())))
            name = (document["machine"], facts["commit"], s["graph"], s["variant"], setting, s["measure"], s["threads"])
            read[name] = (s["samples"], load)
    return read


def found(key):
    area, machine, commit, graph, variant, setting, measure, threads = key
    return archive(area)[machine, commit, graph, variant, tuple(map(tuple, setting)), measure, threads]


def table(name, row, column):
    for line in csv.DictReader(open(RESULTS / name, newline="")):
        if row in (line.get("name"), f"{line.get('graph')} {line.get('code')}"):
            return float(line[column])
    raise KeyError(row)


def middle(samples):
    ordered = sorted(samples)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def compute(e, samples_of):
    op, args = e[0], e[1:]
    if op == "constant":
        return float(args[0])
    if op == "cell":
        return table(*args[:3])
    if op in ("median", "min", "max", "count"):
        return {"median": middle, "min": min, "max": max, "count": len}[op](samples_of(args[0]))
    if op in ("held_out", "chosen"):
        best = None
        for name, key in args:
            samples = samples_of(key)
            first = middle([s for k, s in enumerate(samples) if k % 2 == 0])
            if best is None or first < best[0]:
                best = (first, float(name), middle([s for k, s in enumerate(samples) if k % 2]))
        return best[1] if op == "chosen" else best[2]
    v = [compute(a, samples_of) for a in args]
    return {
        "ratio": lambda: v[0] / v[1],
        "times": lambda: v[0] * v[1],
        "difference": lambda: v[0] - v[1],
        "sum": lambda: sum(v),
        "least": lambda: min(v),
        "most": lambda: max(v),
        "arithmetic": lambda: sum(v) / len(v),
        "harmonic": lambda: len(v) / sum(1 / x for x in v),
        "middle": lambda: middle(v),
        "geometric": lambda: math.exp(sum(map(math.log, v)) / len(v)),
        "best": lambda: 100.0 if v[0] <= v[1] else 0.0,
    }[op]()


def keys(e):
    if e[0] in ("median", "min", "max", "count"):
        return [e[1]]
    if e[0] in ("held_out", "chosen"):
        return [key for _, key in e[1:]]
    return [k for a in e[1:] if isinstance(a, list) for k in keys(a)]


def formatted(number, form):
    if form == "times":
        return f"{number:.2g}x" if number < 0.095 else f"{number:.2f}x" if number < 100 else f"{number:.0f}x"
    if form in ("percent", "whole", "millions"):
        return {"percent": f"{number:.1f} %", "whole": f"{number:,.0f}", "millions": f"{number / 1e6:,.1f} M"}[form]
    if number == 0:
        return "0"
    decimals = 2 - math.floor(math.log10(abs(number)))
    return f"{number:.{decimals}f}" if decimals > 0 and abs(number) < 1000 else f"{number:,.0f}"


def cells_of_pages():
    """By page and table: rows of cells below the header."""
    tables = {}
    for page in [*(ROOT / "docs" / "measurements").glob("*.md"), ROOT / "docs" / "explanation" / "reproduction.md"]:
        for name, body in re.findall(r"<!-- table: (\w+) -->\n(.*?)<!-- end -->", page.read_text(encoding="utf-8"), re.DOTALL):
            lines = [line for line in body.splitlines() if line.startswith("|")]
            tables[str(page.relative_to(ROOT)), name] = [
                [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]
            ]
    return tables


def interval(e):
    """95 % of 800 resamplings, with dice of its own."""
    dice, drawn, every = random.Random(20), [], {json.dumps(k): found(k)[0] for k in keys(e)}
    for _ in range(800):
        again = {name: [of[int(dice.random() * len(of))] for _ in of] for name, of in every.items()}
        bisect.insort(drawn, compute(e, lambda key: again[json.dumps(key)]))
    return drawn[20], drawn[779]


def limits(line):
    if line["side"]:
        return (1, math.inf) if line["side"] == "above" else (0, 1)
    low, high = line["paper"][0] / 2, 2 * line["paper"][-1]
    if line["unit"] == "x":
        low, high = (max(low, 1) if line["paper"][0] > 1 else low), (min(high, 1) if line["paper"][-1] < 1 else high)
    return low, high


def verdict_faults(line):
    e, name = line["expressions"][0], f"{line['figure']}, {line['claim']}"
    for key in keys(e):
        samples, load = found(key)
        if len(samples) < 10 or load > 1:
            yield f"{name}: judged by {len(samples)} samples of a machine with a load of {load:.1f} per core"
    value, (low, high), (least, most) = compute(e, lambda k: found(k)[0]), interval(e), limits(line)
    form = "times" if line["unit"] == "x" else "percent"
    shown = re.fullmatch(r"(\S+(?: %)?) \((\S+(?: %)?) to (\S+(?: %)?)\)", line["shown"])
    ends = [float(re.sub(r"[x%, ]", "", text)) for text in shown.groups()]
    if formatted(value, form) != shown[1]:
        yield f"{name}: found {shown[1]}, expected {formatted(value, form)}"
    near = [abs(a - b) <= max(NEAR * abs(value), 0.02) for a, b in zip(ends[1:], (low, high))]
    if not all(near) and not any(k[0] == "chosen" for k in walk(e)):  # a choice jumps from one candidate to the next
        yield f"{name}: found the interval {ends[1]} to {ends[2]}, expected {low:.3g} to {high:.3g}"
    good = "reproduced" if line["paper"] else "same direction"
    right = lambda a, b: good if least <= a and b <= most else f"not {good}" if b < least or a > most else "undecided"
    close = any(abs(end - limit) <= CLOSE * abs(value) for end in ends[1:] for limit in (least, most))
    if line["verdict"] != right(ends[1], ends[2]) and not close or line["verdict"] != right(low, high) and not close:
        yield f"{name}: found {line['verdict']}, expected {right(low, high)}"


def walk(e):
    yield e
    for a in e[1:]:
        if isinstance(a, list) and a and isinstance(a[0], str) and e[0] not in ("held_out", "chosen", "median", "min", "max", "count"):
            yield from walk(a)


def faults():
    tables, covered, judged = cells_of_pages(), set(), 0
    said = subprocess.run(
        [sys.executable, "-B", "-m", "lab", "printed", "--root", str(ROOT)],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    for line in map(json.loads, said.stdout.splitlines()):
        if "figure" in line:
            judged += 1
            yield from verdict_faults(line)
            if not any(line["shown"] in row and line["verdict"] in row for rows in tables.values() for row in rows):
                yield f"{line['figure']}: no page shows {line['shown']}, {line['verdict']}"
            continue
        place = (line["page"], line["table"])
        text = line["template"].format(*(formatted(compute(e, lambda k: found(k)[0]), line["form"]) for e in line["expressions"]))
        cell = tables[place][line["row"]][line["column"]]
        covered.add((*place, line["row"], line["column"]))
        if cell != text:
            yield f"{line['page']}, table {line['table']}, row {line['row'] + 1}, column {line['column'] + 1}: found {cell}, expected {text}"
    for (page, name), rows in tables.items():
        for r, row in enumerate(rows if "measurements/" in page and name != "machines" else ()):
            for c, cell in enumerate(row[1:], 1):
                if re.search(r"\d\.\d", cell) and not cell.startswith("`") and (page, name, r, c) not in covered:
                    yield f"{page}, table {name}, row {r + 1}: {cell} is made of no samples"
    shown = sum(
        re.search(r"\(.* to .*\)", row[4]) is not None
        for (_, name), rows in tables.items()
        if name.startswith("reproduction_") and name != "reproduction_verdicts"
        for row in rows
    )
    if shown != judged:
        yield f"reproduction.md: found {shown} judged claims, expected {judged}"
    counts = {row[0]: row[1:] for row in tables["docs/explanation/reproduction.md", "reproduction_verdicts"]}
    kinds = ("reproduced", "same direction", "undecided", "not reproduced", "not same direction", "not measured")
    for paper, name in (("gconn", "GConn"), ("ecl", "ECL"), ("cm", "CM"), ("bk", "BK")):
        verdicts = [row[5] for row in tables["docs/explanation/reproduction.md", f"reproduction_{paper}"] if row[2]]
        right = [str(n) for n in (len(verdicts), *(sum(v.startswith(kind) for v in verdicts) for kind in kinds))]
        if counts[name] != right:
            yield f"reproduction.md, {name}: found {', '.join(counts[name])} verdicts, expected {', '.join(right)}"
    if not covered or not judged:
        yield "found nothing to compute"


if __name__ == "__main__":
    wrong = list(faults())
    print("\n".join(wrong) if wrong else "every printed figure and verdict follows from the samples")
    sys.exit(1 if wrong else 0)
