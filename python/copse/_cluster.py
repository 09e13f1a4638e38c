"""cluster(): pairs with scores to a table of clusters, as record linkage and deduplication need it."""
import re
from typing import Any, NamedTuple

import numpy as np

from copse import _arrays, _columns, _ids, _table_files, _tables
from copse._constraints import Constraints
from copse._load import core
from copse._names import Names
from copse._options import about, expect, expect_no, expect_score_with_threshold, flag, forest_threshold, options, text, threshold_text, whole
from copse._result import Components


def cluster(
    pairs, *, columns=None, score=None, threshold=None, max_size=None, vertices=None, id=None, output_id="id",
    output_cluster="cluster_id", nulls="error", links="all", cut_bridges=None, one_per=None, cannot_link=None, max_records=None, threads=None,
    memory=None, progress=None, report=False,
):
    """Finds clusters of records that are joined by pairs, directly or through other records: a table (id, cluster_id).

    pairs: a table (anything with __arrow_c_stream__ or __arrow_c_array__, a pandas frame, a Polars LazyFrame, a dataset of pyarrow, a dict of
    arrays) or the path of a Parquet or Arrow file, or of a folder of Parquet files; an array or list of pairs (m, 2), or a tuple of two
    arrays; or a SciPy sparse matrix (N, N), whose entries are the scores and whose rows are all the vertices. columns: the names of the two
    columns of ids, for a table that has more columns than these and the scores. Ids are integers of any width, strings or bytes of any Arrow
    layout, or dictionaries of them. score: the name of the table's column of scores, or for arrays and lists of pairs an array of one score
    per pair. threshold: take only pairs whose score is at least this. It is rounded once to the type of float16 and float32 scores, so that
    a score of .9 reaches .9; integers and decimals are compared exactly. A NaN counts as a null.
    vertices: a table, path or array of all ids, including those without a pair, each of which becomes a cluster of its own; id: its column of
    ids, if it has several columns. nulls: 'error', or 'drop' to leave out rows with a null, which are counted. output_id, output_cluster: the
    names of the columns of the answer.

    threshold may be a list: the answer then has a column for each threshold, all found in one pass over the pairs. Their names are
    output_cluster if that is a list, else output_cluster followed by the threshold, with _ for the decimal point: cluster_id_0_9,
    cluster_id_0_95. The ids are those of the pairs that reach the lowest threshold, and of `vertices`.

    max_size: the most records that a cluster may have. A larger one is split by whole levels of the score, the weakest first
    (`WeightedForest.limited` lists the pairs that were cut); needs score, and at most one threshold.

    Rules and constraints say which pairs join (docs/explanation/weighted.md); they need score, and the pairs are held in memory:
    links: 'mutual' takes only the pairs that are the best of both records, 'either' those that are the best of one of them. cut_bridges: cuts
    pairs with a lower score without which a cluster falls into two parts of at least two records each. one_per: a cluster has at most one
    record for each value of a column of the table `vertices`; a list names several columns, and a dict says how many records, as in
    {"source": 2}. Records without a value (a null) are exempt. cannot_link: pairs of ids that must not be in one cluster, in any form that
    `pairs` may have (if that is a table of more than two columns, `columns` names its ids, too). max_records: the most records that a cluster
    may have. Pairs are taken by descending score, equal ones by their ids, and a pair whose union would break a constraint is refused.

    Returns a table of the kind of `pairs`: a pandas or Polars frame, or a pyarrow table, with ids of the type they have there, so that it
    can be joined; without pyarrow, Components (a list of them for several thresholds). The id of a cluster is the smallest id in it. Edges
    are read in batches and, without rules and constraints, not held: memory is O(vertices).
    report: return (table, ClusterReport) instead, which says how many rows of pairs there were, how many were left out for nulls and for
    scores below the lowest threshold, what the solve did, and what rules and constraints cut and refused. Raises UsageError, InputError,
    OSError, ResourceError.

    >>> import copse
    >>> pairs = {"l": ["ann", "bob", "cid"], "r": ["anne", "rob", "sid"], "score": [.95, .9, .2]}
    >>> copse.cluster(pairs, columns=("l", "r"), score="score", threshold=.5).to_pydict()
    {'id': ['ann', 'anne', 'bob', 'rob'], 'cluster_id': ['ann', 'ann', 'bob', 'bob']}
    >>> people = {"id": ["ann", "bob", "cid"], "source": ["crm", "web", "crm"]}
    >>> pairs = {"l": ["ann", "bob"], "r": ["bob", "cid"], "score": [.9, .8]}
    >>> found, report = copse.cluster(pairs, score="score", vertices=people, one_per="source", report=True)
    >>> found.to_pydict()["cluster_id"], report.refused_by
    (['ann', 'ann', 'cid'], {'one_per source': 1})
    """
    given, report, several = pairs, flag(report, "report"), threshold is not None and np.ndim(threshold) > 0
    rules, facts = Constraints.of(links, cut_bridges, one_per, cannot_link, max_records, max_size), {}
    names = names_of_answer(output_id, output_cluster, threshold)
    if _is_array_of_pairs(pairs):
        scored = threshold is not None or max_size is not None or rules is not None
        pairs, score, vertices = table_of_arrays(pairs, columns, score, scored, vertices)
    keywords = {"vertices": vertices, "id": id, "nulls": nulls, "threads": threads, "memory": memory, "progress": progress}
    if rules is not None:
        thresholds = list(threshold) if several else [] if threshold is None else [threshold]
        answers, facts = _constrained_components(pairs, columns, score, thresholds, rules, **keywords)
    elif max_size is not None:
        answers = [_limited_components(pairs, columns, score, threshold, max_size, **keywords)]
    elif several:
        answers = threshold_components(pairs, columns, score, threshold, **keywords)
    else:
        answers = [cluster_components(pairs, columns, score=score, threshold=threshold, **keywords)]
    table = as_table(answers, given, output_id, names)
    return (table, ClusterReport.of(answers[0], facts and facts.report(_tables.kind_of(given), several))) if report else table


