"""The state of `Dynamic`: the compiled module's graph, the kind of its ids and times, and the folder in which it is."""
import threading
from typing import NamedTuple

import numpy as np

from copse import _ids, _tables
from copse._dynamic_questions import Questions
from copse._load import core
from copse._options import flag, options, whole

_KINDS = (None, core.DynamicUnsigned, core.DynamicSigned, core.DynamicStrings)  # by the kind of the ids in a folder
_OPTIONS = ("weights", "times", "keys", "count_window", "keep_vertices", "history")
_DEFAULTS = (False, False, False, None, False, 1)


class DynamicBatch(NamedTuple):
    """What a batch changed.

    >>> import copse
    >>> copse.Dynamic().insert([(1, 2), (2, 3), (1, 2)])
    DynamicBatch(number=1, inserted=2, erased=0, dropped=0, skipped=0, left_out=0)
    """

    number: int  #: the number of the batch, from 1
    inserted: int  #: edges that did not exist before
    erased: int  #: edges that left, including those that left a window and those of erased vertices
    dropped: int  #: inserts that were older than the last cut-off of `expire`
    skipped: int  #: changes that a revert left as they are, because later batches touched them
    left_out: int  #: rows left out for a null


class _Folder(NamedTuple):
    """Where a graph is kept, and how."""

    path: str
    is_durable: bool
    reads: bool
    until: int | None

    def opened(self, kind, made, memory, remark=""):
        if kind is None:
            raise core.UsageError(f"{self.path} was made by a C++ program with dense ids; open it in C++, or open a graph that Python made")
        return kind.open(self.path, made, self.is_durable, self.reads, self.until, remark, memory)


class _Closed:
    def __getattr__(self, name):
        raise core.UsageError("the graph is closed: open it again")


CLOSED = _Closed()


class State(Questions):
    """The parts of a Dynamic that its callers do not see."""

    __slots__ = ("_made", "_memory", "_before", "_has_dates", "_library", "_weights", "_times", "_keys", "_lock", "_folder", "_remark_of_others")

    def _begin(self, made, snapshots, memory):
        """The state that graphs in memory and in folders share. made: the options as a caller gives them."""
        weights, times, keys, count_window, keep_vertices, history = made
        window = 0 if count_window is None else whole(count_window, "count_window", 1, 2**63 - 1)
        kept = 2**64 - 1 if isinstance(history, str) and history == "all" else whole(history, "history")
        self._weights, self._times, self._keys = flag(weights, "weights"), flag(times, "times"), flag(keys, "keys")
        self._made = core.DynamicOptions(
            self._weights, self._times, self._keys, window, flag(keep_vertices, "keep_vertices"), kept, flag(snapshots, "snapshots")
        )
        self._memory, self._ids, self._folder = options(memory=memory), _ids.IdType(""), None
        self._before = []  # batches before the first id: None, or the cut-off of `expire`
        self._remark_of_others = ""
        self._has_dates, self._library, self._lock = None, _tables.kind_of_arrays(()), threading.RLock()

    def _open(self, path, given, snapshots, memory, is_durable, reads, until):
        """Implements `Dynamic.open`. given: the options as the caller gives them."""
        facts = core.dynamic_facts(path)
        if facts is None and reads:
            raise core.InputError(f"{path}: not the folder of a graph")
        if facts is None:
            self._begin([default if value is None else value for value, default in zip(given, _DEFAULTS)], snapshots, memory)
            self._folder = _Folder(path, is_durable, False, None)
            self._live = core.DynamicSigned(self._made, self._memory)
            return
        kind, held, remark = facts
        *_, window, keeps, history = held
        held = (*held[:3], window or None, keeps, "all" if history == 2**64 - 1 else history)
        for name, value, there in zip(_OPTIONS, given, held):
            if value is not None and value != there:
                raise core.UsageError(f"{name} must be {there!r}, as when {path} was made, not {value!r}")
        self._begin(held, snapshots, memory)
        self._folder = _Folder(path, is_durable, reads, until)
        self._live = self._folder.opened(_KINDS[kind], self._made, self._memory)
        self._take_remark(remark)

    def _take_remark(self, remark):
        """The kind of the ids and of the times as `_remark` wrote them."""
        mine, self._remark_of_others = (*remark.split("\n", 1), "")[:2]
        kind, _, times = mine.partition(" ")
        self._ids = _ids.IdType(kind) if self._ids.kind == "" else self._ids
        self._has_dates = {"": None, "dates": True, "integers": False}[times]

    def _remark(self):
        """The remark of the folder: its first line says what ids and times are; the lines behind it were written by others, such as `copse stream --state`."""
        mine = self._ids.kind + {None: "", True: " dates", False: " integers"}[self._has_dates]
        return mine + ("\n" + self._remark_of_others if self._remark_of_others else "")

    def _decide(self, rows):
        """Notes the kind of the ids with the first batch that has any. With the lock."""
        if rows.library:
            self._library = rows.library
        if self._ids.kind == "" and rows.type.kind != "":
            if rows.type.kind == "integers":
                is_unsigned = any(column.dtype == np.uint64 for column in rows.ids)
                kind = core.DynamicUnsigned if is_unsigned else core.DynamicSigned
            else:
                kind = core.DynamicStrings
            self._ids = rows.type
            try:
                self._live = self._decided(kind)
            except BaseException:
                self._ids = _ids.IdType("")
                raise
            self._before = []
            return
        self._expect_kind(rows.type)
        if rows.type.kind:
            self._ids = _ids.joined([self._ids, rows.type])

    def _decided(self, kind):
        """The compiled module's graph of that kind, with the batches before the first id."""
        if self._folder is None:
            live = kind(self._made, self._memory)
        else:
            live = self._folder.opened(kind, self._made, self._memory, self._remark())
        none = [] if kind is core.DynamicStrings else np.zeros(0, np.int64)
        for cutoff in self._before:
            live.erase_vertices(none, False) if cutoff is None else live.expire(cutoff)
        return live

    def _batch(self, rows, apply):
        """apply(columns of ids) of the compiled module, as a batch."""
        with self._lock:
            self._decide(rows)
            columns = self._known(rows)
            if self._ids.kind == "":
                self._before.append(None)
            return DynamicBatch(*apply(*columns), rows.left_out)

    def _expect_folder(self, call):
        """Raises UsageError for a graph in memory. call: the name of the method."""
        if self._folder is None:
            raise core.UsageError(f"{call}() needs a graph of Dynamic.open, not one in memory")

    def _note_dates(self, are_dates):
        """Raises UsageError for dates in addition to integers, or the reverse."""
        if self._has_dates not in (None, are_dates):
            found, expected = ("dates", "integers") if are_dates else ("integers", "dates")
            raise core.UsageError(f"time must be {expected}, as in earlier batches, not {found}")
        if self._has_dates is None:
            self._has_dates = are_dates
            if self._folder is not None and self._ids.kind != "":
                self._live.set_remark(self._remark())

    def _ids_of(self, column):
        return self._ids.objects(column) if isinstance(column, list) else column

    def _table(self, columns, of_ids=()):
        columns = {name: self._ids_of(column) for name, column in columns.items()}
        return _tables.made(self._library, columns, self._ids, of_ids)
