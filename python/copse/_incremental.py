"""Components that stay up to date while edges arrive."""
import numpy as np

from copse import _arrays, _ids
from copse._dynamic_questions import ONE_VERTEX, Questions
from copse._dynamic_rows import edge_rows
from copse._load import core
from copse._options import flag, options, whole
from copse._pickles import refuse
from copse._reading import path_text, readable
from copse._result import Components


class Incremental(Questions):
    """The components of the edges inserted so far; inserts and queries may come in any order.

    Ids of vertices are integers, strings, bytes or UUIDs, as in the first batch that has any. Memory is 4 bytes per id up to the largest for
    dense integers, and 20 to 30 bytes per vertex for sparse integers and for strings, in addition to the strings themselves.

    vertices: vertices 0 .. vertices - 1 exist from the start; others exist once an edge names them. record_forest: keep the edges that
    joined two components, 8 bytes per vertex; ids are integers below 2^32 - 1 then, and should be dense. variant: a name of
    `variants('incremental')`. device: 'cpu', or 'cuda' or 'cuda:1', where the structure is kept in the memory of that GPU, of which it takes
    gpu_memory bytes at most. Threads may share one object: calls wait for each other.

    >>> import copse
    >>> people = copse.Incremental()
    >>> people.insert([("ann", "anna"), ("bob", "bobby")])
    >>> people.connected([("ann", "bob")]).tolist(), people.count
    ([False], 2)
    >>> people.insert([("anna", "bob")])
    >>> people.size_of("ann"), "carl" in people
    (4, False)
    """

    __slots__ = ("_indexed",)

    def __init__(self, vertices=0, *, record_forest=False, variant="auto", device=None, threads=None, memory=None, gpu_memory=None):
        count = whole(vertices, "vertices")
        how = options(variant, device, threads, memory, gpu_memory=gpu_memory)
        self._begin(core.Live(count, flag(record_forest, "record_forest"), how), record_forest)

    def _begin(self, live, record_forest):
        self._live, self._indexed = live, record_forest
        self._ids = _ids.IdType(live.kind)

    @classmethod
    def open(cls, path, *, record_forest=False, variant="auto", device=None, threads=None, memory=None, gpu_memory=None):
        """Opens what `save` wrote, or the structure in a checkpoint of `copse stream`. Bytes and UUIDs come back as strings.

        Raises OSError, and InputError for a file that is damaged or of another kind.

        >>> import copse, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     people = copse.Incremental()
        ...     people.insert([("ann", "anna")])
        ...     people.save(folder + "/people")
        ...     copse.Incremental.open(folder + "/people").size_of("ann")
        2
        """
        made = cls.__new__(cls)
        recorded = flag(record_forest, "record_forest")
        made._begin(core.Live.open(readable(path), recorded, options(variant, device, threads, memory, gpu_memory=gpu_memory)), recorded)
        return made

    def __reduce__(self):
        refuse("Incremental", "use save() and Incremental.open(), which keep it in a file")

    def save(self, path):
        """Writes the structure to a file, which is replaced atomically and is on the disk when this returns. Raises OSError, ResourceError."""
        try:
            self._live.save(path_text(path))
        except core.InputError as error:
            raise core.FileError(str(error)) from None

    def insert(self, edges, *, columns=None, nulls="error", **reading):
        """Inserts edges, which joins the components of their ends. Close to O(m), plus the bytes of strings.

        edges: pairs of ids (an array or a list of shape (m, 2), a tuple of two columns), a SciPy sparse matrix, a Graph, a table, or the
        path of a file. columns: the names of the two columns of ids, for a table that has more. nulls: 'error', or 'drop' to leave out rows
        with a null. reading: how a text file is read, as in `read_graph`. Raises UsageError, InputError, OSError, ResourceError.

        >>> import copse
        >>> live = copse.Incremental()
        >>> live.insert({"l": [1, 10**12], "r": [-5, 1]})
        >>> int(live.components()[1])
        -5
        """
        if columns is None and nulls == "error" and not reading:
            arrays = _integer_arrays(edges)
            if arrays is not None:
                self._expect(_ids.INTEGERS)
                self._live.insert_pairs(*arrays) if len(arrays) == 1 else self._live.insert(*arrays)
                return self._note(_ids.INTEGERS)
        rows = edge_rows("insert", edges, columns, reading, nulls=nulls)
        self._expect(rows.type)
        if rows.type.kind:
            self._live.insert(*rows.ids)
            self._note(rows.type)

    def connected(self, pairs, *, columns=None, **reading):
        """Tells whether the two vertices of each pair are connected. pairs: as the edges of `insert`. A vertex that does not exist is
        connected to itself only.

        Returns a bool array with one element per pair.

        >>> import copse
        >>> live = copse.Incremental(3)
        >>> live.connected([(0, 1), (7, 7)]).tolist()
        [False, True]
        """
        if columns is None and not reading:
            arrays = _integer_arrays(pairs)
            if arrays is not None:
                self._expect(_ids.INTEGERS)
                return self._live.connected_pairs(*arrays) if len(arrays) == 1 else self._live.connected(*arrays)
        rows = edge_rows("connected", pairs, columns, reading)
        self._expect(rows.type)
        return self._live.connected(*rows.ids)

    def merge(self, other):
        """Joins everything that is joined in `other`, another Incremental."""
        if not isinstance(other, Incremental):
            raise core.UsageError(f"other must be an Incremental, not {type(other).__name__}")
        self._expect(other._ids)
        self._live.merge(other._live)
        self._note(other._ids)

    def size_of(self, vertices):
        """Returns the number of vertices in the component of a vertex, 0 if the vertex does not exist; for a column of vertices an array of
        int64. O(n) for the first call after an insert that joined components, then O(1) per vertex.

        >>> import copse
        >>> live = copse.Incremental()
        >>> live.insert([(1, 2), (2, 3)])
        >>> live.size_of(3), live.size_of([1, 8]).tolist()
        (3, [3, 0])
        """
        return self._size_of(vertices)

    def __contains__(self, vertex):
        try:
            return isinstance(vertex, ONE_VERTEX) and bool(self._live.contains(self._one(vertex))[0])
        except (core.UsageError, core.InputError):  # not the kind of id that vertices have
            return False

    @property
    def variant(self):
        """The name of the variant in use; never 'auto'."""
        return self._live.variant

    def components(self):
        """Returns the components so far, as Components. O(n); for sparse integers and strings O(n log n)."""
        return Components(self._live.labels(), None, self._ids if self._ids.kind else None)

    def forest(self):
        """With record_forest: returns the edges that joined two components, an integer array (k, 2) in no particular order."""
        try:
            return self._live.forest().pairs()
        except core.UsageError:
            raise core.UsageError("forest() needs Incremental(record_forest=True)") from None

    def __repr__(self):
        return f"Incremental({self.vertices} vertices, {self.count} components, variant {self.variant!r})"

    def _expect(self, found):
        """Raises UsageError for ids of a kind that does not go with those before, or with a recorded forest."""
        if self._indexed and found.kind not in ("", "integers"):
            raise core.UsageError(f"ids must be integers with record_forest=True, not {found.words}")
        if self._ids.kind:
            self._expect_kind(found)

    def _note(self, found):
        """The type of ids in the next answers."""
        if found.kind and found is not self._ids:
            self._ids = _ids.joined([self._ids, found])


def _integer_arrays(edges):
    """Pairs of integers that need no look at each id: an array (m, 2) or two columns of NumPy, as the compiled module takes them, or None."""
    if isinstance(edges, np.ndarray) and edges.dtype.kind in "iu":
        return (_arrays.pairs(edges),)
    if _arrays.is_column_pair(edges) and all(isinstance(column, np.ndarray) and column.dtype.kind in "iu" for column in edges):
        return _arrays.columns(*edges)
    return None
