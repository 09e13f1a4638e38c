"""Tables of edges, whatever library they are of: read batch by batch into a sink, so that no edge is held."""
import numbers
import os
import uuid

import numpy as np

from copse import _arrays, _arrow_sizes, _file_parts, _ids, _scores, _table_files
from copse._load import core
from copse._options import threshold_text
from copse._table_files import is_table_file as is_table_file


def is_table(edges):
    """True if the object has columns with names."""
    edges = native(edges)
    if _is_lazy(edges) or isinstance(edges, dict) or hasattr(edges, "__arrow_c_stream__") or hasattr(edges, "__arrow_c_array__"):
        return True
    return hasattr(edges, "columns") and hasattr(edges, "dtypes")  # pandas


def two_columns(columns):
    """Two names of columns. Raises UsageError."""
    if not isinstance(columns, (tuple, list)) or len(columns) != 2:
        raise core.UsageError(f"columns must name two columns, not {columns!r}")
    if any(isinstance(name, (list, dict, set)) for name in columns) or columns[0] == columns[1]:
        raise core.UsageError(f"columns must name two different columns, not {columns!r}")
    return columns


class Source:
    """A table whose columns are known by name, to be read once."""

    def __init__(self, table, wanted, threads=None, parts=False):
        """wanted: names of the columns to read, or None for those that the table has. threads: with 1 a file is read by the caller's alone.
        parts: parts of a file may be read at once, for a sink that takes rows in any order."""
        self._parts, self._columns, self._release, self._interrupts = None, None, None, []
        self._library, self._types, self._frame = "", [], None
        if isinstance(table, (str, bytes, os.PathLike)):
            table = _table_files.opened(os.fsdecode(table), wanted, threads, parts, self._interrupts)
            self._release = _file_parts.release_of(table)
        else:
            table = _started(native(table), wanted)
        if isinstance(table, dict) or (_is_pandas(table) and not _table_files.has_pyarrow()):
            self._columns = {name: table[name] for name in table}
            self.names = list(self._columns)
            return
        streams = table if isinstance(table, _file_parts.Parts) else [(self._stream_of(table, wanted), 0)]
        if self._library == "" and _table_files.has_pyarrow() and hasattr(streams[0][0], "schema"):
            self._library, self._types = "arrow", [field.type for field in streams[0][0].schema]
        self._parts = [(core.ArrowStream(_capsule_of(stream)), first_row) for stream, first_row in streams]
        self.names = self._parts[0][0].names

    def _stream_of(self, table, wanted):
        """An object with the Arrow stream of a table; types of pandas and Polars are kept. Raises UsageError."""
        if _is_pandas(table) and hasattr(table, "columns"):
            table = table if wanted is None else _named(table, wanted)
            self._library, self._types, self._frame = "pandas", list(table.dtypes), table
            table = _arrow_of_pandas(table)
        elif _library_of(table) == "polars":
            self._library, self._types = "polars", list(getattr(table, "dtypes", ()))
            return table
        if not _table_files.has_pyarrow():
            return table
        if (reader := _reader_of(table)) is None:
            raise _table_files.not_a_table(table)
        if _library_of(table) != "pyarrow" or self._release is not None:  # only pyarrow tells sizes; files are checked already
            return reader
        names = set(reader.schema.names if wanted is None else map(str, wanted))
        import pyarrow

        batches = _file_parts.noted(_arrow_sizes.checked(reader, names), self._interrupts)
        return pyarrow.RecordBatchReader.from_batches(reader.schema, batches)

    def _type_of_ids(self, name):
        """The type of the ids of a column. Raises UsageError for objects of several kinds, which Arrow would make one of."""
        place = self._place(name)
        kind = self._parts[0][0].kind(place)
        dtype = self._types[place] if place < len(self._types) else None
        if self._library == "pandas" and dtype == object:
            kind = _ids.expect_one_kind(self._frame.iloc[:, place].to_numpy(), name)
        if self._library == "polars" and str(dtype) == "Object":
            raise core.UsageError(f"column '{name}' must hold integers, strings or bytes, not objects")
        return _ids.IdType(kind, self._library, dtype)

    def _place(self, name):
        names = (name, str(name))  # Arrow's names are strings, pandas' are anything
        places = [i for i, known in enumerate(self.names) if known in names]
        if len(places) != 1:
            raise _table_files.not_one_column(name, self.names)
        return places[0]

    def id_columns(self, wanted, *others):
        """The two columns of ids: those that are wanted, or all that the table has apart from `others`."""
        for name in others:
            if name is not None:
                self._place(name)
        names = wanted if wanted is not None else [name for name in self.names if name not in others]
        if len(names) != 2:
            raise core.UsageError(f"columns must name the two columns of ids; the columns of the table are {', '.join(map(str, self.names))}")
        return names

    def feed(self, sink, left, right=None, score=None, threshold=None, drop_nulls=False):
        """Adds the rows to the sink: edges of two columns, or vertices of one. Returns what was left out, and what the ids are."""
        wanted = [self._place(name) for name in (left, right, score) if name is not None]
        if self._parts is None:
            return _feed_arrays(sink, self._columns, left, right, score, threshold, drop_nulls)
        ids = _ids.joined([self._type_of_ids(name) for name in (left, right) if name is not None])
        score_place = wanted[-1] if score is not None else None
        least = None if threshold is None else threshold_text(threshold)
        rows = (wanted[0], wanted[1] if right is not None else None, score_place, least, drop_nulls)
        try:
            if isinstance(sink, core.Sink):
                left_out = core.add_table(sink, self._parts, *rows, self._release)
            else:
                left_out = core.add_table(sink, self._parts[0][0], *rows)
        except core.InputError as error:
            if self._interrupts and "its stream failed" in str(error):
                raise self._interrupts[0] from None
            raise
        if self._release is not None:
            self._parts = None
            self._release()  # what the reader kept for more batches: the answer needs the memory
        return left_out, ids


