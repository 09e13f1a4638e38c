"""The step of the library dedupe that finds connected components: `dedupe.clustering.union_find`, on all pairs at once.

    import dedupe.clustering, copse.dedupe
    dedupe.clustering.union_find = copse.dedupe.union_find
"""
import numpy as np

from copse import _arrays
from copse._load import core
from copse._options import options


def union_find(scored_pairs):
    """Replaces dedupe's own: stores the number of each pair's component in `label` and sorts the pairs by (label, score), in place.

    scored_pairs: a structured array with the fields pairs (two ids, integers or strings), score and label; it may be a memory map. The
    label is the number of the component's first pair. Returns where the components end. O(m log m).
    """
    pairs = scored_pairs["pairs"]
    if len(pairs) == 0:
        return np.zeros(0, np.int64)
    sink = core.Sink(None, options())
    left, right = np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])
    if left.dtype.kind in "OUS":
        ids, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        left, right = places[: len(left)], places[len(left) :]
    left, right = _arrays.columns(left, right)
    sink.add_columns(left, right)
    held = sink.finish()
    numbers = held.numbers()[np.searchsorted(held.ids(), left)]
    first = np.full(held.count, len(numbers), np.int64)
    np.minimum.at(first, numbers, np.arange(len(numbers)))
    scored_pairs["label"] = first[numbers]
    scored_pairs.sort(order=("label", "score"), kind="stable")
    return np.cumsum(np.unique(scored_pairs["label"], return_counts=True)[1])
