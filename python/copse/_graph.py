"""Graphs in memory: read, generated, or arrays of the caller."""
import numpy as np

from copse import _arrays, _reading
from copse._ids import INTEGERS, IdType
from copse._load import core
from copse._names import Names
from copse._options import count_of, flag, options, real, text, threads_of
from copse._reading import path_text, readable


class Graph:
    """A graph in memory, as rows (CSR) or as a list of edges. Made by `read_graph`, `generate` and `Graph.of`.

    Vertices have the ids of the file, here and in every answer; `end_positions`, `offsets`, `targets` and `to_scipy` use their positions
    0 .. vertices - 1 in ascending order of ids instead. If the ids are 0 .. vertices - 1, the two are the same.

    Arrays of positions are read-only views, which stay valid on their own. Can be pickled and copied.

    >>> import copse
    >>> graph = copse.Graph.of([(0, 1), (2, 3)])
    >>> graph.vertices, graph.symmetric_rows().targets.tolist()
    (4, [1, 0, 3, 2])
    """

    __slots__ = ("_core", "_ids", "_names")

    def __init__(self, held, ids=None):
        if not isinstance(held, core.Graph):
            raise core.UsageError(f"Graph() cannot be called with {type(held).__name__}; use Graph.of(), read_graph() or generate() to make a graph")
        self._core, self._ids, self._names = held, ids or INTEGERS, None

    def __reduce__(self):
        return Graph, (self._core, self._ids)

    def _named(self):
        if self._names is None:
            self._names = Names(self._core, self._ids)
        return self._names

    @classmethod
    def of(cls, edges, vertices=None):
        """Makes a graph of the caller's arrays, which are used in place if possible.

        edges: a SciPy sparse matrix (N, N), an integer array (m, 2), or a tuple of two integer arrays. vertices: the number of vertices,
        except for a matrix; by default the largest id + 1. Raises UsageError, InputError.
        """
        return cls(graph_of(edges, vertices))

    @property
    def vertices(self):
        """Number of vertices. O(1)."""
        return self._core.vertices

    @property
    def stored(self):
        """Number of arcs that the rows store, or of edges that the list stores."""
        return self._core.stored

    @property
    def has_rows(self):
        """True for rows (CSR), False for a list of edges."""
        return self._core.rows() is not None

    @property
    def offsets(self):
        """For rows: vertices + 1 integers; the arcs of the vertex at position v are targets[offsets[v]:offsets[v + 1]]."""
        return self._rows()[0]

    @property
    def targets(self):
        """For rows: the positions of the vertices that the arcs lead to."""
        return self._rows()[1]

    @property
    def edges(self):
        """For a list of edges: the ids of their ends, an array of shape (m, 2)."""
        return self._named().of(self.end_positions)

    @property
    def end_positions(self):
        """For a list of edges: the positions of their ends in `ids`, an integer array of shape (m, 2)."""
        pairs = self._core.pairs()
        if pairs is None:
            raise core.UsageError("the graph holds rows or columns, not a list of edges; rows have offsets and targets instead")
        return pairs

    @property
    def ids(self):
        """The ids of the vertices, ascending: integers, or strings or bytes as objects."""
        return self._named().all

    @property
    def names(self):
        """The ids of the vertices unless they are 0 .. vertices - 1: an array of integers, or a list of strings or bytes; otherwise None."""
        held = self._named().held
        return held.tolist() if held is not None and held.dtype == object else held

    def symmetric_rows(self, *, threads=None, memory=None):
        """Returns the simple graph as sorted rows that hold every edge in both directions, without loops and repeated edges. O(n + m) plus
        sorting."""
        return Graph(self._core.symmetric_rows(options(threads=threads, memory=memory)), self._ids)

    def to_scipy(self):
        """Returns a scipy.sparse.csr_array of ones (for a list of edges, a coo_array) over the same memory; its indices are positions in
        `ids`."""
        from scipy import sparse

        shape = (self.vertices, self.vertices)
        if self.has_rows:
            return sparse.csr_array((np.ones(self.stored, np.int8), self.targets, self.offsets), shape=shape)
        return sparse.coo_array((np.ones(self.stored, np.int8), tuple(self.end_positions.T)), shape=shape)

    def checksum(self, threads=None):
        """Returns a 64-bit checksum of the stored arcs, which depends neither on their order nor on the width of ids."""
        return self._core.checksum(threads_of(threads))

    def write(self, path):
        """Writes a graph that was read or generated. The suffix gives the format: .sg .egr .adj .gr .mtx .csv .tsv .el .txt .coo .coo64."""
        try:
            self._core.write(path_text(path), options())
        except core.InputError as error:
            raise core.FileError(str(error)) from None

    def _rows(self):
        rows = self._core.rows()
        if rows is None:
            raise core.UsageError("the graph holds a list of edges, not rows; symmetric_rows() makes rows of them")
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
    path, *, columns=None, score=None, threshold=None, vertices=None, threads=None, memory=None, progress=None, **reading,
):
    """Reads a graph from a file in any format that copse can read (docs/reference/formats.md), also one compressed with gzip or zstd.

    For edge lists and CSV: columns: the two columns of ids, by 1-based numbers or by names in the header, by default the first two; for an
    id that spans several columns a tuple of these, as in (("source_l", "id_l"), ("source_r", "id_r")). score, threshold: the column of
    scores, and the least score of the edges that are read. vertices: declares the vertices 0 .. vertices - 1.

    reading, which every function takes with a path: format: the name of the format, by default that of the suffix; ids: 'auto', 'integers',
    'strings' or 'bytes'; header: whether the first record is a header (by default the file decides); delimiter: one byte, or 'tab'; na: a
    word or a list of words that stand for a missing value, whose edges are dropped ('' for an empty field); comment: how comment lines begin;
    id_delimiter: what joins the parts of an id of several columns; trim: False keeps the blanks around ids; prefix_left, prefix_right:
    prefixes for the ids of each column; signed: True for .coo and .coo64 files of signed ids.

    A file that could be read in two ways gives a warning (`Note`). Returns a Graph, whose ids are those of the file. O(n + m). Raises
    OSError, InputError with file and line, ResourceError.

    >>> import copse, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.csv"
    >>> _ = path.write_text("a,b,0.9\\nb,c,0.2\\n")
    >>> copse.read_graph(path, ids="strings", score=3, threshold=.5).ids.tolist()
    ['a', 'b']
    """
    path, least = readable(path), None if threshold is None else real(threshold, "threshold")
    how = core.read_options(*_reading.reading("read_graph", columns, score, vertices, reading, least))
    found = core.read_graph(path, how, options(threads=threads, memory=memory, progress=progress))
    return Graph(found, IdType(_reading.ids_kind(reading)))


def generate(spec, *, raw=False, threads=None, memory=None):
    """Generates the graph of a spec such as 'rmat:scale=20,edges=16,seed=7', the same on every machine (`copse generate --help` lists the
    families).

    Returns a Graph of sorted symmetric rows, or with raw=True the list of edges as the definition generates them. For a spec of linked lists
    ('list:n=1000000') it returns an array of successors instead. Raises UsageError, ResourceError.

    >>> import copse
    >>> copse.components(copse.generate("path:n=4")).count
    1
    """
    how = options(threads=threads, memory=memory)
    raw = flag(raw, "raw")
    if core.is_list_spec(text(spec, "spec")):
        return core.generate_list(spec, how)
    return Graph(core.generate(spec, raw, how))
