"""Pickles and copies of what the compiled module holds, which any build of it can read: with the GPU part or without."""
import copyreg
import functools

from copse._load import core

_KINDS = ("Bridges", "Graph", "Labels", "Report", "TableCounts", "Verdict", "WeightedForest")


def _made(kind, state):
    return getattr(core, kind)._of_state(state)


def _reduced(kind, held):
    return _made, (kind, held._state())


for _kind in _KINDS:
    copyreg.pickle(getattr(core, _kind), functools.partial(_reduced, _kind))


def refuse(what, advice):
    """Raises TypeError, for objects that cannot be pickled or copied, as Python's own objects do."""
    raise TypeError(f"{what} objects cannot be pickled or copied; {advice}")
