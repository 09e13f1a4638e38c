"""What the tasks of an engine exchange: the forest of a part of the edges as a table (id, component), a star for each component.

Such a table is edges again, so that the merged forest of several is `cluster` of all their rows. At most a row per vertex that the part saw.
"""
import pyarrow as pa

from copse._cluster import cluster
from copse._load import core

ID, COMPONENT = "id", "component"


def id_type(types, what):
    """The type that ids have on the way: int64, or string or binary of any size; of the columns they come from."""
    kinds = set()
    for kind in types:
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        if pa.types.is_integer(kind):
            kinds.add(pa.int64())
        elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
            kinds.add(pa.string())
        elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            kinds.add(pa.binary())
        else:
            raise core.UsageError(f"{what}: found {kind}, expected integers, strings or binaries")
    if len(kinds) != 1:
        raise core.UsageError(f"{what}: found {' and '.join(sorted(map(str, kinds)))}, expected ids of one kind")
    return kinds.pop()


def forest(batches, schema, left, right, ids, **options):
    """The stars of the rows of some record batches, which are read one by one. `options`: of cluster()."""
    reader = pa.RecordBatchReader.from_batches(schema, batches)
    found = cluster(reader, left, right, output_id=ID, output_cluster=COMPONENT, **options)
    schema = stars_schema(ids)
    return found.cast(schema) if found.num_rows else schema.empty_table()


def merged(tables, ids, **options):
    """The stars of several tables of stars together."""
    schema = stars_schema(ids)
    batches = (batch for table in tables for batch in table.to_batches())
    return forest(batches, schema, ID, COMPONENT, ids, **options)


def stars_schema(ids):
    return pa.schema([(ID, ids), (COMPONENT, ids)])
