"""Tables in files of Parquet and Arrow, by whichever library is here that reads them: only the columns that are wanted, in batches."""
import os

from copse import _arrow_sizes, _file_parts
from copse._load import core

PARQUET = (".parquet", ".pq")
_TABLE_FILES = (*PARQUET, ".arrow", ".arrows", ".feather", ".ipc")


def is_table_file(path):
    """True for the path of a Parquet or Arrow file, by its suffix."""
    return os.fsdecode(path).lower().endswith(_TABLE_FILES)


def has_pyarrow():
    """True if pyarrow is installed."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def known_columns(wanted, names, place="the table"):
    """Returns the wanted column names without repeats, or all names if `wanted` is None. Raises UsageError for an unknown name."""
    for name in wanted or ():
        if name not in names:
            raise not_one_column(name, names, place)
    return names if wanted is None else list(dict.fromkeys(wanted))


def not_one_column(name, names, place="the table"):
    """The UsageError for a table with columns of these names, of which none or several have the wanted name."""
    count = [str(one) for one in names].count(str(name))
    has = f"{count} columns" if count > 1 else "no column"
    return core.UsageError(f"{place} has {has} named '{name}'; its columns are {', '.join(map(str, names))}")


def id_column(names, others=()):
    """The only name of a table of vertices apart from `others`. Raises UsageError if there are several."""
    ids = [name for name in names if name not in others]
    if len(ids) != 1:
        raise core.UsageError(f"id must name the column of ids in vertices, whose columns are {', '.join(map(str, names))}")
    return ids[0]


def not_a_table(given, reason=""):
    """The UsageError for something else than a table."""
    kinds = "a data frame, a dict of arrays, anything with __arrow_c_stream__, or the path of a Parquet or Arrow file"
    return core.UsageError(f"a table must be {kinds}, not {type(given).__name__}{reason and f' ({reason})'}")


def opened(path, names, threads, parts, interrupts):
    """A file as a stream. interrupts: gets what a stream of Arrow would make a text of."""
    if os.path.isdir(path):
        return _of_folder(path, names)
    with open(path, "rb"):
        pass  # Python's own error where it cannot be
    is_parquet = path.lower().endswith(PARQUET)
    for attempt in (_by_pyarrow, _by_duckdb if is_parquet else None, _by_polars):
        if attempt is not None and (stream := attempt(path, names, is_parquet, threads, parts, interrupts)) is not None:
            return stream
    raise core.UsageError(f"reading {path} needs pyarrow, duckdb or polars: pip install pyarrow")


def _of_folder(path, names):
    """A folder of Parquet files, as Spark and others write a table."""
    try:
        from pyarrow import dataset
    except ImportError:
        raise core.UsageError(f"reading the folder {path} needs pyarrow: pip install pyarrow") from None
    found = dataset.dataset(path, format="parquet", partitioning="hive")
    return found.scanner(columns=known_columns(names, found.schema.names)).to_reader()


def _by_pyarrow(path, names, is_parquet, threads, parts, interrupts):
    try:
        import pyarrow as pa
    except ImportError:
        return None
    return (_parquet if is_parquet else _arrow)(pa, path, names, threads, parts, interrupts)


def _parquet(pa, path, names, threads, parts, interrupts):
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)  # a megabyte of each column at a time
    except (pa.ArrowException, OSError, ValueError) as error:
        raise core.InputError(f"{path}: not a Parquet file ({error})") from error
    schema = file.schema_arrow
    schema = pa.schema([schema.field(n) for n in known_columns(names, schema.names, path)])
    if parts and threads != 1 and file.metadata.num_row_groups > 1:
        parts = _file_parts.row_group_parts(file.metadata, threads)
        return _file_parts.Parts(_file_parts.part_of_parquet(path, file.metadata, schema, *part, interrupts) for part in parts)
    batches = (batch.select(schema.names) for batch in file.iter_batches(1 << 17, columns=schema.names, use_threads=threads != 1))
    if threads != 1:
        batches = _file_parts.one_ahead(batches)
    return pa.RecordBatchReader.from_batches(schema, _file_parts.noted(batches, interrupts))


def _arrow(pa, path, names, threads, parts, interrupts):
    try:
        reader = _ipc_reader(pa, path, names, threads)
    except (pa.ArrowException, OSError, ValueError) as error:
        advice = f"the name of a Parquet file must end in {' or '.join(PARQUET)}, and components() reads other files of edges"
        raise core.InputError(f"{path}: not an Arrow file ({error}); {advice}") from error
    batches = reader if hasattr(reader, "read_next_batch") else map(reader.get_batch, range(reader.num_record_batches))
    if names is not None and len(reader.schema.names) > len(set(names)):  # a stream has all columns
        batches = (batch.select(known_columns(names, batch.schema.names)) for batch in batches)
    schema = reader.schema if names is None else pa.schema([reader.schema.field(n) for n in known_columns(names, reader.schema.names)])
    return pa.RecordBatchReader.from_batches(schema, _file_parts.noted(_arrow_sizes.checked(batches, schema.names), interrupts))


def _ipc_reader(pa, path, names, threads):
    """A reader of a file of Arrow, of the columns that are wanted, or of a stream in a file. It does nothing with the values."""
    try:
        schema = pa.ipc.open_file(pa.memory_map(path)).schema
    except pa.ArrowInvalid:
        return pa.ipc.open_stream(pa.memory_map(path))
    wanted = [schema.names.index(n) for n in known_columns(names, schema.names, path)] if names is not None else None
    how = pa.ipc.IpcReadOptions(included_fields=sorted(wanted) if wanted is not None else None, use_threads=threads != 1)
    return pa.ipc.open_file(pa.memory_map(path), options=how)


def _by_duckdb(path, names, is_parquet, threads, parts, interrupts):
    try:
        import duckdb
    except ImportError:
        return None
    columns = "*" if names is None else ", ".join('"' + n.replace('"', '""') + '"' for n in dict.fromkeys(names))
    try:
        if has_pyarrow():
            return duckdb.connect().execute(f"select {columns} from read_parquet(?)", [path]).fetch_record_batch()
        return duckdb.connect().sql(f"select {columns} from read_parquet('{path.replace(chr(39), chr(39) * 2)}')")
    except duckdb.Error as error:
        raise core.InputError(f"{path}: not a Parquet file ({error})") from error


def _by_polars(path, names, is_parquet, threads, parts, interrupts):
    try:
        import polars
    except ImportError:
        return None
    try:
        return (polars.read_parquet if is_parquet else polars.read_ipc)(path, columns=names)
    except (polars.exceptions.PolarsError, OSError) as error:
        raise core.InputError(f"{path}: not {'a Parquet' if is_parquet else 'an Arrow'} file ({error})") from error
