"""The rows of a batch for `Dynamic`, whatever holds them: columns of ids, and what edges carry."""
import os
from typing import Any, NamedTuple

import numpy as np

from copse import _arrays, _ids, _reading, _scores, _table_files, _tables
from copse._cluster import column_as_table, table_of_arrays
from copse._columns import HeldColumns, IdColumn, times_of
from copse._graph import Graph
from copse._inputs import held_graph, is_table
from copse._load import core
from copse._options import expect, expect_no, options


class Rows(NamedTuple):
    """Columns of one length, as the compiled module takes them."""

    ids: list  #: one column of ids, or two
    type: _ids.IdType  #: what the ids are
    score: Any = None  #: an array of float64
    time: Any = None  #: an array of int64
    key: Any = None  #: an array of uint64
    has_dates: bool = False  #: times are dates
    library: str = ""  #: what tables are made as for this caller
    left_out: int = 0  #: rows that were dropped for a null


def edge_rows(call, edges, columns, reading, *, score=None, time=None, key=None, nulls="error", weighted=False):
    """The rows of edges of any kind. call: the name of the method, for errors. score, time, key: names of columns of a table, arrays in
    addition to arrays, or None. weighted: the entries of a matrix are scores."""
    expect(nulls, ("error", "drop"), "nulls")
    _reading.expect_known(call, reading)
    carried = {"score": score, "time": time, "key": key}
    if is_table(edges):
        _reading.expect_none(call, reading, "a table")
        table, names, carried = _of_table(edges, columns, carried)
    elif isinstance(edges, (str, bytes, os.PathLike)):
        for what in ("time", "key"):
            expect_no(carried[what], what, "a text file")
        found = held_graph(call, edges, score, None, columns, nulls, options(), reading, weighted=score is not None)
        table, names = _of_graph(Graph(found.graph, found.ids)), ("left", "right")
        carried = {"score": found.weights}
    else:
        expect_no(columns, "columns", "arrays")
        _reading.expect_none(call, reading, "arrays")
        for what, given in carried.items():
            if isinstance(given, str):
                raise core.UsageError(f"{what} must be an array of one value per edge, not {given!r}")
        if isinstance(edges, Graph):
            table = _of_graph(edges)
        else:
            scored = weighted and score is None and _arrays.is_sparse(edges)
            table = table_of_arrays(edges, None, None, scored, None)[0]
            carried["score"] = table.pop("score") if scored else score
        names = list(table)
    return _selected(table, names, carried, nulls == "drop")._replace(library=_tables.kind_of(edges) if is_table(edges) else _tables.kind_of_arrays(edges))


def vertex_rows(vertices, id=None):
    """The rows of vertices: a list, an array, a column, or a table with one column or the column `id`."""
    if not is_table(vertices) or (hasattr(vertices, "__array__") and not hasattr(vertices, "columns") and not hasattr(vertices, "column_names")):
        expect_no(id, "id", "a column")
        if not hasattr(vertices, "__len__"):
            raise core.UsageError(f"vertices must be a list, an array, a column or a table, not {type(vertices).__name__}")
        return _selected(column_as_table(vertices), ("id",), {}, False)
    table = HeldColumns(vertices, None if id is None else [id])
    name = _table_files.id_column(table.names) if id is None else id
    return _selected({name: table[name]}, (name,), {}, False)


def _of_table(edges, columns, carried):
    for what, name in carried.items():
        if name is not None and not isinstance(name, (str, int)):
            raise core.UsageError(f"{what} must be the name of a column of the table, not {type(name).__name__}")
    others = [name for name in carried.values() if name is not None]
    table = HeldColumns(edges, None if columns is None else [*_tables.two_columns(columns), *others])
    names = list(columns) if columns is not None else [name for name in table.names if name not in others]
    if len(names) != 2:
        raise core.UsageError(f"columns must name the two columns of ids; the columns of the table are {', '.join(map(str, table.names))}")
    return table, names, {what: None if name is None else table[name] for what, name in carried.items()}


def _of_graph(graph):
    """The ends of the edges of a graph as a table."""
    if not graph.has_rows:
        return dict(zip(("left", "right"), graph.edges.T))
    sources, names = np.repeat(np.arange(len(graph.offsets) - 1), np.diff(graph.offsets)), graph.ids
    return {"left": names[sources], "right": names[graph.targets]}


def _selected(table, names, carried, drops_nulls):
    """The rows that count. Raises InputError for a null unless they are dropped."""
    ids = [IdColumn(table[name], name) for name in names]
    kept, dropped, has_dates = np.ones(len(ids[0]), bool), 0, False
    found = {}
    for what, column in carried.items():
        if column is None:
            continue
        if what == "score":
            found[what], missing = _scores.scores_of(_tables._column(column, what, False), what)
            missing = np.asarray(missing)
        elif what == "time":
            found[what], missing, has_dates = times_of(column, what)
        else:
            found[what], missing = _keys_of(column), np.zeros(len(column), bool)
        _tables.expect_length(found[what], what, len(kept), names[0])
        dropped += _tables._refused_or_counted(missing & kept, what, drops_nulls)
        kept &= ~missing
    for name, column in zip(names, ids):
        _tables.expect_length(column, name, len(kept), names[0])
        dropped += _tables._refused_or_counted(column.missing & kept, name, drops_nulls)
        kept &= ~column.missing
    found = {what: np.ascontiguousarray(column[kept]) for what, column in found.items()}
    if "score" in found:
        found["score"] = _scores.doubles(found["score"])
    values = [column.values(kept) for column in ids]
    if len(values) == 2 and all(isinstance(column, np.ndarray) for column in values):
        values = list(_arrays.columns(*values))
    types = _ids.joined([column.type for column in ids])
    if len(values[0]) == 0 and types.library in ("", "numpy"):
        types = _ids.IdType("")  # an empty list says nothing
    return Rows(values, types, **found, has_dates=has_dates, left_out=dropped)



def _keys_of(column):
    keys = _arrays.integers(column, "key")
    if keys.dtype.kind == "i" and keys.min(initial=0) < 0:
        raise core.InputError(f"key: found {keys.min()}, expected keys from 0 to 2^64 - 1")
    return keys.astype(np.uint64)
