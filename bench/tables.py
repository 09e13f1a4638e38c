#!/usr/bin/env python3
"""Writes the tables and pictures of docs/measurements and of docs/explanation/reproduction.md from the summaries in bench/results.

  bench/tables.py            writes every table and picture anew
  bench/tables.py --check    writes nothing; exits with 1 if a page is not what it would write (CI)
  bench/tables.py NAME       prints one table

A page holds a table between `<!-- table: NAME -->` and `<!-- end -->`, and shows a picture as `![WHAT](NAME.svg)`; the prose around them stays.
"""

import argparse
import importlib
import re
import sys
from pathlib import Path

from table_kit import PICTURES, TABLES, Summaries

ROOT = Path(__file__).resolve().parents[1]
for module in sorted(Path(__file__).parent.glob("tables_*.py")):
    importlib.import_module(module.stem)  # they register their tables
PLACE = re.compile(r"^(<!-- table: (\w+) -->\n)((?:(?!<!-- table).)*?)^(<!-- end -->)$", re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^!\[[^]]+\]\((\w+)\.svg\)$", re.MULTILINE)
MARK = re.compile(r"^<!-- table:", re.MULTILINE)


def is_figures(column):
    """Columns of figures go to the right."""
    return all(re.fullmatch(r"[-+–\d][\d.,]*( M)?", cell) for cell in column if cell) and any(column)


def markdown(name, summaries):
    if name not in TABLES:
        sys.exit(f"no table is called {name}: there are {', '.join(sorted(TABLES))}")
    header, *rows = TABLES[name](summaries)
    if not rows or any(len(row) != len(header) for row in rows):
        sys.exit(f"table {name} is empty, or not every row has {len(header)} cells")
    lines = [header, ["---:" if is_figures(column) else "---" for column in zip(*rows)], *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def written_anew(text, summaries):
    return PLACE.sub(lambda found: found[1] + "\n" + markdown(found[2], summaries) + "\n" + found[4], text)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("name", nargs="?")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--root", type=Path, default=ROOT, help="the tree whose bench/results and docs are meant")
    given = arguments.parse_args()
    summaries = Summaries(given.root / "bench" / "results")
    if given.name:
        print(markdown(given.name, summaries), end="")
        return 0
    right, used = {}, set()
    docs = given.root / "docs"
    for page in [*sorted((docs / "measurements").glob("*.md")), docs / "explanation" / "reproduction.md"]:
        text = page.read_text(encoding="utf-8")
        used.update(found[2] for found in PLACE.finditer(text))
        used.update(SHOWN.findall(text))
        if len(MARK.findall(text)) != len(PLACE.findall(text)):
            sys.exit(f"{page.name}: a table mark without an end, or without a name")
        right[page] = written_anew(text, summaries)
    for name, draw in PICTURES.items():
        right[docs / "measurements" / f"{name}.svg"] = draw(summaries)
    stale = [file for file, text in right.items() if not file.exists() or file.read_text(encoding="utf-8") != text]
    unused = sorted((set(TABLES) | set(PICTURES)) - used)
    for name in unused:
        print(f"no page shows {name}", file=sys.stderr)
    if given.check:
        for file in stale:
            print(f"{file.relative_to(given.root)} is stale: run bench/tables.py")
        return 1 if stale or unused else 0
    for file in stale:
        file.write_text(right[file], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
