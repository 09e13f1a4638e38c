"""cluster(): pairs with scores to a table of clusters, as record linkage and deduplication need it."""
from copse import _tables
from copse._load import core
from copse._options import options
from copse._result import Components


def cluster(
    pairs, left=None, right=None, *, score=None, threshold=None, vertices=None, id=None, output_id="id", output_cluster="cluster_id",
    nulls="error", threads=None, memory=None, progress=None,
):
    """Clusters of records that pairs join, directly or through others: a table (id, cluster_id), singletons of `vertices` included.

    pairs: a table (anything with __arrow_c_stream__ or __arrow_c_array__, a pandas frame, a dict of arrays) or the path of a Parquet or Arrow
    file. left, right: its columns of ids; may be left out where it has two columns only. Ids are integers of any width, strings or
    binaries of any layout, or dictionaries of them. score, threshold: take only pairs whose score is at least the threshold; NaN is not.
    vertices: a table, path or array of all ids, those without a pair included; id: its column, where it has several. nulls: 'error', or
    'drop' to leave out rows with a null, which are counted. output_id, output_cluster: names of the columns of the answer.

    Returns a table of the kind of `pairs`: a pandas or Polars frame, or a pyarrow table; where pyarrow is missing, Components. The cluster's
    id is its smallest id. Edges are read in batches and not held: memory is O(vertices). Raises UsageError, InputError, OSError,
    ResourceError.
    """
    answer = cluster_components(
        pairs, left, right, score=score, threshold=threshold, vertices=vertices, id=id, nulls=nulls, threads=threads, memory=memory,
        progress=progress,
    )
    return as_table(answer, pairs, output_id, output_cluster)


def cluster_components(
    pairs, left=None, right=None, *, score=None, threshold=None, vertices=None, id=None, nulls="error", threads=None, memory=None, progress=None
):
    """The same as Components, whose `left_out` has the counts."""
    if nulls not in ("error", "drop"):
        raise core.UsageError(f"nulls: found {nulls!r}, expected 'error' or 'drop'")
    if (score is None) != (threshold is None):
        raise core.UsageError("cluster: found one of score and threshold, expected both or neither")
    if (left is None) != (right is None):
        raise core.UsageError("cluster: found one of left and right, expected both or neither")
    wanted = None if left is None else [left, right, *([] if score is None else [score])]
    source = _tables.Source(pairs, wanted)
    if left is None:
        names = [name for name in source.names if name != score]
        if len(names) != 2:
            raise core.UsageError(f"cluster: found columns {', '.join(map(str, names))}, expected two, or left= and right=")
        left, right = names
    sink = core.Sink(None, options(threads=threads, memory=memory, progress=progress))
    binary = source.is_binary(left)
    left_out = source.feed(sink, left, right, score, threshold, nulls == "drop")
    if vertices is not None:
        _add_vertices(sink, vertices, id, nulls)
    answer = Components(sink.finish())
    answer.left_out, answer._binary = left_out, binary
    return answer


def _add_vertices(sink, vertices, id, nulls):
    if not _tables.is_table(vertices) and not hasattr(vertices, "__fspath__") and not isinstance(vertices, str):
        vertices, id = {"id": vertices}, "id"
    elif hasattr(vertices, "__array__") and not hasattr(vertices, "columns") and not hasattr(vertices, "column_names"):  # a series
        vertices, id = {"id": vertices}, "id"
    source = _tables.Source(vertices, None if id is None else [id])
    if id is None:
        if len(source.names) != 1:
            raise core.UsageError(f"vertices: found columns {', '.join(map(str, source.names))}, expected one, or id=")
        id = source.names[0]
    source.feed(sink, id, drop_nulls=nulls == "drop")


def as_table(answer, like, id, cluster_id):
    """The answer as a table of the kind of `like`."""
    kind = type(like).__module__.partition(".")[0]
    if kind == "pandas":
        return answer.to_pandas(id, cluster_id)
    if kind == "polars":
        return answer.to_polars(id, cluster_id)
    try:
        return answer.to_arrow(id, cluster_id)
    except ImportError:
        return answer
