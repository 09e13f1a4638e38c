"""The command `copse` inside of Python, where files of Parquet and Arrow are read and written by pyarrow.

The program runs this file by its path, without the package, when such a file is named and it has no plug-in of its own
(cli/python_host.cpp). Arguments: the program's version and path, then those of the command. The functions below are copse_columnar_files
(src/io/arrow/columnar_plugin.hpp); tables pass as structures of the Arrow C interface, without a copy.
"""
import ctypes
import importlib.machinery
import itertools
import os
import sys
from ctypes import CFUNCTYPE, POINTER, c_char, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_void_p

VERSION = 2
OUT_OF_MEMORY = "out of memory"
ROWS_OF_BATCH, ROWS_OF_GROUP = 1 << 17, 1 << 20

ERROR = (POINTER(c_char), c_size_t)
PUT = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int64)
SIGNATURES = {
    "open": CFUNCTYPE(c_void_p, c_char_p, c_int, c_int, *ERROR),
    "close": CFUNCTYPE(None, c_void_p),
    "schema": CFUNCTYPE(c_int, c_void_p, c_void_p, *ERROR),
    "parts": CFUNCTYPE(c_int64, c_void_p),
    "part_rows": CFUNCTYPE(c_int64, c_void_p, c_int64),
    "read": CFUNCTYPE(c_int, c_void_p, POINTER(c_int), c_int, c_int64, c_int64, c_void_p, *ERROR),
    "create": CFUNCTYPE(c_void_p, c_void_p, c_int, PUT, c_void_p, *ERROR),
    "append": CFUNCTYPE(c_int, c_void_p, c_void_p, *ERROR),
    "finish": CFUNCTYPE(c_int, c_void_p, *ERROR),
    "discard": CFUNCTYPE(None, c_void_p),
}


class ColumnarFiles(ctypes.Structure):
    """copse_columnar_files."""

    _fields_ = [("version", c_uint32), *SIGNATURES.items()]


class ParquetFile:
    """A file of Parquet, whose parts are its row groups. Its pages are read into small buffers, not mapped."""

    def __init__(self, path):
        from pyarrow import parquet

        self._open = lambda metadata=None: parquet.ParquetFile(path, metadata=metadata, pre_buffer=False, buffer_size=1 << 16)
        file = self._open()
        self._metadata, self.schema = file.metadata, file.schema_arrow
        self.parts = self._metadata.num_row_groups

    def part_rows(self, part):
        return self._metadata.row_group(part).num_rows

    def batches(self, names, begin, end):
        file = self._open(self._metadata)  # each stream has a reader of its own
        return file.iter_batches(ROWS_OF_BATCH, row_groups=range(begin, end), columns=names, use_threads=False)


class ArrowFile:
    """A file of Arrow, whose parts are its batches, or a stream in a file, which is one part."""

    def __init__(self, path, mapped):
        import pyarrow as pa

        self._pa = pa
        self._source = lambda: pa.memory_map(path) if mapped else pa.OSFile(path)
        try:
            reader = pa.ipc.open_file(self._source())
            self.parts, self.is_stream = reader.num_record_batches, False
        except pa.ArrowInvalid:
            reader = pa.ipc.open_stream(self._source())
            self.parts, self.is_stream = 1, True
        self.schema = reader.schema
        if not self.is_stream:
            first = pa.ipc.open_file(self._source(), options=self._options([0] if self.schema.names else []))
            self._rows = [first.get_batch(part).num_rows for part in range(self.parts)]

    def _options(self, columns):
        return self._pa.ipc.IpcReadOptions(included_fields=columns, use_threads=False)

    def part_rows(self, part):
        return -1 if self.is_stream else self._rows[part]

    def batches(self, names, begin, end):
        options = self._options(sorted(self.schema.names.index(name) for name in names))
        if self.is_stream:
            found = self._pa.ipc.open_stream(self._source(), options=options) if begin != end else ()
        else:
            file = self._pa.ipc.open_file(self._source(), options=options)
            found = (file.get_batch(part) for part in range(begin, end))
        for batch in found:
            batch.validate()  # offsets and sizes of the buffers are what the file says
            yield batch


class Sink:
    """The bytes of a file that is written, to the function of the caller."""

    closed = False

    def __init__(self, put, context):
        self._put, self._context, self._written = put, context, 0

    def write(self, data):
        data = bytes(data)
        if self._put(self._context, data, len(data)) != 0:
            raise OSError("writing failed")
        self._written += len(data)
        return len(data)

    def tell(self):
        return self._written

    def flush(self):
        pass

    def close(self):
        pass


