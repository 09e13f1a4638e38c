#!/usr/bin/env python3
"""Makes awkward tables (29 kinds of fields, 5 separators, a header or not, quoted in 4 ways, 3 line ends) and compares the components that
copse finds in each with what the rules of docs/reference/formats.md, "How a table is read", make of it. A small reader below follows these
rules; where they agree with RFC 4180 it is itself compared with Python's csv module.

Usage: csv_against_python.py COPSE [--files N] [--seed S] [--long]    (the test runs 1000 files; --long 20000)

Half of the files are read with every option given, the others with none, so that copse finds the separator, the header and the ends.
What is left out on purpose: NUL, invalid UTF-8, and records with fewer columns than are asked for.
"""
import argparse
import csv
import io
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SEPARATORS = [",", ";", "\t", "|", " "]
LINE_ENDS = ["\n", "\r\n", "\r"]
QUOTINGS = [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC, csv.QUOTE_NONE]


def number(rng, digits):
    return str(rng.randrange(10 ** (digits - 1), 10**digits))


KINDS = {
    "word": lambda r: r.choice(["anna", "bert", "carl", "Zoe"]) + str(r.randrange(9)),
    "integer": lambda r: number(r, r.randint(1, 3)),
    "long integer": lambda r: number(r, 18),
    "leading zeros": lambda r: "00" + number(r, 2),
    "negative": lambda r: "-" + number(r, 2),
    "plus": lambda r: "+" + number(r, 2),
    "fraction": lambda r: number(r, 1) + "." + number(r, 2),
    "decimal comma": lambda r: number(r, 1) + "," + number(r, 2),
    "exponent": lambda r: number(r, 1) + "e" + number(r, 1),
    "phone": lambda r: "0151 230 " + number(r, 4),
    "isbn": lambda r: "978 3 " + number(r, 2),
    "date": lambda r: "2024-01-" + number(r, 2),
    "time": lambda r: "2024-01-02 03:04:" + number(r, 2),
    "name, comma": lambda r: "Smith, " + r.choice("JKL"),
    "semicolon": lambda r: "a;" + number(r, 1),
    "bar": lambda r: "sp|P" + number(r, 1),
    "tab": lambda r: "a\t" + number(r, 1),
    "two words": lambda r: "New " + r.choice(["York", "Delhi", "Bern"]),
    "blank before": lambda r: " K-" + number(r, 1),
    "blank behind": lambda r: "K-" + number(r, 1) + r.choice([" ", "  ", "\t"]),
    "hashtag": lambda r: "#" + r.choice(["covid", "mask"]),
    "percent": lambda r: "%" + number(r, 1),
    "quote": lambda r: '5" pipe' + number(r, 1),
    "in quotes": lambda r: '"' + number(r, 1) + '"',
    "line end": lambda r: "two\nlines" + number(r, 1),
    "carriage return": lambda r: "two\r\nlines" + number(r, 1),
    "unicode": lambda r: r.choice(["é", "日本", "🦊", "e\u0301", "a\u00a0b", "\u2028"]) + number(r, 1),
    "empty": lambda r: "",
    "missing": lambda r: r.choice(["NULL", "NA"]),
}
assert len(KINDS) == 29


class Refused(Exception):
    """The rules say that the table is refused."""


# The rules.


