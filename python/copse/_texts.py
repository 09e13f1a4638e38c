"""Texts of the library in the words of Python: its notes as warnings, and the options that they name as arguments."""
import os
import re
import sys
import warnings

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_OPTION = re.compile(r"(?<!\w)'[^']*'|\"[^\"]*\"|\bthe option ([a-z][a-z-]*)(?: ('[^']*'|[^\s;()]*[^\s;(),]))?")
_WORDS = {
    "ids": {"int": "'integers'", "integers": "'integers'", "string": "'strings'", "strings": "'strings'", "bytes": "'bytes'"},
    "header": {"yes": "True", "no": "False"},
    "trim": {"yes": "True", "no": "False"},
}
_NAMES = {"weight": "score", "min_weight": "threshold"}
_ARGUMENTS = {
    "columns", "comment", "delimiter", "device", "format", "header", "id-delimiter", "ids", "memory", "min-weight", "na", "nulls",
    "prefix-left", "prefix-right", "threads", "trim", "vertices", "weight",
}


class Note(UserWarning):
    """The category of warnings that say how an ambiguous input was read, or that an argument has no effect. Nothing is wrong.

    >>> import copse, warnings
    >>> with warnings.catch_warnings(record=True) as notes:
    ...     warnings.simplefilter("always")
    ...     _ = copse.thresholds([(0, 1)], [.5], at=[.9])
    >>> notes[0].category.__name__
    'Note'
    """


def warn(text):
    """Gives a note to Python's warnings, as of the line outside of this package that made the call."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_HERE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, Note, stacklevel=level)


def in_python(text):
    """A text that speaks of options, such as `the option header no`, as one that speaks of arguments: header=False. What is quoted stays."""
    return _OPTION.sub(_argument, text)


def as_argument(option, value):
    """An option of the command line and its value as an argument of Python."""
    name = option.replace("-", "_")
    return f"{_NAMES.get(name, name)}={_columns(value) if name == 'columns' else _WORDS.get(name, {}).get(value, repr(value))}"


def as_arguments(remedies):
    """The options that resolve an ambiguous input, as (option, value, effect) in terms of Python; effects may be empty."""
    given = {option: value for option, value, _ in remedies}
    if given.keys() == {"left", "right"}:
        return f"columns=({_columns(given['left'])}, {_columns(given['right'])})"
    return ", ".join(as_argument(option, value) + (f" {effect}" if effect else "") for option, value, effect in remedies)


def _argument(match):
    if match[1] not in _ARGUMENTS:
        return match[0]
    name, value = match[1].replace("-", "_"), match[2]
    return f"{_NAMES.get(name, name)}={'' if value is None else _value(name, value)}"


def _value(name, value):
    """The value behind a flag, or the next word of the sentence."""
    if value.startswith("'") or value in _WORDS.get(name, ()):
        return _WORDS.get(name, {}).get(value, value)
    if name == "columns" and ("," in value or value.isdigit()):
        return _columns(value)
    if name in ("format", "device") and not value.isupper() and (value == "cpu" or value.startswith("coo") or value in ("csv", "edges")):
        return repr(value)
    return "" if value.isupper() else f" {value}"  # as in --memory LIMIT


def _columns(text):
    columns = [name if name.isdigit() else repr(name) for name in text.split(",")]
    return columns[0] if len(columns) == 1 else f"({', '.join(columns)})"
