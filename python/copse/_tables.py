"""Tables of edges, whatever library they are of: read batch by batch into a sink, so that no edge is held."""
import decimal
import numbers
import os

import numpy as np

from copse import _arrays, _file_parts
from copse._load import core

_PARQUET = (".parquet", ".pq")
_TABLE_FILES = (*_PARQUET, ".arrow", ".feather", ".ipc")


def is_table(edges):
    """Does it have columns with names?"""
    if _is_lazy(edges) or isinstance(edges, dict) or hasattr(edges, "__arrow_c_stream__") or hasattr(edges, "__arrow_c_array__"):
        return True
    return hasattr(edges, "columns") and hasattr(edges, "dtypes")  # pandas


def is_table_file(path):
    """Is it a file that another library reads?"""
    return os.fsdecode(path).lower().endswith(_TABLE_FILES)


def two_columns(columns):
    """Two names of columns. Raises UsageError."""
    if not isinstance(columns, (tuple, list)) or len(columns) != 2:
        raise core.UsageError(f"columns: found {columns!r}, expected the names of two")
    return columns


class Source:
    """A table whose columns are known by name, to be read once."""

    def __init__(self, table, wanted, threads=None, parts=False):
        """wanted: names of the columns to read, or None for those that the table has. threads: with 1 a file is read by the caller's alone.
        parts: parts of a file may be read at once, for a sink that takes rows in any order."""
        self._parts, self._columns, self._release, self._interrupts = None, None, None, []
        if isinstance(table, (str, bytes, os.PathLike)):
            table = _opened(os.fsdecode(table), wanted, threads, parts, self._interrupts)
            self._release = _file_parts.release_of(table)
            if isinstance(table, _file_parts.Parts):
                self._parts = [(core.ArrowStream(stream.__arrow_c_stream__()), first_row) for stream, first_row in table]
                self.names = self._parts[0][0].names
                return
        else:
            table = _started(table, wanted)
        if isinstance(table, dict) or (_is_pandas(table) and not _has_pyarrow()):
            self._columns = {name: table[name] for name in table}
            self.names = list(self._columns)
            return
        if wanted is not None and _is_pandas(table):
            table = _named(table, wanted)
        if hasattr(table, "__arrow_c_stream__"):
            stream = core.ArrowStream(_stream_of(table))
        elif hasattr(table, "__arrow_c_array__"):
            stream = core.ArrowStream(*table.__arrow_c_array__())
        else:
            expected = "something with __arrow_c_stream__, a pandas frame, a dict of arrays or the path of a Parquet or Arrow file"
            raise core.UsageError(f"table: found {type(table).__name__}, expected {expected}")
        self._parts = [(stream, 0)]
        self.names = stream.names

    def is_binary(self, name):
        """Are its strings any bytes?"""
        return self._parts is not None and self._parts[0][0].is_binary(self._place(name))

    def _place(self, name):
        names = (name, str(name))  # Arrow's names are strings, pandas' are anything
        places = [i for i, known in enumerate(self.names) if known in names]
        if len(places) != 1:
            found = "no column" if not places else f"{len(places)} columns"
            raise core.UsageError(f"table: found {found} '{name}', expected one; the table has {', '.join(map(str, self.names))}")
        return places[0]

    def id_columns(self, wanted, *others):
        """The two columns of ids: those that are wanted, or all that the table has beside `others`."""
        for name in others:
            if name is not None:
                self._place(name)
        names = wanted if wanted is not None else [name for name in self.names if name not in others]
        if len(names) != 2:
            raise core.UsageError(f"table: found columns {', '.join(map(str, names))}, expected two of ids, or their names")
        return names

    def feed(self, sink, left, right=None, score=None, threshold=None, drop_nulls=False):
        """Adds the rows to the sink: edges of two columns, or vertices of one. Returns what was left out."""
        wanted = [self._place(name) for name in (left, right, score) if name is not None]
        if self._parts is not None:
            score_place = wanted[-1] if score is not None else None
            rows = (wanted[0], wanted[1] if right is not None else None, score_place, threshold, drop_nulls)
            try:
                if isinstance(sink, core.Sink):
                    left_out = core.add_table(sink, self._parts, *rows, self._release)
                else:
                    left_out = core.add_table(sink, self._parts[0][0], *rows)
            except core.InputError:
                if self._interrupts:
                    raise self._interrupts[0] from None
                raise
            if self._release is not None:
                self._parts = None
                self._release()  # what the reader kept for more batches: the answer needs the memory
            return left_out
        return _feed_arrays(sink, self._columns, left, right, score, threshold, drop_nulls)


