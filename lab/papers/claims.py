"""A claim is one number of a paper, on one class of device, and how ours is found in samples.

Their machines are other ones than ours, so nearly all claims are ratios of times: "A : B" is time of A over time of B. One rule judges
every claim (judge.py); a claim says only what is compared.
"""

import fnmatch
import os
import re
from dataclasses import dataclass
from typing import Callable

from ..values import Value, constant, least, median, most, over

ABSOLUTE = ("serial.", "threads.", "cuda.", "hybrid.", "auto", "way.")  # names that belong to no backend: way.NAME is no variant at all
BACKENDS = {"cpu": "threads", "gpu": "cuda"}


@dataclass(frozen=True)
class Claim:
    what: str
    device: str  # cpu or gpu: the class of device that the paper's number is of
    paper: str  # as the page prints it
    number: tuple = ()  # from least to most, where the paper prints one or several
    side: str = ""  # above or below, where the paper says only which way it goes
    each: Callable = None  # of Rows: a Value for each graph; None: nothing measures it
    needs: tuple = ()  # pairs of a run and the patterns of variants that it needs of it
    mean: str = "geometric"
    unit: str = "x"
    missing: str = ""  # why nothing measures it


@dataclass(frozen=True)
class Chart:
    title: str
    x: str  # what the axes show
    y: str
    curves: Callable  # of Rows: by name, pairs of x and a Value
    needs: tuple = ()  # as those of a claim: what the figure's claims do not need
    device: str = ""  # cpu or gpu, where it is drawn for that alone


@dataclass(frozen=True)
class Figure:
    name: str  # gconn.figure3
    shows: str
    claims: tuple = ()
    nothing: str = ""  # why nothing of it is measured: drawings, pseudo-code
    chart: Chart = None


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
DENSE |= {
    "soc",
    "ljournal",
    "com",
    "hollywood",
    "twitter",
    "indochina",
    "uk",
    "in",
    "cit",
    "citationciteseer",
    "copapersdblp",
    "amazon",
    "as",
    "internet",
    "r",
}
LONG |= {"delaunay", "road", "europe", "d"}
ROADS |= {"road", "europe"}


class Rows:
    """Series of one class of device, by run."""

    def __init__(self, series, device):
        self.device, self.backend = device, BACKENDS[device]
        self.known = {}
        for s in series:
            self.known.setdefault((s.keys.get("run", ""), s.graph), []).append(s)

    def graphs(self, run, of=None):
        names = dict.fromkeys(graph for known, graph in self.known if known == run)
        return [g for g in names if of is None or family(g) in of]

    def all(self, run, graph, patterns, measure="solve", **keys):
        asked = [full(p, self.backend) for p in patterns]
        return [
            s
            for s in self.known.get((run, graph), [])
            if s.measure == measure and any(matches(s.variant, p) for p in asked) and all(s.keys.get(k, "") == v for k, v in keys.items())
        ]

    def best(self, run, graph, patterns, measure="solve", **keys):
        """The least median."""
        return least(median(s) for s in self.all(run, graph, patterns, measure, **keys))

    def fastest(self, run, graph, patterns, **keys):
        """The most operations per second."""
        return most(median(s) for s in self.all(run, graph, patterns, "rate", **keys))


def present(values):
    return {k: v for k, v in values.items() if v is not None}


def interval(number):
    return () if number is None else number if isinstance(number, tuple) else (number, number)


def claim(what, device, paper, each, needs=(), mean="geometric", unit="x", text=""):
    """`paper`: a number, a pair of the least and the most, or "above" or "below"."""
    side = paper if paper in ("above", "below") else ""
    number = () if side else interval(paper)
    shown = text or (f"{side} 1" if side else " to ".join(f"{n:g}" for n in dict.fromkeys(number)) + ("x" if unit == "x" else " %"))
    return Claim(what, device, shown, number, side, each, needs, mean, unit)


def missing(what, device, paper, why):
    return Claim(what, device, paper, missing=why)


def time_ratio(what, device, a, b, paper, *, run="rows", a_run=None, of=None, mean="geometric", text="", **keys):
    """Time of the best of the patterns a over that of the best of b, per graph."""
    a, b, first = words(a), words(b), a_run or run
    each = lambda rows: present({g: over(rows.best(first, g, a, **keys), rows.best(run, g, b, **keys)) for g in rows.graphs(run, of)})
    return claim(what, device, paper, each, ((first, a), (run, b)), mean, text=text)


def share_of_graphs(what, device, patterns, among, paper, text, *, run="rows", of=None):
    """On how many of the graphs the best of `among` is one of `patterns`, in per cent."""
    few, many = words(patterns), words(among)

    def each(rows):
        pairs = {g: (rows.best(run, g, few), rows.best(run, g, many)) for g in rows.graphs(run, of)}
        return {g: Value.of("best", *pair) for g, pair in pairs.items() if None not in pair}

    return claim(what, device, paper, each, ((run, few + many),), "arithmetic", "% of graphs", text)


def distance(what, device, chooser, among, paper, *, run="rows"):
    """How much longer a chooser takes than the best, per cent on average: the score of GConn's section 4.7."""
    one, many = words(chooser), words(among)

    def far(rows, g):
        chosen = rows.best(run, g, one)
        ratio = over(chosen, least((chosen, rows.best(run, g, many)))) if chosen else None
        return (ratio - constant(1)) * constant(100) if ratio else None

    return claim(what, device, paper, lambda rows: present({g: far(rows, g) for g in rows.graphs(run)}), ((run, one + many),), "arithmetic", "%")


def counted(what, device, variant, measure, per, paper, text, *, mean, run="counts"):
    """A count of one solve as a share of the graph's vertices or arcs, per cent."""

    def each(rows):
        shares = {g: over(rows.best(run, g, (variant,), measure), rows.best(run, g, (variant,), per)) for g in rows.graphs(run)}
        return {g: s * constant(100) for g, s in shares.items() if s is not None}

    return claim(what, device, paper, each, ((run, (variant,)),), mean, "%", text)


def phase_share(what, device, variant, part, whole, paper, text, *, run, mean="middle"):
    """Phases as a share of other phases, or of the solve, per cent."""

    def each(rows):
        values = {}
        for g in rows.graphs(run):
            took = lambda p: rows.best(run, g, (variant,)) if p == "solve" else rows.best(run, g, (variant,), "phase", phase=p)
            parts, wholes = [took(p) for p in part], [took(p) for p in whole]
            if None not in parts + wholes:
                values[g] = Value.of("sum", *parts) / Value.of("sum", *wholes) * constant(100)
        return values

    return claim(what, device, paper, each, ((run, (variant,)),), mean, "%", text)


def rate_ratio(what, device, variants, first, second, paper, *, run, of=None, other=None, text=""):
    """Operations per second of the best of these variants with the keys of `first`, over those of `other` (the same) with those of `second`."""
    ours, theirs = words(variants), words(other or variants)
    each = lambda rows: present({g: over(rows.fastest(run, g, ours, **first), rows.fastest(run, g, theirs, **second)) for g in rows.graphs(run, of)})
    return claim(what, device, paper, each, ((run, ours + theirs),), text=text)
