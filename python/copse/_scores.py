"""Scores in columns of NumPy: which are missing, and which reach a threshold."""
import decimal
import fractions
import math
import numbers

import numpy as np

from copse._ids import is_missing
from copse._load import core
from copse._options import threshold_text


def missing_in(array):
    """Elements of an array of objects that stand for none."""
    return np.fromiter(map(is_missing, array), bool, len(array))


def scores_of(column, name):
    """Scores as numbers of NumPy or Python, and which of them are missing: NaN is, as a null is."""
    if column.dtype == object:
        missing = missing_in(column)
        kinds = {type(v).__name__ for v in column[~missing] if not isinstance(v, (numbers.Real, decimal.Decimal))}
        if kinds:
            raise core.UsageError(f"column '{name}' must hold numbers, not {min(kinds)}")
        types = {type(v) for v in column[~missing]}
        if len(types) == 1 and issubclass(min(types), np.floating):  # NumPy's own, and nulls
            column, given = np.full(len(column), np.nan, min(types)), column
            column[~missing] = given[~missing]
        return column, missing
    if column.dtype.kind not in "iufb":
        raise core.UsageError(f"column '{name}' must hold numbers, not {column.dtype}")
    return column, np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), bool)


def reaching(scores, threshold):
    """Which scores reach a threshold: floats of NumPy the threshold rounded once to their type, all others its decimal number exactly."""
    text = threshold_text(threshold)
    number = float(text)
    exact = number if number in (np.inf, -np.inf) and not text.strip("+-")[:1].isdigit() else fractions.Fraction(text)
    if scores.dtype.kind == "f":
        with np.errstate(over="ignore"):
            return scores >= scores.dtype.type(number)
    if scores.dtype == object:
        return np.fromiter((_reaches(score, number, exact) for score in scores), bool, len(scores))
    scores = scores.astype(np.int8) if scores.dtype.kind == "b" else scores
    limits = np.iinfo(scores.dtype)
    if exact > limits.max:
        return np.zeros(len(scores), bool)
    return scores >= (limits.min if exact < limits.min else math.ceil(exact))


def _reaches(score, number, exact):
    """True if a score that is an object of Python reaches the threshold."""
    if isinstance(score, np.floating):
        with np.errstate(over="ignore"):
            return bool(score >= type(score)(number))
    if isinstance(score, float) or score in (np.inf, -np.inf):
        return score >= number
    return fractions.Fraction(score) >= exact


def doubles(scores):
    """Scores as float64; of integers beyond 2^53 the largest that are not above them, which reach the same thresholds."""
    found = np.ascontiguousarray(scores, np.float64)
    if scores.dtype.kind in "iu" and scores.dtype.itemsize == 8:
        found = found.copy() if found is scores else found
        for i in np.flatnonzero(np.abs(found) >= 2**53):
            if int(found[i]) > int(scores[i]):
                found[i] = np.nextafter(found[i], -np.inf)
    return found
