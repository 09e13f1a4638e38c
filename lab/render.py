"""Writes the tables of docs/measurements and of docs/explanation/reproduction.md between `<!-- table: NAME -->` and `<!-- end -->`."""

import re

from .store import ROOT
from .values import Printed, keys_in

TABLES = {}
PLACE = re.compile(r"^(<!-- table: (\w+) -->\n)((?:(?!<!-- table).)*?)^(<!-- end -->)$", re.DOTALL | re.MULTILINE)
MARK = re.compile(r"^<!-- table:", re.MULTILINE)
MOST_TABLES = 2  # on a page of measurements


def table(function):
    """Registers a function of a store; it returns rows of cells, the header first. A cell is text or Printed."""
    TABLES[function.__name__] = function
    return function


def pages(root):
    return [*sorted((root / "docs" / "measurements").glob("*.md")), root / "docs" / "explanation" / "reproduction.md"]


def is_figures(column):
    """Columns of figures go to the right."""
    return all(re.fullmatch(r"[-+–\d][\d.,]*( [M%]|x)?", cell) for cell in column if cell) and any(column)


def series_in(rows):
    """The series that the cells of a table are made of."""
    found = {}
    for row in rows:
        for cell in row:
            if isinstance(cell, Printed):
                for value in cell.values:
                    if value is not None:
                        found |= {key: value.series[key] for key in keys_in(value.expression)}
    return list(found.values())


def provenance(rows):
    """Machines, commits and numbers of samples."""
    by_origin = {}
    for s in series_in(rows):
        by_origin.setdefault((s.machine, s.commit[:7]), []).append(len(s.samples))
    span = lambda counts: f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
    parts = [
        f"{machine}, commit `{commit}`, {span(counts)} sample{'s' if max(counts) > 1 else ''} each"
        for (machine, commit), counts in sorted(by_origin.items())
    ]
    return f"\nMeasured: {'; '.join(parts)}.\n" if parts else ""


def markdown(rows):
    if len(rows) < 2 or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError(f"found a table without rows, or rows of several lengths, under {rows[0]}")
    texts = [[str(cell) for cell in row] for row in rows]
    lines = [texts[0], ["---:" if is_figures(column) else "---" for column in zip(*texts[1:])], *texts[1:]]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def written_anew(text, store):
    return PLACE.sub(lambda found: f"{found[1]}\n{markdown(rows := TABLES[found[2]](store))}{provenance(rows)}\n{found[4]}", text)


def faults_of(page, text):
    names = [found[2] for found in PLACE.finditer(text)]
    if len(MARK.findall(text)) != len(names):
        yield f"{page.name}: found a table mark without an end or a name"
    for name in names:
        if name not in TABLES:
            yield f"{page.name}: found table {name}, expected one of {', '.join(sorted(TABLES))}"
    if page.parent.name == "measurements" and len(names) > MOST_TABLES:
        yield f"{page.name}: found {len(names)} tables, expected {MOST_TABLES} at most"


def stale(store, root=ROOT):
    """Pages that are not what the samples say, with their right text; raises ValueError for pages that cannot be written."""
    texts = {page: page.read_text(encoding="utf-8") for page in pages(root)}
    found = [fault for page, text in texts.items() for fault in faults_of(page, text)]
    used = {match[2] for text in texts.values() for match in PLACE.finditer(text)}
    found += [f"no page shows table {name}" for name in sorted(set(TABLES) - used)]
    if found:
        raise ValueError("\n".join(found))
    right = {page: written_anew(text, store) for page, text in texts.items()}
    return {page: text for page, text in right.items() if text != texts[page]}


def printed(store, root=ROOT):
    """Every cell with a number, for programs that compute it again: page, table, row and column (counted from the first line below the
    header), template, format and expressions."""
    for page in pages(root):
        for match in PLACE.finditer(page.read_text(encoding="utf-8")):
            for r, row in enumerate(TABLES[match[2]](store)[1:]):
                for c, cell in enumerate(row):
                    if isinstance(cell, Printed) and None not in cell.values:
                        yield {
                            "page": str(page.relative_to(root)),
                            "table": match[2],
                            "row": r,
                            "column": c,
                            "template": cell.template,
                            "form": cell.form,
                            "expressions": [v.expression for v in cell.values],
                        }
