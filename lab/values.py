"""Numbers that know the samples they are made of, so that another program can compute them again (tests/lab/recompute.py).

An expression is a list: an operator and its operands. Leaves name a series: ["median", KEY]; or a cell of a table: ["cell", FILE, ROW, COLUMN].
"""

import math
import random
import statistics

MEANS = {
    "geometric": statistics.geometric_mean,
    "harmonic": statistics.harmonic_mean,
    "arithmetic": statistics.fmean,
    "middle": statistics.median,
    "least": min,
    "most": max,
}
RESAMPLES = 400


def halves(samples):
    return samples[0::2], samples[1::2]


def best_on_first_half(candidates):
    """The pair of a name and samples whose median over every other sample is least."""
    return min(candidates, key=lambda c: statistics.median(halves(c[1])[0]))


def evaluate(expression, samples):
    """The number of an expression; `samples(key)` gives those of a series."""
    operator, *operands = expression
    if operator in ("median", "min", "max", "count"):
        found = samples(operands[0])
        return {"median": statistics.median, "min": min, "max": max, "count": len}[operator](found)
    if operator in ("constant", "cell"):
        return operands[-1]
    if operator == "held_out":  # the candidate that is best on one half of the samples, judged on the other
        name, of = best_on_first_half([(name, samples(key)) for name, key in operands])
        return statistics.median(halves(of)[1])
    if operator == "chosen":  # its name, a number
        return float(best_on_first_half([(name, samples(key)) for name, key in operands])[0])
    numbers = [evaluate(o, samples) for o in operands]
    if operator == "ratio":
        return numbers[0] / numbers[1]
    if operator == "times":
        return numbers[0] * numbers[1]
    if operator == "difference":
        return numbers[0] - numbers[1]
    if operator == "sum":
        return sum(numbers)
    if operator == "best":
        return 100.0 * (numbers[0] <= min(numbers))
    return MEANS[operator](numbers)


def keys_in(expression):
    operator, *operands = expression
    if operator in ("median", "min", "max", "count"):
        yield operands[0]
    elif operator in ("held_out", "chosen"):
        yield from (key for _, key in operands)
    elif operator not in ("constant", "cell"):
        for o in operands:
            yield from keys_in(o)


class Value:
    """A number with its expression. `series`: by key, those that it needs."""

    def __init__(self, expression, series):
        self.expression, self.series = expression, series
        self.number = evaluate(expression, lambda key: series[key].samples)

    @classmethod
    def of(cls, operator, *values):
        values = [v if isinstance(v, Value) else constant(v) for v in values]
        return cls([operator, *(v.expression for v in values)], {k: s for v in values for k, s in v.series.items()})

    def __truediv__(self, other):
        return Value.of("ratio", self, other)

    def __mul__(self, other):
        return Value.of("times", self, other)

    def __sub__(self, other):
        return Value.of("difference", self, other)

    def interval(self):
        """Where 95 % of the values lie that resampled samples give; the same on every machine."""
        draw, drawn = random.Random(1), []
        for _ in range(RESAMPLES):
            resampled = {}

            def samples(key):
                if key not in resampled:
                    resampled[key] = draw.choices(self.series[key].samples, k=len(self.series[key].samples))
                return resampled[key]

            drawn.append(evaluate(self.expression, samples))
        drawn.sort()
        return drawn[round(0.025 * (RESAMPLES - 1))], drawn[round(0.975 * (RESAMPLES - 1))]


def constant(number):
    return Value(["constant", number], {})


def cell(file, row, column):
    """A number of a row of a CSV file in lab/results, which `row` names."""
    return Value(["cell", file, row, column[0], float(column[1])], {})


def leaf(operator, series):
    return None if series is None else Value([operator, series.key], {series.key: series})


def median(series):
    return leaf("median", series)


def least(values):
    values = [v for v in values if v is not None]
    return Value.of("least", *values) if values else None


def most(values):
    values = [v for v in values if v is not None]
    return Value.of("most", *values) if values else None


def mean(values, kind="geometric"):
    values = [v for v in values if v is not None]
    return Value.of(kind, *values) if values else None


def over(a, b):
    return None if a is None or b is None else a / b


def significant(number, digits=3):
    """So many significant digits, and thousands with a comma."""
    if number == 0:
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(number)))
    return f"{number:.{places}f}" if places > 0 and abs(number) < 1000 else f"{number:,.0f}"


def times(number):
    return f"{number:.2g}x" if number < 0.095 else f"{number:.2f}x" if number < 100 else f"{number:.0f}x"


def percent(number):
    return f"{number:.1f} %"


FORMATS = {"significant": significant, "times": times, "percent": percent, "whole": lambda n: f"{n:,.0f}", "millions": lambda n: f"{n / 1e6:,.1f} M"}


class Printed:
    """A cell of a table that shows values in a format: one, or several with text between them."""

    def __init__(self, template, *values, form="significant"):
        self.template, self.values, self.form = template, values, form

    def __str__(self):
        if any(v is None for v in self.values):
            return "–"
        return self.template.format(*(FORMATS[self.form](v.number) for v in self.values))


def shown(value, form="significant"):
    return Printed("{}", value, form=form)


def spread(series):
    return Printed("{} to {}", leaf("min", series), leaf("max", series))
