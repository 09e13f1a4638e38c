"""The answer of `components`."""
import os

import numpy as np

from copse import _arrays, _html, _plots, _table_files
from copse._graph import Graph
from copse._ids import INTEGERS, IdType
from copse._inputs import held_graph, is_table
from copse._load import core
from copse._names import Names
from copse._options import options, threads_of, two_names


class Components:
    """The connected components of a graph.

    The vertices are those of the input, in ascending order of their ids; all arrays here have one element per vertex, in this order.
    Labels are canonical: the smallest id of the component (for strings the smallest by bytes), whatever the variant, device and number of
    threads. Ids have the type that came in: strings, bytes and uuid.UUID objects come back as such. Can be pickled and copied.

    >>> import copse
    >>> found = copse.components({"l": ["a", "c"], "r": ["b", "d"]})
    >>> found["b"], "x" in found, found.members("d").tolist()
    ('a', False, ['c', 'd'])
    """

    __slots__ = ("_held", "_source", "_ids", "_cache", "left_out")

    def __init__(self, held, source=None, ids=None, left_out=None):
        """source: what `verify` needs of the edges: ('graph', held), ('path', path, arguments of read_options), ('ends', edges) or None."""
        self._held, self._source, self._cache = held, source, {}
        ids = ids or INTEGERS
        self._ids = IdType("text") if held.kind == "strings" and ids.kind in ("", "integers") else ids
        #: for tables: the number of rows, and how many were left out for nulls and for scores below the threshold
        self.left_out = left_out

    def __reduce__(self):
        return Components, (self._held, self._source, self._ids, self.left_out)

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
        """True if ids are strings, bytes or UUIDs: `ids` and `labels` are then arrays of objects, and `to_arrow` is faster."""
        return self._held.kind == "strings" or (self.vertices == 0 and self._ids.kind in ("text", "bytes", "uuid"))

    @property
    def ids(self):
        """The ids of the vertices, ascending: integers, or strings, bytes or UUIDs as objects. O(n) the first time."""
        return self._once("ids", self._make_ids)

    def _make_ids(self):
        if not self.has_string_ids:
            return self._held.ids()
        return self._ids.objects(self._held.string_ids(self._ids.are_bytes) if self._held.kind == "strings" else [])

    @property
    def labels(self):
        """The label of each vertex, the smallest id of its component. A view if ids are 0 .. n - 1."""
        return self._once("labels", lambda: self.ids[self.first] if self.has_string_ids else self._held.labels())

    @property
    def numbers(self):
        """The number of each vertex's component, 0 .. count - 1 in the order of labels. O(n) the first time."""
        return self._once("numbers", self._held.numbers)

    @property
    def first(self):
        """The position of the first vertex of each vertex's component: labels == ids[first]. O(n)."""
        return self._once("first", self._make_first)

    def _make_first(self):
        numbers = self.numbers
        first = np.full(self.count, numbers.size, dtype=np.int64)
        np.minimum.at(first, numbers, np.arange(numbers.size))
        return first[numbers]

    def sizes(self):
        """Returns the number of vertices of each component, by the number of the component: an array of `count` integers. O(n)."""
        return self._held.sizes()

    @property
    def report(self):
        """The report of the solve: variant, explanation, device, threads, solve_seconds, phases, edges; and the notes of the input."""
        return self._held.report

    def checksum(self, threads=None):
        """Returns a 64-bit checksum of the ids and their labels: equal for equal answers, however they were found. O(n)."""
        return self._held.checksum(threads_of(threads))

    def verify(self, edges=None, *, columns=None, score=None, threshold=None, nulls="error", **reading):
        """Proves the labels by plain code that shares nothing with the code that found them. O((n + m) log n).

        edges, columns, score, threshold, nulls, reading: as they were given to `components`; required if the edges were not kept, as those of
        tables and batches. Returns a Verdict, which is true if the labels are right and otherwise says what is wrong.
        """
        if edges is None:
            return self._verify_by_source()
        edges = graph_of_named(edges, columns, score, threshold, nulls, reading) or edges
        if isinstance(edges, Graph):
            has_gaps = self._held.slots != self.vertices and np.array_equal(self.ids, edges.ids)
            return core.verify(edges._core, core.Labels.of(self.first, edges._core) if has_gaps else self._held)
        if self._held.kind == "identity" and self._held.slots == self.vertices:
            return core.verify(Graph.of(edges, self.vertices)._core, self._held)
        return self._verify_by_ids(edges)

    def _verify_by_source(self):
        if self._source is None:
            raise core.UsageError("verify() needs the edges as an argument, because those of tables and batches are not kept")
        what, edges, *how = self._source
        if what == "graph":
            return core.verify(edges, self._held)
        if what == "path":
            return core.verify_path(edges, core.read_options(*how), self._held)
        return self._verify_by_ids(edges)

    def _verify_by_ids(self, edges):
        if self.has_string_ids:
            raise core.UsageError("verify() needs a table for ids that are not integers; pass the edges as a dict of two columns")
        sources, targets = _arrays.columns(*edges) if _arrays.is_column_pair(edges) else _arrays.pairs(edges).T
        places = [np.searchsorted(self.ids, side) for side in (sources, targets)]
        for side, place in zip((sources, targets), places):
            if not np.array_equal(self.ids[np.minimum(place, self.vertices - 1)], side):
                raise core.InputError("verify: found an edge with an id that has no label, expected the edges of this answer")
        graph = core.Graph.of_columns(*places, self.vertices)
        return core.verify(graph, core.Labels.of(self.first))

    def __contains__(self, id):
        try:
            return self._position(id) is not None
        except core.UsageError:  # not the kind of id that vertices have
            return False

    def __getitem__(self, id):
        """Returns the label of the vertex with this id. Raises KeyError for an id that is not a vertex. O(log n); for strings O(n) the first
        time."""
        return self.labels[self._position_or_error(id)]

    def __iter__(self):
        """The ids of the vertices, ascending."""
        return iter(self.ids)

    def members(self, id):
        """Returns the ids of all vertices in the component of the vertex with this id, ascending. Raises KeyError for an id that is not a
        vertex. O(n)."""
        number = self.numbers[self._position_or_error(id)]
        return self.ids[self.numbers == number]

    def _position(self, id):
        return self._once("names", lambda: Names.of_ids(self.ids)).position(id)

    def _position_or_error(self, id):
        try:
            return self._position(id)
        except core.UsageError:
            raise KeyError(id) from None

    def __array__(self, dtype=None, copy=None):
        return np.array(self.labels, dtype=dtype, copy=copy)

    def __dlpack__(self, *, max_version=None, **keywords):
        """The labels for another array library. Raises BufferError for ids that are not integers."""
        if self.has_string_ids:
            raise BufferError("labels that are not integers cannot be exported by DLPack; export `numbers`, which are integers")
        labels = self.labels
        if max_version is None or max_version < (1, 0):
            labels = labels if labels.flags.writeable else labels.copy()  # such a consumer cannot be told that memory is read-only
            return labels.__dlpack__(**keywords)
        return labels.__dlpack__(max_version=max_version, **keywords)

    def __dlpack_device__(self):
        return self.numbers.__dlpack_device__()

    def _repr_html_(self):
        sizes = self.sizes()
        largest = int(sizes.max()) if len(sizes) else 0
        return _html.table("Components", {
            "vertices": self.vertices, "components": self.count, "largest": largest, "singletons": int((sizes == 1).sum()),
            "variant": self.report.variant, "seconds": self.report.solve_seconds,
        })

    def plot_sizes(self, ax=None):
        """Plots how many components have each size, on logarithmic axes. Returns an Axes of Matplotlib (`ax`, or a new one), or a Chart of
        Altair if only that is installed. Raises UsageError if neither is."""
        sizes, counts = np.unique(self.sizes(), return_counts=True)
        return _plots.points(sizes, {"components": counts}, "size", "components", ax, logarithmic=True)

    def __arrow_c_stream__(self, requested_schema=None):
        """The Arrow C stream of a table of two columns, id and label: pyarrow, Polars and DuckDB read it without a copy."""
        return self._stream("id", "label")

    def _stream(self, id, label):
        return core.label_stream(self._held, id, label, self._ids.stream_kind if self.has_string_ids else "integers")

    def to_arrow(self, id="id", label="label"):
        """Returns a pyarrow table of two columns with these names. Ids have the type of those in the input if that was a pyarrow table. O(n)."""
        import pyarrow

        table = pyarrow.table(_Stream(self, id, label))
        if self._ids.kind == "uuid" and self._ids.type is None:
            return pyarrow.table([column.cast(pyarrow.uuid()) for column in table.columns], names=[id, label])
        return pyarrow.table(self._ids.restored("arrow", table.columns), names=[id, label])

    def to_polars(self, id="id", label="label"):
        """Returns a Polars frame of two columns with these names. Ids have the type of those in the input if that was a Polars frame. O(n)."""
        import polars

        return polars.DataFrame(self._ids.restored("polars", polars.DataFrame(_Stream(self, id, label)).get_columns()))

    def to_pandas(self, id="id", label="label"):
        """Returns a pandas frame of two columns with these names. Ids have the type of those in the input if that was a pandas frame. O(n)."""
        import pandas

        two_names(id, label)
        if self._is_text() and _table_files.has_pyarrow():  # without an object for each string
            import pyarrow

            frame = pyarrow.table(_Stream(self, id, label)).to_pandas()
        else:
            frame = pandas.DataFrame({id: self.ids, label: self.labels})
        return pandas.DataFrame(dict(zip((id, label), self._ids.restored("pandas", [frame[id], frame[label]]))))

    def _is_text(self):
        """True if ids are strings of a table that came as Arrow."""
        return self.has_string_ids and self._ids.kind == "text" and isinstance(self.left_out, core.TableCounts)

    def __len__(self):
        return self.vertices

    def __repr__(self):
        return f"Components({self.vertices} vertices, {self.count} components, variant {self.report.variant!r})"


def graph_of_named(edges, columns, score, threshold, nulls, reading):
    """A Graph of a table or a file, with its ids; None for anything else."""
    if not is_table(edges) and not isinstance(edges, (str, bytes, os.PathLike)):
        if columns is not None or score is not None or reading:
            raise core.UsageError("columns=, score= and how text is read apply only to a table or a file, not to an array or a matrix")
        return None
    held = held_graph("verify", edges, score, None, columns, nulls, options(), reading, threshold=threshold)
    return Graph(held.graph, held.ids)


class _Stream:
    """The answer under other names of columns."""

    def __init__(self, answer, id, label):
        self._answer, (self._id, self._label) = answer, two_names(id, label)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._answer._stream(self._id, self._label)
