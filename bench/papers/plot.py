"""A figure as SVG: a line for each claim on a logarithmic axis, a dot for each graph, a bar for ours, a diamond for the paper's number."""

import math
from html import escape

from .judging import lines_of

LEFT, WIDTH, LINE, TOP, BOTTOM = 330, 460, 34, 48, 46
INK, OURS, PAPER = "#333333", "#1f77b4", "#d95f02"


def ticks(low, high):
    """1, 2 and 5 times powers of ten; the powers alone where these are many."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) < 5 else (1,)
    return [float(f"{s}e{p}") for p in powers for s in steps if low <= float(f"{s}e{p}") <= high]


def svg_of(figure, rows, machine):
    lines = list(lines_of(figure, rows))
    values = [v for claim, value, each, _ in lines for v in (value, claim.number, *each.values()) if v is not None and v > 0]
    low, high = min(values, default=.5) / 1.3, max(values, default=2) * 1.3
    if high / low < 4:
        low, high = low / 1.5, high * 1.5
    x = lambda v: LEFT + WIDTH * math.log(max(v, low) / low) / math.log(high / low)
    height = TOP + LINE * len(lines) + BOTTOM
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{LEFT + WIDTH + 20}" height="{height}" fill="white"/>']

    def text(px, py, what, anchor="start", fill=INK, size=12):
        out.append(f'<text x="{px:.1f}" y="{py:.1f}" text-anchor="{anchor}" fill="{fill}" font-size="{size}">{escape(what)}</text>')

    text(10, 18, f"{figure.name}: {figure.shows}", size=13)
    text(10, 35, f"blue: {machine}, one dot per graph, bar: mean; orange: the paper", fill="#777777", size=11)
    bottom = TOP + LINE * len(lines)
    for tick in ticks(low, high):
        out.append(f'<line x1="{x(tick):.1f}" y1="{TOP}" x2="{x(tick):.1f}" y2="{bottom}" stroke="{"#999999" if tick == 1 else "#e5e5e5"}"/>')
        text(x(tick), bottom + 16, f"{tick:g}", "middle")
    for k, (claim, value, each, _) in enumerate(lines):
        y = TOP + LINE * (k + .5)
        text(LEFT - 10, y + 4, f"{claim.what} ({claim.unit})", "end")
        for graph, one in each.items():
            out.append(f'<circle cx="{x(one):.1f}" cy="{y:.1f}" r="4" fill="{OURS}" fill-opacity=".45">'
                       f"<title>{escape(graph)}: {one:.3g}</title></circle>")
        if value is not None:
            out.append(f'<rect x="{x(value) - 1.5:.1f}" y="{y - 10:.1f}" width="3" height="20" fill="{OURS}"/>')
        if claim.number:
            px = x(claim.number)
            out.append(f'<path d="M{px:.1f} {y - 7:.1f}l6 7l-6 7l-6 -7z" fill="none" stroke="{PAPER}" stroke-width="2"/>')
    text(LEFT + WIDTH / 2, bottom + 36, "ratio or per cent, logarithmic", "middle", "#777777", 11)
    return "\n".join(out) + "\n</svg>\n"
