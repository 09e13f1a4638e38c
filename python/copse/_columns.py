"""Columns of tables that are held as a whole, for calls that need all rows at once."""
import datetime
import numbers
import os

import numpy as np

from copse import _arrays, _scores, _table_files, _tables
from copse._load import core


class HeldColumns:
    """The columns of a table, or of a file of one, by their names."""

    def __init__(self, table, wanted=None):
        """wanted: names of the columns to read from a file, or None for all that it has. Raises UsageError for what is not a table."""
        if isinstance(table, (str, bytes, os.PathLike)):
            table = _table_files.opened(os.fsdecode(table), wanted, None, False, [])
        table = _tables._started(_tables.native(table), wanted)
        if not isinstance(table, dict) and _tables._library_of(table) not in ("pandas", "polars"):
            reader = _tables._reader_of(table) if _table_files.has_pyarrow() else None
            if reader is None:
                raise _table_files.not_a_table(table)
            table = reader.read_all()
        if not isinstance(table, dict) and not hasattr(table, "columns"):
            raise _table_files.not_a_table(table)
        self.table = table
        self.names = list(table if isinstance(table, dict) else getattr(table, "column_names", table.columns))

    def __getitem__(self, name):
        """Raises UsageError unless there is one column of that name."""
        if self.names.count(name) != 1:
            raise _table_files.not_one_column(name, self.names)
        return self.table[name]


class IdColumn:
    """A column of ids or labels, and what they are."""

    def __init__(self, column, name):
        self._array, self._name = _tables._column(column, name, True), name
        #: a mask of the rows without a value
        self.missing = _scores.missing_in(self._array) if self._array.dtype == object else np.zeros(len(self._array), bool)
        self.type = _tables._type_of_array(column, self._array, name)
        self.kind = self.type.kind

    def __len__(self):
        return len(self._array)

    def values(self, kept=None):
        """The ids in the form that the compiled module takes: integers as an array, or strings as a list. kept: which rows; None for all.

        Raises InputError for a null among them."""
        missing = self.missing if kept is None else self.missing & kept
        if missing.any():
            raise core.InputError(f"column '{self._name}': found a null in row {int(np.argmax(missing))}, expected a value")
        array = self._array if kept is None else self._array[kept]
        if self.kind in ("integers", ""):
            return _arrays.integers(array if array.size else np.empty(0, np.int64), f"column '{self._name}'")
        return [one.bytes for one in array] if self.kind == "uuid" else array.tolist()


def times_of(column, name):
    """Times as int64, which of them are missing, and whether they are dates: nanoseconds since 1970 in UTC. Raises UsageError, InputError."""
    if getattr(getattr(column, "dtype", None), "tz", None) is not None:  # a series of pandas with a time zone
        column = column.dt.tz_convert(None)
    array = _tables._column(column, name, False)
    missing = np.zeros(len(array), bool)
    if array.dtype == object:
        missing = _scores.missing_in(array)
        known = [_without_zone(value) for value in array[~missing]]
        whole = all(isinstance(value, numbers.Integral) and not isinstance(value, bool) for value in known)
        strange = None if whole else next((v for v in known if not isinstance(v, (datetime.datetime, np.datetime64))), None)
        if strange is not None:
            raise core.UsageError(f"column '{name}' must hold integers or dates, not {type(strange).__name__}")
        some = _arrays.integers(known, f"column '{name}'") if whole else np.array(known, "datetime64")
        array = np.zeros(len(missing), some.dtype)
        array[~missing] = some
    if array.dtype.kind == "M":
        missing = missing | np.isnat(array)
        precise = array.astype("datetime64[ns]")
        wrong = (precise.astype(array.dtype) != array) & ~missing
        if wrong.any():
            raise core.InputError(f"column '{name}': found {array[wrong][0]}, expected dates from 1678 to 2261, in nanoseconds or coarser")
        return precise.view(np.int64), missing, True
    integers = _arrays.integers(array, f"column '{name}'")
    if integers.dtype == np.uint64 and integers.max(initial=0) >= 2**63:
        raise core.InputError(f"column '{name}': found {integers.max()}, expected times below 2^63")
    return integers.astype(np.int64), missing, False


def _without_zone(value):
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return value
