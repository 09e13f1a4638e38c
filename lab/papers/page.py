"""The tables of docs/explanation/reproduction.md: a line for every claim, judged by the samples of its own class of device."""

import functools

from ..render import table
from . import FIGURES
from .claims import Rows
from .judge import judged, ours
from .runs import RUNS, vertices_of

MACHINES = {"cpu": ("h100-host", "xeon16"), "gpu": ("h100", "h200")}  # a run is that of the first machine that has samples of it


def allowed_series(series):
    """Those that were measured with the options that their run has now."""
    for s in series:
        run = RUNS.get(s.keys.get("run", ""))
        if run and all(s.keys.get(k) == v for k, v in run.pairs):
            yield s


def rows_of(store):
    found = {}
    for device, machines in MACHINES.items():
        chosen = {}
        for machine in reversed(machines):
            of_machine = {}
            for s in allowed_series(store["figures"].all(machine=machine, run=None)):
                of_machine.setdefault(s.keys["run"], []).append(s)
            chosen |= of_machine
        found[device] = Rows((s for series in chosen.values() for s in series), device)
    return found


class Ours:
    """A cell for a claim: text for the page, the judged claim for programs."""

    def __init__(self, one):
        self.judged = one

    def __str__(self):
        return ours(self.judged)


@functools.lru_cache(maxsize=1)
def all_judged(store):
    """Every claim of every figure, by figure."""
    rows = rows_of(store)
    return {figure.name: [judged(claim, rows[claim.device]) for claim in figure.claims] for figure in FIGURES}


def in_cache(store, one):
    """On how many graphs of a claim about times the labels, 4 bytes each, fit the last-level cache; empty if on none."""
    caches = {m["name"]: float(m["cache_mb"] or 0) * 1e6 for m in store.table("machines")}
    timed = {g: v for g, v in (one.each or {}).items() if any(s.unit != "count" for s in v.series.values())}
    small = [g for g, v in timed.items() if (n := vertices_of(g)) and all(4 * n <= caches[s.machine] for s in v.series.values())]
    if one.value is None or not small:
        return ""
    return "; labels fit the cache" + (f" on {len(small)} of {len(timed)} graphs" if len(small) < len(timed) else "")


def lines(store, paper):
    for figure in (f for f in FIGURES if f.name.startswith(f"{paper}.")):
        if figure.nothing:
            yield [f"`{figure.name}`", figure.shows, "", "", "", figure.nothing]
        for k, one in enumerate(all_judged(store)[figure.name]):
            claim = one.claim
            what = f"{figure.shows}: {claim.what}" if k == 0 else claim.what
            what += in_cache(store, one)
            yield [f"`{figure.name}`" if k == 0 else "", what, claim.device.upper(), claim.paper, Ours(one), one.verdict]


HEAD = ["figure", "what it shows", "device", "the paper", "ours (95 %)", "verdict"]


@table
def reproduction_gconn(store):
    return [HEAD, *lines(store, "gconn")]


@table
def reproduction_ecl(store):
    return [HEAD, *lines(store, "ecl")]


@table
def reproduction_cm(store):
    return [HEAD, *lines(store, "cm")]


@table
def reproduction_bk(store):
    return [HEAD, *lines(store, "bk")]


@table
def reproduction_verdicts(store):
    """How many claims have which verdict, by paper."""
    kinds = ("reproduced", "same direction", "undecided", "not reproduced", "not same direction", "not measured")
    rows = [["paper", "claims", *kinds]]
    for paper, name in (("gconn", "GConn"), ("ecl", "ECL"), ("cm", "CM"), ("bk", "BK")):
        verdicts = [line[5] for line in lines(store, paper) if line[4]]
        count = lambda kind: sum(v.startswith(kind) for v in verdicts)
        rows.append([name, str(len(verdicts)), *(str(count(k)) for k in kinds)])
    return rows
