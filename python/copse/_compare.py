"""How well clusters agree with the truth."""
import os
from typing import Any, NamedTuple

import numpy as np

from copse import _arrays, _ids, _reading, _tables
from copse._load import core
from copse._options import flag, options, whole
from copse._result import Components
from copse._scores import missing_in


class Scores(NamedTuple):
    """Precision, recall and their harmonic mean, from 0 to 1. Nothing that could be wrong makes 1."""

    precision: float
    recall: float
    f1: float


class BrokenGroup(NamedTuple):
    """A group of one table whose records have several labels in the other."""

    label: Any
    records: int
    pairs: int  #: of its records that the other table has apart
    parts: int  #: labels that its records have in the other table
    largest: list  #: (label, records) of its largest parts, descending by records, ties by label


class BrokenGroups(NamedTuple):
    """The groups of one table that the other one breaks."""

    count: int
    worst: list  #: a BrokenGroup for each of those that lose most pairs, ties by label


class Comparison(NamedTuple):
    """What `compare` answers. Counts are exact, and every ratio is taken once, of exact integers.

    >>> import copse
    >>> found = copse.compare({"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 2, "c": 2})
    >>> found.cluster_pairs, found.truth_pairs, found.common_pairs
    (1, 1, 0)
    """

    records: int  #: that both tables have
    only_in_clusters: int  #: records that were left out; 0 unless common=True
    only_in_truth: int
    clusters: int  #: different labels of those records
    truth_clusters: int  #: in the truth
    cluster_pairs: int  #: pairs of records in one cluster
    truth_pairs: int  #: in one cluster of the truth
    common_pairs: int  #: in both
    pairwise: Scores  #: of pairs: common_pairs / cluster_pairs, common_pairs / truth_pairs
    b_cubed: Scores  #: means over records
    adjusted_rand_index: float
    splits: BrokenGroups  #: clusters of the truth whose records are in several clusters
    merges: BrokenGroups  #: clusters that hold records of several clusters of the truth

    def __repr__(self):
        scores = f"precision {self.pairwise.precision:.4f}, recall {self.pairwise.recall:.4f}, adjusted Rand index {self.adjusted_rand_index:.4f}"
        return f"Comparison({self.records} records, {scores}, {self.splits.count} splits, {self.merges.count} merges)"


def compare(
    clusters, truth, *, columns=None, truth_columns=None, common=False, top=5, parts=5, threads=None, memory=None, progress=None, **reading
):
    """Compares clusters with the truth: pairwise and B-cubed scores, the adjusted Rand index, splits and merges.

    clusters, truth: labels of the same records, which need not be called alike in both. Two arrays, lists or columns of labels are compared
    by their places. Anything else has ids, by which records are found in the other table: a table (of pandas, Polars, pyarrow or anything
    with __arrow_c_stream__, or a dict of columns), a dict from ids to labels, Components, or the path of a file (text, Parquet, Arrow, or
    .npy, .npz and .bin of `copse components`). Ids and labels are integers, strings, bytes or UUIDs. columns: a table's two columns, of ids
    and of labels; may be left out where it has two only. truth_columns: those of `truth` where they are others. reading: how files of text
    are read, as in `components`.

    common: compare the records that both tables have, and count the others; otherwise records of one table are refused. top, parts: how
    many splits and merges are listed, those that break most pairs first, and how many of their parts.

    Returns a Comparison. O(n) memory, on all threads. Raises UsageError, InputError, OSError, ResourceError.

    >>> compare([1, 1, 2, 2], ["a", "a", "a", "b"]).pairwise
    Scores(precision=0.5, recall=0.3333333333333333, f1=0.4)
    """
    _reading.expect_known("compare", reading)
    limits = whole(top, "top"), whole(parts, "parts")
    how = options(threads=threads, memory=memory, progress=progress)
    by_place = [_is_column(side) for side in (clusters, truth)]
    if all(by_place):
        for name, value in (("columns", columns), ("truth_columns", truth_columns)):
            if value is not None:
                raise core.UsageError(f"{name}: found {name}= for labels without ids, expected none")
        _reading.expect_none("compare", reading, "labels without ids")
        if flag(common, "common"):
            raise core.UsageError("common: found labels without ids, expected tables with ids, in which records may be missing")
        sides = [_Column(side, name) for side, name in ((clusters, "clusters"), (truth, "truth"))]
        kinds = [side.kind for side in sides]
        found = core.compare_labels(sides[0].values, sides[1].values, *limits, how)
    elif any(by_place):
        name = "clusters" if by_place[0] else "truth"
        raise core.UsageError(f"{name}: found labels without ids and a table, expected ids in both or in neither")
    else:
        sides = [
            _table_of(side, name, wanted, reading)
            for side, name, wanted in ((clusters, "columns", columns), (truth, "truth_columns", columns if truth_columns is None else truth_columns))
        ]
        kinds = [kind for _, kind in sides]
        found = core.compare_tables(sides[0][0], sides[1][0], flag(common, "common"), *limits, how)
    for name in ("pairwise", "b_cubed"):
        found[name] = Scores(*found[name])
    found["merges"] = _groups(found["merges"], *kinds)
    found["splits"] = _groups(found["splits"], *reversed(kinds))
    return Comparison(**found)


