"""Components that stay up to date while edges arrive."""
import numpy as np

from copse import _arrays
from copse._load import core
from copse._options import flag, options, whole
from copse._pickles import refuse
from copse._reading import path_text, readable
from copse._result import Components


class Incremental:
    """The components of the edges inserted so far; inserts and questions in any order.

    vertices: so many exist from the start, named 0 .. vertices - 1; others exist once an edge names them. Ids are below 2^32 - 1 and should
    be dense: memory is 4 bytes for each id up to the largest. record_forest: keep the edges that joined two components, 8 bytes per vertex.
    variant: a name of `variants('incremental')`. Threads may share one object: calls wait for each other.
    """

    __slots__ = ("_live",)

    def __init__(self, vertices=0, *, record_forest=False, variant="auto", threads=None, memory=None):
        recorded = flag(record_forest, "record_forest")
        self._live = core.Live(whole(vertices, "vertices"), recorded, options(variant, threads=threads, memory=memory))

    @classmethod
    def open(cls, path, *, record_forest=False, variant="auto", threads=None, memory=None):
        """What `save` wrote. Raises OSError, InputError for a file that is damaged or no such file."""
        made = cls.__new__(cls)
        made._live = core.Live.open(readable(path), flag(record_forest, "record_forest"), options(variant, threads=threads, memory=memory))
        return made

    def __reduce__(self):
        refuse("Incremental", "save() and Incremental.open(), which keep it in a file")

    def save(self, path):
        """Writes all to a file, which is replaced as a whole and on the disk when this returns. Raises OSError, ResourceError."""
        try:
            self._live.save(path_text(path))
        except core.InputError as error:
            raise core.FileError(str(error)) from None

    def insert(self, edges):
        """Joins the ends of every edge: an integer array (m, 2), or a tuple of two integer arrays. Near O(m)."""
        self._live.insert(_pairs(edges))

    def connected(self, pairs):
        """Are both ends of each pair connected? pairs as edges of `insert`. A vertex that does not exist is connected with itself only.

        Returns a bool array of one answer per pair."""
        return self._live.connected(_pairs(pairs))

    def merge(self, other):
        """Joins all that is joined in `other`, another Incremental."""
        if not isinstance(other, Incremental):
            raise core.UsageError(f"merge: found {type(other).__name__}, expected an Incremental")
        self._live.merge(other._live)

    def size_of(self, vertex):
        """Vertices in its component; 0 when it does not exist. O(n) after an insert that joined something, then O(1)."""
        return self._live.size_of(whole(vertex, "vertex"))

    def __contains__(self, vertex):
        try:
            return self._live.contains(whole(vertex, "vertex"))
        except core.UsageError:  # no number of a vertex
            return False

    @property
    def vertices(self):
        """Vertices that exist. O(1)."""
        return self._live.vertices

    @property
    def count(self):
        """Number of components. O(1)."""
        return self._live.count

    @property
    def variant(self):
        """The variant that runs; never 'auto'."""
        return self._live.variant

    def components(self):
        """The answer now, as Components. O(n)."""
        return Components(self._live.labels())

    def forest(self):
        """With record_forest: the edges that joined two components, an integer array (k, 2) in no order."""
        try:
            return self._live.forest().pairs()
        except core.UsageError:
            raise core.UsageError("forest: found a structure that records none, expected Incremental(record_forest=True)") from None

    def __repr__(self):
        return f"Incremental({self.vertices} vertices, {self.count} components, variant {self.variant!r})"


def _pairs(edges):
    return np.column_stack(_arrays.columns(*edges)) if _arrays.is_column_pair(edges) else _arrays.pairs(edges)
