"""The names of vertices: the ids in the input for the positions 0 .. n - 1 that the compiled module works with."""
import numbers as _numbers

import numpy as np

from copse import _arrays, _ids
from copse._load import core


class Names:
    """Ids of vertices, ascending: their own positions, an array of integers, or an array of strings, bytes or UUIDs as objects."""

    __slots__ = ("_count", "_held", "_places")

    def __init__(self, named, ids=_ids.INTEGERS):
        """named: a graph or forest of the compiled module. ids: what they are in the caller's input."""
        held = named.names(ids.are_bytes)
        if isinstance(held, list):
            held = ids.objects(held)
        elif named.vertices == 0 and ids.kind in ("text", "bytes", "uuid"):
            held = np.empty(0, dtype=object)
        self._count, self._held, self._places = named.vertices, held, None

    @classmethod
    def of_ids(cls, ids):
        """The names of an array of ids, ascending."""
        names = cls.__new__(cls)
        names._count, names._held, names._places = len(ids), ids, None
        return names

    @property
    def all(self):
        """The ids of all vertices, ascending."""
        return np.arange(self._count) if self._held is None else self._held

    @property
    def held(self):
        """None where vertices are called by their positions, otherwise an array of their ids."""
        return self._held

    def of(self, positions):
        """The ids of the vertices at some positions, in an array of the same shape; `positions` itself where these are the ids."""
        return positions if self._held is None else self._held[positions]

    def positions(self, ids, what="ids"):
        """The positions of ids, as int64. Raises UsageError for one that is no vertex."""
        ids = np.asarray(ids, dtype=object) if self._are_texts else _arrays.integers(ids, what)
        if self._held is None:
            found = ids.astype(np.int64)
            known = (found >= 0) & (found < self._count) & (ids >= 0)
        elif self._are_texts:
            if self._places is None:
                self._places = {name: i for i, name in enumerate(self._held)}
            found = np.fromiter((self._places.get(v, -1) for v in ids.ravel()), np.int64, ids.size).reshape(ids.shape)
            known = found >= 0
        else:
            wanted = ids.astype(self._held.dtype)  # signed and unsigned would be compared as floats
            found = np.minimum(np.searchsorted(self._held, wanted), max(self._count - 1, 0)).astype(np.int64)
            known = (self._held[found] == wanted) & ((ids >= 0) == (wanted >= 0)) if self._count else np.zeros(ids.shape, bool)
        if not known.all():
            raise core.UsageError(f"{what}: {ids[~known].tolist()[0]!r} is not a vertex of the graph")
        return found

    def position(self, id):
        """The position of one id."""
        id = _ids.one_id(id)
        if self._are_texts:
            fits = self._count == 0 or isinstance(id, type(self._held[0]))
            expected = {str: "strings", bytes: "bytes"}.get(type(self._held[0]), "UUIDs") if self._count else "ids"
        else:
            fits, expected = isinstance(id, _numbers.Integral), "integers"
        if not fits:
            raise core.UsageError(f"{id!r} is not a vertex of the graph, whose ids are {expected}")
        one = np.empty(1, dtype=object)
        one[0] = id
        return int(self.positions(one if self._are_texts else [id])[0])

    @property
    def _are_texts(self):
        return self._held is not None and self._held.dtype == object