class Counts:
    """The counts in the form of the compiled module's TableCounts."""

    def __init__(self, rows, nulls, below):
        self.rows, self.nulls, self.below = rows, nulls, below


def _feed_arrays(sink, columns, left, right, score, threshold, drop_nulls):
    names = [name for name in (left, right) if name is not None]
    given = {name: _column(columns[name], name, name in names) for name in [*names, *([] if score is None else [score])]}
    arrays = [given[name] for name in names]
    rows = len(arrays[0])
    for name, array in given.items():
        expect_length(array, name, rows, left)
    kept, nulls, below = np.ones(rows, bool), 0, 0
    if score is not None:  # first, as a row below the threshold may have nulls
        scores, missing = _scores.scores_of(given[score], score)
        nulls += _refused_or_counted(missing, score, drop_nulls, given[score])
        kept = ~missing
        if threshold is not None:
            reached = _scores.reaching(scores[kept], threshold)
            if reached.size and not reached.any():
                largest = str(max(scores[kept].tolist()) if scores.dtype.kind != "f" else scores[kept].max())
                sink.note(f"column '{score}': no score reaches the threshold {threshold_text(threshold)}: the largest is {largest}")
            below = int(reached.size - reached.sum())
            kept[kept] = reached
    for name, array in zip(names, arrays):
        if array.dtype == object:
            missing = _scores.missing_in(array) & kept
            nulls += _refused_or_counted(missing, name, drop_nulls)
            kept &= ~missing
    if not kept.all():
        arrays = [array[kept] for array in arrays]
    types = [_type_of_array(columns[name], array, name) for name, array in zip(names, given.values())]
    facts = []
    if not isinstance(sink, core.Sink):  # one that takes scores and rows, too
        facts = [None if score is None else _scores.doubles(scores[kept]), np.flatnonzero(kept).astype(np.uint64)]
        if score is not None:
            sink.set_score_type(scores.dtype.name)
    _feed_columns(sink, names, arrays, facts)
    return Counts(rows, nulls, below), _ids.joined(types)


def expect_length(column, name, rows, first):
    """Raises UsageError unless a column has as many rows as the first one."""
    if len(column) != rows:
        raise core.UsageError(f"column '{name}' must have {rows} elements as '{first}' has, not {len(column)}")


def _column(column, name, holds_ids):
    """A column as an array without NumPy's conversions, such as 'nan' for a missing string, or floats for integers if one is missing."""
    are_decimals = str(getattr(column, "dtype", getattr(column, "type", ""))).lower().startswith("decimal")
    nulls = getattr(column, "null_count", 0)
    if nulls() if callable(nulls) else nulls:  # of Arrow and Polars
        _arrays.expect_sound(column, name)
        column = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
    array = _arrays.unmasked(column, f"column '{name}'")
    if holds_ids and array.dtype.kind == "f" and type(getattr(column, "dtype", None)).__module__.startswith("pandas"):
        array = np.asarray(column, dtype=object)  # integers that may be missing
    if holds_ids and are_decimals:
        array = np.fromiter(map(_ids.one_id, array), object, len(array))
    if array.ndim != 1:
        found = type(column).__name__ if array.ndim == 0 else f"an array of shape {array.shape}"
        raise core.UsageError(f"column '{name}' must be an array or a list of one value per row, not {found}")
    if holds_ids and isinstance(column, (list, tuple)) and _is_guessed(array, column):
        array = np.fromiter(column, object, len(column))
    return array


def _is_guessed(array, column):
    """Did NumPy choose the type of a list by itself, where elements are of several?"""
    if array.dtype.kind == "f":
        return np.isnan(array).any() or all(isinstance(v, numbers.Integral) for v in column)
    return array.dtype.kind in "US" or (array.dtype.kind in "iu" and bool in map(type, column))