class _Counts:
    """As the compiled module's TableCounts."""

    def __init__(self, rows, nulls, below):
        self.rows, self.nulls, self.below = rows, nulls, below


def _feed_arrays(sink, columns, left, right, score, threshold, drop_nulls):
    names = [name for name in (left, right) if name is not None]
    given = {name: _column(columns[name], name, name in names) for name in [*names, *([] if score is None else [score])]}
    arrays = [given[name] for name in names]
    rows = len(arrays[0])
    for name, array in given.items():
        if len(array) != rows:
            raise core.UsageError(f"table: found {len(array)} elements in column '{name}', expected {rows} as in '{left}'")
    kept, nulls, below = np.ones(rows, bool), 0, 0
    if score is not None:  # first, as a row below the threshold may have nulls
        scores, missing = _scores(given[score], score)
        nulls += _refused_or_counted(missing, score, drop_nulls)
        if threshold is None:  # every score counts, and is a number
            kept = ~missing
            if np.isnan(scores[kept]).any():
                row = int(np.flatnonzero(kept & np.isnan(scores))[0])
                raise core.InputError(f"column '{score}': found NaN in row {row}, expected a number")
        else:
            kept = scores >= threshold
            below = rows - int(kept.sum()) - int(missing.sum())
    for name, array in zip(names, arrays):
        if array.dtype == object:
            missing = _missing(array) & kept
            nulls += _refused_or_counted(missing, name, drop_nulls)
            kept &= ~missing
    if not kept.all():
        arrays = [array[kept] for array in arrays]
    facts = []
    if not isinstance(sink, core.Sink):  # one that takes scores and rows, too
        facts = [None if score is None else np.ascontiguousarray(scores[kept], np.float64), np.flatnonzero(kept).astype(np.uint64)]
    _feed_columns(sink, names, arrays, facts)
    return _Counts(rows, nulls, below)


def _column(column, name, holds_ids):
    """A column as an array, which NumPy's guesses do not change: 'nan' for a missing string, floats for integers beside one."""
    nulls = getattr(column, "null_count", 0)
    if nulls() if callable(nulls) else nulls:  # of Arrow and Polars
        column = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
    array = _arrays.unmasked(column, f"column '{name}'")
    if array.dtype.kind == "f" and type(getattr(column, "dtype", None)).__module__.startswith("pandas"):
        array = np.asarray(column, dtype=object)  # integers that may be missing
    if array.ndim != 1:
        found = type(column).__name__ if array.ndim == 0 else f"an array of shape {array.shape}"
        raise core.UsageError(f"column '{name}': found {found}, expected an array or a list of one value per row")
    guessed = array.dtype.kind in "US" or (array.dtype.kind == "f" and np.isnan(array).any())
    if holds_ids and isinstance(column, (list, tuple)) and guessed:
        array = np.fromiter(column, object, len(column))
    return array


def _missing(array):
    """Elements of an array of objects that stand for none: None, NaN and the missing value of pandas."""
    return np.fromiter((v is None or type(v).__name__ in ("NAType", "NaTType") or v != v for v in array), bool, len(array))


def _scores(column, name):
    """Scores as numbers, and where there is none (there they are NaN). NaN among plain numbers is a score, below any threshold."""
    scores, missing = column, np.zeros(len(column), bool)
    if scores.dtype == object:
        missing = _missing(scores)
        scores = np.where(missing, np.nan, scores)
        kinds = {type(v).__name__ for v in scores if not isinstance(v, (numbers.Real, decimal.Decimal))}
        if kinds:
            raise core.UsageError(f"column '{name}': found {min(kinds)}, expected numbers")
        scores = scores.astype(np.float64)
    elif scores.dtype.kind not in "iufb":
        raise core.UsageError(f"column '{name}': found {scores.dtype}, expected numbers")
    return scores, missing


