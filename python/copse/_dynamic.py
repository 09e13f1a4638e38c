"""Components of a graph whose edges arrive and leave."""
import numpy as np

from copse._columns import times_of
from copse._dynamic_questions import ONE_VERTEX, DynamicSnapshot
from copse._dynamic_rows import edge_rows, vertex_rows
from copse._dynamic_state import CLOSED, DynamicBatch, State
from copse._load import core
from copse._options import expect, flag, whole
from copse._pickles import refuse
from copse._reading import path_text
from copse._result import Components

_EVENTS = np.array(["created", "revived", "split", "merged", "vanished"])


class Dynamic(State):
    """A graph whose edges arrive and leave, with its components, lasting ids of components, and what each batch changed.

    Every call that inserts or erases edges or vertices is a batch. Ids of vertices are integers, strings, bytes or UUIDs, as in the first
    batch that has any; integers are below 2^63, unless that batch was of uint64. A vertex exists from its first edge (or loop) until it is
    erased.

    weights, times, keys: what is kept for each edge; with keys, edges of the same pair with different keys are different edges.
    count_window: an edge stays as long as it is among that many latest inserts. keep_vertices: a vertex stays after its last edge has left a
    window. history: the number of latest batches whose events and changes can be queried and which can be reverted, or 'all'. snapshots:
    allow `snapshot`.

    Threads may share one object: batches wait for each other and for queries. After running out of memory (ResourceError) a graph can no
    longer be used.

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
        """Opens the graph in a folder, in which every batch is written before its call returns. If there is none, the first batch that has
        ids makes it.

        weights, ..., history: as for Dynamic; for an existing graph they may be left out and cannot change. durability: with 'full' a
        batch is on the disk when its call returns; with 'relaxed' the latest batches may be lost if the machine stops, but not if only the
        process does. read_only: for any number of readers in addition to the one writer, also in other processes; `refresh` applies what
        was committed since. at: opens the state after that batch for reading: any of the last `history` batches, and some before them.
        Opening reads the last complete state in the folder and applies the batches since.

        Raises UsageError if another process writes to the folder, with the id of that process; InputError for a damaged folder, with the
        number of the batch. A batch that cannot be written raises ResourceError and leaves the graph as it was. Needs SQLite (libsqlite3).

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
        """With read_only: applies the batches that were committed since the last call, and returns the number of the last batch.

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
        """Returns the graph as of a past batch, for reading, as `open` does with at=. Only for graphs in folders.

        Raises UsageError for a batch that can no longer be read; the error names the oldest one that can.

        >>> import copse, tempfile
        >>> with tempfile.TemporaryDirectory() as folder, copse.Dynamic.open(folder) as people:
        ...     batches = people.insert([("ann", "anna")]), people.erase([("ann", "anna")])
        ...     people.at(1).connected([("ann", "anna")]).tolist()
        [True]
        """
        self._expect_folder("at")
        if self._ids.kind == "":
            raise core.UsageError("at() needs a batch with ids; the graph has no ids yet")
        return Dynamic.open(self._folder.path, at=batch)

    def close(self):
        """Releases the folder for another writer. The graph can no longer be used. A `with` block calls this at its end.

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
        refuse("Dynamic", "use Dynamic.open, which keeps it in a folder")

    def insert(self, edges, score=None, *, columns=None, time=None, key=None, nulls="error", **reading):
        """Inserts edges, as one batch. An edge that already exists keeps the later time and takes the new score.

        edges: pairs of ids (an array or a list of shape (m, 2), a tuple of two columns), a SciPy sparse matrix, a Graph, a table, or the
        path of a file. score, time, key: for a table the names of columns, otherwise arrays with one value per edge; by default 1, 0 and 0.
        Times are integers in all batches, or dates in all batches. columns: the names of the two columns of ids, for a table that has more.
        nulls: 'error', or 'drop' to leave out rows with a null. reading: how a text file is read, as in `read_graph`.

        Returns a DynamicBatch. Raises UsageError, InputError, OSError, ResourceError.

        >>> import copse
        >>> graph = copse.Dynamic(weights=True, times=True)
        >>> graph.insert({"l": ["a", "b"], "r": ["b", "c"], "s": [.5, .7], "t": [1, 2]}, "s", columns=("l", "r"), time="t").inserted
        2
        """
        for kept, what, given in ((self._weights, "score", score), (self._times, "time", time), (self._keys, "key", key)):
            if given is not None and not kept:
                raise core.UsageError(f"{what}= needs a graph made with {'weights' if what == 'score' else what + 's'}=True")
        rows = edge_rows("insert", edges, columns, reading, score=score, time=time, key=key, nulls=nulls, weighted=self._weights)
        with self._lock:
            if time is not None:
                self._note_dates(rows.has_dates)
            return self._batch(rows, lambda *ids: self._live.insert(*ids, rows.score, rows.time, rows.key))

    def erase(self, edges, *, columns=None, key=None, nulls="error", **reading):
        """Erases edges, as one batch. Their vertices stay. edges, columns, key, nulls, reading: as in `insert`; without key=, all edges of a
        pair are erased.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([(1, 2), (2, 3)])
        >>> graph.erase([(3, 2)]).erased, graph.size_of(3)
        (1, 1)
        """
        if key is not None and not self._keys:
            raise core.UsageError("key= needs a graph made with keys=True")
        rows = edge_rows("erase", edges, columns, reading, key=key, nulls=nulls)
        return self._batch(rows, lambda *ids: self._live.erase(*ids, rows.key))

    def erase_vertices(self, vertices, id=None, *, purge=False):
        """Erases vertices and their edges, as one batch. vertices: a list, an array, a column, or a table with the column `id`.

        A vertex that is inserted later under the same name is a new vertex. purge: also removes the names and edges of these vertices, and of
        all that were erased before, from memory and from every byte of the folder. The history starts over, and past states can no longer
        be opened: O(n + m). If purging fails (ResourceError) because the disk is full or a reader does not finish within 10 seconds, purge
        again.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([("a", "b"), ("b", "c")])
        >>> graph.erase_vertices(["b"]).erased, "b" in graph
        (2, False)
        """
        purges = flag(purge, "purge")
        return self._batch(vertex_rows(vertices, id), lambda ids: self._live.erase_vertices(ids, purges))

    def compact(self):
        """Writes the complete state to the folder, so that opening it need not apply the batches so far, and drops batches that the history
        does not need. This happens automatically as batches arrive; a call before a graph is closed makes opening it fast. O(n + m).

        >>> import copse, tempfile
        >>> with tempfile.TemporaryDirectory() as folder, copse.Dynamic.open(folder) as people:
        ...     batch = people.insert([("ann", "anna")])
        ...     people.compact()
        """
        with self._lock:
            self._expect_folder("compact")
            if self._ids.kind != "":  # before the first id nothing is in the folder
                self._live.compact()

    def expire(self, before):
        """Erases the edges whose time is before `before`, and the vertices that lose their last edge with them, as one batch. From then on,
        inserts with earlier times are dropped.

        before: an integer or a date, as the times are. Needs times=True.

        >>> import copse
        >>> graph = copse.Dynamic(times=True)
        >>> batch = graph.insert([(1, 2), (2, 3)], time=[10, 20])
        >>> graph.expire(20).erased, graph.vertices
        (1, 2)
        """
        if not self._times:
            raise core.UsageError("expire() needs a graph made with times=True")
        cutoff, missing, are_dates = times_of([before], "before")
        if missing[0]:
            raise core.UsageError(f"before must be an integer or a date, not {before!r}")
        with self._lock:
            self._note_dates(are_dates)
            if self._ids.kind == "":
                self._before.append(int(cutoff[0]))
            return DynamicBatch(*self._live.expire(int(cutoff[0])), 0)

    def revert(self, batch, conflicts="error"):
        """Reverts a batch, which is a batch itself. The last batch is reverted exactly, including the ids of components.

        conflicts: 'error' refuses to revert an older batch if later ones touched what it changed; 'skip' leaves those changes as they are.
        What has left a window cannot come back. Raises UsageError if the history does not reach back far enough.

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
        """Returns the conflicts for which `revert` would refuse: a table with the columns is_vertex, u, v and key. For a vertex, u equals v.

        >>> import copse
        >>> graph = copse.Dynamic(history=5)
        >>> first, second = graph.insert([(1, 2)]), graph.erase([(1, 2)])
        >>> len(graph.conflicts(first.number)) > 0
        True
        """
        is_vertex, u, v, key = self._live.conflicts(whole(batch, "batch"), self._ids.are_bytes)
        return self._table({"is_vertex": is_vertex, "u": u, "v": v, **({"key": key} if self._keys else {})}, ("u", "v"))

    def connected(self, pairs, *, columns=None, **reading):
        """Tells whether the two vertices of each pair are connected. pairs: as the edges of `insert`. A vertex that does not exist is
        connected to none, not even to itself.

        Returns a bool array with one element per pair. Expected O(1) per pair.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([(1, 2), (2, 3), (-7, 4)])
        >>> graph.connected([(1, 3), (1, 4), (1, 99)]).tolist()
        [True, False, False]
        """
        return self._connected(pairs, columns, reading)

    def component_of(self, vertices):
        """Returns the id of the component of a vertex, or None if the vertex does not exist; for a column of vertices an array of int64, with
        -1 for those that do not exist.

        A component keeps its id from batch to batch, and no other component ever gets that id. Expected O(1) per vertex.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([("a", "b"), ("c", "d")])
        >>> graph.component_of("d"), graph.component_of("e"), graph.component_of(["a", "b", "e"]).tolist()
        (1, None, [0, 0, -1])
        """
        return self._component_of(vertices)

    def size_of(self, vertices):
        """Returns the number of vertices in the component of a vertex, 0 if the vertex does not exist; for a column of vertices an array of
        int64. Expected O(1) per vertex.

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([(1, 2), (2, 3)])
        >>> graph.size_of(3), graph.size_of([1, 8]).tolist()
        (3, [3, 0])
        """
        return self._size_of(vertices)

    def members(self, vertex):
        """Returns the vertices in the component of a vertex, ascending. Raises KeyError for a vertex that does not exist. O(k log k) for k of
        them.

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
        """Returns every vertex with its canonical label, the smallest vertex of its component, as Components. O(n log n).

        >>> import copse
        >>> graph = copse.Dynamic()
        >>> batch = graph.insert([("b", "c"), ("a", "d")])
        >>> graph.components()["c"]
        'b'
        """
        return Components(self._live.labels(), None, self._ids)

    def edges(self):
        """Returns all edges, ordered by u, v and key: a table with the columns u and v, and weight, time and key if these are kept. O(n + m log m).

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
        """Returns what happened to components in a batch, by default the last one: a table with the columns event, from, into and vertices.

        created, revived: the component `into` begins, or begins again. split: `vertices` vertices of `from` are now in `into`. merged: `from`
        ended, and `into` has most of its vertices. vanished: `from` ended because its vertices were erased. Rows are in this order.

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
        """Returns the vertices whose component id differs from that after the batch `since`: a table with the columns id, before and after.

        before is null for a vertex that did not exist then, after for one that no longer exists. Tables are of the kind of the last batch
        that was a table: a pandas or Polars frame, or a pyarrow table; after arrays they are NumPy structured arrays, with -1 for a null.

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
        """Returns the components after the last complete batch as a DynamicSnapshot, which other threads may query while batches arrive. O(1).

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
        """Number of vertices that exist. O(1).

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
        """The number of the last batch; 0 if there is none."""
        return self._live.last_batch

    @property
    def oldest_batch(self):
        """The number of the oldest batch in the history; last_batch + 1 if it is empty."""
        return self._live.oldest_batch

    def __repr__(self):
        return f"Dynamic({self.vertices} vertices, {self.edge_count} edges, {self.count} components, batch {self.last_batch})"


def _or_null(ids):
    """Ids of components, of which -1 is none."""
    return np.ma.masked_equal(ids, -1)