class ClusterReport(NamedTuple):
    """The report that `cluster(..., report=True)` returns in addition to its table. Without rules and constraints the last five are None.

    >>> import copse
    >>> table, report = copse.cluster({"l": [1, 2, 5], "r": [2, 3, 6], "s": [.9, .8, .1]}, score="s", threshold=.5, report=True)
    >>> report.rows, report.nulls, report.below
    (3, 0, 1)
    """

    rows: int  #: rows of the pairs
    nulls: int  #: rows left out for a null or a NaN
    below: int  #: rows left out for a score below the lowest threshold
    solve: core.Report  #: as `Components.report`
    #: the pairs that were refused, in the order in which pairs are taken: a table of the kind of `pairs` with the columns u, v, score,
    #: constraint ('max_records', 'cannot_link' or 'one_per COLUMN'), u_cluster and v_cluster, preceded by threshold if there are several
    refused: Any = None
    refused_by: Any = None  #: how many pairs each constraint refused: a dict, or a list of dicts for several thresholds
    cut_bridges: Any = None  #: how many bridges were cut; a list for several thresholds
    exempt: Any = None  #: a dict from each column of one_per to the number of records that have no value in it
    unknown_pairs: Any = None  #: the number of pairs of cannot_link with a record that is in no pair and not in `vertices`

    @classmethod
    def of(cls, answer, of_constraints):
        """of_constraints: the fields that say what became of constraints. answer: a Components that has `left_out`."""
        return cls(answer.left_out.rows, answer.left_out.nulls, answer.left_out.below, answer.report, **of_constraints)


def cluster_components(
    pairs, columns=None, *, score=None, threshold=None, vertices=None, id=None, nulls="error", threads=None, memory=None, progress=None
):
    """The same as Components, whose `left_out` has the counts."""
    expect_score_with_threshold(score, threshold)
    sink = core.Sink(None, options(threads=threads, memory=memory, progress=progress))
    left_out, ids = _feed(sink, pairs, columns, score, threshold, vertices, id, nulls, threads)
    return Components(sink.finish(), None, ids, left_out)


def threshold_components(pairs, columns, score, thresholds, **keywords):
    """Components for each of some thresholds, from one forest."""
    forest, left_out, ids = _score_forest(pairs, columns, score, min(thresholds), **keywords)
    return [Components(forest.labels_at(forest_threshold(t)), None, ids, left_out) for t in thresholds]


def best_link_components(pairs, records, ties):
    """The Components that the compiled module's single_best_links finds: clusters as Splink's single best links make them.

    pairs: a table with the columns l, r and p; records: one with id and number: the number of a dataset of which a cluster has at most one
    record, or a negative one. Pairs of which a record is not there join nothing. ties: 'lowest_id' or 'drop'.
    """
    how, records = options(), _columns.HeldColumns(records, ["id", "number"])
    sink = core.EdgeCollector(how)
    left_out, ids = _feed(sink, pairs, ["l", "r"], "p", -np.inf, records.table, "id", "error", None)
    graph, scores, rows = sink.finish()
    numbers = np.asarray(records["number"]).astype(np.int64)[rows[left_out.rows :]]
    groups = np.full(graph.vertices, 2**64 - 2, np.uint64)  # left out
    groups[graph.pairs()[left_out.rows :, 0]] = np.where(numbers < 0, -1, numbers).astype(np.uint64)
    scores = np.zeros(len(rows)) if scores is None else scores
    return Components(core.single_best_links(graph, scores, groups, ties, how), None, ids, left_out)


