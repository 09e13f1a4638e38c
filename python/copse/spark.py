"""Connected components of a Spark DataFrame: every partition keeps a forest of its edges, forests are merged, no edge goes to the driver.

Works with PySpark 4 and under Spark Connect: data frames and mapInArrow only. Spark runs lost tasks again; the answer is the same.
"""
import pyarrow as pa

from copse import _stars
from copse._load import core

_FAN_IN = 16  # forests that one task merges, where there are more than that


def connected_components(
    df, *, columns, score=None, threshold=None, vertices=None, id=None, output_id="id", output_component="component", nulls="error", threads=1
):
    """A DataFrame (id, component): for every vertex of the edges of `df`, whose ids are in the two `columns`, the smallest vertex of its component.

    score, threshold: take only rows whose score is at least the threshold. vertices: a DataFrame whose ids are vertices, with an edge or
    without; id: its column, where it has several. nulls: 'error' or 'drop'. threads: of each task; one is right where Spark fills the cores.

    Nothing runs before the answer is used. Edges stay in their partitions; what is shuffled is at most a row per vertex and partition. The
    last merge is one task, which needs memory for all vertices: 20 to 40 bytes each, and the names. Join the answer with your tables by id.
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

    def all_batches():
        yield first
        yield from batches

    yield from _stars.forest(all_batches(), first.schema, columns, ids, **options).to_batches(max_chunksize=1 << 16)


def _loops(vertices, id, ids):
    if id is None:
        if len(vertices.columns) != 1:
            raise core.UsageError(f"vertices: found columns {', '.join(vertices.columns)}, expected one, or id=")
        id = vertices.columns[0]
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
        raise core.UsageError(f"ids: found the Spark type {name}, expected integers, strings or binaries")
    return kinds[name]


def _spark_type(ids):
    return "bigint" if pa.types.is_integer(ids) else "binary" if pa.types.is_binary(ids) else "string"


def _ddl(ids):
    return f"{_stars.ID} {_spark_type(ids)}, {_stars.COMPONENT} {_spark_type(ids)}"
