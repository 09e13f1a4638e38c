"""One graph of whatever holds edges, for what needs all edges at once."""
import os
from typing import Any, NamedTuple

from copse import _arrays, _ids, _reading, _tables
from copse._graph import Graph, graph_of
from copse._load import core
from copse._options import expect, expect_no


class HeldGraph(NamedTuple):
    """The compiled module's graph of an input, with the weights and numbers of its edges and the type of its ids."""

    graph: Any
    weights: Any = None  #: an array, where weights were asked for
    rows: Any = None  #: the row or number of each edge in the input; None: 0, 1, 2, ...
    ids: Any = _ids.INTEGERS


def is_table(edges):
    """True for a table and for the path of a file that holds one."""
    if isinstance(edges, (str, bytes, os.PathLike)):
        return _tables.is_table_file(edges)
    return not isinstance(edges, Graph) and not _arrays.is_sparse(edges) and _tables.is_table(edges)


def held_graph(call, edges, score, vertices, columns, nulls, how, reading, *, weighted=False, threshold=None):
    """A HeldGraph of anything. call: the name of the function, for errors. reading: its keywords for files in text. threshold: what the
    scores of a table or file must reach; without `weighted`, scores are not kept."""
    _reading.expect_known(call, reading)
    expect(nulls, ("error", "drop"), "nulls")
    if is_table(edges):
        expect_no(vertices, "vertices", "a table")
        _reading.expect_none(call, reading, "a table")
        sink = core.EdgeCollector(how)
        ids = feed(sink, edges, columns, score, nulls, threshold, weighted=weighted)
        return HeldGraph(*sink.finish(), ids)
    if isinstance(edges, (str, bytes, os.PathLike)):
        how_read = read_options(call, edges, score, vertices, columns, nulls, reading, threshold)
        path, ids = _reading.readable(edges), _ids.IdType(_reading.ids_kind(reading))
        if weighted:
            return HeldGraph(*core.read_weighted(path, how_read, how), ids=ids)
        graph, rows = core.read_numbered_graph(path, how_read, how)
        return HeldGraph(graph, rows=rows, ids=ids)
    expect_no(columns, "columns", "arrays")
    _reading.expect_none(call, reading, "arrays")
    ids = edges._ids if isinstance(edges, Graph) else _ids.INTEGERS
    if weighted:
        return HeldGraph(*graph_of_arrays(edges, score, vertices), ids=ids)
    return HeldGraph(graph_of(edges, vertices), ids=ids)


def graph_of_arrays(edges, score, vertices):
    """The compiled module's graph of arrays or a matrix, and its weights."""
    if score is None:
        if not _arrays.is_sparse(edges):
            raise core.UsageError("score is required: give an array of one weight per edge")
        _arrays.expect_square(edges)
        if edges.format not in ("csr", "csc", "coo"):
            edges = edges.tocsr()
        stored = edges.data if edges.format == "coo" else edges.data[: int(edges.indptr[-1])]
        return _arrays.graph_of_sparse(edges), _arrays.weights(stored)
    if isinstance(score, str):
        raise core.UsageError(f"score must be an array of one weight per edge, not {score!r}")
    return graph_of(edges, vertices), _arrays.weights(score)


def read_options(call, path, score, vertices, columns, nulls, reading, threshold=None):
    """How a file of edges with weights or without is read, as the compiled module takes it."""
    return core.read_options(*reading_of(call, path, score, vertices, columns, nulls, reading, threshold))


def reading_of(call, path, score, vertices, columns, nulls, reading, threshold=None):
    """The arguments of the compiled module's read_options for a file of edges."""
    if score is not None and not isinstance(score, (str, int)):
        raise core.UsageError(f"score must be the number or name of a column of {os.fspath(path)}, not {type(score).__name__}")
    if nulls == "drop":
        raise core.UsageError(f"nulls='drop' applies only to tables; for {os.fspath(path)} use na='', which drops the edges with an empty field")
    return _reading.reading(call, columns, score, vertices, reading, threshold)


def feed(sink, table, columns, score, nulls, threshold=None, *, weighted=True):
    """Adds the rows of a table, those whose score reaches a threshold, to a sink that takes weights; returns what its ids are."""
    expect(nulls, ("error", "drop"), "nulls")
    if score is None and weighted:
        raise core.UsageError("score is required: give the name of the table's column of scores")
    if score is not None and not isinstance(score, str):
        raise core.UsageError(f"score must be the name of a column of the table, not {type(score).__name__}")
    columns = None if columns is None else _tables.two_columns(columns)
    wanted = None if columns is None else [*columns, *([] if score is None else [score])]
    source = _tables.Source(table, wanted)
    left, right = source.id_columns(columns, score)
    return source.feed(sink, left, right, score, threshold, nulls == "drop")[1]
