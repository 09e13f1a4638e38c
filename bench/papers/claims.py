"""A claim is one number of a paper, how ours is found in measured rows, and when ours says the same.

Their machines are other ones than ours, so most claims are ratios of times: "A : B" is time of A over time of B. One rule for all of them says
whether ours says the same, so that no claim has limits of its own: same_side for ratios, agreeing for shares.
"""

import fnmatch
import math
import os
import re
import statistics
from dataclasses import dataclass
from typing import Callable

ABSOLUTE = ("serial.", "threads.", "cuda.", "hybrid.", "auto", "gpu_incremental", "way.")  # names that are no backend's: way.NAME is no variant at all

DIRECTIONS = ("above", "below", "rises", "falls", "least", "most", "no gain", "used", "not printed")

MEANS = {
    "geometric": statistics.geometric_mean,
    "arithmetic": statistics.fmean,
    "median": statistics.median,
    "least": min,
    "most": max,
}


def same_side(ratio, ceiling):
    """On the same side of 1, by a twentieth; where theirs is within a tenth of 1, within a fifth. What is at most theirs may be a quarter more."""
    if ceiling:
        return (0, 1.25 * ratio)
    if .9 <= ratio <= 1.1:
        return (.8, 1.25)
    return (1.05, math.inf) if ratio > 1 else (0, .95)


def agreeing(share, ceiling, points):
    """Per cents: within a factor of two up to 25 %, within 25 points above. What is at most theirs may be twice as much; 0 % is up to 5 %."""
    if ceiling or share == 0:
        return (0, 2 * share or 5)
    return (share / 2, 2 * share) if share <= 25 else (share - points, share + points)


@dataclass(frozen=True)
class Claim:
    what: str
    paper: str  # as the page prints it
    each: Callable  # of Rows: a value for each graph
    paper_value: float = None  # which way it goes, where the paper prints no number; None: nothing to say
    needs: tuple = ()  # pairs of a run and the patterns of variants that it needs of it
    reason: str = ""  # why ours differs, where it does
    mean: str = "geometric"
    unit: str = "x"
    sized: bool = False  # the size of paper_value counts, and not only its order
    ceiling: bool = False  # the paper's number is the most that it may be
    points: float = 25  # of a share: per cent points that ours may be off

    @property
    def holds(self):
        """Between which values ours says the same."""
        if self.paper_value is None:
            return None
        return (same_side(self.paper_value, self.ceiling) if self.unit == "x" else
                agreeing(self.paper_value, self.ceiling, self.points))

    @property
    def number(self):
        """The paper's, where it prints one and not only which way it goes."""
        return None if self.paper.startswith(DIRECTIONS) else self.paper_value

    @property
    def runs(self):
        return [run for run, _ in self.needs]


@dataclass(frozen=True)
class Figure:
    name: str  # gconn.figure3
    shows: str
    claims: tuple = ()
    note: str = ""
    cannot: str = ""  # why it cannot be measured; "nothing is measured" for drawings and pseudo-code
    chart: Callable = None  # of Rows: its curves (plot.Chart), where it shows some


def words(patterns):
    return tuple(p for p in patterns.replace("\n", "").replace(" ", "").split(",") if p)


def full(pattern, backend):
    """Choosers bear the name of a backend only where it is not the usual one."""
    if pattern.startswith(ABSOLUTE) or (pattern.startswith("gconn_") and backend == "threads"):
        return pattern
    return f"{backend}.{pattern}"


def matches(variant, pattern):
    """A name, the names that begin with it and a dot, or what * and ? match."""
    return variant == pattern or variant.startswith(pattern + ".") or ("*" in pattern and fnmatch.fnmatchcase(variant, pattern))


def family(graph):
    """er of er:n=4,m=8 and of er23, grid of grid2d, usa of USA-road-d.NY, road of road_usa.mtx."""
    return re.search(r"[a-z]+", os.path.basename(graph).lower())[0]


DENSE = {"rmat", "kron", "er", "ba", "web"}
LONG = {"osm", "grid", "mesh", "usa", "path", "torus"}
ROADS = {"osm", "usa", "path", "clusters", "bits"}  # about two arcs per vertex or fewer
# The papers' own files: docs/explanation/reproduction.md says where they are. (d is of 2d-2e20, r of r4-2e23.)
DENSE |= {"soc", "ljournal", "com", "hollywood", "twitter", "indochina", "uk", "in", "cit", "citationciteseer", "copapersdblp", "amazon", "as",
          "internet", "r"}
LONG |= {"delaunay", "road", "europe", "d"}
ROADS |= {"road", "europe"}


