#!/usr/bin/env python3
"""Writes CSV with Python's csv module in every way it knows (delimiters, quotings, line ends, Unicode, a byte order mark, headers, missing
values) and compares what copse finds in each file with what Python's own reader gives.

Usage: csv_against_python.py COPSE [--files N] [--seed S]    (the test runs 300; 10000 take about three minutes)

What is left out on purpose, as docs/reference/formats.md says that it is refused or read otherwise: escape characters, records with fewer
columns than are asked for, NUL, and invalid UTF-8.
"""
import argparse
import csv
import io
import random
import subprocess
import sys
import tempfile
from pathlib import Path

DELIMITERS = [",", ",", ",", ";", "\t", "|", " ", ":", "!", "^", "~"]
LINE_ENDS = ["\n", "\r\n", "\r"]
QUOTINGS = [csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC, csv.QUOTE_NONE]
LETTERS = list("abcXYZ019") + ["é", "ß", "日", "本", "🦊", "\u2028", "\u00a0", "\ufeff", "e\u0301"]
ODD = list(" ,;|:'#%\\\"\"\"\t") + ["\n", "\r", "\r\n", "  ", "NULL", "#", "-", "+", "."]


def some_text(rng, odd, longest=8):
    return "".join(rng.choice(ODD if rng.random() < odd else LETTERS) for _ in range(rng.randint(0, longest)))


def some_table(rng, how):
    columns = rng.randint(2, 6)
    rows = rng.choice([0, 1, 2, 3, 10, 40]) if rng.random() < 0.998 else 60000
    odd = rng.choice([0, 0.1, 0.5])
    pool = [some_text(rng, odd) for _ in range(max(4, rows // 2))]
    if how["integers"]:
        pool = [str(rng.randrange(10 ** rng.randint(1, 18))) for _ in pool]
    if how["na"] is not None and not how["integers"]:
        pool += how["na"]
    a, b = rng.sample(range(columns), 2)
    table = []
    for _ in range(rows):
        row = [some_text(rng, odd) for _ in range(columns)]
        row[a], row[b] = rng.choice(pool), rng.choice(pool)
        if how["quoting"] == csv.QUOTE_NONE:
            row = ["".join(c for c in field if c not in '"\r\n' + how["delimiter"]) or "x" for field in row]
        table.append(row)
    header = [f"{some_text(rng, 0)}{i}" + "é" for i in range(columns)] if how["header"] else None
    return table, header, a, b


def written(table, header, how):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=how["delimiter"], quoting=how["quoting"], lineterminator=how["line_end"])
    if header:
        writer.writerow(header)
    writer.writerows(table)
    return text.getvalue()


def read_by_python(text, how):
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=how["delimiter"], quoting=csv.QUOTE_NONE
                           if how["quoting"] == csv.QUOTE_NONE else csv.QUOTE_MINIMAL))


def components(pairs):
    parent = {}

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for u, v in pairs:
        parent.setdefault(u, u)
        parent.setdefault(v, v)
        u, v = find(u), find(v)
        if u != v:
            parent[max(u, v)] = min(u, v)
    return {x: find(x) for x in parent}


BETWEEN = "=="  # the parts of an id of several columns; no field holds it


def expected_labels(rows, left, right, how):
    missing = set(how["na"] or [])
    pairs = [(BETWEEN.join(row[c] for c in left), BETWEEN.join(row[c] for c in right)) for row in rows
             if row and not any(row[c] in missing for c in left + right)]
    if how["integers"]:
        return components((int(u), int(v)) for u, v in pairs)
    return {u.decode(): v.decode() for u, v in components((u.encode(), v.encode()) for u, v in pairs).items()}


def one_file(rng, copse, folder, number):
    how = {
        "delimiter": rng.choice(DELIMITERS),
        "quoting": rng.choice(QUOTINGS),
        "line_end": rng.choice(LINE_ENDS),
        "header": rng.random() < 0.5,
        "integers": rng.random() < 0.3,
        "na": rng.choice([["", "NULL"], ["", "NA", "-"]]),
        "mark": rng.random() < 0.2,
        "pipe": rng.random() < 0.2,
    }
    table, header, a, b = some_table(rng, how)
    text = written(table, header, how)
    rows = read_by_python(text, how)
    columns = len(header or (table[0] if table else []))
    if any(row and len(row) != columns for row in rows):  # a CR that its writer did not quote ends a record for both
        return None
    if header:
        rows = rows[1:]
    if text.startswith("\ufeff"):
        how["mark"] = True
    path, out = folder / "t.csv", folder / "labels.csv"
    path.write_bytes(text.encode("utf-8-sig" if how["mark"] else "utf-8"))
    by_name = header is not None and rng.random() < 0.5
    left, right = [a], [b]
    if columns > 3 and not how["integers"] and rng.random() < 0.3:  # each id has another column, perhaps the same for both
        others = [c for c in range(columns) if c not in (a, b)]
        left, right = [a, rng.choice(others)], [b, rng.choice(others)]

    def picked(side):
        return ",".join(header[c] if by_name else str(c + 1) for c in side)

    command = [copse, "components", "-" if how["pipe"] else str(path), "-o", str(out), "--format", "csv",
               "--na", ",".join(how["na"]), "--threads", str(rng.randint(1, 4)), "--progress", "never"]
    if len(left) == 1:
        command += ["--columns", picked(left + right)]
    else:
        command += ["--left", picked(left), "--right", picked(right), "--id-delimiter", BETWEEN]
    if not by_name:
        command += ["--header", "yes" if header else "no"]
    command += ["--ids", "int" if how["integers"] else "string"]
    if how["delimiter"] != ",":
        command += ["--delimiter", how["delimiter"]]
    with open(path, "rb") as source:
        run = subprocess.run(command, stdin=source if how["pipe"] else subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode != 0:
        return f"file {number}: refused: {run.stderr}\n{' '.join(command)}\n{how}\n{text[:600]!r}"
    with open(out, newline="", encoding="utf-8") as labels:
        found = {row[0]: row[1] for row in list(csv.reader(labels))[1:]}
    if how["integers"]:
        found = {int(u): int(v) for u, v in found.items()}
    expected = expected_labels(rows, left, right, how)
    if found != expected:
        wrong = sorted(set(map(str, found.items())) ^ set(map(str, expected.items())))
        return f"file {number}: differs: {wrong[:6]}\n{' '.join(command)}\n{how}\n{text[:600]!r}"
    return None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("copse")
    options.add_argument("--files", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.files):
            fault = one_file(random.Random(f"{asked.seed}:{number}"), asked.copse, Path(folder), number)
            if fault:
                faults += 1
                print(fault, file=sys.stderr)
    print(f"{asked.files} files, {faults} differ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
