"""The tables of docs/explanation/reproduction.md: every figure of the four papers, from the stored samples of the runs that its claims need."""

import functools

from papers import FIGURES
from papers.claims import Rows
from papers.judging import holds, shown, value_of, verdict
from papers.runs import BACKENDS, RUNS, kept
from table_kit import table


@functools.cache
def columns(s):
    """What is stored of every run, by column of the page."""
    facts = {name: {k: int(f[k]) for k in ("vertices", "arcs")} for name, f in s.graph_facts().items() if f["vertices"] and f["arcs"]}
    by_column = {column: {name: kept(s, name, column) for name in RUNS} for column in BACKENDS}
    return {column: Rows(by_run, BACKENDS[column], facts) for column, by_run in by_column.items()}


def verdict_of(figure, claim, values):
    """One for all machines; a claim that is not reproduced somewhere must say why."""
    measured = {column: value for column, value in values.items() if value is not None}
    if not measured:
        if not claim.reason:
            raise ValueError(f"{figure.name}, {claim.what}: nothing is stored, and no reason is given")
        return f"not measured: {claim.reason}"
    good = [column for column, value in measured.items() if holds(claim, value)]
    bad = [column for column in measured if column not in good]
    if not bad:
        return max((verdict(claim, measured[column]) for column in good), key=lambda v: v == "reproduced")
    if not claim.reason:
        raise ValueError(f"{figure.name}, {claim.what}: not reproduced on {', '.join(bad)}, and no reason is given")
    where = f"reproduced on {', '.join(good)}; not on {', '.join(bad)}" if good else "not reproduced"
    return f"{where}: {claim.reason}"


def rows_of(figure, by_column):
    if figure.cannot:
        yield [f"`{figure.name}`", figure.shows, *[""] * (1 + len(by_column)), figure.cannot, figure.note]
        return
    for k, claim in enumerate(figure.claims):
        values = {column: value_of(claim, rows)[0] for column, rows in by_column.items()}
        name, note = (f"`{figure.name}`", figure.note) if k == 0 else ("", "")
        yield [name, f"{figure.shows}: {claim.what}" if k == 0 else claim.what, claim.paper,
               *(shown(v, claim.unit) for v in values.values()), verdict_of(figure, claim, values), note]


def register(paper):
    @table(f"reproduction_{paper}")
    def _(s):
        by_column = columns(s)
        head = ["figure", "what it shows", "the paper", *by_column, "verdict", "remark"]
        return [head] + [line for figure in FIGURES if figure.name.startswith(f"{paper}.") for line in rows_of(figure, by_column)]


@table("reproduction_versions")
def versions(s):
    """Which commit the samples of each column are of, -dirty with changes that were not committed, and for which runs."""
    found = {}
    for k, column in enumerate(BACKENDS):
        for name in RUNS:
            for row in kept(s, name, column):
                found.setdefault((k, row["commit"]), {})[name] = True
    return [["machine", "commit", "runs"]] + [[list(BACKENDS)[k], f"`{commit}`", ", ".join(f"`{n}`" for n in names)]
                                              for (k, commit), names in sorted(found.items())]


for name in ("gconn", "ecl", "cm", "bk"):
    register(name)
