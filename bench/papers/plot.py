"""Figures as SVG. Claims: a line for each on a logarithmic axis, a dot for each graph, a bar for ours, a diamond for the paper's number. Charts:
curves on plain axes, a dot for each measured point, diamonds for what the paper prints."""

import math
from dataclasses import dataclass
from html import escape

from .judging import lines_of

LEFT, WIDTH, LINE, TOP, BOTTOM = 330, 460, 34, 48, 46
INK, GREY, OURS, PAPER = "#333333", "#777777", "#1f77b4", "#d95f02"
CURVES = (OURS, "#2ca02c", "#9467bd", "#8c564b")
CHART_LEFT, CHART_HEIGHT, KEY = 56, 240, 150  # KEY: the width of the names beside the curves


def ticks(low, high):
    """1, 2 and 5 times powers of ten; the powers alone where these are many."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) < 5 else (1,)
    return [float(f"{s}e{p}") for p in powers for s in steps if low <= float(f"{s}e{p}") <= high]


def even_ticks(low, high, most=8):
    """Multiples of 1, 2 or 5 times a power of ten, the finest of which there are at most so many."""
    power = math.floor(math.log10((high - low) / most))
    step = next(s * 10**p for p in (power, power + 1) for s in (1, 2, 5) if (high - low) / (s * 10**p) <= most)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def opened(width, height):
    return [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
            f'<rect width="{width}" height="{height}" fill="white"/>']


def text(x, y, what, anchor="start", fill=INK, size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}" font-size="{size}">{escape(what)}</text>'


def line(x1, y1, x2, y2, strong):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{"#999999" if strong else "#e5e5e5"}"/>'


def dot(x, y, fill, title, opacity=""):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}"{opacity}><title>{escape(title)}</title></circle>'


def diamond(x, y):
    return f'<path d="M{x:.1f} {y - 7:.1f}l6 7l-6 7l-6 -7z" fill="none" stroke="{PAPER}" stroke-width="2"/>'


def svg_of(figure, rows, machine):
    lines = list(lines_of(figure, rows))
    values = [v for claim, value, each, _ in lines for v in (value, claim.number, *each.values()) if v is not None and v > 0]
    low, high = min(values, default=.5) / 1.3, max(values, default=2) * 1.3
    if high / low < 4:
        low, high = low / 1.5, high * 1.5
    x = lambda v: LEFT + WIDTH * math.log(max(v, low) / low) / math.log(high / low)
    bottom = TOP + LINE * len(lines)
    out = opened(LEFT + WIDTH + 20, bottom + BOTTOM)
    out.append(text(10, 18, f"{figure.name}: {figure.shows}", size=13))
    out.append(text(10, 35, f"blue: {machine}, one dot per graph, bar: mean; orange: the paper", fill=GREY, size=11))
    for tick in ticks(low, high):
        out += [line(x(tick), TOP, x(tick), bottom, tick == 1), text(x(tick), bottom + 16, f"{tick:g}", "middle")]
    for k, (claim, value, each, _) in enumerate(lines):
        y = TOP + LINE * (k + .5)
        out.append(text(LEFT - 10, y + 4, f"{claim.what} ({claim.unit})", "end"))
        out += [dot(x(one), y, OURS, f"{graph}: {one:.3g}", ' fill-opacity=".45"') for graph, one in each.items()]
        if value is not None:
            out.append(f'<rect x="{x(value) - 1.5:.1f}" y="{y - 10:.1f}" width="3" height="20" fill="{OURS}"/>')
        if claim.number:
            out.append(diamond(x(claim.number), y))
    out.append(text(LEFT + WIDTH / 2, bottom + 36, "ratio or per cent, logarithmic", "middle", GREY, 11))
    return "\n".join(out) + "\n</svg>\n"


@dataclass(frozen=True)
class Chart:
    title: str
    x: str  # what the axes show
    y: str
    curves: dict  # by name, pairs of x and y
    marks: tuple = ()  # pairs that the paper prints
    least: float = 0  # the axis of y shows both, and what is beyond them
    most: float = 0
    base: float = 0  # the line that stands out


def chart_svg(chart):
    points = [p for of in chart.curves.values() for p in of] + list(chart.marks)
    far = max((x for x, _ in points), default=1) * 1.04
    low, high = (pick([at, *(y for _, y in points)]) for pick, at in ((min, chart.least), (max, chart.most)))
    high += (high - low or 1) * .06
    bottom, right = TOP + CHART_HEIGHT, CHART_LEFT + WIDTH
    x = lambda v: CHART_LEFT + WIDTH * v / far
    y = lambda v: bottom - CHART_HEIGHT * (v - low) / (high - low)
    out = opened(right + KEY, bottom + BOTTOM)
    out.append(text(10, 18, chart.title, size=13))
    out.append(text(10, 35, chart.y + ("; orange: the paper" if chart.marks else ""), fill=GREY, size=11))
    for tick in even_ticks(low, high):
        out += [line(CHART_LEFT, y(tick), right, y(tick), tick == chart.base), text(CHART_LEFT - 6, y(tick) + 4, f"{tick:g}", "end")]
    for tick in even_ticks(0, far, 10):
        out += [line(x(tick), TOP, x(tick), bottom, False), text(x(tick), bottom + 16, f"{tick:g}", "middle")]
    for k, (name, of) in enumerate(chart.curves.items()):
        colour = CURVES[k % len(CURVES)]
        way = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in of)
        out.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        out += [dot(x(a), y(b), colour, f"{name}: {a:.3g}, {b:.3g}") for a, b in of]
        out += [dot(right + 16, TOP + 20 * k, colour, name), text(right + 26, TOP + 4 + 20 * k, name, size=11)]
    out += [diamond(x(a), y(b)) for a, b in chart.marks]
    out.append(text(CHART_LEFT + WIDTH / 2, bottom + 36, chart.x, "middle", GREY, 11))
    return "\n".join(out) + "\n</svg>\n"