class Rows:
    """Summary rows of one machine, by run. `backend` is threads or cuda."""

    def __init__(self, by_run, backend, facts=None):
        self.by_run, self.backend, self.facts = by_run, backend, facts or {}
        self.known = {}
        for run, rows in by_run.items():
            for row in rows:
                self.known.setdefault((run, row["graph"], row["measure"]), []).append(row)

    def graphs(self, run, of=None):
        names = dict.fromkeys(row["graph"] for row in self.by_run.get(run, []))
        return [g for g in names if of is None or family(g) in of]

    def all(self, run, graph, patterns, measure="solve", **keys):
        """Medians by variant of what has been measured and was not given up."""
        asked = [full(p, self.backend) for p in patterns]
        found = {}
        for row in self.known.get((run, graph, measure), []):
            fits = all(row["keys"].get(k, "") == v for k, v in keys.items())
            if fits and row["median"] != "" and any(matches(row["variant"], p) for p in asked):
                found[row["variant"]] = float(row["median"])
        return found

    def size(self, graph):
        """Vertices and arcs, where they are known."""
        return self.facts.get(graph)

    def best(self, run, graph, patterns, measure="solve", **keys):
        return min(self.all(run, graph, patterns, measure, **keys).values(), default=None)


def quotient(a, b):
    return None if a is None or not b else a / b


def present(values):
    return {k: v for k, v in values.items() if v is not None}


def printed(value, unit):
    return f"{value:g}{unit}" if unit == "x" else f"{value:g} {unit}"


def time_ratio(what, a, b, paper, text=None, *, run="rows", a_run=None, of=None, reason="", mean="geometric", backend=None, ceiling=False):
    """Time of the best of the patterns a over that of the best of b, per graph; where it says so, of one backend only."""
    a, b, first = words(a), words(b), a_run or run

    def each(rows):
        graphs = rows.graphs(run, of) if backend in (None, rows.backend) else []
        return present({g: quotient(rows.best(first, g, a), rows.best(run, g, b)) for g in graphs})

    return Claim(what, text or printed(paper, "x"), each, paper, ((first, a), (run, b)), reason, mean,
                 sized=text is None, ceiling=ceiling)


def share_of_graphs(what, patterns, among, paper, text, *, run="rows", of=None, reason=""):
    """On how many of the graphs the best of `among` is one of `patterns`, in per cent."""
    few, many = words(patterns), words(among)

    def each(rows):
        won = lambda g: quotient(rows.best(run, g, few), rows.best(run, g, many))
        return {g: 100.0 * (w <= 1) for g in rows.graphs(run, of) if (w := won(g)) is not None}

    return Claim(what, text, each, paper, ((run, few + many),), reason, "arithmetic", "% of graphs")


def distance(what, chooser, among, paper, *, run="rows", reason=""):
    """How much longer a chooser takes than the best, per cent on average: the score of GConn's section 4.7."""
    one, many = words(chooser), words(among)

    def far(rows, g):
        chosen = rows.best(run, g, one)
        best = rows.best(run, g, many)
        return quotient(chosen, min(filter(None, (chosen, best)), default=None))

    each = lambda rows: {g: 100 * (d - 1) for g in rows.graphs(run) if (d := far(rows, g)) is not None}
    return Claim(what, f"{paper:g} %", each, paper, ((run, one + many),), reason, "arithmetic", "%", ceiling=True)


def counted(what, variant, measure, per, paper, text, *, mean, run="counts", ceiling=False, of=None, reason=""):
    """A count of one solve as a share of the graph's vertices or arcs, per cent."""
    def each(rows):
        values = {}
        for g in rows.graphs(run, of):
            size = rows.size(g)
            found = rows.best(run, g, (variant,), measure)
            if size and found is not None:
                values[g] = 100 * found / size[per]
        return values

    return Claim(what, text, each, paper, ((run, (variant,)),), reason, mean, "%", ceiling=ceiling)


def count_ratio(what, a, b, measures, paper, text, *, run, of=None, reason="", mean="geometric"):
    """Counts of a over counts of b, summed over the measures."""
    total = lambda rows, g, v: sum(rows.best(run, g, (v,), m) or 0 for m in measures) or None
    each = lambda rows: present({g: quotient(total(rows, g, a), total(rows, g, b)) for g in rows.graphs(run, of)})
    return Claim(what, text or printed(paper, "x"), each, paper, ((run, (a, b)),), reason, mean)


def phase_share(what, variant, part, whole, paper, text, *, run, of=None, mean="median", reason=""):
    """Phases as a share of other phases, or of the solve, per cent."""
    def each(rows):
        values = {}
        for g in rows.graphs(run, of):
            took = lambda p: rows.best(run, g, (variant,), "phase", phase=p)
            parts = [took(p) for p in part]
            wholes = [rows.best(run, g, (variant,)) if p == "solve" else took(p) for p in whole]
            if None not in parts + wholes:
                values[g] = 100 * sum(parts) / sum(wholes)
        return values

    return Claim(what, text, each, paper, ((run, (variant,)),), reason, mean, "%")
