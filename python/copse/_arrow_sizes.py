"""Sizes of Arrow buffers, which the C interface does not tell: columns of pyarrow whose buffers end before their rows do are refused.

All else, such as offsets that descend and indices that no dictionary has, the compiled module checks row by row.
"""
import numpy as np

from copse._load import core


def checked(batches, names):
    """The same record batches of pyarrow. Raises InputError for the first row of a column of these names that its buffers do not hold."""
    first_row, known = 0, set()
    for batch in batches:
        for name, column in zip(batch.schema.names, batch.columns):
            if name in names:
                expect_rows(column, name, first_row, known)
        first_row += len(batch)
        yield batch


def expect_rows(column, name, first_row=0, known=None, whole=False):
    """Checks a column of pyarrow, in chunks or not. known: addresses of dictionaries that were checked before, to which it adds.
    whole: looks also for what the compiled module would find, for arrays that NumPy reads."""
    known = set() if known is None else known
    for chunk in getattr(column, "chunks", [column]):
        if (fault := _fault(chunk, known) or (_fault_of_values(chunk) if whole else None)) is not None:
            row, found, expected = fault
            raise core.InputError(f"column '{name}': found {found} in row {first_row + row}, expected {expected}")
        first_row += len(chunk)


def _fault(array, known):
    """(row, found, expected) of the first row that the buffers do not hold, or None."""
    import pyarrow as pa

    array = array.storage if isinstance(array, pa.ExtensionArray) else array
    if len(array) == 0:
        return None
    buffers, begin, end = array.buffers(), array.offset, array.offset + len(array)
    if (fault := _short(buffers[0], "a validity buffer", 1, begin, end)) is not None:
        return fault
    kind = array.type
    if pa.types.is_dictionary(kind):
        width = kind.index_type.bit_width
        return _short(buffers[1], "a buffer of indices", width, begin, end) or _fault_of_entries(array, known)
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        return _fault_of_offsets(buffers, np.int32, begin, end)
    if pa.types.is_large_string(kind) or pa.types.is_large_binary(kind):
        return _fault_of_offsets(buffers, np.int64, begin, end)
    if kind in (pa.string_view(), pa.binary_view()):
        return _short(buffers[1], "a buffer of views", 128, begin, end)
    if pa.types.is_primitive(kind) or pa.types.is_fixed_size_binary(kind) or pa.types.is_decimal(kind):
        return _short(buffers[1], "a buffer", kind.bit_width, begin, end)
    return None  # no ids and no scores


def _fault_of_values(array):
    """The fault of the first row that pyarrow itself calls wrong: it is looked for when pyarrow has refused the whole."""
    import pyarrow as pa

    if _is_valid(array):
        return None
    if pa.types.is_dictionary(array.type) and _is_valid(array.dictionary):
        valid, count = _valid(array), len(array.dictionary)
        row, index = next((row, index) for row, index in enumerate(_indices(array)) if valid[row] and not 0 <= index < count)
        return row, f"the dictionary index {index}", f"one from 0 to {count - 1}"
    row = next((row for row in range(len(array)) if not _is_valid(array.slice(row, 1))), 0)
    return row, "a value that pyarrow calls invalid", "one that its validate() takes"


def _is_valid(array):
    import pyarrow as pa

    try:
        array.validate(full=True)
    except (pa.ArrowException, ValueError):
        return False
    return True


def _short(buffer, what, bits, begin, end):
    """The fault of a buffer with some bits for each element, of which elements up to `end` are read."""
    if buffer is None or bits == 0 or buffer.size * 8 >= end * bits:
        return None
    row = max(buffer.size * 8 // bits - begin, 0)
    return row, f"{what} of {buffer.size} bytes", f"{-(-end * bits // 8)} for {end} elements"


def _fault_of_offsets(buffers, kind, begin, end):
    offsets_buffer, data = buffers[1], buffers[2]
    bits = np.dtype(kind).itemsize * 8
    if offsets_buffer is None or (fault := _short(offsets_buffer, "a buffer of offsets", bits, begin, end + 1)) is not None:
        return (0, "no offsets", "some") if offsets_buffer is None else (min(fault[0], end - begin - 1), *fault[1:])
    offsets = np.frombuffer(offsets_buffer, kind, end + 1 - begin, begin * bits // 8)
    size = 0 if data is None else data.size
    if offsets.min() >= 0 and offsets.max() <= size:
        return None
    wrong = (offsets < 0) | (offsets > size)
    row = int(np.argmax(wrong[:-1] | wrong[1:]))
    found = offsets[row] if wrong[row] else offsets[row + 1]
    return row, f"the string offset {found}", f"one from 0 to {size}, the bytes of text"


def _fault_of_entries(array, known):
    """The fault of a dictionary's values, at the first row that refers to one that is wrong."""
    entries = array.dictionary
    places = tuple((b.address, b.size) for b in entries.buffers() if b is not None)
    if places in known:
        return None
    fault = _fault(entries, known)
    if fault is None:
        known.add(places)
        return None
    valid = _valid(array)
    for row, index in enumerate(_indices(array)):
        if valid[row] and 0 <= index < len(entries) and (own := _fault(entries.slice(index, 1), set())) is not None:
            return row, *own[1:]
    return None


def _indices(array):
    kind = np.dtype(str(array.type.index_type))
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * kind.itemsize)


def _valid(array):
    bits = array.buffers()[0]
    if bits is None:
        return np.ones(len(array), bool)
    return np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")[array.offset : array.offset + len(array)].astype(bool)