def _refused_or_counted(missing, name, drop_nulls, column=None):
    if not drop_nulls and missing.any():
        row = int(np.argmax(missing))
        found = "NaN" if column is not None and column.dtype.kind == "f" else "a null"
        raise core.InputError(
            f"column '{name}': found {found} in row {row}, expected a value; nulls='drop' leaves such rows out and counts them"
        )
    return int(missing.sum())


def _type_of_array(column, array, name):
    """The type of the ids of a column that came as an array. Raises UsageError for objects of several kinds."""
    kind = {"i": "integers", "u": "integers", "U": "text", "T": "text", "S": "bytes"}.get(array.dtype.kind, "")
    if array.dtype == object:
        strange = next((v for v in array if not isinstance(v, (str, bytes, uuid.UUID, numbers.Integral)) and not _ids.is_missing(v)), None)
        if strange is not None:
            raise core.UsageError(f"column '{name}' must hold integers or strings, not {type(strange).__name__}")
        kind = _ids.expect_one_kind(array, name)
    elif not kind and array.size:
        raise core.UsageError(f"column '{name}' must hold integers or strings, not {array.dtype}")
    library = {"pyarrow": "arrow"}.get(_library_of(column), _library_of(column))
    if library in ("arrow", "pandas", "polars"):
        return _ids.IdType(kind, library, getattr(column, "dtype", getattr(column, "type", None)))
    return _ids.IdType(kind, "numpy", array.dtype) if array.dtype.kind in "iu" and column is array else _ids.IdType(kind)


def _feed_columns(sink, names, arrays, facts):
    arrays = [np.array(a.tolist()) if a.dtype == object and a.size and _are_integers(a) else a for a in arrays]
    texts = [array.dtype.kind in "OUST" for array in arrays]
    if any(texts):
        if not all(texts):
            raise core.UsageError(f"columns {names} must hold ids of one kind, not {arrays[0].dtype} and {arrays[-1].dtype}")
        lists = [[v.bytes if isinstance(v, uuid.UUID) else v for v in array.tolist()] for array in arrays]
        if len({isinstance(v, str) for ids in lists for v in ids[:1]}) > 1:
            raise core.UsageError(f"columns {names} must hold ids of one kind, not strings and bytes")
        core.add_strings(sink, *lists, *facts) if len(lists) == 2 else core.add_string_vertices(sink, *lists, *facts[1:])
    elif len(arrays) == 2:
        sink.add_columns(*_arrays.columns(*arrays), *facts)
    else:
        sink.add_vertices(_arrays.integers(arrays[0], names[0]), *facts[1:])


def _are_integers(array):
    return all(isinstance(v, numbers.Integral) for v in array)


def kind_of(table):
    """The kind of table that an answer is returned as, for input of this kind: 'pandas', 'polars', 'arrow', or 'numpy' for input that is not a table, and without pyarrow."""
    kind = kind_of_arrays(native(table))
    return "arrow" if kind == "numpy" and table is not None and _table_files.has_pyarrow() else kind


def kind_of_arrays(edges):
    """The library whose frame or series hold the edges: 'pandas', 'polars', or 'numpy' for neither."""
    parts = edges.values() if isinstance(edges, dict) else edges if isinstance(edges, tuple) else (edges,)
    return next((library for library in map(_library_of, map(native, parts)) if library in ("pandas", "polars")), "numpy")


def native(table):
    """The object that a narwhals frame or series wraps; any other object unchanged."""
    return table.to_native() if _library_of(table) == "narwhals" and hasattr(table, "to_native") else table


def made(kind, columns, ids=_ids.INTEGERS, of_ids=()):
    """Columns (a dict of arrays of one length) as a table of that kind: a frame, a pyarrow table, or a NumPy structured array.

    Masked integers are nulls, and -1 in an array of NumPy. ids: what the columns `of_ids` hold."""
    if kind == "pandas":
        import pandas

        columns = {name: pandas.Series(_nullable(column, pandas.arrays.IntegerArray)) for name, column in columns.items()}
        return pandas.DataFrame(_with_ids(kind, columns, ids, of_ids))
    if kind == "polars":
        import polars

        columns = {name: polars.Series(name, _listed(_nullable(column, _polars_integers))) for name, column in columns.items()}
        return polars.DataFrame(_with_ids(kind, columns, ids, of_ids))
    if kind == "arrow":
        import pyarrow

        nullable = lambda values, mask: pyarrow.array(values, mask=mask)  # noqa: E731
        columns = {name: pyarrow.chunked_array([_listed(_nullable(column, nullable))]) for name, column in columns.items()}
        return pyarrow.table(_with_ids(kind, columns, ids, of_ids))
    rows = np.empty(len(next(iter(columns.values()))), dtype=[(name, np.asarray(column).dtype) for name, column in columns.items()])
    for name, column in columns.items():
        rows[name] = _nullable(column, lambda values, mask: np.where(mask, -1, values))
    return rows


