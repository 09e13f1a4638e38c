"""The tables of docs/explanation/reproduction.md: a line for every claim, judged by the samples of its own class of device."""

import functools

from ..render import table
from . import FIGURES
from .claims import Rows
from .judge import judged, ours
from .runs import RUNS

MACHINES = {"cpu": "xeon16", "gpu": "h200"}  # whose samples the page judges


def allowed_series(series):
    """Those that were measured with the options that their run has now."""
    for s in series:
        run = RUNS.get(s.keys.get("run", ""))
        if run and all(s.keys.get(k) == v for k, v in run.pairs):
            yield s


def rows_of(store):
    found = {}
    for device, machine in MACHINES.items():
        series = store["figures"].all(machine=machine, run=None)
        found[device] = Rows(allowed_series(series), device)
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


def lines(store, paper):
    for figure in (f for f in FIGURES if f.name.startswith(f"{paper}.")):
        if figure.nothing:
            yield [f"`{figure.name}`", figure.shows, "", "", "", figure.nothing]
        for k, one in enumerate(all_judged(store)[figure.name]):
            claim = one.claim
            what = f"{figure.shows}: {claim.what}" if k == 0 else claim.what
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
