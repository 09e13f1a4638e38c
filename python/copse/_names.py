"""What vertices are called: ids of the input behind the numbers 0 .. n - 1 that the compiled module counts with."""
import numbers as _numbers

import numpy as np

from copse import _arrays
from copse._load import core


class Names:
    """Ids of vertices, ascending: held is None (their own numbers), an array of integers, or a list of strings."""

    __slots__ = ("_count", "_held", "_places")

    def __init__(self, count, held):
        if isinstance(held, list):
            texts = np.empty(len(held), dtype=object)
            texts[:] = held
            held = texts
        self._count, self._held, self._places = count, held, None

    @property
    def all(self):
        """The ids of all vertices, ascending."""
        return np.arange(self._count) if self._held is None else self._held

    def of(self, numbers):
        """The ids of some vertices, in an array of the same shape; `numbers` itself where ids are numbers."""
        return numbers if self._held is None else self._held[numbers]

    def numbers(self, ids):
        """The numbers of ids, as int64. Raises UsageError for one that is no vertex."""
        ids = np.asarray(ids, dtype=object) if self._are_texts else _arrays.integers(ids, "ids")
        if self._held is None:
            found = ids.astype(np.int64)
            known = (found >= 0) & (found < self._count) & (ids >= 0)
        elif self._are_texts:
            if self._places is None:
                self._places = {name: i for i, name in enumerate(self._held)}
            found = np.fromiter((self._places.get(v, -1) for v in ids.ravel()), np.int64, ids.size).reshape(ids.shape)
            known = found >= 0
        else:
            wanted = ids.astype(self._held.dtype)  # signed beside unsigned would be compared as floats
            found = np.minimum(np.searchsorted(self._held, wanted), max(self._count - 1, 0)).astype(np.int64)
            known = (self._held[found] == wanted) & (ids >= 0) if self._count else np.zeros(ids.shape, bool)
        if not known.all():
            raise core.UsageError(f"ids: found {ids[~known].tolist()[0]!r}, expected a vertex of the graph")
        return found

    def number(self, id):
        """The number of one id."""
        wanted = (str, bytes) if self._are_texts else _numbers.Integral
        if not isinstance(id, wanted):
            raise core.UsageError(f"ids: found {id!r}, expected {'a string' if self._are_texts else 'an integer'} that is a vertex of the graph")
        return int(self.numbers([id])[0])

    @property
    def _are_texts(self):
        return self._held is not None and self._held.dtype == object
