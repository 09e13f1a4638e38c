"""What a figure's claims come to in measured rows: values, verdicts, text and CSV."""

import csv
import io

from .claims import MEANS


def value_of(claim, rows):
    """The mean over the graphs, and the value of each."""
    each = claim.each(rows)
    if not each or (claim.mean == "geometric" and min(each.values()) <= 0):
        return None, each
    return MEANS[claim.mean](each.values()), each


def holds(claim, value):
    if claim.holds is None:
        return True
    low, high = claim.holds
    return low <= value <= high


def verdict(claim, value):
    if value is None:
        return "not measured"
    if claim.holds is None:
        return "measured; the paper prints no number"
    if holds(claim, value):
        return "reproduced" if not claim.sized or .5 <= value / claim.paper_value <= 2 else "reproduced in order"
    return f"not reproduced: {claim.reason}" if claim.reason else "not reproduced"


def shown(value, unit):
    if value is None:
        return "–"
    if unit == "x":
        return f"{value:.2g}x" if value < .095 else f"{value:.2f}x" if value < 100 else f"{value:.0f}x"
    return f"{value:.1f} %"


def spread(each, unit):
    return "" if len(each) < 2 else f"{shown(min(each.values()), unit)} .. {shown(max(each.values()), unit)}"


def lines_of(figure, rows):
    for claim in figure.claims:
        value, each = value_of(claim, rows)
        over = value / claim.number if value is not None and claim.number else None
        yield claim, value, each, over


def text_of(figure, rows, judged=True):
    """For a terminal: the paper's number, ours and, if judged, the verdict and its causes, claim by claim."""
    out = [f"{figure.name}: {figure.shows}"]
    table = [("claim", "paper", "ours", "over the graphs", "ours / paper", "verdict" if judged else "")]
    for claim, value, each, over in lines_of(figure, rows):
        table.append((claim.what, claim.paper, shown(value, claim.unit), spread(each, claim.unit),
                      f"{over:.2f}" if over is not None else "", verdict(claim, value) if judged else ""))
    widths = [max(len(line[k]) for line in table) for k in range(5)]
    out += ["  ".join([*(cell.ljust(w) for cell, w in zip(line, widths)), line[5]]).rstrip() for line in table]
    if not judged:
        out.append("no verdicts: one trial shows only that the commands run")
    elif figure.note:
        out.append(f"note: {figure.note}")
    return "\n".join(out) + "\n"


def csv_of(figure, rows, judged=True):
    """A line for the mean of every claim, with its verdict if judged, and one for each graph."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["figure", "claim", "graph", "paper", "ours", "ours_over_paper", "unit", "verdict"])
    for claim, value, each, over in lines_of(figure, rows):
        number = lambda v: "" if v is None else f"{v:.4g}"
        writer.writerow([figure.name, claim.what, "*", claim.paper, number(value), number(over), claim.unit,
                         verdict(claim, value) if judged else ""])
        for graph, one in each.items():
            writer.writerow([figure.name, claim.what, graph, "", number(one), "", claim.unit, ""])
    return out.getvalue()