class TableWriter:
    """A table that is written some rows at a time."""

    def __init__(self, schema, is_parquet, sink):
        import pyarrow as pa

        self._pa, self.schema, self._waiting, self._is_parquet = pa, schema, [], is_parquet
        self._file = pa.PythonFile(sink, mode="w")
        if is_parquet:
            from pyarrow import parquet

            # Without the schema of Arrow in the file, readers give strings the type `string`, not `large_string`, which does not join with it.
            self._writer = parquet.ParquetWriter(self._file, schema, compression="snappy", store_schema=False)
        else:
            self._writer = pa.ipc.new_file(self._file, schema)

    def append(self, batch):
        self._waiting.append(batch)
        if sum(waiting.num_rows for waiting in self._waiting) >= ROWS_OF_GROUP:
            self._write()

    def finish(self):
        self._write()
        self._writer.close()

    def _write(self):
        if self._waiting and self._is_parquet:
            self._writer.write_table(self._pa.Table.from_batches(self._waiting, self.schema), row_group_size=ROWS_OF_GROUP)
        elif self._waiting:
            for batch in self._waiting:
                self._writer.write_batch(batch)
        self._waiting = []


class Plugin:
    """The functions of copse_columnar_files; files and tables are called by numbers."""

    def __init__(self):
        import pyarrow

        self._pa, self._held, self._numbers = pyarrow, {}, itertools.count(1)
        functions = {name: kind(self._without_exceptions(name)) for name, kind in SIGNATURES.items()}
        self.table = ColumnarFiles(VERSION, *functions.values())

    def _without_exceptions(self, name):
        function, tells = getattr(self, name), SIGNATURES[name]._argtypes_[-2:] == ERROR
        failed = None if SIGNATURES[name]._restype_ in (c_void_p, None) else -1

        def call(*arguments):
            try:
                return function(*arguments)
            except BaseException as problem:
                if not tells:
                    return failed
                text = OUT_OF_MEMORY if isinstance(problem, MemoryError) else " ".join(str(problem).split()) or type(problem).__name__
                error, size = arguments[-2:]
                kept = text.encode()[: size - 1] + b"\0"
                ctypes.memmove(error, kept, len(kept))
                return failed

        return call

    def _hold(self, what):
        number = next(self._numbers)
        self._held[number] = what
        return number

    def open(self, path, is_parquet, mapped, error, size):
        return self._hold(ParquetFile(os.fsdecode(path)) if is_parquet else ArrowFile(os.fsdecode(path), bool(mapped)))

    def close(self, file):
        del self._held[file]

    def schema(self, file, to, error, size):
        self._held[file].schema._export_to_c(to)
        return 0

    def parts(self, file):
        return self._held[file].parts

    def part_rows(self, file, part):
        return self._held[file].part_rows(part)

    def read(self, file, columns, count, begin, end, to, error, size):
        from_file = self._held[file]
        fields = [from_file.schema.field(columns[i]) for i in range(count)]
        names = list(dict.fromkeys(field.name for field in fields))
        for name in names:
            if from_file.schema.names.count(name) != 1:
                raise ValueError(f"two columns are called '{name}'")
        for field in fields:
            if self._pa.types.is_nested(field.type):
                raise ValueError(f"column '{field.name}' is nested, and neither ids nor weights")
        schema = self._pa.schema(fields)
        batches = (
            self._pa.RecordBatch.from_arrays([batch.column(field.name) for field in fields], schema=schema)
            for batch in from_file.batches(names, begin, end)
        )
        self._pa.RecordBatchReader.from_batches(schema, batches)._export_to_c(to)
        return 0

    def create(self, columns, is_parquet, put, context, error, size):
        return self._hold(TableWriter(self._pa.Schema._import_from_c(columns), bool(is_parquet), Sink(put, context)))

    def append(self, table, rows, error, size):
        writer = self._held[table]
        writer.append(self._pa.RecordBatch._import_from_c(rows, writer.schema))
        return 0

    def finish(self, table, error, size):
        self._held[table].finish()
        return 0

    def discard(self, table):
        del self._held[table]


def main():
    version, program, *arguments = sys.argv[1:]
    folder = os.path.dirname(os.path.abspath(__file__))
    libraries = (os.path.join(folder, "_core" + suffix) for suffix in importlib.machinery.EXTENSION_SUFFIXES)
    library = next((path for path in libraries if os.path.exists(path)), None)
    try:
        plugin = Plugin()
        module = ctypes.CDLL(library) if library is not None else None
        module.copse_command_version.restype = c_char_p
        found, command = module.copse_command_version(), module.copse_command
    except (ImportError, AttributeError):  # no pyarrow, or a module without the command
        found, command = None, None
    if found != version.encode():
        os.execv(program, [program, *arguments])  # it knows that Python was asked, and says what is missing
    texts = [os.fsencode(text) for text in (program, *arguments)]
    status = command(len(texts), (c_char_p * (len(texts) + 1))(*texts, None), ctypes.byref(plugin.table))
    sys.stdout.flush()
    os._exit(status)  # nothing of the interpreter is worth taking down


if __name__ == "__main__":
    main()
