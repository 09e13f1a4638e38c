"""Connected components and clusters of a Spark DataFrame: every partition keeps a forest of its edges, forests are merged, no edge goes to
the driver.

Works with PySpark 4 and under Spark Connect: it uses data frames and mapInArrow only. Spark repeats lost tasks, which does not change the
answer.
"""
import pyarrow as pa
import pyarrow.compute  # pa.compute

from copse import _stars, _table_files
from copse._load import core
from copse._partial_rows import ClusterPlan

_VALUE = "copse_value_"  # begins the names of columns that hold values of vertices on the way
_FAN_IN = 16  # forests that one task merges, where there are more than that


def connected_components(
    df, *, columns, score=None, threshold=None, vertices=None, id=None, output_id="id", output_component="component", nulls="error", threads=1
):
    """Returns a DataFrame (id, component) with the smallest vertex of the component for every vertex of the edges of `df`, whose ids are in
    the two `columns`.

    score, threshold: take only rows whose score is at least the threshold. vertices: a DataFrame whose ids are vertices, with or without
    edges; id: its column of ids, if it has several columns. nulls: 'error' or 'drop'. threads: the threads of each task; one is right if
    Spark keeps all cores busy.

    Nothing runs before the answer is used. Edges stay in their partitions; at most one row per vertex and partition is shuffled. The last
    merge is one task, which needs memory for all vertices: 20 to 40 bytes each, and the names. Join the answer with your tables by id.
    """
    wanted = _stars.edge_columns(columns, score, threshold, nulls)
    types = dict(df.select(*wanted).dtypes)
    ids = _stars.id_type([_arrow_type(types[name]) for name in columns], "columns")
    options = {"nulls": nulls, "threads": threads}
    stars = df.select(*wanted).mapInArrow(_reducer(columns, ids, {"score": score, "threshold": threshold, **options}), _ddl(ids))
    if vertices is not None:
        stars = stars.unionByName(_loops(vertices, id, ids))
    merge = _merger(ids, options)
    parts = _partitions(df)
    if parts is None or parts > _FAN_IN:
        stars = stars.repartition(_FAN_IN).mapInArrow(merge, _ddl(ids))
    # repartition, not coalesce: that would pull all the work before it into one task.
    whole = stars.repartition(1).mapInArrow(merge, _ddl(ids))
    return whole.withColumnsRenamed({_stars.ID: output_id, _stars.COMPONENT: output_component})


def cluster(
    df, *, columns, score, threshold=None, max_size=None, vertices=None, id=None, output_id="id", output_cluster="cluster_id", nulls="error",
    links="all", cut_bridges=None, one_per=None, cannot_link=None, max_records=None, threads=1,
):
    """Returns the clusters that `copse.cluster` finds in all rows: a DataFrame (id, cluster_id), with a column for each of several thresholds.

    The keywords are those of copse.cluster; `vertices` is a DataFrame, whose columns of one_per are compared as strings, and `cannot_link` is
    what copse.cluster takes, on the driver. Each partition keeps the maximum spanning forest of its rows, with cut_bridges= and all links a
    second one; one task finds the clusters of these. one_per, cannot_link and max_records need links='mutual' or 'either': with all links a
    pair outside the forests may join what a refused pair did not. threads: as in `connected_components`.

    Nothing runs before the answer is used. At most a row or two per vertex and partition are shuffled, and the vertices; the last task holds
    as much in memory.
    """
    from pyspark.sql import functions as f

    plan = ClusterPlan.of(
        columns, score, threshold, max_size, id, output_id, output_cluster, nulls, links, cut_bridges, one_per, cannot_link, max_records, threads
    )
    plan.expect_vertices(vertices)
    left, right = plan.left, plan.right
    types, wanted = dict(df.select(*plan.edge_columns).dtypes), []
    if vertices is not None:
        wanted = plan.vertex_columns(vertices.columns)
        plan = plan._replace(id=wanted[0])
    of_vertices = _arrow_type(dict(vertices.select(plan.id).dtypes)[plan.id]) if wanted else None
    ids = _spark_type(plan.ids(_arrow_type(types[left]), _arrow_type(types[right]), of_vertices))
    rows = df.select(df[left].cast(ids).alias(left), df[right].cast(ids).alias(right), score)
    rows = rows.mapInArrow(_keeper(plan), rows.schema)
    parts = _partitions(df)
    if parts is None or parts > _FAN_IN:
        rows = rows.repartition(_FAN_IN).mapInArrow(_keeper(plan), rows.schema)
    if vertices is not None:
        values = [f"{_VALUE}{number}" for number in range(len(wanted) - 1)]
        # A row without a right end is a vertex.
        rows = rows.select("*", *(f.lit(None).cast("string").alias(name) for name in values)).unionByName(vertices.select(
            vertices[plan.id].cast(ids).alias(left), f.lit(None).cast(ids).alias(right), f.lit(None).cast(types[score]).alias(score),
            *(vertices[name].cast("string").alias(value) for name, value in zip(wanted[1:], values)),
        ))
    answer = ", ".join(f"`{name}` {ids}" for name in plan.names)
    return rows.repartition(1).mapInArrow(_finisher(plan, wanted), answer)


