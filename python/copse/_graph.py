"""Graphs in memory: read, generated, or arrays of the caller."""
import os

import numpy as np

from copse import _arrays
from copse._load import core
from copse._options import flag, options, real, text, threads_of, whole


_UNADDRESSABLE = 2**58  # vertices, of 32 bytes each


class Graph:
    """A graph in memory, as rows (CSR) or as a list of edges. Made by `read_graph`, `generate` and `Graph.of`.

    Arrays that it gives are views: no copy, read-only, and valid as long as anybody holds them.
    """

    __slots__ = ("_core",)

    def __init__(self, held):
        if not isinstance(held, core.Graph):
            raise core.UsageError(f"Graph: found {type(held).__name__}, expected Graph.of(), read_graph() or generate() to make it")
        self._core = held

    @classmethod
    def of(cls, edges, vertices=None):
        """A graph over arrays of the caller, which are borrowed and not copied where they can be.

        edges: a SciPy sparse matrix (N, N), an integer array (m, 2), or a tuple of two integer arrays. vertices: how many there are,
        for edges that are no matrix; by default the largest id + 1. Raises UsageError, InputError.
        """
        return cls(graph_of(edges, vertices))

    @property
    def vertices(self):
        """Number of vertices, named 0 .. vertices - 1 here; `names` says what they are called in the file."""
        return self._core.vertices

    @property
    def stored(self):
        """Arcs of rows, or edges of a list, as they are stored."""
        return self._core.stored

    @property
    def has_rows(self):
        """True for rows (CSR), false for a list of edges."""
        return self._core.rows() is not None

    @property
    def offsets(self):
        """Of rows: vertices + 1 integers; the arcs of v are targets[offsets[v]:offsets[v + 1]]."""
        return self._rows()[0]

    @property
    def targets(self):
        """Of rows: the vertices that arcs lead to."""
        return self._rows()[1]

    @property
    def edges(self):
        """Of a list of edges: an array of shape (m, 2)."""
        pairs = self._core.pairs()
        if pairs is None:
            raise core.UsageError("edges: found rows or columns, expected a list of edges; rows have offsets and targets")
        return pairs

    @property
    def names(self):
        """What the vertices are called in the file: None (themselves), an array of integers, or a list of strings; ascending."""
        return self._core.names()

    def symmetric_rows(self, *, threads=None, memory=None):
        """The simple graph as rows that hold every edge in both directions, sorted, without loops and repeats. O(n + m) and sorting."""
        return Graph(self._core.symmetric_rows(options(threads=threads, memory=memory)))

    def to_scipy(self):
        """A scipy.sparse.csr_array of ones (or coo_array, of a list of edges) over the same memory."""
        from scipy import sparse

        shape = (self.vertices, self.vertices)
        if self.has_rows:
            return sparse.csr_array((np.ones(self.stored, np.int8), self.targets, self.offsets), shape=shape)
        return sparse.coo_array((np.ones(self.stored, np.int8), (self.edges[:, 0], self.edges[:, 1])), shape=shape)

    def checksum(self, threads=None):
        """A 64-bit number of the arcs that are stored; neither order nor widths change it."""
        return self._core.checksum(threads_of(threads))

    def write(self, path):
        """Writes a graph that was read or generated, in the format of the suffix: .sg .egr .mtx .el .txt .coo .coo64."""
        try:
            self._core.write(path_text(path), options())
        except core.InputError as error:
            raise core.FileError(str(error)) from None

    def _rows(self):
        rows = self._core.rows()
        if rows is None:
            raise core.UsageError("rows: found a list of edges, expected rows; symmetric_rows() makes them")
        return rows

    def __repr__(self):
        shape = "rows" if self.has_rows else "edges"
        return f"Graph({self.vertices} vertices, {self.stored} {'arcs in rows' if shape == 'rows' else 'edges'})"


def graph_of(edges, vertices=None):
    """The compiled module's graph of a Graph, a sparse matrix, pairs or two columns."""
    vertices = count_of(vertices)
    if isinstance(edges, Graph):
        return edges._core
    if _arrays.is_sparse(edges):
        return _arrays.graph_of_sparse(edges)
    if _arrays.is_column_pair(edges):
        sources, targets = _arrays.columns(*edges)
        return core.Graph.of_columns(sources, targets, _arrays.largest_id(sources, targets) + 1 if vertices is None else vertices)
    pairs = _arrays.pairs(edges)
    return core.Graph.of_pairs(pairs, _arrays.largest_id(pairs) + 1 if vertices is None else vertices)


def read_graph(
    path, *, format=None, ids="auto", columns=(1, 2), weight_column=None, min_weight=None, header=None, vertices=None,
    threads=None, memory=None, progress=None,
):
    """Reads a graph from a file of any format that copse knows (docs/reference/formats.md), compressed with gzip or zstd or not.

    format: its name, by default by the suffix. Of edge lists and CSV: ids 'auto', 'integers', 'strings' or 'bytes'; columns of the two ids, 1-based numbers or names of the
    header; weight_column and min_weight keep edges of at least that weight; header, is the first line one (by default decided by looking);
    vertices declares 0 .. vertices - 1. Returns a Graph. O(n + m). Raises OSError, InputError with file and line, ResourceError.
    """
    path = readable(path)
    how = reading(columns, weight_column, vertices, format, ids, None if min_weight is None else real(min_weight, "min_weight"), header)
    return Graph(core.read_graph(path, how, options(threads=threads, memory=memory, progress=progress)))


def reading(columns, weight_column, vertices, format=None, ids="auto", min_weight=None, header=None):
    """How a file is read, as the compiled module takes it. Raises UsageError."""
    columns = (1, 2) if columns is None else columns
    if not isinstance(columns, (tuple, list)) or len(columns) != 2:
        raise core.UsageError(f"columns: found {columns!r}, expected two columns")
    wanted = [c if isinstance(c, str) else whole(c, "columns", 1, 2**32 - 1) for c in columns]
    if weight_column is not None and not isinstance(weight_column, str):
        weight_column = whole(weight_column, "column of weights", 1, 2**32 - 1)
    header = None if header is None else flag(header, "header")
    kind = "" if format is None else text(format, "format")
    return core.read_options(kind, text(ids, "ids"), wanted, weight_column, min_weight, header, count_of(vertices))


def count_of(vertices):
    """How many vertices there are; None where nobody says so. Raises UsageError."""
    if vertices is None:
        return None
    count = whole(vertices, "vertices")
    if count >= _UNADDRESSABLE:
        raise core.ResourceError(f"vertices: found {count}, expected fewer than 2^58: arrays of one element for each would be larger than any memory")
    return count


def path_text(path):
    """A path as text. Raises UsageError for what is none."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise core.UsageError(f"path: found {type(path).__name__}, expected a string or a path")
    return os.fsdecode(path)


def readable(path):
    """The path as text; raises Python's own OSError when it cannot be opened."""
    path = path_text(path)
    if path != "-":
        with open(path, "rb"):
            pass
    return path


def generate(spec, *, raw=False, threads=None, memory=None):
    """Makes the graph of a spec such as 'rmat:scale=20,edges=16,seed=7', the same on every machine (`copse generate --help` lists the families).

    Returns a Graph of sorted symmetric rows, or with raw=True the list of edges as the definition makes them. A spec of lists
    ('list:n=1000000') gives an array of successors instead. Raises UsageError, ResourceError.
    """
    how = options(threads=threads, memory=memory)
    raw = flag(raw, "raw")
    if core.is_list_spec(text(spec, "spec")):
        return core.generate_list(spec, how)
    return Graph(core.generate(spec, raw, how))