def _limited_components(pairs, columns, score, threshold, max_size, **keywords):
    if np.ndim(threshold) > 0:
        raise core.UsageError("give at most one threshold with max_size=, not a list")
    size = whole(max_size, "max_size", 1)
    forest, left_out, ids = _score_forest(pairs, columns, score, -np.inf if threshold is None else threshold, **keywords)
    return Components(forest.at_most(size)[0], None, ids, left_out)


def _constrained_components(
    pairs, columns, score, thresholds, rules, *, vertices=None, id=None, nulls="error", threads=None, memory=None, progress=None
):
    if score is None:
        raise core.UsageError("score is required with rules and constraints: give the name of the column of scores")
    how = options(threads=threads, memory=memory, progress=progress)
    wanted = [forest_threshold(t) for t in thresholds]
    vertices, id, values = rules.vertex_table(vertices, id)
    sink = core.EdgeCollector(how)
    left_out, ids = _feed(sink, pairs, columns, score, min(thresholds, default=-np.inf), vertices, id, nulls, threads)
    apart = None if rules.cannot_link is None else _pairs_apart(rules.cannot_link, columns, ids, nulls, threads, how)
    return rules.solve(sink, left_out, ids, wanted, values, apart, how)


def _pairs_apart(pairs, columns, ids, nulls, threads, how):
    """The compiled module's graph of pairs that must not meet. ids: of the pairs that join."""
    sink = core.EdgeCollector(how)
    with about("cannot_link"):
        if _is_array_of_pairs(pairs):
            pairs, _, _ = table_of_arrays(pairs, None, None, False, None)
        source = _tables.Source(pairs, None, threads)
        of_two = source.id_columns(None if len(source.names) == 2 else columns)
        left_out, found = source.feed(sink, *of_two, drop_nulls=nulls == "drop")
    graph = sink.finish()[0]
    if graph.stored and found.kind != ids.kind and {found.kind, ids.kind} != {"bytes", "uuid"} and ids.kind:
        raise _ids.of_another_kind("the ids of cannot_link", found.words, ids, "the pairs")
    ends = graph.pairs()
    loops = ends[ends[:, 0] == ends[:, 1], :1]
    if len(loops):
        record = Names(graph, found).of(loops[0]).tolist()[0]
        raise core.InputError(f"cannot_link: found the pair {record!r} and {record!r}, expected two different records")
    return graph


def _score_forest(
    pairs, columns, score, lowest, *, vertices=None, id=None, nulls="error", threads=None, memory=None, progress=None
):
    """The compiled module's maximum spanning forest of the pairs whose score is not below the lowest; what was left out; what ids are."""
    if score is None:
        raise core.UsageError("score is required with several thresholds or max_size=: give the name of the column of scores")
    sink = core.WeightedSink(True, options(threads=threads, memory=memory, progress=progress))
    left_out, ids = _feed(sink, pairs, columns, score, lowest, vertices, id, nulls, threads)
    return sink.finish(), left_out, ids


def _feed(sink, pairs, columns, score, threshold, vertices, id, nulls, threads):
    expect(nulls, ("error", "drop"), "nulls")
    if isinstance(score, (list, dict, set)):
        raise core.UsageError(f"score must be the name of one column, not {score!r}")
    columns = None if columns is None else _tables.two_columns(columns)
    wanted = None if columns is None else [*columns, *([] if score is None else [score])]
    source = _tables.Source(pairs, wanted, threads, isinstance(sink, core.Sink))
    left, right = source.id_columns(columns, score)
    left_out, ids = source.feed(sink, left, right, score, threshold, nulls == "drop")
    if vertices is None:
        return left_out, ids
    added, of_vertices = _add_vertices(sink, vertices, id, nulls, threads)
    if left_out.rows and added.rows and {ids.kind, of_vertices.kind} in ({"text", "bytes"}, {"text", "uuid"}):
        raise _ids.of_another_kind("the ids of vertices", of_vertices.words, ids, "the pairs")
    return left_out, _ids.joined([ids, of_vertices])


def names_of_answer(output_id, output_cluster, threshold):
    """The names of the columns of clusters, one for each threshold. Raises UsageError if output_id is one of them."""
    several = threshold is not None and np.ndim(threshold) > 0
    if threshold is not None and not several:
        threshold_text(threshold)
    names = _names_of_several(output_cluster, threshold) if several else [text(output_cluster, "output_cluster")]
    if text(output_id, "output_id") in names:
        raise core.UsageError(f"output_id must differ from the names of the columns of clusters ({', '.join(names)})")
    return names


