"""Keywords that every call shares, checked once: variant, device, threads, memory, gpu_memory, seed, progress."""
import contextlib
import decimal
import numbers
import operator
import re

import numpy as np

from copse._load import core

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def options(variant="auto", device=None, threads=None, memory=None, seed=1, progress=None, gpu_memory=None):
    """The keywords as the compiled module takes them. Raises UsageError."""
    if variant == "auto" and device is None and threads is None and memory is None and progress is None and seed == 1 and gpu_memory is None:
        return _DEFAULTS
    return core.Options(
        text(variant, "variant"), device_of(device), threads_of(threads), bytes_of(memory), bytes_of(gpu_memory, "gpu_memory"),
        whole(seed, "seed"), _callback(progress),
    )


def whole(value, what, least=0, most=2**64 - 1):
    """An integer within limits. Raises UsageError."""
    try:
        number = operator.index(value)
    except TypeError:
        raise core.UsageError(f"{what} must be an integer, not {value!r}") from None
    if number < least:
        raise core.UsageError(f"{what} must be {least} or more, not {number}")
    if number > most:
        raise core.UsageError(f"{what} must be from {least} to {most}, not {number}")
    return number


def real(value, what):
    """A number, perhaps an infinite one, as a float. Raises UsageError."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise core.UsageError(f"{what} must be a number, not {value!r}") from None
    if number != number:
        raise core.UsageError(f"{what} must be a number, not NaN")
    return number


def threshold_text(value, what="threshold"):
    """A threshold as the decimal text of its number, from which each type of score takes what it compares with. Raises UsageError."""
    if isinstance(value, numbers.Integral):
        return str(int(value))
    number = real(value, what)
    return str(value) if isinstance(value, decimal.Decimal) else repr(number)


def forest_threshold(value, what="threshold"):
    """A threshold for a forest, whose weights are compared as floats. Raises UsageError."""
    number = real(value, what)
    if isinstance(value, numbers.Integral) and int(value) != number:
        raise core.UsageError(f"{what} must be a number that a float holds exactly, not {value}")
    return number


def text(value, what):
    """A string. Raises UsageError."""
    if not isinstance(value, str):
        raise core.UsageError(f"{what} must be a string, not {value!r}")
    return value


def flag(value, what):
    """True or False; a string such as 'no' would count as true. Raises UsageError."""
    if not isinstance(value, (bool, np.bool_)):
        raise core.UsageError(f"{what} must be True or False, not {value!r}")
    return bool(value)


def expect(value, known, what):
    """Raises UsageError unless the value is one of the known strings."""
    if not isinstance(value, str) or value not in known:
        *others, last = map(repr, known)
        raise core.UsageError(f"{what} must be {', '.join(others)} or {last}, not {value!r}")


def expect_no(value, name, what):
    """Raises UsageError for an argument that is given although the input has no use for it."""
    if value is not None:
        raise core.UsageError(f"{name}= does not apply to {what}; leave it out")


def expect_score_with_threshold(score, threshold):
    """Raises UsageError if only one of them is given."""
    if (score is None) != (threshold is None):
        raise core.UsageError("give both score= and threshold=, or neither")


@contextlib.contextmanager
def about(argument):
    """Names the argument in the errors of the body."""
    try:
        yield
    except (core.UsageError, core.InputError) as error:
        raise type(error)(f"{argument}: {error}") from None


def two_names(first, second):
    """Names of two columns of an answer. Raises UsageError."""
    for name in (first, second):
        text(name, "the name of a column")
    if first == second:
        raise core.UsageError(f"the two columns must have different names, not {first!r} twice")
    return first, second


def device_of(device):
    """The name of a device; the compiled module refuses what is none."""
    return "cpu" if device is None else str(device)


def bytes_of(memory, what="memory"):
    """None, a number of bytes, or text such as '4GiB'."""
    if memory is None:
        return None
    if isinstance(memory, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?\s*", memory.lower())
        if match is None or match[2] not in _UNITS:
            raise core.UsageError(f"{what} must be a number of bytes such as 4000000000, '4GB' or '4GiB', not {memory!r}")
        return whole(int(float(match[1]) * _UNITS[match[2]]), what)
    return whole(memory, what)


def threads_of(threads):
    """0 for all that there are, otherwise how many."""
    if threads is None:
        return 0
    return whole(threads, "threads", 1, 2**32 - 1)


def _callback(progress):
    if progress is None or progress is False:
        return None
    if progress is True:
        return _Bar()
    if not callable(progress):
        raise core.UsageError(f"progress must be True or a function of (stage, done, total, unit), not {progress!r}")
    return progress


class _Bar:
    """A progress bar by tqdm for each stage."""

    def __init__(self):
        from tqdm.auto import tqdm

        self._make, self._bar, self._stage = tqdm, None, None

    def __call__(self, stage, done, total, unit):
        if stage != self._stage:
            self.close()
            self._bar, self._stage = self._make(total=total or None, desc=stage, unit=" " + unit, unit_scale=True), stage
        self._bar.update(max(done - self._bar.n, 0))

    def close(self):
        if self._bar is not None:
            self._bar.close()

    __del__ = close


def count_of(vertices):
    """The number of vertices, or None where it is not given. Raises UsageError."""
    if vertices is None:
        return None
    count = whole(vertices, "vertices")
    if count >= _UNADDRESSABLE:
        raise core.ResourceError(f"vertices must be less than 2^58, not {count}: an array with one element per vertex would be larger than any memory")
    return count


_UNADDRESSABLE = 2**58  # vertices, of 32 bytes each
_DEFAULTS = core.Options()
