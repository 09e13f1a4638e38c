"""What `components` answers."""
import numpy as np

from copse import _arrays
from copse._graph import Graph
from copse._load import core
from copse._options import threads_of, two_names


class Components:
    """Which component each vertex is in.

    Vertices are those that the input has, in ascending order of their ids; all arrays here have one element per vertex, in this order.
    Labels are canonical: the smallest id of the component (of strings: the smallest by bytes), whatever the variant, device and threads.
    """

    __slots__ = ("_held", "_verify", "_cache", "_binary", "left_out")

    def __init__(self, held, verify=None):
        self._held, self._verify, self._cache = held, verify, {}
        self._binary = False  # are string ids any bytes?
        #: of tables: rows seen, and how many were left out for nulls and for scores below the threshold
        self.left_out = None

    def _once(self, name, make):
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    @property
    def count(self):
        """Number of components. O(n) the first time."""
        return self._once("count", lambda: self._held.count)

    @property
    def vertices(self):
        """Number of vertices. O(n) the first time."""
        return self._once("vertices", lambda: self._held.vertices)

    @property
    def has_string_ids(self):
        """True when ids are strings: `ids` and `labels` are then arrays of Python's own objects, and `to_arrow` is the quick way."""
        return self._held.kind == "strings"

    @property
    def ids(self):
        """The ids of the vertices, ascending: integers, or strings as objects. O(n) the first time."""
        return self._once("ids", self._make_ids)

    def _make_ids(self):
        if not self.has_string_ids:
            return self._held.ids()
        ids = np.empty(self.vertices, dtype=object)
        ids[:] = self._held.string_ids()
        return ids

    @property
    def labels(self):
        """The label of each vertex, the smallest id of its component. A view without a copy where ids are 0 .. n - 1."""
        return self._once("labels", lambda: self.ids[self.first] if self.has_string_ids else self._held.labels())

    @property
    def numbers(self):
        """The number of each vertex's component, 0 .. count - 1 in the order of labels. O(n) the first time."""
        return self._once("numbers", self._held.numbers)

    @property
    def first(self):
        """For each vertex the position of the first vertex of its component: labels == ids[first]. O(n)."""
        return self._once("first", self._make_first)

    def _make_first(self):
        numbers = self.numbers
        first = np.full(self.count, numbers.size, dtype=np.int64)
        np.minimum.at(first, numbers, np.arange(numbers.size))
        return first[numbers]

    def sizes(self):
        """How many vertices each component has, by its number: an array of `count` integers. O(n)."""
        return self._held.sizes()

    @property
    def report(self):
        """What the solve did: variant, explanation, device, threads, solve_seconds, phases, edges."""
        return self._held.report

    def checksum(self, threads=None):
        """A 64-bit number of the ids and their labels: equal for equal answers, however they were found. O(n)."""
        return self._held.checksum(threads_of(threads))

    def verify(self, edges=None):
        """Proves the labels by plain code that shares nothing with what found them. O((n + m) log n).

        edges: as they were given to `components`, where they were not kept (tables and batches). Returns a Verdict, which is true when the
        labels are right and has the reason where they are not.
        """
        if edges is None:
            if self._verify is None:
                raise core.UsageError("verify: found no edges, expected them as an argument: those of tables and batches are not kept")
            return self._verify(self)
        if self._held.kind == "identity" and self._held.slots == self.vertices:
            return core.verify(Graph.of(edges, self.vertices)._core, self._held)
        return self._verify_by_ids(edges)

    def _verify_by_ids(self, edges):
        if self.has_string_ids:
            raise core.UsageError("verify: found string ids, expected integers; verify the numbers of the ids instead")
        sources, targets = _arrays.columns(*edges) if _arrays.is_column_pair(edges) else _arrays.pairs(edges).T
        places = [np.searchsorted(self.ids, side) for side in (sources, targets)]
        for side, place in zip((sources, targets), places):
            if not np.array_equal(self.ids[np.minimum(place, self.vertices - 1)], side):
                raise core.InputError("verify: found an edge of an id that has no label, expected the edges of this answer")
        graph = core.Graph.of_columns(*places, self.vertices)
        return core.verify(graph, core.Labels.of(self.first))

    def __arrow_c_stream__(self, requested_schema=None):
        """The Arrow C stream of a table of two columns, id and label: pyarrow, Polars and DuckDB read it without a copy."""
        return core.label_stream(self._held, "id", "label", self._binary)

    def to_arrow(self, id="id", label="label"):
        """A pyarrow table of two columns with these names. O(n)."""
        import pyarrow

        return pyarrow.table(_Stream(self, id, label))

    def to_polars(self, id="id", label="label"):
        """A Polars frame of two columns with these names. O(n)."""
        import polars

        return polars.DataFrame(_Stream(self, id, label))

    def to_pandas(self, id="id", label="label"):
        """A pandas frame of two columns with these names. O(n)."""
        import pandas

        two_names(id, label, "to_pandas")
        return self._pandas_of_arrow(id, label) if self._is_text() else pandas.DataFrame({id: self.ids, label: self.labels})

    def _is_text(self):
        """Are ids strings of a table that came as Arrow, so that pyarrow is at hand?"""
        return self.has_string_ids and not self._binary and isinstance(self.left_out, core.TableCounts)

    def _pandas_of_arrow(self, id, label):
        """The same frame without an object for each string, where pandas holds strings as Arrow does."""
        try:
            table = self.to_arrow(id, label)
            table.validate(full=True)
            return table.to_pandas()
        except (ImportError, ValueError):  # no pyarrow, or bytes that are no text among the ids of `vertices`
            import pandas

            return pandas.DataFrame({id: self.ids, label: self.labels})

    def __len__(self):
        return self.vertices

    def __repr__(self):
        return f"Components({self.vertices} vertices, {self.count} components, variant {self.report.variant!r})"


class _Stream:
    """The answer under other names of columns."""

    def __init__(self, answer, id, label):
        self._answer, (self._id, self._label) = answer, two_names(id, label, "table")

    def __arrow_c_stream__(self, requested_schema=None):
        return core.label_stream(self._answer._held, self._id, self._label, self._answer._binary)
