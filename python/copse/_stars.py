"""The table that the tasks of an engine exchange: the forest of a part of the edges as a table (id, component), a star for each component.

Such a table is edges again, so that the merged forest of several is the cluster of all their rows. At most a row per vertex that the part saw.
"""
import pyarrow as pa

from copse._cluster import as_table, cluster_components
from copse._load import core
from copse._options import expect, expect_score_with_threshold
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
            raise core.UsageError(f"{what} must hold integers, strings or bytes, not {kind}")
    if len(kinds) != 1:
        raise core.UsageError(f"{what} must hold ids of one kind, not {' and '.join(sorted(map(str, kinds)))}")
    return kinds.pop()


def edge_columns(columns, score, threshold, nulls):
    """The columns that are wanted of the edges, those of ids first; refuses here what tasks would refuse one by one."""
    expect_score_with_threshold(score, threshold)
    if isinstance(threshold, (list, tuple)):
        raise core.UsageError("connected_components() takes one threshold, not a list")
    expect(nulls, ("error", "drop"), "nulls")
    wanted = [*two_columns(columns), *([] if score is None else [score])]
    expect_different(wanted)
    return wanted


def expect_different(names):
    """Raises UsageError for a column that is wanted twice, of those of ids and of scores."""
    if len(set(names)) != len(names):
        raise core.UsageError(f"columns and score must name different columns, not {', '.join(names)}")


def vertex_type(kind, column, edges):
    """The type of the ids in a table of vertices. It must be of the kind of the ids of the `edges`, if that is known."""
    found = id_type([kind], f"column '{column}' of vertices")
    if edges is not None and found != edges:
        raise core.UsageError(f"the ids of vertices must be {edges}, as in the edges, not {found}")
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
