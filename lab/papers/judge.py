"""One strict rule for all claims.

A claim is judged on its own class of device alone. It is judged at all only if every series behind it has at least ten samples of a machine
whose load was at most one per core. "Reproduced": ours is within a factor of two of the paper's number, or of the range that it prints, and
on the same side of 1 if it is a ratio; where the paper says only which way it goes, the same side. The whole 95 % interval, by resampling, must
fit; if only a part of it does, the claim is undecided.
"""

import csv
import io
import math
from dataclasses import dataclass

from ..values import Value, percent, times

LEAST_SAMPLES, MOST_LOAD = 10, 1
NOT_YET = "not measured with the strict rules yet"


@dataclass(frozen=True)
class Judged:
    claim: object
    verdict: str
    value: Value = None  # the mean over the graphs
    low: float = None  # the interval
    high: float = None
    each: dict = None  # a Value per graph


def allowed(claim):
    """The least and the most that ours may be."""
    if claim.side:
        return (1, math.inf) if claim.side == "above" else (0, 1)
    low, high = claim.number[0] / 2, claim.number[-1] * 2
    if claim.unit == "x" and claim.number[0] > 1:
        low = max(low, 1)
    if claim.unit == "x" and claim.number[-1] < 1:
        high = min(high, 1)
    return low, high


def verdict_of(claim, low, high):
    least, most = allowed(claim)
    good = "reproduced" if claim.number else "same direction"
    if least <= low and high <= most:
        return good
    return f"not {good}" if high < least or low > most else "undecided"


def fault_of(each):
    """Why these values cannot be judged, or nothing."""
    series = [s for value in each.values() for s in value.series.values()]
    if not series:
        return "no samples"
    few = min(len(s.samples) for s in series)
    if few < LEAST_SAMPLES:
        return f"{few} sample{'s' if few > 1 else ''}"
    loads = [s.load for s in series]
    if None in loads:
        return "the machine's load was not recorded"
    if max(loads) > MOST_LOAD:
        return f"a load of {max(loads):.1f} per core"
    return ""


def judged(claim, rows):
    if claim.missing:
        return Judged(claim, f"not measured: {claim.missing}")
    each = claim.each(rows)
    if fault := fault_of(each):
        return Judged(claim, f"{NOT_YET}: {fault}", each=each)
    value = Value.of(claim.mean, *each.values())
    low, high = value.interval()
    return Judged(claim, verdict_of(claim, low, high), value, low, high, each)


def shown(number, unit):
    return times(number) if unit == "x" else percent(number)


def ours(one):
    """The mean and its interval, or a dash."""
    if one.value is None:
        return "–"
    unit = one.claim.unit
    return f"{shown(one.value.number, unit)} ({shown(one.low, unit)} to {shown(one.high, unit)})"


def text_of(figure, all_judged):
    out = [f"{figure.name}: {figure.shows}"]
    table = [
        ("claim", "device", "paper", "ours", "verdict"),
        *((j.claim.what, j.claim.device, j.claim.paper, ours(j), j.verdict) for j in all_judged),
    ]
    widths = [max(len(line[k]) for line in table) for k in range(4)]
    out += ["  ".join([*(cell.ljust(w) for cell, w in zip(line, widths)), line[4]]).rstrip() for line in table]
    return "\n".join(out) + "\n"


def csv_of(figure, all_judged):
    """A line for every claim, and one for each of its graphs."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["figure", "claim", "device", "graph", "paper", "ours", "low", "high", "unit", "verdict"])
    number = lambda v: "" if v is None else f"{v:.6g}"
    for j in all_judged:
        writer.writerow(
            [
                figure.name,
                j.claim.what,
                j.claim.device,
                "*",
                j.claim.paper,
                number(j.value and j.value.number),
                number(j.low),
                number(j.high),
                j.claim.unit,
                j.verdict,
            ]
        )
        for graph, value in (j.each or {}).items():
            writer.writerow([figure.name, j.claim.what, j.claim.device, graph, "", number(value.number), "", "", j.claim.unit, ""])
    return out.getvalue()


def points_of(chart, rows):
    """By name, the points of every curve that has some, in the order of the axis."""
    return {name: sorted(points, key=lambda p: p[0]) for name, points in chart.curves(rows).items() if points}


def chart_text_of(chart, rows):
    """A line for every curve, a column for every place on the axis, where a curve may have several points. Empty without points."""
    curves = points_of(chart, rows)
    if not curves:
        return ""
    places = sorted({x for points in curves.values() for x, _ in points})
    cell = lambda name, x: "/".join(f"{value.number:.4g}" for at, value in curves[name] if at == x) or "–"
    table = [[chart.x, *(f"{x:g}" for x in places)], *([name, *(cell(name, x) for x in places)] for name in curves)]
    widths = [max(len(line[k]) for line in table) for k in range(len(table[0]))]
    lines = ["  ".join([line[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(line[1:], widths[1:]))]) for line in table]
    return "\n".join([f"{chart.title} ({chart.y})", *lines]) + "\n"


def chart_csv_of(figure, rows):
    """A line for every point, with its 95 % interval. Empty without points."""
    curves = points_of(figure.chart, rows)
    if not curves:
        return ""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["figure", "curve", figure.chart.x, figure.chart.y, "low", "high"])
    for name, points in curves.items():
        for x, value in points:
            writer.writerow([figure.name, name, f"{x:g}", *(f"{n:.6g}" for n in (value.number, *value.interval()))])
    return out.getvalue()