def records(text, separator, quotes, runs=None):
    """The records of a text as lists of (field, is quoted); None for one that cannot be cut. Runs of blanks separate for ' ' without quotes."""
    runs = separator == " " and not quotes if runs is None else runs
    padding = "".join(c for c in " \t" if c != separator) if not runs else ""
    between = " \t" if runs else separator
    text, at = text.removeprefix("\ufeff"), 0
    while at < len(text):
        fields, fault, field, quoted, fresh, closed = [], False, "", False, True, False
        start = at
        while True:
            c = text[at] if at < len(text) else "\n"
            if c in "\r\n":
                break
            if fresh and quotes and c == '"' and not field.strip(padding):
                end = at + 1
                while end < len(text) and (text[end] != '"' or text[end : end + 2] == '""'):
                    end += 2 if text[end] == '"' else 1
                field, quoted, fresh, closed = text[at + 1 : end].replace('""', '"'), True, False, True
                at = end + 1
                if end >= len(text):
                    fault = True
                continue
            if c in between:
                fields.append((field, quoted))
                field, quoted, fresh, closed = "", False, True, False
                if runs:
                    while at + 1 < len(text) and text[at + 1] in between:
                        at += 1
            elif closed:
                fault = fault or c not in padding
            else:
                field += c
                fresh = fresh and c in padding
            at += 1
        fields.append((field, quoted))
        line = text[start:at]
        at += 2 if text[at : at + 2] == "\r\n" else 1
        if runs:
            fields = [f for f in fields if f[0] or f[1]]
        if line.strip(padding if not runs else " \t") == "":
            continue
        yield line, None if fault else fields


def trimmed(field):
    return field[0] if field[1] else field[0].strip(" \t")


NUMBER = re.compile(r"\+?-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
MARKS = "#%"
INTEGER = re.compile("0|-?[1-9][0-9]*")  # an id


def is_number(text):
    return NUMBER.fullmatch(text) is not None and not text.startswith("+-")


def cut(text, separator, is_csv):
    """All records with their fields trimmed, or None; comments left out. Raises Refused for a comment that may be a record."""
    rows = []
    for line, fields in records(text, separator, is_csv):
        if not is_csv and line.lstrip(" \t")[:1] in MARKS and line.strip(" \t"):
            if rows and fields is not None and rows[0] is not None and len(fields) == len(rows[0]):
                if separator != " " or fields[0][0].strip(MARKS):
                    rows.append(("doubtful", [trimmed(f) for f in fields]))
            continue
        rows.append(None if fields is None else [trimmed(f) for f in fields])
    return rows


def found_layout(text, is_csv, own, named, strings, missing):
    """The rows as the separator cuts them that is found by looking. `named`: the names of the ends in the header."""
    ways = {}
    for separator in dict.fromkeys([own or ",", ",", "\t", ";", "|", " "]):
        rows = cut(text, separator, is_csv and separator != " ") if separator != " " else cut_by_blanks(text, is_csv)
        ways[separator] = rows
    first = {s: [r for r in rows if not isinstance(r, tuple)][:100] for s, rows in ways.items()}

    def fields(separator):
        counts = {0 if r is None else len(r) for r in first[separator]}
        return counts.pop() if len(counts) == 1 else 0

    def ids(separator, row):
        r = first[separator][row] if row < len(first[separator]) else None
        return r[:2] if r is not None and len(r) >= 2 else None

    def numeric(pair):
        return pair is not None and any(map(is_number, pair)) and all(is_number(i) or i in missing for i in pair)

    own_splits = own and (fields(own) >= 2 or all(r is not None and len(r) >= 2 for r in first[own][:2]))
    usable = [s for s in ways if s != " " or not own_splits]
    even = [s for s in usable if fields(s) >= 2]
    chosen = None
    if named:
        chosen = next((s for s in even if named[0] in first[s][0] and named[1] in first[s][0]), None)
    if chosen is None and not strings:
        chosen = next((s for s in even if numeric(ids(s, 1 if named else 0))), None)
    if chosen is None:
        blanks_do = not own and first[" "] and first[" "][0] is not None and len(first[" "][0]) == 2
        chosen = own if own in even else next((s for s in ("\t, ;|" if blanks_do else "\t,;| ") if s in even), None)
    header = named or (chosen and looks_like_header(first[chosen], missing))
    if is_csv and not header and chosen != own and text.lstrip("\r\n")[:1] in MARKS:
        raise Refused("a comment in CSV")
    return ways.get(chosen)


def cut_by_blanks(text, is_csv):
    """Runs of blanks; in CSV a field may be in quotes all the same."""
    if not is_csv:
        return cut(text, " ", False)
    return [None if fields is None else [field for field, _ in fields] for _, fields in records(text, " ", True, True)]


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


def expected_labels(rows, a, b, missing, strings):
    """`rows` of data. Raises Refused."""
    pairs, kind = [], None
    for row in rows:
        doubtful = isinstance(row, tuple)
        if doubtful:
            row = row[1]
        if kind is None and not doubtful:
            pair = [row[a], row[b]] if row is not None and max(a, b) < len(row) else None
            numbers = pair is not None and any(map(is_number, pair)) and all(is_number(i) or i in missing for i in pair)
            padded = numbers and any(len(i) > 1 and i[0] == "0" and i.isdigit() for i in pair)
            kind = "string" if strings or not numbers or padded else "int"
        if doubtful:
            bare = [row[c].lstrip(MARKS).strip(" \t") for c in (a, b)]
            if kind == "int" and not all(i.isascii() and i.isdigit() for i in bare):
                continue
            raise Refused("a comment that may be a record")
        if row is None or max(a, b) >= len(row):
            raise Refused("a record without its columns")
        u, v = row[a], row[b]
        if u in missing or v in missing:
            continue
        if kind == "int":
            if not all(INTEGER.fullmatch(i) and -(2**63) <= int(i) < 2**64 for i in (u, v)):
                raise Refused("no integer")
            pairs.append((int(u), int(v)))
        else:
            if not u or not v:
                raise Refused("an empty id")
            pairs.append((u.encode(), v.encode()))
    return {str(u) if kind == "int" else u.decode(): str(v) if kind == "int" else v.decode() for u, v in components(pairs).items()}


# The tables.


def some_table(rng, how):
    columns = rng.randint(2, 5)
    rows = rng.choice([1, 2, 3, 10, 40, 120])
    kinds = [rng.choice(list(KINDS)) for _ in range(columns)]
    for c in range(columns):
        if kinds[c] in ("empty", "missing") and rng.random() < 0.8:
            kinds[c] = "word"
    mixed = rng.random() < 0.2
    table = []
    for _ in range(rows):
        row = [KINDS[rng.choice(list(KINDS)) if mixed and rng.random() < 0.3 else kind](rng) for kind in kinds]
        if how["quoting"] == csv.QUOTE_NONE:  # what cannot be written
            bare = [re.sub('[\r\n"]', "", field).replace(how["separator"], "_") for field in row]
            row = [re.sub("[ \t]", "_", field) or "x" if how["separator"] == " " else field for field in bare]
        table.append(row)
    return table, columns


def written(table, how):
    if how["quoting"] == csv.QUOTE_NONE:
        return "".join(how["separator"].join(row) + how["line_end"] for row in table)
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=how["separator"], quoting=how["quoting"], lineterminator=how["line_end"]).writerows(table)
    return text.getvalue()


