"""What the tables of docs/measurements are built with: summaries to ask, figures, ratios, and the register of tables."""

import csv
import math
import statistics
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
TABLES, PICTURES = {}, {}
COLUMNS = {"graph", "variant", "measure", "threads", "machine", "unit"}
ABSENT_UNLESS_ASKED = ("run", "input")


def table(name):
    """Registers a function of the summaries; it returns a list of lists, the header first."""

    def register(function):
        TABLES[name] = function
        return function

    return register


def picture(name):
    """The same for an SVG beside the pages: a function of the summaries that returns its text."""

    def register(function):
        PICTURES[name] = function
        return function

    return register


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["keys"] = dict(part.split("=", 1) for part in row["setting"].split(" ") if "=" in part)
    return rows


class Summary:
    """Rows of one campaign. Keywords are columns or keys of the setting; run and input must be absent unless asked for."""

    def __init__(self, rows):
        self.rows, self.places = rows, {}
        for row in self.rows:  # by graph and run: nearly every question names one of them
            graph, run = row["graph"], row["keys"].get("run", "")
            for place in ((graph, run), (graph, None), (None, run)):
                self.places.setdefault(place, []).append(row)

    def all(self, **wanted):
        asked = {key: "" for key in ABSENT_UNLESS_ASKED} | {k: v for k, v in wanted.items() if v is not None}
        given = lambda row, key: row[key] if key in COLUMNS else row["keys"].get(key, "")
        fits = lambda found, want: (
            found in want if isinstance(want, (set, list, tuple)) else want(found) if callable(want) else found == str(want)
        )
        place = tuple(asked.get(key) if isinstance(asked.get(key), str) else None for key in ("graph", "run"))
        among = self.rows if place == (None, None) else self.places.get(place, [])
        return [row for row in among if row["median"] and all(fits(given(row, k), v) for k, v in asked.items())]

    def row(self, **wanted):
        found = self.all(**wanted)
        if len(found) > 1:
            raise ValueError(f"{len(found)} rows for {wanted}")
        return found[0] if found else None

    def time(self, **wanted):
        found = self.row(**({"measure": "solve"} | wanted))
        return float(found["median"]) if found else None

    def fastest(self, **wanted):
        found = self.all(**({"measure": "solve"} | wanted))
        return min(found, key=lambda row: float(row["median"]), default=None)

    def graphs(self, **wanted):
        return list(dict.fromkeys(row["graph"] for row in self.all(**wanted)))

    def variants(self, **wanted):
        return list(dict.fromkeys(row["variant"] for row in self.all(**wanted)))


class Summaries:
    def __init__(self, results=RESULTS):
        self.results, self.loaded = results, {}

    def __getattr__(self, campaign):
        if campaign not in self.loaded:
            self.loaded[campaign] = Summary(read_rows(self.results / f"{campaign}.csv"))
        return self.loaded[campaign]

    def read(self, name):
        with open(self.results / f"{name}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def graph_facts(self):
        return {row["name"]: row for row in self.read("graphs")}


def figure(value, digits=3):
    """So many significant digits, and thousands with a comma; a dash for nothing."""
    if value is None:
        return "–"
    value = float(value)
    if value == 0:
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{places}f}" if places > 0 and abs(value) < 1000 else f"{value:,.0f}"


def ratio(a, b):
    return None if a is None or b is None else float(a) / float(b)


def geometric_mean(values):
    return statistics.geometric_mean(values)


def low_to_high(row, digits=3):
    return f"{figure(row['min'], digits)} to {figure(row['max'], digits)}"


def times(value):
    return "–" if value is None else f"{value:.2f}"


def label(graph):
    """Specs in code marks, names as they are."""
    return f"`{graph}`" if ":" in graph else graph


def millions(count):
    return f"{float(count) / 1e6:,.1f} M"


def name_of(row, *prefixes):
    """A variant in code marks, without the prefix that all in a table share."""
    name = row["variant"]
    for prefix in prefixes:
        name = name.removeprefix(prefix)
    return f"`{name}`"


def fastest_cell(row, *prefixes):
    return "–" if row is None else f"{figure(row['median'])} {name_of(row, *prefixes)}"


def sampler_of(row):
    parts = row["variant"].split(".")
    return parts[1] if len(parts) > 2 else ""


def rule_of(row):
    parts = row["variant"].split(".")
    return parts[2] if len(parts) > 2 else ""


def columns_of(what, key):
    """A header and what to ask for: from a dict of title: keywords, or from plain names of graphs or variants."""
    if isinstance(what, dict):
        return {title: ask if isinstance(ask, dict) else {key: ask} for title, ask in what.items()}
    return {label(name) if key == "graph" else f"`{name}`": {key: name} for name in what}


def grid(summary, corner, lines, columns, show=figure, by=("graph", "variant"), **common):
    """Times of lines by columns: dicts of title: keywords, or lists of names of what `by` says. Lines without any are left out."""
    columns = columns_of(columns, by[1])
    cells = {title: [summary.time(**(common | ask | of)) for of in columns.values()] for title, ask in columns_of(lines, by[0]).items()}
    return [[corner, *columns]] + [[title, *map(show, found)] for title, found in cells.items() if any(v is not None for v in found)]


def best_of_parts(rows_of, graphs, part_of, title):
    """The fastest variant of each part of a name, over the fastest of the graph."""
    cells = {}
    for g in graphs:
        found = [(part_of(r), float(r["median"])) for r in rows_of(g)]
        least = min(time for _, time in found)
        for part, time in found:
            cells[part, g] = min(cells.get((part, g), math.inf), time / least)
    parts = sorted(dict.fromkeys(p for p, _ in cells), key=lambda p: geometric_mean([cells[p, g] for g in graphs if (p, g) in cells]))
    return [[title, *graphs]] + [[f"`{p}`", *(times(cells.get((p, g))) for g in graphs)] for p in parts]


def facts_table(s, graphs, made):
    facts = s.graph_facts()
    per_vertex = lambda f: f"{int(f['arcs']) / int(f['vertices']):.1f}"
    return [["name", made, "vertices", "arcs", "arcs per vertex", "components"]] + [
        [g, f"`{f['spec']}`", millions(f["vertices"]), millions(f["arcs"]), per_vertex(f), f"{int(f['components']):,}"]
        for g, f in ((g, facts[g]) for g in graphs)]
