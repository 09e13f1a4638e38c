"""How a file of edges in text is read: keywords that every function shares that takes a path."""
import os

from copse._load import core
from copse._options import count_of, flag, text, whole

_KEYWORDS = ("format", "ids", "header", "delimiter", "na", "comment", "id_delimiter", "trim", "prefix_left", "prefix_right", "signed")


def reading(call, columns, score, vertices, keywords, threshold=None):
    """The arguments of the compiled module's read_options. call: the name of the function, for errors. Raises UsageError, TypeError."""
    expect_known(call, keywords)
    given = keywords.get
    wanted = None if columns is None else _two_ids(columns)
    header = None if given("header") is None else flag(given("header"), "header")
    kind = "" if given("format") is None else text(given("format"), "format")
    comment = None if given("comment") is None else text(given("comment"), "comment")
    between = given("id_delimiter", ":")
    if not text(between, "id_delimiter"):
        raise core.UsageError("id_delimiter must not be empty")
    prefixes = ["" if given(name) is None else text(given(name), name) for name in ("prefix_left", "prefix_right")]
    return (
        kind, text(given("ids", "auto"), "ids"), wanted, None if score is None else _column(score, "score"), threshold, header,
        count_of(vertices), _delimiter(given("delimiter")), comment, _missing(given("na")), between, prefixes,
        flag(given("trim", True), "trim"), flag(given("signed", False), "signed"),
    )


def expect_known(call, keywords):
    """Raises TypeError for a keyword that is none, as Python does."""
    for name in keywords:
        if name not in _KEYWORDS:
            raise TypeError(f"{call}() got an unexpected keyword argument '{name}'")


def expect_none(call, keywords, what):
    """Checks the keywords of an input that is not a text file: raises UsageError if one says how text is read, TypeError if it is unknown."""
    expect_known(call, keywords)
    for name in keywords:
        raise core.UsageError(f"{name}= applies only to the path of a text file, not to {what}")


def ids_kind(keywords):
    """The type of the file's strings: 'bytes', 'text', or '' if its first record decides whether ids are strings."""
    return {"bytes": "bytes", "strings": "text"}.get(keywords.get("ids"), "")


def _two_ids(columns):
    """The columns of each of the two ids."""
    if not isinstance(columns, (tuple, list)) or len(columns) != 2:
        raise core.UsageError(f"columns must give two columns, each a number, a name or a tuple of these, not {columns!r}")
    wanted = [[_column(c) for c in (side if isinstance(side, (tuple, list)) else [side])] for side in columns]
    if not all(wanted):
        raise core.UsageError(f"columns must give at least one column for each id, not {columns!r}")
    return wanted


def _column(name, what="each number in columns"):
    return name if isinstance(name, str) else whole(name, what, 1, 2**32 - 1)


def _delimiter(given):
    if given is None:
        return None
    if given == "tab":
        return "\t"
    if len(text(given, "delimiter").encode()) != 1:
        raise core.UsageError(f"delimiter must be one byte or 'tab', not {given!r}")
    return given


def _missing(given):
    """One word or several that stand for a missing value."""
    words = [] if given is None else [given] if isinstance(given, str) else given
    if not isinstance(words, (list, tuple, set, frozenset)):
        raise core.UsageError(f"na must be a word or a list of words, not {given!r}")
    return [text(word, "na") for word in words]


def path_text(path):
    """A path as text. Raises UsageError for what is none."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise core.UsageError(f"path must be a string or a path, not {type(path).__name__}")
    return os.fsdecode(path)


def readable(path):
    """The path as text; raises Python's own OSError when it cannot be opened."""
    path = path_text(path)
    if path != "-":
        with open(path, "rb"):
            pass
    return path