def _refused_or_counted(missing, name, drop_nulls):
    if not drop_nulls and missing.any():
        raise core.InputError(
            f"column '{name}': found a null in row {int(np.argmax(missing))}, expected a value; nulls='drop' leaves such rows out and counts them"
        )
    return int(missing.sum())


def _feed_columns(sink, names, arrays, facts):
    arrays = [np.array(a.tolist()) if a.dtype == object and a.size and _are_integers(a) else a for a in arrays]
    for name, array in zip(names, arrays):
        objects = array if array.dtype == object else ()
        strange = next((v for v in objects if v is not None and not isinstance(v, (str, bytes, numbers.Integral))), None)
        if strange is not None:
            raise core.UsageError(f"column '{name}': found {type(strange).__name__}, expected integers or strings")
    texts = [array.dtype.kind in "OUST" for array in arrays]
    if any(texts):
        if not all(texts):
            raise core.UsageError(f"columns {names}: found {arrays[0].dtype} and {arrays[-1].dtype}, expected ids of one kind")
        lists = [array.tolist() for array in arrays]
        core.add_strings(sink, *lists, *facts) if len(lists) == 2 else core.add_string_vertices(sink, *lists)
    elif len(arrays) == 2:
        sink.add_columns(*_arrays.columns(*arrays), *facts)
    else:
        sink.add_vertices(_arrays.integers(arrays[0], names[0]))


def _are_integers(array):
    return all(isinstance(v, numbers.Integral) for v in array)


def kind_of(table):
    """What an answer is made as, for input of this kind: 'pandas', 'polars', 'arrow', or 'numpy' for what is no table and without pyarrow."""
    package = type(table).__module__.partition(".")[0]
    if package in ("pandas", "polars"):
        return package
    return "arrow" if table is not None and _has_pyarrow() else "numpy"


def made(kind, columns):
    """Columns (a dict of arrays of one length) as a table of that kind: a frame, a pyarrow table, or a NumPy structured array."""
    if kind == "pandas":
        import pandas

        return pandas.DataFrame(columns)
    if kind == "polars":
        import polars

        return polars.DataFrame({name: _listed(column) for name, column in columns.items()})
    if kind == "arrow":
        import pyarrow

        return pyarrow.table({name: _listed(column) for name, column in columns.items()})
    rows = np.empty(len(next(iter(columns.values()))), dtype=[(name, np.asarray(column).dtype) for name, column in columns.items()])
    for name, column in columns.items():
        rows[name] = column
    return rows


def _listed(column):
    return column.tolist() if column.dtype == object else np.ascontiguousarray(column)


def _is_pandas(table):
    return type(table).__module__.partition(".")[0] == "pandas"


def _is_lazy(table):
    """Is it a LazyFrame of Polars?"""
    return type(table).__module__.partition(".")[0] == "polars" and hasattr(table, "collect_schema") and hasattr(table, "collect")


def _started(table, wanted):
    """A table that is read when somebody asks (a LazyFrame, a dataset or open file of pyarrow, a query of DuckDB) as one that can be read now."""
    if _is_lazy(table):
        names = _known(wanted, table.collect_schema().names())
        return table.select(names).collect(engine="streaming")
    if hasattr(table, "scanner") and hasattr(table, "schema"):
        return table.scanner(columns=_known(wanted, table.schema.names)).to_reader()
    if hasattr(table, "iter_batches") and hasattr(table, "schema_arrow"):
        import pyarrow

        names = _known(wanted, table.schema_arrow.names)
        schema = pyarrow.schema([table.schema_arrow.field(name) for name in names])
        return pyarrow.RecordBatchReader.from_batches(schema, (batch.select(names) for batch in table.iter_batches(columns=names)))
    if hasattr(table, "to_arrow_reader") and not hasattr(table, "__arrow_c_stream__"):
        return table.to_arrow_reader()
    return table


def _known(wanted, names, place="table"):
    """The names that are wanted, each once; all where nobody says. Raises UsageError for one that there is not."""
    for name in wanted or ():
        if name not in names:
            raise core.UsageError(f"{place}: found no column '{name}', expected one; it has {', '.join(names)}")
    return names if wanted is None else list(dict.fromkeys(wanted))


