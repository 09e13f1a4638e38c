"""Figures as SVG: bars per graph, with intervals and the number that the paper prints; and curves over threads, sizes, shares or queries."""

import math
from html import escape

from .judge import points_of

LEFT, WIDTH, HEIGHT, TOP, BOTTOM, KEY = 64, 620, 260, 48, 62, 340
INK, GREY, PAPER = "#333333", "#777777", "#d95f02"
COLOURS = ("#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#17becf", "#bcbd22", "#7f7f7f")


def text(x, y, what, anchor="start", fill=INK, size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}" font-size="{size}">{escape(what)}</text>'


def line(x1, y1, x2, y2, colour="#e5e5e5", dashes=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dashes}/>'


def opened(title, about):
    width, height = LEFT + WIDTH + KEY, TOP + HEIGHT + BOTTOM
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        text(10, 18, title, size=13),
        text(10, 35, about, fill=GREY, size=11),
    ]


def key(names):
    out = []
    for k, name in enumerate(names):
        y = TOP + 10 + 20 * k
        out += [
            f'<rect x="{LEFT + WIDTH + 14}" y="{y - 9}" width="11" height="11" fill="{COLOURS[k % len(COLOURS)]}"/>',
            text(LEFT + WIDTH + 30, y, name, size=11),
        ]
    return out


class Axis:
    """Maps numbers to a span of pixels, on a logarithmic scale where they span more than a factor of 30."""

    def __init__(self, numbers, first, last, logarithmic=None, zero=False):
        low, high = min(numbers), max(numbers)
        self.logarithmic = low > 0 and high / low > 30 if logarithmic is None else logarithmic
        if self.logarithmic:
            low, high = low / 1.2, high * 1.2
        else:
            pad = 0.06 * (high - low or abs(high) or 1)
            low, high = 0 if zero and low >= 0 else low - pad, high + pad
        self.low, self.high, self.first, self.last = low, high, first, last

    def __call__(self, number):
        scale = math.log if self.logarithmic else float
        part = (scale(max(number, self.low)) - scale(self.low)) / (scale(self.high) - scale(self.low))
        return self.first + (self.last - self.first) * part

    def ticks(self, most=8):
        if self.logarithmic:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            found = [float(f"{s}e{p}") for p in powers for s in ((1, 2, 5) if len(powers) < 5 else (1,))]
        else:
            power = math.floor(math.log10((self.high - self.low) / most))
            step = next(s * 10**p for p in (power, power + 1) for s in (1, 2, 5) if (self.high - self.low) / (s * 10**p) <= most)
            found = [step * k for k in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]
        return [t for t in found if self.low <= t <= self.high]


def frame(y, base=None):
    out = []
    for tick in y.ticks():
        out += [line(LEFT, y(tick), LEFT + WIDTH, y(tick), "#999999" if tick == base else "#e5e5e5"), text(LEFT - 6, y(tick) + 4, f"{tick:g}", "end")]
    return out


def bars_svg(figure, all_judged):
    """A group of bars for every graph, a bar for every claim; its number in the paper as a dashed line across its group. None without values."""
    shown = [j for j in all_judged if j.each]
    if not shown:
        return None
    graphs = list(dict.fromkeys(g for j in shown for g in j.each))
    spans = {(k, g): j.each[g].interval() for k, j in enumerate(shown) for g in graphs if g in j.each}
    numbers = [n for low, high in spans.values() for n in (low, high)] + [n for j in shown for n in j.claim.number if n > 0]
    if shown[0].claim.unit == "x":
        numbers.append(1)
    y = Axis([max(n, 1e-3) for n in numbers], TOP + HEIGHT, TOP, zero=shown[0].claim.unit != "x")
    base = 1 if shown[0].claim.unit == "x" else 0
    out = opened(
        f"{figure.name}: {figure.shows}",
        f"ours per graph, {'ratios' if shown[0].claim.unit == 'x' else shown[0].claim.unit}, with 95 % intervals; dashed: the paper",
    ) + frame(y, base)
    group = WIDTH / len(graphs)
    width = 0.8 * group / len(shown)
    for i, g in enumerate(graphs):
        out.append(text(LEFT + group * (i + 0.5), TOP + HEIGHT + 16 + 12 * (i % 3), g[:34], "middle", size=10))
        for k, j in enumerate(shown):
            if g not in j.each:
                continue
            x, value, (low, high) = LEFT + group * i + 0.1 * group + width * k, j.each[g].number, spans[k, g]
            top, bottom = sorted((y(value), y(max(base, y.low))))
            out.append(
                f'<rect x="{x:.1f}" y="{top:.1f}" width="{max(width - 1, 1):.1f}" height="{max(bottom - top, 1):.1f}" fill="{COLOURS[k % len(COLOURS)]}">'
                f"<title>{escape(j.claim.what)}, {escape(g)}: {value:.3g}</title></rect>"
            )
            out.append(line(x + width / 2, y(low), x + width / 2, y(high), INK))
            out += [line(x, y(n), x + width, y(n), PAPER, ' stroke-width="2" stroke-dasharray="4 2"') for n in dict.fromkeys(j.claim.number) if n > 0]
    return "\n".join(out + key([f"{j.claim.what}" for j in shown])) + "\n</svg>\n"


def chart_svg(chart, rows):
    """A curve for every name, a dot for every measured point. None without points."""
    curves = points_of(chart, rows)
    if not curves:
        return None
    x = Axis([float(a) for points in curves.values() for a, _ in points], LEFT + 8, LEFT + WIDTH - 8)
    y = Axis([v.number for points in curves.values() for _, v in points], TOP + HEIGHT, TOP, zero=True)
    out = opened(chart.title, chart.y) + frame(y)
    for tick in x.ticks(10):
        out += [line(x(tick), TOP, x(tick), TOP + HEIGHT), text(x(tick), TOP + HEIGHT + 16, f"{tick:g}", "middle")]
    for k, (name, points) in enumerate(curves.items()):
        colour = COLOURS[k % len(COLOURS)]
        way = " ".join(f"{x(a):.1f},{y(v.number):.1f}" for a, v in points)
        out.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        out += [
            f'<circle cx="{x(a):.1f}" cy="{y(v.number):.1f}" r="3.5" fill="{colour}"><title>{escape(name)}: {a:g}, {v.number:.4g}</title></circle>'
            for a, v in points
        ]
    out.append(text(LEFT + WIDTH / 2, TOP + HEIGHT + 38, chart.x, "middle", GREY, 11))
    return "\n".join(out + key(curves)) + "\n</svg>\n"
