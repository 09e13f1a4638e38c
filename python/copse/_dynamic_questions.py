"""Questions to a graph whose edges arrive and leave, and to its snapshots."""
import numbers
import uuid

import numpy as np

from copse import _arrays, _ids
from copse._dynamic_rows import edge_rows, vertex_rows

from copse._pickles import refuse

_TYPES = {"integers": numbers.Integral, "text": str, "bytes": bytes, "uuid": uuid.UUID}
ONE_VERTEX = tuple(_TYPES.values())


class Questions:
    """The queries of a graph and of its snapshots."""

    __slots__ = ("_live", "_ids")

    @property
    def vertices(self):
        """Vertices that exist. O(1)."""
        return self._live.vertices

    @property
    def count(self):
        """Number of components. O(1)."""
        return self._live.count

    def _of_vertices(self, vertices, answer):
        """An answer for a column of vertices, or for one."""
        vertices = _ids.one_id(vertices)
        if isinstance(vertices, ONE_VERTEX):
            return int(answer(self._one(vertices))[0])
        return answer(*self._known(vertex_rows(vertices)))

    def _one(self, vertex):
        """A column of one vertex. Raises UsageError for an id of another kind than the graph has."""
        if self._ids.kind == "":  # no vertex exists
            return np.zeros(1, np.int64)
        found = next(kind for kind, types in _TYPES.items() if isinstance(vertex, types))
        if found != self._ids.kind:
            raise _ids.of_another_kind("ids", repr(vertex), self._ids, "the first batch")
        return _arrays.integers([vertex], "vertex") if found == "integers" else [vertex.bytes if found == "uuid" else vertex]

    def _known(self, rows):
        """The columns of ids for a question. Raises UsageError for ids of another kind than the graph has."""
        if self._ids.kind == "":  # no vertex exists
            return [np.zeros(len(column), np.int64) for column in rows.ids]
        self._expect_kind(rows.type)
        if not rows.type.kind and self._ids.kind != "integers":
            return [[] for _ in rows.ids]
        return rows.ids

    def _expect_kind(self, found):
        """found: the type of the ids of a batch."""
        if found.kind not in ("", self._ids.kind):
            raise _ids.of_another_kind("ids", found.words, self._ids, "the first batch")

    def _connected(self, pairs, columns, reading):
        return self._live.connected(*self._known(edge_rows("connected", pairs, columns, reading)))

    def _component_of(self, vertices):
        found = self._of_vertices(vertices, self._live.component_of)
        return None if isinstance(found, int) and found == -1 else found

    def _size_of(self, vertices):
        return self._of_vertices(vertices, self._live.size_of)


class DynamicSnapshot(Questions):
    """The components as of one batch, unchanged by later batches. Made by `Dynamic.snapshot`.

    >>> import copse
    >>> graph = copse.Dynamic(snapshots=True)
    >>> batch = graph.insert([(1, 2)])
    >>> before = graph.snapshot()
    >>> batch = graph.erase([(1, 2)])
    >>> before.connected([(1, 2)]).tolist(), graph.connected([(1, 2)]).tolist()
    ([True], [False])
    """

    __slots__ = ()

    def __init__(self, live, ids):
        self._live, self._ids = live, ids

    def connected(self, pairs, *, columns=None, **reading):
        """Like `Dynamic.connected`."""
        return self._connected(pairs, columns, reading)

    def component_of(self, vertices):
        """Like `Dynamic.component_of`."""
        return self._component_of(vertices)

    def size_of(self, vertices):
        """Like `Dynamic.size_of`."""
        return self._size_of(vertices)

    @property
    def batch(self):
        """The number of the batch."""
        return self._live.batch

    def __reduce__(self):
        refuse("DynamicSnapshot", "pass on what its methods return")

    def __repr__(self):
        return f"DynamicSnapshot(batch {self.batch}, {self.vertices} vertices, {self.count} components)"