def check_the_rules(text, separator):
    """The reader above against Python's: they agree where no field without quotes has blanks around it."""
    mine = [fields for _, fields in records(text, separator, True)]
    theirs = [row for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator) if row]
    odd = any(f is None or any(not q and t != t.strip(" \t") for t, q in f) for f in mine) or re.search('[ \t]"|"[ \t]', text)
    if not odd and len(mine) == len(theirs):
        assert [[t for t, _ in f] for f in mine] == theirs, (text, separator)


PAIRS = [("id_l", "id_r"), ("source", "target"), ("src", "dst"), ("id1", "id2"), ("unique_id_l", "unique_id_r"), ("Source", "TARGET")]


def one_file(rng, copse, folder, number_of_file):
    how = {
        "separator": rng.choice(SEPARATORS),
        "quoting": rng.choice(QUOTINGS),
        "line_end": rng.choice(LINE_ENDS),
        "header": rng.random() < 0.5,
        "told": rng.random() < 0.5,
        "strings": rng.random() < 0.5,
        "mark": rng.random() < 0.1,
        "pipe": rng.random() < 0.2,
    }
    is_csv = how["quoting"] != csv.QUOTE_NONE or rng.random() < 0.5
    if how["separator"] == " " and is_csv and not how["told"]:
        is_csv, how["quoting"] = False, csv.QUOTE_NONE
    suffix = "csv" if is_csv else "tsv" if how["separator"] == "\t" else "txt"
    table, columns = some_table(rng, how)
    missing = ["", "NULL", "NA"]
    named = None
    if how["header"]:
        named = rng.choice(PAIRS)
        names = [f"column{i}" for i in range(columns)]
        a, b = sorted(rng.sample(range(columns), 2))
        names[a], names[b] = named
        table = [names] + table
    text = written(table, how)
    if is_csv:
        check_the_rules(text, how["separator"])
    if text.startswith("\ufeff") or any(c in text for c in "\0"):
        return None
    command = [copse, "components", "-" if how["pipe"] else str(folder / f"t.{suffix}"), "-o", "-", "--output-format", "csv",
               "--na", ",".join(missing), "--threads", str(rng.randint(1, 4)), "--progress", "never"]
    if how["pipe"]:
        command += ["--format", "csv" if is_csv else "edges"]
    if how["strings"]:
        command += ["--ids", "string"]
    if how["told"]:
        command += ["--delimiter", how["separator"], "--header", "yes" if how["header"] else "no"]
    own = {"csv": ",", "tsv": None if how["pipe"] else "\t", "txt": None}[suffix]
    try:
        rows = cut(text, how["separator"], is_csv) if how["told"] else found_layout(text, is_csv, own, named, how["strings"], missing)
        if rows is None:
            return None  # no separator splits the records alike
        records_only = [r for r in rows if not isinstance(r, tuple)]
        left, right = 0, 1
        if how["header"]:
            if not records_only or not all(n in (records_only[0] or []) for n in named):
                return None
            left, right = (records_only[0].index(n) for n in named)
            rows = rows[rows.index(records_only[0]) + 1 :]
        elif not how["told"] and looks_like_header(records_only, missing):
            return None
        expected = expected_labels(rows, left, right, missing, how["strings"])
    except Refused as why:
        expected = str(why)
    path = folder / f"t.{suffix}"
    path.write_bytes(text.encode("utf-8-sig" if how["mark"] else "utf-8"))
    with open(path, "rb") as source:
        run = subprocess.run(command, stdin=source if how["pipe"] else subprocess.DEVNULL, capture_output=True)
    said = f"{run.stderr.decode(errors='replace')}\n{' '.join(command)}\n{how}\n{text[:600]!r}"
    if isinstance(expected, str):
        return None if run.returncode == 2 else f"file {number_of_file}: read, but the rules refuse it ({expected}): {said}"
    if run.returncode != 0:
        return f"file {number_of_file}: refused: {said}"
    found = {row[0]: row[1] for row in list(csv.reader(io.StringIO(run.stdout.decode(), newline="")))[1:]}
    if found != expected:
        wrong = sorted(set(found.items()) ^ set(expected.items()))
        return f"file {number_of_file}: differs: {wrong[:6]}: {said}"
    return None


def looks_like_header(rows, missing):
    """Ids that are no numbers above ids that are: copse takes the first for a header."""
    def numeric(row):
        return row is not None and len(row) > 1 and any(map(is_number, row[:2])) and all(is_number(i) or i in missing for i in row[:2])

    return len(rows) > 1 and not numeric(rows[0]) and numeric(rows[1])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("copse")
    options.add_argument("--files", type=int, default=1000)
    options.add_argument("--long", action="store_true", help="20000 files")
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    files = 20000 if asked.long else asked.files

    def run(number_of_file):
        with tempfile.TemporaryDirectory() as folder:
            return one_file(random.Random(f"{asked.seed}:{number_of_file}"), asked.copse, Path(folder), number_of_file)

    with ThreadPoolExecutor(4) as pool:
        faults = [fault for fault in pool.map(run, range(files)) if fault]
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    print(f"{files} files, {len(faults)} differ")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