def _stream_of(table):
    """The Arrow stream of a table. Raises UsageError for a frame with a column that Arrow has no type for."""
    if not _is_pandas(table):
        return table.__arrow_c_stream__()
    try:
        return table.__arrow_c_stream__()
    except (TypeError, ValueError, NotImplementedError) as error:
        reason = "; ".join(map(str, error.args))
        raise core.UsageError(f"table: found a frame that is no Arrow table ({reason}), expected columns of one type each") from error


def _named(frame, names):
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise core.UsageError(f"table: found no column '{missing[0]}', expected one; the table has {', '.join(map(str, frame.columns))}")
    return frame[list(dict.fromkeys(names))]


def _has_pyarrow():
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def _opened(path, names, threads, parts, interrupts):
    """A file of Parquet or Arrow as a stream, by whichever library is here; only the columns that are wanted, in batches."""
    if os.path.isdir(path):
        return _of_folder(path, names)
    with open(path, "rb"):
        pass  # Python's own error where it cannot be
    is_parquet = path.lower().endswith(_PARQUET)
    for attempt in (_by_pyarrow, _by_duckdb if is_parquet else None, _by_polars):
        if attempt is not None and (stream := attempt(path, names, is_parquet, threads, parts, interrupts)) is not None:
            return stream
    raise core.UsageError(f"{path}: found none of pyarrow, duckdb and polars, expected one to read it: pip install pyarrow")


def _of_folder(path, names):
    """A folder of Parquet files, as Spark and others write a table."""
    try:
        from pyarrow import dataset
    except ImportError:
        raise core.UsageError(f"{path}: found a folder without pyarrow, expected it to read one: pip install pyarrow") from None
    return _started(dataset.dataset(path, format="parquet", partitioning="hive"), names)


def _by_pyarrow(path, names, is_parquet, threads, parts, interrupts):
    try:
        import pyarrow as pa
        from pyarrow import dataset
    except ImportError:
        return None
    if is_parquet:
        from pyarrow import parquet

        try:
            file = parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)  # a megabyte of each column at a time
        except pa.ArrowInvalid as error:
            raise core.InputError(f"{path}: found no Parquet file ({error}), expected one") from error
        schema = file.schema_arrow
        schema = pa.schema([schema.field(n) for n in _known(names, schema.names, path)])
        if parts and threads != 1 and file.metadata.num_row_groups > 1:
            parts = _file_parts.row_group_parts(file.metadata, threads)
            return _file_parts.Parts(_file_parts.part_of_parquet(path, file.metadata, schema, *part, interrupts) for part in parts)
        batches = (batch.select(schema.names) for batch in file.iter_batches(1 << 17, columns=schema.names, use_threads=threads != 1))
        if threads != 1:
            batches = _file_parts.one_ahead(batches)
        return pa.RecordBatchReader.from_batches(schema, _file_parts.noted(batches, interrupts))
    try:
        return dataset.dataset(path, format="ipc").scanner(columns=names).to_reader()
    except pa.ArrowInvalid as error:
        expected = f"expected one, or a Parquet file, whose name ends in {' or '.join(_PARQUET)}; components() reads other files of edges"
        raise core.InputError(f"{path}: found no Arrow file, {expected}") from error


def _by_duckdb(path, names, is_parquet, threads, parts, interrupts):
    try:
        import duckdb
    except ImportError:
        return None
    columns = "*" if names is None else ", ".join('"' + n.replace('"', '""') + '"' for n in dict.fromkeys(names))
    return duckdb.connect().execute(f"select {columns} from read_parquet(?)", [path]).fetch_record_batch() if _has_pyarrow() else (
        duckdb.connect().sql(f"select {columns} from read_parquet('{path.replace(chr(39), chr(39) * 2)}')")
    )


def _by_polars(path, names, is_parquet, threads, parts, interrupts):
    try:
        import polars
    except ImportError:
        return None
    if is_parquet:
        return polars.read_parquet(path, columns=names)
    return polars.read_ipc(path, columns=names)
