#!/usr/bin/env python3
"""Compares copse group with the components of pairs that a database makes by joining a table with itself.

Usage: group_against_pairs.py COPSE [--records N] [--engine sqlite|duckdb] [--seed S]

The test takes 20,000 records and the sqlite of Python. `--engine duckdb` needs DuckDB's Python package; 1,000,000 records take a minute.
"""
import argparse
import csv
import random
import subprocess
import sys
import tempfile
from pathlib import Path

COLUMNS = ["email", "phone", "address"]
MISSING = ["", "NULL"]


def some_table(rng, records):
    """Rows of an id and three keys: some missing, some with commas and quotes, columns that share values."""
    values = max(2, records)
    for i in range(records):
        row = [f"record-{rng.randrange(10 ** 9)}-{i}"]
        for c in range(len(COLUMNS)):
            value = rng.randrange(values)
            row.append(rng.choice(MISSING) if rng.random() < 0.2 else f'{value}, "so"' if value % 50 == 0 else f"value {value}")
        yield row


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def pairs_by_sqlite(table, pairs):
    import sqlite3
    database = sqlite3.connect(":memory:")
    with open(table, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        database.execute(f"CREATE TABLE t ({', '.join(next(rows))})")
        database.executemany(f"INSERT INTO t VALUES (?{', ?' * len(COLUMNS)})", rows)
    for column in COLUMNS:
        database.execute(f"CREATE INDEX by_{column} ON t ({column})")
    with open(pairs, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerows(database.execute("SELECT record, record FROM t"))
        for column in COLUMNS:
            out.writerows(database.execute(
                f"SELECT a.record, b.record FROM t a JOIN t b ON a.{column} = b.{column} AND a.record < b.record "
                f"WHERE a.{column} NOT IN ('', 'NULL')"))


def pairs_by_duckdb(table, pairs):
    import duckdb
    database = duckdb.connect()
    database.execute(f"CREATE TABLE t AS SELECT * FROM read_csv('{table}', header = true, all_varchar = true, nullstr = 'NULL')")
    joins = " UNION ALL ".join(
        f"SELECT a.record AS u, b.record AS v FROM t a JOIN t b ON a.{column} = b.{column} AND a.record < b.record WHERE a.{column} <> ''"
        for column in COLUMNS)
    database.execute(f"COPY (SELECT record AS u, record AS v FROM t UNION ALL {joins}) TO '{pairs}' (HEADER false, DELIMITER ',')")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("copse")
    arguments.add_argument("--records", type=int, default=20000)
    arguments.add_argument("--engine", choices=["sqlite", "duckdb"], default="sqlite")
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table, pairs = folder / "table.csv", folder / "pairs.csv"
        write_csv(table, [["record", *COLUMNS], *some_table(random.Random(given.seed), given.records)])
        (pairs_by_duckdb if given.engine == "duckdb" else pairs_by_sqlite)(str(table), str(pairs))
        found = {}
        for command in (["components", pairs, "--ids", "string", "--header", "no"],
                        ["group", table, "--id", "record", "--by", ",".join(COLUMNS), "--na", "NULL", "--verify"]):
            labels = folder / f"{command[0]}.txt"
            subprocess.run([given.copse, *command, "-o", labels], check=True, stdout=subprocess.DEVNULL)
            found[command[0]] = labels.read_bytes()
        lines = found["components"].count(b"\n")
        if lines != given.records:
            sys.exit(f"found {lines} records in the pairs, expected {given.records}")
        if found["components"] != found["group"]:
            sys.exit("the groups differ from the components of the pairs")
        print(f"{given.records} records, {sum(1 for _ in open(pairs, 'rb'))} pairs by {given.engine}: the same groups")


if __name__ == "__main__":
    main()
