"""How well clusters agree with the truth."""
import os
from typing import Any, NamedTuple

import numpy as np

from copse import _columns, _ids, _reading, _tables
from copse._load import core
from copse._options import expect_no, flag, options, whole
from copse._result import Components


class Scores(NamedTuple):
    """Precision, recall and their harmonic mean, from 0 to 1. A ratio of nothing to nothing is 1."""

    precision: float
    recall: float
    f1: float


class BrokenGroup(NamedTuple):
    """A group of one table whose records have several labels in the other."""

    label: Any
    records: int
    pairs: int  #: pairs of its records that the other table separates
    parts: int  #: labels that its records have in the other table
    largest: list  #: (label, records) of its largest parts, by descending number of records and then by label


class BrokenGroups(NamedTuple):
    """The groups of one table that the other one breaks."""

    count: int
    worst: list  #: a BrokenGroup for each of the groups that lose the most pairs; equal ones by label


class Comparison(NamedTuple):
    """The result of `compare`. Counts are exact, and every ratio is computed once, from exact integers.

    >>> import copse
    >>> found = copse.compare({"a": 1, "b": 1, "c": 2}, {"a": 1, "b": 2, "c": 2})
    >>> found.cluster_pairs, found.truth_pairs, found.common_pairs
    (1, 1, 0)
    """

    records: int  #: records that both tables have
    only_in_clusters: int  #: records that were left out; 0 unless common=True
    only_in_truth: int
    clusters: int  #: different labels of those records
    truth_clusters: int  #: different labels in the truth
    cluster_pairs: int  #: pairs of records in one cluster
    truth_pairs: int  #: pairs of records in one cluster of the truth
    common_pairs: int  #: pairs of records in one cluster of both
    pairwise: Scores  #: over pairs: common_pairs / cluster_pairs, common_pairs / truth_pairs
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

    clusters, truth: labels of the same records; the two need not use the same labels. Two arrays, lists or columns of labels are compared by
    position. Anything else has ids, by which records are matched: a table (of pandas, Polars, pyarrow or anything with __arrow_c_stream__,
    or a dict of columns), a dict from ids to labels, Components, or the path of a file (text, Parquet, Arrow, or .npy, .npz and .bin of
    `copse components`). Ids and labels are integers, strings, bytes or UUIDs. columns: the columns of ids and of labels, for a table that has
    more than two. truth_columns: the columns of `truth`, if they have other names. reading: how text files are read, as in `components`.

    common: compare only the records that both tables have, and count the others; by default a record that one table lacks is an error. top:
    how many splits and merges are listed, those that break the most pairs first. parts: how many parts are listed for each.

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
            expect_no(value, name, "labels without ids")
        _reading.expect_none("compare", reading, "labels without ids")
        if flag(common, "common"):
            raise core.UsageError("common=True needs tables with ids; labels without ids are compared by position")
        sides = [_columns.IdColumn(side, name) for side, name in ((clusters, "clusters"), (truth, "truth"))]
        kinds = [side.kind for side in sides]
        found = core.compare_labels(sides[0].values(), sides[1].values(), *limits, how)
    elif any(by_place):
        without, other = ("clusters", "truth") if by_place[0] else ("truth", "clusters")
        raise core.UsageError(f"clusters and truth must both have ids or both have none; {without} has none, and {other} has some")
    else:
        both = (clusters, "clusters", columns), (truth, "truth", columns if truth_columns is None else truth_columns)
        sides = [_table_of(side, what, wanted, reading) for side, what, wanted in both]
        kinds = [kind for _, kind in sides]
        found = core.compare_tables(sides[0][0], sides[1][0], flag(common, "common"), *limits, how)
    for name in ("pairwise", "b_cubed"):
        found[name] = Scores(*found[name])
    found["merges"] = _groups(found["merges"], *kinds)
    found["splits"] = _groups(found["splits"], *reversed(kinds))
    return Comparison(**found)


def _is_column(side):
    """True for one value per record, without ids."""
    if isinstance(side, (list, tuple, np.ndarray)):
        return True
    if isinstance(side, (str, bytes, os.PathLike, dict, Components)) or hasattr(side, "columns") or hasattr(side, "schema"):
        return False
    return hasattr(side, "__array__") or hasattr(side, "to_pylist")


def _table_of(side, what, wanted, reading):
    """Both columns, or the path and how it is read, as the compiled module takes them; and the kind of labels. what: the argument."""
    if wanted is not None:
        wanted = _tables.two_columns(wanted)
    if isinstance(side, (str, bytes, os.PathLike)) and not _tables.is_table_file(side) and not os.path.isdir(side):
        arguments = _reading.reading("compare", wanted, None, None, reading)
        return (_reading.readable(side), core.read_options(*arguments)), _reading.ids_kind(reading) or "text"
    if isinstance(side, Components):
        ids, labels = _columns.IdColumn(side.ids, "id"), _columns.IdColumn(side.labels, "label")
    elif isinstance(side, dict) and wanted is None and not _has_columns(side):
        ids, labels = _columns.IdColumn(list(side.keys()), "id"), _columns.IdColumn(list(side.values()), "label")
    else:
        ids, labels = _columns_of(side, what, wanted)
    return (ids.values(), labels.values()), labels.kind


def _has_columns(table):
    """True for a dict of columns; false for one from ids to labels."""
    return all(hasattr(value, "__len__") and not isinstance(value, (str, bytes)) for value in table.values())


def _columns_of(table, what, wanted):
    """The columns of ids and of labels."""
    if not isinstance(table, (str, bytes, os.PathLike)) and not _tables.is_table(table) and not hasattr(table, "schema"):
        raise core.UsageError(f"{what} must be labels, a table, a dict, Components or the path of a file, not {type(table).__name__}")
    table = _columns.HeldColumns(table, wanted)
    if wanted is None:
        if len(table.names) != 2:
            argument = "columns" if what == "clusters" else "truth_columns"
            raise core.UsageError(f"{argument} must name the columns of ids and labels; the columns of {what} are {', '.join(map(str, table.names))}")
        wanted = table.names
    return [_columns.IdColumn(table[name], name) for name in wanted]


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
