"""Components of a graph whose edges arrive and leave."""
import numpy as np

from copse._columns import times_of
from copse._dynamic_questions import ONE_VERTEX, DynamicSnapshot
from copse._dynamic_rows import edge_rows, vertex_rows
from copse._dynamic_state import CLOSED, DynamicBatch, State
from copse._inputs import expect
from copse._load import core
from copse._options import flag, whole
from copse._pickles import refuse
from copse._reading import path_text
from copse._result import Components

_EVENTS = np.array(["created", "revived", "split", "merged", "vanished"])


class Dynamic(State):
    """A graph whose edges arrive and leave, its components, ids of components that stay, and what each batch changed.

    Every call that takes edges or vertices is a batch. Ids of vertices are integers, strings, bytes or UUIDs, as in the first batch that has
    any; integers are below 2^63, unless that batch was of uint64. A vertex exists from its first edge (or loop) until it is erased.

    weights, times, keys: what is kept for each edge; with keys, edges of the same pair are different if their keys are. count_window: an edge
    stays as long as one of that many last inserts named it. keep_vertices: a vertex stays when its last edge has left a window.
    history: how many of the last batches can be asked for events and changes, and be reverted, or 'all'. snapshots: allow `snapshot`.

    Threads may share one object: batches wait for each other and for questions. When memory ends (ResourceError), a graph
    is of no use any more.

    >>> import copse
    >>> people = copse.Dynamic(weights=True, history=10)
    >>> batch = people.insert([("ann", "anna"), ("bob", "bobby")], score=[.9, .8])
    >>> ann = people.component_of("ann")
    >>> wrong = people.insert([("anna", "bob")], score=[.6])
    >>> people.size_of("ann"), people.count
    (4, 1)
    >>> undone = people.revert(wrong.number)
    >>> people.component_of("ann") == ann, people.count
    (True, 2)
    """

    __slots__ = ()

    def __init__(
        self, *, weights=False, times=False, keys=False, count_window=None, keep_vertices=False, history=1, snapshots=False, memory=None
    ):
        self._begin((weights, times, keys, count_window, keep_vertices, history), snapshots, memory)
        self._live = core.DynamicSigned(self._made, self._memory)

    @classmethod
    def open(
        cls, path, *, weights=None, times=None, keys=None, count_window=None, keep_vertices=None, history=None, snapshots=False,
        durability="full", read_only=False, at=None, memory=None,
    ):
        """The graph in a folder, in which every batch is written before its call returns; made with the first batch that has ids if there is none.

        weights, ..., history: as for Dynamic; of a graph that is there they may be left out, and cannot change. durability: 'full' has a
        batch on the disk when its call returns; with 'relaxed' the last ones may be lost when the machine stops, but not when the process
        does. read_only: for any number of readers in addition to the one writer, in other processes, too; `refresh` brings what was
        committed since. at: the state after that batch, which can only be read: one of the last `history` batches, or some before.
        Opening reads the last whole state in the folder, and applies the batches since.

        Raises UsageError, with the id of the process that writes, if there is one; InputError for a damaged folder, with the number of
        the batch. A batch that cannot be written raises ResourceError, and the graph is as it was. Needs SQLite (libsqlite3) on the machine.

        >>> import copse, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> with copse.Dynamic.open(folder.name + "/people") as people:
        ...     batch = people.insert([("ann", "anna")])
        >>> with copse.Dynamic.open(folder.name + "/people") as people:
        ...     people.size_of("ann"), people.last_batch
        (2, 1)
        >>> folder.cleanup()
        """
        expect(durability, ("full", "relaxed"), "durability")
        until = None if at is None else whole(at, "at")
        reads = flag(read_only, "read_only") or at is not None
        graph = cls.__new__(cls)
        graph._open(path_text(path), (weights, times, keys, count_window, keep_vertices, history), snapshots, memory, durability == "full", reads, until)
        return graph

    def refresh(self):
        """With read_only: applies the batches that were committed since, and returns the number of the last one.

        >>> import copse, tempfile
        >>> with tempfile.TemporaryDirectory() as folder, copse.Dynamic.open(folder) as writer:
        ...     batch = writer.insert([(1, 2)])
        ...     with copse.Dynamic.open(folder, read_only=True) as reader:
        ...         batch = writer.insert([(2, 3)])
        ...         reader.size_of(1), reader.refresh(), reader.size_of(1)
        (2, 2, 3)
        """
        with self._lock:
            last = self._live.refresh()
            self._take_remark(core.dynamic_facts(self._folder.path)[2])
            return last

    def at(self, batch):
        """The graph as of a batch of the past, to read: what `open` gives with at=. Of graphs in folders.

        Raises UsageError, with the oldest batch that can be read, for one before it.

        >>> import copse, tempfile
        >>> with tempfile.TemporaryDirectory() as folder, copse.Dynamic.open(folder) as people:
        ...     batches = people.insert([("ann", "anna")]), people.erase([("ann", "anna")])
        ...     people.at(1).connected([("ann", "anna")]).tolist()
        [True]
        """
        if self._folder is None:
            raise core.UsageError("at: found a graph in memory, expected one of Dynamic.open")
        if self._ids.kind == "":
            raise core.UsageError("at: found a graph that has no ids yet, expected a batch that has some")
        return Dynamic.open(self._folder.path, at=batch)

    def close(self):
        """Gives the folder free for another writer. The graph is of no use any more. `with` does it.

        >>> import copse
        >>> copse.Dynamic().close()
        """
        with self._lock:
            self._live = CLOSED

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __reduce__(self):
        refuse("Dynamic", "Dynamic.open, which keeps it in a folder")

    def insert(self, edges, score=None, *, columns=None, time=None, key=None, nulls="error", **reading):
        """Inserts edges: a batch. An edge that is there keeps the later time and takes the new score.

        edges: pairs of ids (an array or a list of shape (m, 2), a tuple of two columns), a SciPy sparse matrix, a Graph, a table, or the
        path of a file. score, time, key: of a table the names of columns, otherwise arrays with one value per edge; by default 1, 0 and 0. Times are integers, or dates in all
        batches. columns: names of a table's two columns of ids, where it has more. nulls: 'error', or 'drop' to leave out rows with a null.
        reading: how a file in text is read, as in `read_graph`.

        Returns a DynamicBatch. Raises UsageError, InputError, OSError, ResourceError.

        >>> import copse
        >>> graph = copse.Dynamic(weights=True, times=True)
        >>> graph.insert({"l": ["a", "b"], "r": ["b", "c"], "s": [.5, .7], "t": [1, 2]}, "s", columns=("l", "r"), time="t").inserted
        2
        """
        for kept, what, given in ((self._weights, "score", score), (self._times, "time", time), (self._keys, "key", key)):
            if given is not None and not kept:
                option = {"score": "weights"}.get(what, what + "s")
                raise core.UsageError(f"{what}: found {what}= for a graph that keeps none, expected Dynamic({option}=True)")
        rows = edge_rows("insert", edges, columns, reading, score=score, time=time, key=key, nulls=nulls, weighted=self._weights)
        with self._lock:
            if time is not None:
                self._note_dates(rows.has_dates)
            return self._batch(rows, lambda *ids: self._live.insert(*ids, rows.score, rows.time, rows.key))

    def erase(self, edges, *, columns=None, key=None, nulls="error", **reading):
        """Erases edges: a batch. Their ends stay. edges, columns, key, nulls, reading: as in `insert`; without key=, all edges of a pair.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([(1, 2), (2, 3)])
        >>> graph.erase([(3, 2)]).erased, graph.size_of(3)
        (1, 1)
        """
        if key is not None and not self._keys:
            raise core.UsageError("key: found key= for a graph that keeps none, expected Dynamic(keys=True)")
        rows = edge_rows("erase", edges, columns, reading, key=key, nulls=nulls)
        return self._batch(rows, lambda *ids: self._live.erase(*ids, rows.key))

    def erase_vertices(self, vertices, id=None, *, purge=False):
        """Erases vertices and their edges: a batch. vertices: a list, an array, a column, or a table with the column `id`.

        A vertex of that name that comes later is a new one. purge: removes the names and edges of these vertices, and of all that were
        erased before, from memory and from every byte of the folder, too. The history begins anew, and the past cannot be opened any more:
        O(n + m). If that fails (ResourceError), because the disk is full or a reader goes on for 10 seconds, purge again.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([("a", "b"), ("b", "c")])
        >>> graph.erase_vertices(["b"]).erased, "b" in graph
        (2, False)
        """
        purges = flag(purge, "purge")
        return self._batch(vertex_rows(vertices, id), lambda ids: self._live.erase_vertices(ids, purges))

    def compact(self):
        """Writes the whole state to the folder, so that it is opened without applying the batches so far, and drops batches that the history
        does not need. This happens by itself as batches come; before a graph is closed, it makes opening it fast. O(n + m).

        >>> import copse, tempfile
        >>> with tempfile.TemporaryDirectory() as folder, copse.Dynamic.open(folder) as people:
        ...     batch = people.insert([("ann", "anna")])
        ...     people.compact()
        """
        with self._lock:
            if self._folder is None:
                raise core.UsageError("compact: found a graph in memory, expected one of Dynamic.open")
            if self._ids.kind != "":  # before the first id nothing is in the folder
                self._live.compact()

    def expire(self, before):
        """Erases the edges whose time is less, and the vertices whose last edge was one of them: a batch. Older inserts are dropped from now on.

        before: an integer or a date, as times are. Needs times=True.

        >>> import copse
        >>> graph = copse.Dynamic(times=True)
        >>> batch = graph.insert([(1, 2), (2, 3)], time=[10, 20])
        >>> graph.expire(20).erased, graph.vertices
        (1, 2)
        """
        if not self._times:
            raise core.UsageError("expire: found a graph without times, expected Dynamic(times=True)")
        cutoff, missing, are_dates = times_of([before], "before")
        if missing[0]:
            raise core.UsageError(f"before: found {before!r}, expected an integer or a date")
        with self._lock:
            self._note_dates(are_dates)
            if self._ids.kind == "":
                self._before.append(int(cutoff[0]))
            return DynamicBatch(*self._live.expire(int(cutoff[0])), 0)

    def revert(self, batch, conflicts="error"):
        """Takes a batch back: a batch, too. The last one is taken back exactly, ids of components included.

        conflicts: 'error' refuses an older batch where later ones touched what it changed; 'skip' leaves those changes as they are. What left
        a window cannot come back. Raises UsageError where the history does not reach so far.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([(1, 2)])
        >>> graph.revert(batch.number).erased, graph.vertices
        (1, 0)
        """
        expect(conflicts, ("error", "skip"), "conflicts")
        with self._lock:
            done = self._live.revert(whole(batch, "batch"), conflicts == "skip")
            if self._ids.kind == "":
                self._before.append(None)
            return DynamicBatch(*done, 0)

    def conflicts(self, batch):
        """What `revert` would refuse for: a table with the columns is_vertex, u, v and key. Of a vertex u and v are the same.

        >>> import copse
        >>> graph = copse.Dynamic(history=5)
        >>> first, second = graph.insert([(1, 2)]), graph.erase([(1, 2)])
        >>> len(graph.conflicts(first.number)) > 0
        True
        """
        is_vertex, u, v, key = self._live.conflicts(whole(batch, "batch"), self._ids.are_bytes)
        return self._table({"is_vertex": is_vertex, "u": u, "v": v, **({"key": key} if self._keys else {})}, ("u", "v"))

    def connected(self, pairs, *, columns=None, **reading):
        """Are both ends of each pair connected? pairs: as the edges of `insert`. A vertex that does not exist is connected with none.

        Returns a bool array of one answer per pair. Expected O(1) for each.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([(1, 2), (2, 3), (-7, 4)])
        >>> graph.connected([(1, 3), (1, 4), (1, 99)]).tolist()
        [True, False, False]
        """
        return self._connected(pairs, columns, reading)

    def component_of(self, vertices):
        """The id of the component of a vertex, or None if it does not exist; of a column of vertices an array of int64, with -1 for none.

        Ids of components stay from batch to batch, and never name another component. Expected O(1) for each.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([("a", "b"), ("c", "d")])
        >>> graph.component_of("d"), graph.component_of("e"), graph.component_of(["a", "b", "e"]).tolist()
        (1, None, [0, 0, -1])
        """
        return self._component_of(vertices)

    def size_of(self, vertices):
        """Vertices in the component of a vertex, 0 if it does not exist; of a column of vertices an array of int64. Expected O(1) for each.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([(1, 2), (2, 3)])
        >>> graph.size_of(3), graph.size_of([1, 8]).tolist()
        (3, [3, 0])
        """
        return self._size_of(vertices)

    def members(self, vertex):
        """The vertices of the component of a vertex, ascending. Raises KeyError for one that does not exist. O(members log members).

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([("a", "c"), ("c", "b")])
        >>> graph.members("c").tolist()
        ['a', 'b', 'c']
        """
        if vertex not in self:
            raise KeyError(vertex)
        return self._ids_of(self._live.members(self._one(vertex), self._ids.are_bytes))

    def components(self):
        """Every vertex with its canonical label, the smallest vertex of its component, as Components. O(n log n).

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([("b", "c"), ("a", "d")])
        >>> graph.components()["c"]
        'b'
        """
        return Components(self._live.labels(), None, self._ids)

    def edges(self):
        """All edges, in no order: a table with the columns u and v, and weight, time and key where they are kept. O(n + m).

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([(1, 2)])
        >>> len(graph.edges())
        1
        """
        u, v, weights, times, keys = self._live.edges(self._ids.are_bytes)
        if times is not None and self._has_dates:
            times = times.view("datetime64[ns]")
        carried = {"weight": weights, "time": times, "key": keys}
        return self._table({"u": u, "v": v, **{name: column for name, column in carried.items() if column is not None}}, ("u", "v"))

    def events(self, batch=None):
        """What became of components in a batch, by default the last one: a table with the columns event, from, into and vertices.

        created, revived: the component `into` begins, or begins again. split: `vertices` of `from` are now in `into`. merged: `from` ended, and
        `into` has most of its vertices. vanished: `from` ended because its vertices were erased. Rows are in this order.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([(1, 2), (3, 4)])
        >>> batch = graph.insert([(2, 3)])
        >>> len(graph.events())
        1
        """
        number = self.last_batch if batch is None else whole(batch, "batch")
        kinds, before, into, vertices = self._live.events(number)
        return self._table({"event": _EVENTS[kinds], "from": _or_null(before), "into": _or_null(into), "vertices": vertices})

    def changes(self, since):
        """The vertices whose component has another id than after the batch `since`: a table with the columns id, before and after.

        before is null for a vertex that did not exist, after for one that does not exist any more. Tables are of the kind of the last batch
        that was one: a pandas or Polars frame, or a pyarrow table; after arrays they are NumPy structured arrays, with -1 for a null.

        >>> import copse
        >>> graph = copse.Dynamic(history=5)
        >>> batch = graph.insert([(1, 2), (3, 4), (5, 4)])
        >>> graph.insert([(2, 3)]).number
        2
        >>> graph.changes(1).tolist()
        [(1, 0, 1), (2, 0, 1)]
        """
        ids, before, after = self._live.changes(whole(since, "since"), self._ids.are_bytes)
        return self._table({"id": ids, "before": _or_null(before), "after": _or_null(after)}, ("id",))

    def snapshot(self):
        """The components after the last batch that has returned, as a DynamicSnapshot, which other threads may ask while batches go in. O(1).

        Needs snapshots=True.

        >>> import copse
        >>> graph = copse.Dynamic(snapshots=True)
        >>> batch = graph.insert([(1, 2)])
        >>> graph.snapshot()
        DynamicSnapshot(batch 1, 2 vertices, 1 components)
        """
        live, ids = self._live, self._ids
        return DynamicSnapshot(live.snapshot(), ids)

    def __contains__(self, vertex):
        try:
            return isinstance(vertex, ONE_VERTEX) and self.size_of(vertex) != 0
        except (core.UsageError, core.InputError):  # not the kind of id that vertices have
            return False

    @property
    def vertices(self):
        """Vertices that exist. O(1).

        >>> import copse
        >>> copse.Dynamic().vertices
        0
        """
        return self._live.vertices

    @property
    def edge_count(self):
        """Number of edges. O(1)."""
        return self._live.edge_count

    @property
    def last_batch(self):
        """The number of the last batch; 0: none."""
        return self._live.last_batch

    @property
    def oldest_batch(self):
        """The oldest batch that the history has; last_batch + 1: none."""
        return self._live.oldest_batch

    def __repr__(self):
        return f"Dynamic({self.vertices} vertices, {self.edge_count} edges, {self.count} components, batch {self.last_batch})"


def _or_null(ids):
    """Ids of components, of which -1 is none."""
    return np.ma.masked_equal(ids, -1)
