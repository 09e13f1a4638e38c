"""What the tasks of an engine exchange: the forest of a part of the edges as a table (id, component), a star for each component.

Such a table is edges again, so that the merged forest of several is the cluster of all their rows. At most a row per vertex that the part saw.
"""
import pyarrow as pa

from copse._cluster import as_table, cluster_components
from copse._load import core
from copse._tables import two_columns

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


def edge_columns(columns, score, threshold, nulls):
    """The columns that are wanted of the edges, those of ids first; refuses here what tasks would refuse one by one."""
    if (score is None) != (threshold is None):
        raise core.UsageError("connected_components: found one of score and threshold, expected both or neither")
    if isinstance(threshold, (list, tuple)):
        raise core.UsageError("connected_components: found several thresholds, expected one")
    if nulls not in ("error", "drop"):
        raise core.UsageError(f"nulls: found {nulls!r}, expected 'error' or 'drop'")
    wanted = [*two_columns(columns), *([] if score is None else [score])]
    if len(set(wanted)) != len(wanted):
        raise core.UsageError(f"connected_components: found columns {', '.join(wanted)}, expected different ones")
    return wanted


def vertex_type(kind, column, edges):
    """Of the ids of a table of vertices, which must be of the kind of those of the `edges`, where these are known."""
    found = id_type([kind], f"vertices, column '{column}'")
    if edges is not None and found != edges:
        raise core.UsageError(f"vertices: found {found}, expected {edges} as in the edges")
    return found


def forest(batches, schema, columns, ids, **options):
    """The stars of the rows of some record batches, which are read one by one. `options`: of cluster_components()."""
    reader = pa.RecordBatchReader.from_batches(schema, batches)
    found = as_table([cluster_components(reader, columns, **options)], reader, ID, [COMPONENT])
    schema = stars_schema(ids)
    return found.cast(schema) if found.num_rows else schema.empty_table()


def merged(tables, ids, **options):
    """The stars of several tables of stars together."""
    schema = stars_schema(ids)
    batches = (batch for table in tables for batch in table.to_batches())
    return forest(batches, schema, (ID, COMPONENT), ids, **options)


def stars_schema(ids):
    return pa.schema([(ID, ids), (COMPONENT, ids)])