class _Column:
    """Integers as an array, or strings as a list, as the compiled module takes them; and what they are."""

    def __init__(self, column, name):
        array = _tables._column(column, name, True)
        if array.dtype == object:
            missing = missing_in(array)
            if missing.any():
                raise core.InputError(f"column '{name}': found a null in row {int(np.argmax(missing))}, expected a value")
        self.kind = _tables._type_of_array(column, array, name).kind
        if self.kind in ("integers", ""):
            self.values = _arrays.integers(array if array.size else np.empty(0, np.int64), f"column '{name}'")
        else:
            self.values = [one.bytes for one in array] if self.kind == "uuid" else array.tolist()


def _is_column(side):
    """Is it one value per record, without ids?"""
    if isinstance(side, (list, tuple, np.ndarray)):
        return True
    if isinstance(side, (str, bytes, os.PathLike, dict, Components)) or hasattr(side, "columns") or hasattr(side, "schema"):
        return False
    return hasattr(side, "__array__") or hasattr(side, "to_pylist")


def _table_of(side, name, wanted, reading):
    """Both columns, or the path and how it is read, as the compiled module takes them; and the kind of labels."""
    if wanted is not None:
        wanted = _tables.two_columns(wanted)
    if isinstance(side, (str, bytes, os.PathLike)) and not _tables.is_table_file(side) and not os.path.isdir(side):
        arguments = _reading.reading("compare", wanted, None, None, reading)
        return (_reading.readable(side), core.read_options(*arguments)), _reading.ids_kind(reading) or "text"
    if isinstance(side, Components):
        if wanted is not None and name == "truth_columns":
            wanted = None
        ids, labels = _Column(side.ids, "id"), _Column(side.labels, "label")
    elif isinstance(side, dict) and wanted is None and not _has_columns(side):
        ids, labels = _Column(list(side.keys()), "id"), _Column(list(side.values()), "label")
    else:
        ids, labels = _columns_of(side, wanted)
    return (ids.values, labels.values), labels.kind


def _has_columns(table):
    """Is it a dict of columns, rather than one from ids to labels?"""
    return all(hasattr(value, "__len__") and not isinstance(value, (str, bytes)) for value in table.values())


def _columns_of(table, wanted):
    """The columns of ids and of labels."""
    if not isinstance(table, (str, bytes, os.PathLike)) and not _tables.is_table(table) and not hasattr(table, "schema"):
        expected = "labels, a table, a dict, Components or the path of a file"
        raise core.UsageError(f"table: found {type(table).__name__}, expected {expected}")
    table, names = _tables.held(table, wanted)
    if wanted is None:
        if len(names) != 2:
            raise core.UsageError(f"table: found columns {', '.join(map(str, names))}, expected two of ids and labels, or their names")
        wanted = names
    return [_Column(table[_tables.known_once(names, name)], name) for name in wanted]


def _groups(found, kind, other_kind):
    """BrokenGroups of what the compiled module answers, whose strings are bytes. kind: of their labels. other_kind: of their parts' labels."""
    worst = [
        BrokenGroup(_label(label, kind), records, pairs, parts, [(_label(one, other_kind), size) for one, size in largest])
        for label, records, pairs, parts, largest in found[1]
    ]
    return BrokenGroups(found[0], worst)


def _label(label, kind):
    if not isinstance(label, bytes) or kind == "bytes":
        return label
    return _ids.IdType("uuid").objects([label])[0] if kind == "uuid" else label.decode(errors="surrogateescape")
