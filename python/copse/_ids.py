"""The type of ids in the caller's table, so that the ids of an answer have the same type and a join finds them."""
import decimal
import uuid
from typing import Any, NamedTuple

import numpy as np

from copse._load import core


class IdType(NamedTuple):
    """The type of ids: of one column, or of all that hold ids of one answer."""

    kind: str  #: 'integers', 'text', 'bytes' or 'uuid'; '' where nothing says so
    library: str = ""  #: whose type it is: 'pandas', 'polars', 'arrow' or 'numpy'; '' for lists
    type: Any = None  #: the type of the column in that library; None where columns differ

    @property
    def are_bytes(self):
        """True if strings are held as bytes."""
        return self.kind in ("bytes", "uuid")

    @property
    def words(self):
        """The name of such ids in errors."""
        return {"text": "strings", "uuid": "UUIDs"}.get(self.kind, self.kind)

    @property
    def stream_kind(self):
        """The type in the form that the compiled module's label_stream takes."""
        return "bytes" if self.kind == "uuid" else self.kind

    def objects(self, strings):
        """An array of objects of strings as the compiled module gives them."""
        held = np.empty(len(strings), dtype=object)
        held[:] = [uuid.UUID(bytes=one) for one in strings] if self.kind == "uuid" else strings
        return held

    def restored(self, library, columns):
        """Columns of ids of that library's kind with the type that they had in the caller's table; as they are where it does not hold them."""
        if self.type is None or library not in (self.library, "arrow" if self.library == "numpy" else ""):
            return columns
        restore = {"pandas": _in_pandas, "polars": _in_polars, "arrow": _in_arrow}[library]
        made = [restore(column, self.type) for column in columns]
        return columns if any(column is None for column in made) else made


INTEGERS = IdType("integers")


def of_another_kind(what, given, expected, others):
    """The UsageError for ids that are not of the type of the ids of `others`."""
    return core.UsageError(f"{what} must be {expected.words}, as in {others}, not {given}")


def joined(types):
    """The type of the ids of several columns: their own where it is the same. Lists and arrays next to a table say nothing of it, and a column
    of no kind, without rows or of nulls, says nothing at all."""
    known = [one for one in types if one.kind] or list(types)
    kinds = {one.kind for one in known}
    if len(kinds) > 1:
        return IdType("bytes" if kinds == {"bytes", "uuid"} else "")
    typed = [one for one in known if one.library not in ("", "numpy")] or known
    same = all(one.library == typed[0].library and _same(one.type, typed[0].type) for one in typed)
    return typed[0] if same else IdType(typed[0].kind)


def one_id(id):
    """One id as it is held: a decimal that is an integer as that integer, as columns of decimals are."""
    return int(id) if isinstance(id, decimal.Decimal) and id.is_finite() and id == id.to_integral_value() else id


def is_missing(value):
    """True for an object that means a missing value: None, NaN, or pandas.NA."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def expect_one_kind(array, name):
    """The kind that the objects of a column are of, None and NaN left aside; '' where there are no others. Raises UsageError, InputError."""
    kinds = {_kind_of_type(t) for t in set(map(type, array))} - {""}
    if len(kinds) > 1 or None in kinds:
        found = " and ".join(sorted({type(v).__name__ for v in array if not is_missing(v)}))
        raise core.UsageError(f"column '{name}' must hold ids of one kind (integers, strings, bytes or UUIDs), not {found}")
    if kinds == {"integers"}:
        negative, large = None, None
        for row, value in enumerate(array):
            if is_missing(value):
                continue
            if not -(2**63) <= value < 2**64:
                raise core.InputError(f"column '{name}': found {value} in row {row}, expected ids from -2^63 to 2^64 - 1")
            negative = row if value < 0 and negative is None else negative
            large = row if value >= 2**63 and large is None else large
        if negative is not None and large is not None:
            raise core.InputError(
                f"column '{name}': found {array[negative]} in row {negative} and {array[large]} in row {large}, expected ids below 2^63, as one "
                "id is negative"
            )
    return kinds.pop() if kinds else ""


def _kind_of_type(one):
    if issubclass(one, str):
        return "text"
    if issubclass(one, bytes):
        return "bytes"
    if issubclass(one, uuid.UUID):
        return "uuid"
    if issubclass(one, (int, np.integer)) and not issubclass(one, bool):
        return "integers"
    return "" if one is type(None) or one is float or one.__name__ in ("NAType", "NaTType") else None


def _same(one, other):
    try:
        return type(one) is type(other) and bool(one == other)
    except TypeError:
        return False


def _in_pandas(column, dtype):
    import pandas as pd

    if isinstance(dtype, pd.CategoricalDtype):
        return column.astype(dtype) if column.isin(dtype.categories).all() else None
    numbers = getattr(dtype, "numpy_dtype", dtype)
    if isinstance(numbers, np.dtype) and numbers.kind in "iu" and len(column) and column.max() > np.iinfo(numbers).max:
        return None
    try:
        return column.astype(dtype)
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return None


def _in_polars(column, dtype):
    import polars

    try:
        return column.cast(dtype)
    except polars.exceptions.PolarsError:
        return None


def _in_arrow(column, kind):
    import pyarrow as pa

    kind = pa.from_numpy_dtype(kind) if isinstance(kind, np.dtype) else kind
    if len(column) == 0:
        return pa.chunked_array([], type=kind)
    try:
        if pa.types.is_decimal(kind):
            column = column.cast(pa.decimal128(20, 0))  # a cast to fewer digits looks at the type of the integers, not at their values
        if not pa.types.is_dictionary(kind):
            return column.cast(kind)
        if pa.types.is_integer(kind.value_type):
            encoded = column.cast(kind.value_type).dictionary_encode()
        else:
            encoded = column.cast(_plain(kind.value_type)).dictionary_encode()
        return pa.chunked_array(
            [pa.DictionaryArray.from_arrays(c.indices.cast(kind.index_type), c.dictionary.cast(kind.value_type), ordered=kind.ordered)
             for c in encoded.chunks], kind)
    except (pa.ArrowException, ValueError):
        return None


def _plain(kind):
    """The string or binary type that pyarrow makes dictionaries of."""
    import pyarrow as pa

    return {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}.get(kind, kind)