def _nullable(column, make):
    """make(values, mask) of a masked array; anything else as it is."""
    return make(column.data, np.ma.getmaskarray(column)) if isinstance(column, np.ma.MaskedArray) else column


def _polars_integers(values, mask):
    import polars

    return polars.Series(values).set(polars.Series(mask), None)


def _with_ids(kind, columns, ids, names):
    """The columns, those of these names with the type that ids have in the caller's table."""
    return {**columns, **dict(zip(names, ids.restored(kind, [columns[name] for name in names])))}


def _listed(column):
    if not isinstance(column, np.ndarray):
        return column
    return column.tolist() if column.dtype == object else np.ascontiguousarray(column)


def _library_of(thing):
    """The package that a thing is of; empty for NumPy's own and Python's."""
    package = type(thing).__module__.partition(".")[0]
    return "" if package in ("numpy", "builtins") else package


def _is_pandas(table):
    return _library_of(table) == "pandas"


def _is_lazy(table):
    """True for a LazyFrame of Polars."""
    return _library_of(table) == "polars" and hasattr(table, "collect_schema") and hasattr(table, "collect")


def _started(table, wanted):
    """A table that is read when somebody asks (a LazyFrame, a dataset or open file of pyarrow, a query of DuckDB) as one that can be read now."""
    if _is_lazy(table):
        names = _table_files.known_columns(wanted, table.collect_schema().names())
        return table.select(names).collect(engine="streaming")
    if isinstance(table, dict) and table and all(_library_of(column) == "pyarrow" for column in table.values()):
        import pyarrow

        try:
            return pyarrow.table(table)
        except (pyarrow.ArrowException, ValueError, TypeError):
            return table  # columns of different length are refused in our words
    if hasattr(table, "scanner") and hasattr(table, "schema"):
        return table.scanner(columns=_table_files.known_columns(wanted, table.schema.names)).to_reader()
    if hasattr(table, "iter_batches") and hasattr(table, "schema_arrow"):
        import pyarrow

        names = _table_files.known_columns(wanted, table.schema_arrow.names)
        schema = pyarrow.schema([table.schema_arrow.field(name) for name in names])
        return pyarrow.RecordBatchReader.from_batches(schema, (batch.select(names) for batch in table.iter_batches(columns=names)))
    if hasattr(table, "to_arrow_reader") and not hasattr(table, "__arrow_c_stream__"):
        return table.to_arrow_reader()
    if _library_of(table) == "ibis" and hasattr(table, "to_pyarrow_batches"):
        names = _table_files.known_columns(None if wanted is None else list(wanted), table.columns)
        return table.select(*names).to_pyarrow_batches()
    return table


def _arrow_of_pandas(frame):
    """A frame as a table of pyarrow, without its index. Raises UsageError for a column that Arrow has no type for."""
    import pyarrow

    try:
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    except (pyarrow.ArrowException, TypeError, ValueError, NotImplementedError, OverflowError) as error:
        reason = "; ".join(map(str, error.args)).encode(errors="backslashreplace").decode()
        raise core.UsageError(f"each column of the data frame must have a single type that Arrow knows ({reason})") from error


def _reader_of(table):
    """A pyarrow reader of an object that has an Arrow stream or array; None for other objects. Raises InputError."""
    import pyarrow

    try:
        if isinstance(table, pyarrow.RecordBatchReader):
            return table
        if isinstance(table, pyarrow.Table):  # through the C interface the sizes of its buffers would be lost
            return table.to_reader()
        if hasattr(table, "__arrow_c_stream__") and not isinstance(table, pyarrow.RecordBatch):
            return pyarrow.RecordBatchReader.from_stream(table)
        if hasattr(table, "__arrow_c_array__"):
            batch = table if isinstance(table, pyarrow.RecordBatch) else pyarrow.record_batch(table)
            return pyarrow.RecordBatchReader.from_batches(batch.schema, [batch])
    except (pyarrow.ArrowException, TypeError, ValueError, NotImplementedError) as error:
        raise _table_files.not_a_table(table, error) from error
    return None


def _capsule_of(table):
    """The Arrow stream of a table. Raises UsageError where there is none."""
    try:
        if hasattr(table, "__arrow_c_stream__"):
            return table.__arrow_c_stream__()
    except Exception as error:
        raise core.UsageError(f"the {type(table).__name__} cannot be read again ({error}); pass a new one") from error
    raise _table_files.not_a_table(table)


def _named(frame, names):
    return frame[_table_files.known_columns(names, frame.columns)]