def _keeper(plan):
    def keep(batches):
        batches = iter(batches)
        first = next(batches, None)
        if first is not None:
            yield from plan.kept(_led_by(first, batches), first.schema).to_batches(max_chunksize=1 << 16)

    return keep


def _finisher(plan, wanted):
    """wanted: the columns of vertices, their ids first; none where there are no vertices."""

    def finish(batches):
        batches = list(batches)
        if not batches:
            return
        table = pa.Table.from_batches(batches)
        pairs, records = table, None
        if wanted:
            is_pair = table.column(plan.right).is_valid()
            pairs, records = table.filter(is_pair), table.filter(pa.compute.invert(is_pair))
            records = records.drop_columns([plan.right, plan.score]).rename_columns(wanted)
        found = plan.clusters(pairs.select(plan.edge_columns), records)
        ids = table.schema.field(plan.left).type
        yield from found.cast(pa.schema([(name, ids) for name in found.column_names])).to_batches(max_chunksize=1 << 16)

    return finish


def _reducer(columns, ids, options):
    def reduce(batches):
        return _rows(batches, columns, ids, options)

    return reduce


def _merger(ids, options):
    def merge(batches):
        return _rows(batches, (_stars.ID, _stars.COMPONENT), ids, options)

    return merge


def _rows(batches, columns, ids, options):
    """The stars of batches of which only the first knows the schema; a partition without rows has none."""
    batches = iter(batches)
    first = next(batches, None)
    if first is None:
        return

    yield from _stars.forest(_led_by(first, batches), first.schema, columns, ids, **options).to_batches(max_chunksize=1 << 16)


def _led_by(first, others):
    yield first
    yield from others


def _loops(vertices, id, ids):
    id = _table_files.id_column(vertices.columns) if id is None else id
    _stars.vertex_type(_arrow_type(dict(vertices.select(id).dtypes)[id]), id, ids)
    column = vertices[id].cast(_spark_type(ids))
    return vertices.select(column.alias(_stars.ID), column.alias(_stars.COMPONENT))


def _partitions(df):
    """How many there are, where the session tells: not under Spark Connect."""
    try:
        return df.rdd.getNumPartitions()
    except Exception:  # what it raises differs from version to version
        return None


def _arrow_type(name):
    kinds = {"tinyint": pa.int64(), "smallint": pa.int64(), "int": pa.int64(), "bigint": pa.int64(), "string": pa.string(), "binary": pa.binary()}
    if name not in kinds:
        raise core.UsageError(f"ids must be integers, strings or binaries, not the Spark type {name}")
    return kinds[name]


def _spark_type(ids):
    return "bigint" if pa.types.is_integer(ids) else "binary" if pa.types.is_binary(ids) else "string"


def _ddl(ids):
    return f"{_stars.ID} {_spark_type(ids)}, {_stars.COMPONENT} {_spark_type(ids)}"