def _names_of_several(names, thresholds):
    try:
        fine = np.ndim(thresholds) == 1 and len(thresholds) > 0 and not np.isnan(np.asarray(thresholds, float)).any()
    except (TypeError, ValueError):
        fine = False
    if not fine:
        raise core.UsageError(f"threshold must be a number or a list of numbers, not {thresholds!r}")
    if not isinstance(names, (list, tuple)):
        names = text(names, "output_cluster")
        names = [f"{names}_{float(t):.15g}".replace(".", "_") for t in thresholds]
    if not all(isinstance(name, str) for name in names) or len(names) != len(thresholds) or len(set(names)) != len(names):
        raise core.UsageError(f"output_cluster must give each of the {len(thresholds)} thresholds a name of its own, not {names!r}")
    return list(names)


def _add_vertices(sink, vertices, id, nulls, threads):
    if not _tables.is_table(vertices) and not hasattr(vertices, "__fspath__") and not isinstance(vertices, str):
        vertices, id = column_as_table(vertices), "id"
    elif hasattr(vertices, "__array__") and not hasattr(vertices, "columns") and not hasattr(vertices, "column_names"):  # a series
        vertices, id = column_as_table(vertices), "id"
    source = _tables.Source(vertices, None if id is None else [id], threads, isinstance(sink, core.Sink))
    id = _table_files.id_column(source.names) if id is None else id
    try:
        return source.feed(sink, id, drop_nulls=nulls == "drop")
    except core.UsageError as error:
        raise core.UsageError(re.sub("^(components_sink: )?ids must", "the ids of vertices must", str(error)).replace("earlier batches", "the pairs")) from None


def _is_array_of_pairs(pairs):
    """Pairs that are no table: a matrix, an array, a list, or a tuple of two arrays."""
    return _arrays.is_sparse(pairs) or (not _tables.is_table(pairs) and isinstance(pairs, (np.ndarray, list, tuple)))


def table_of_arrays(pairs, columns, scores, scored, vertices):
    """Pairs that are no table as one, the name of its scores (None unless `scored`), and the vertices. scores: an array, or None."""
    expect_no(columns, "columns", "an array or a matrix of pairs")
    if _arrays.is_sparse(pairs):
        expect_no(scores, "score", "a matrix, whose entries are the scores")
        rows = _arrays.expect_square(pairs, "pairs")
        entries = pairs.tocoo()
        table = {"row": entries.row, "column": entries.col, **({"score": entries.data} if scored else {})}
        return table, "score" if scored else None, np.arange(rows) if vertices is None else vertices
    if scores is not None and (isinstance(scores, str) or np.ndim(scores) == 0):
        raise core.UsageError(f"score must be an array of one score per pair, not {scores!r}")
    if scored and scores is None:
        raise core.UsageError("score is required with threshold=, max_size=, rules and constraints: give an array of one score per pair")
    if not _arrays.is_column_pair(pairs):
        ends = _arrays.unmasked(pairs, "pairs")
        if isinstance(pairs, (list, tuple)) and ends.dtype.kind not in "iu":
            ends = np.array(pairs, dtype=object)  # as they are: NumPy makes a string of whatever is next to one
        if ends.size == 0 and ends.shape[1:] != (2,):
            ends = np.empty((0, 2), np.int64)
        _arrays.expect_pairs(ends, "pairs")
        pairs = ends.T
    table = {"left": pairs[0], "right": pairs[1]}
    return (table, None, vertices) if scores is None else ({**table, "score": scores}, "score", vertices)


def column_as_table(ids):
    """Ids of Arrow or Polars keep their type, which NumPy has not where there are nulls."""
    library = type(ids).__module__.partition(".")[0]
    if library == "pyarrow":
        import pyarrow

        return pyarrow.table({"id": ids})
    return ids.alias("id").to_frame() if library == "polars" else {"id": ids}


def as_table(answers, like, id, cluster_ids):
    """Answers over the same ids as a table of the kind of `like`, a column for each."""
    kind = _tables.kind_of(like)
    first, *others = zip(answers, cluster_ids)
    if kind == "pandas":
        table = first[0].to_pandas(id, first[1])
        return table.assign(**{name: answer.labels for answer, name in others}) if others else table
    if kind == "polars":
        return first[0].to_polars(id, first[1]).with_columns([answer.to_polars(id, name)[name] for answer, name in others])
    if kind == "numpy":
        return answers if others else answers[0]
    table = first[0].to_arrow(id, first[1])
    for answer, name in others:
        more = answer.to_arrow(id, name)
        table = table.append_column(more.schema.field(name), more[name])
    return table
