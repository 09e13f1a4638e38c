"""Connected components and clusters of a Ray Dataset: a task for each block keeps a forest of its edges, a tree of tasks merges them.

Blocks are read in place, without a copy; no edge goes to the driver. Ray repeats lost tasks, which does not change the answer.
"""
import pyarrow as pa
import ray

from copse import _stars, _table_files
from copse._partial_rows import ClusterPlan

_FAN_IN = 8  # forests that one task merges


def connected_components(
    dataset, *, columns, score=None, threshold=None, vertices=None, id=None, output_id="id", output_component="component", nulls="error",
    threads=1, progress=None, remote_options=None,
):
    """Returns a Dataset (id, component) with the smallest vertex of the component for every vertex of the edges of `dataset`, whose ids are in
    the two `columns`.

    score, threshold: take only rows whose score is at least the threshold. vertices: a Dataset whose ids are vertices, with or without
    edges; id: its column of ids, if it has several columns. nulls: 'error' or 'drop'. threads: the threads of each task, for which Ray
    reserves as many cores. progress: True for a tqdm bar, or a function that takes how many tasks are done and how many there are.
    remote_options: further arguments of ray.remote, such as max_retries.

    Runs at once. A task needs memory for the vertices that it sees, the last task for all: 20 to 40 bytes each, and the names.
    """
    wanted = _stars.edge_columns(columns, score, threshold, nulls)
    types = _types(dataset, wanted, "the dataset")
    ids = None if types is None else _stars.id_type(types[:2], "columns")
    vertex_types = None
    if vertices is not None:
        id = _vertex_column(vertices, id)
        vertex_types = _types(vertices, [id], "vertices")
    if vertex_types is not None:
        ids = _stars.vertex_type(vertex_types[0], id, ids)
    ids = pa.int64() if ids is None else ids
    settings = {"num_cpus": threads, **(remote_options or {})}
    reduce, merge = ray.remote(**settings)(_reduce), ray.remote(**settings)(_merge)
    level = []
    if types is not None:
        options = {"score": score, "threshold": threshold, "nulls": nulls, "threads": threads}
        level += [reduce.remote(block, columns, ids, options) for block in dataset.select_columns(wanted).to_arrow_refs()]
    if vertex_types is not None:
        loops = {"nulls": nulls, "threads": threads}
        level += [reduce.remote(block, (id,), ids, loops) for block in vertices.select_columns([id]).to_arrow_refs()]
    tasks = list(level)
    while len(level) > 1 or len(tasks) == len(level) == 0:
        level = [merge.remote(ids, threads, *level[i : i + _FAN_IN]) for i in range(0, max(len(level), 1), _FAN_IN)]
        tasks += level
    _watch(tasks, progress)
    return ray.data.from_arrow_refs([_renamed(level[0], output_id, output_component)])


def cluster(
    dataset, *, columns, score, threshold=None, max_size=None, vertices=None, id=None, output_id="id", output_cluster="cluster_id",
    nulls="error", links="all", cut_bridges=None, one_per=None, cannot_link=None, max_records=None, threads=1, progress=None, remote_options=None,
):
    """Returns the clusters that `copse.cluster` finds in all rows: a Dataset (id, cluster_id), with a column for each of several thresholds.

    The keywords are those of copse.cluster; `vertices` is a Dataset, and `cannot_link` is what copse.cluster takes, held by the caller. Each
    task keeps the maximum spanning forest of its rows, with cut_bridges= and all links a second one; the last task finds the clusters of
    these. one_per, cannot_link and max_records need links='mutual' or 'either': with all links a pair outside the forests may join what a
    refused pair did not. threads, progress, remote_options: as in `connected_components`.

    Runs at once. A task holds its rows in memory; the last one holds a few rows per vertex.
    """
    plan = ClusterPlan.of(
        columns, score, threshold, max_size, id, output_id, output_cluster, nulls, links, cut_bridges, one_per, cannot_link, max_records, threads
    )
    plan.expect_vertices(vertices)
    types = _types(dataset, plan.edge_columns, "the dataset")
    of_vertices = None
    if vertices is not None and vertices.schema() is not None:
        wanted = plan.vertex_columns(vertices.schema().names)
        plan = plan._replace(id=wanted[0])
        of_vertices = _types(vertices, wanted, "vertices")[0]
    ids = pa.int64() if of_vertices is None else _stars.id_type([of_vertices], f"column '{plan.id}' of vertices")
    if types is not None:
        ids = plan.ids(*types[:2], of_vertices)
    settings = {"num_cpus": threads, **(remote_options or {})}
    keep, finish = ray.remote(**settings)(_keep), ray.remote(**settings)(_finish)
    none = pa.schema([(plan.left, ids), (plan.right, ids), (score, pa.float64())])
    level = []
    if types is not None:
        level = [keep.remote(plan, none, block) for block in dataset.select_columns(plan.edge_columns).to_arrow_refs()]
    tasks = list(level)
    while len(level) > _FAN_IN:
        level = [keep.remote(plan, none, *level[i : i + _FAN_IN]) for i in range(0, len(level), _FAN_IN)]
        tasks += level
    records = [] if of_vertices is None else vertices.select_columns(wanted).to_arrow_refs()
    answer = finish.remote(plan, none, len(level), *level, *records)
    _watch([*tasks, answer], progress)
    return ray.data.from_arrow_refs([answer])


def _keep(plan, none, *tables):
    table = _together(tables, none)
    return plan.kept(table.to_batches(), table.schema)


def _finish(plan, none, parts, *tables):
    """parts: how many of the tables have pairs; the others have vertices."""
    records = None if parts == len(tables) else pa.concat_tables(tables[parts:], promote_options="permissive")
    return plan.clusters(_together(tables[:parts], none), records)


def _together(tables, none):
    return pa.concat_tables(tables, promote_options="permissive") if tables else none.empty_table()


def _types(dataset, wanted, place):
    """The types of these columns. None: the dataset has no rows, and does not say what they would be."""
    schema = dataset.schema()
    if schema is None:
        return None
    _table_files.known_columns(wanted, schema.names, place)
    types = dict(zip(schema.names, schema.types))
    return [types[name] for name in wanted]


def _vertex_column(vertices, id):
    schema = vertices.schema()
    if id is not None or schema is None:
        return id
    return _table_files.id_column(schema.names)


def _reduce(block, columns, ids, options):
    if len(columns) == 1:  # vertices alone
        block = pa.table([block.column(columns[0])] * 2, [_stars.ID, _stars.COMPONENT])
        columns = (_stars.ID, _stars.COMPONENT)
    return _stars.forest(block.to_batches(), block.schema, columns, ids, **options)


def _merge(ids, threads, *tables):
    return _stars.merged(tables, ids, threads=threads)


def _renamed(table, output_id, output_component):
    if (output_id, output_component) == (_stars.ID, _stars.COMPONENT):
        return table
    return ray.remote(lambda stars: stars.rename_columns([output_id, output_component])).remote(table)


def _watch(tasks, progress):
    """Tells how many tasks are done, and raises what the first that failed raised."""
    bar = None
    if progress is True:
        from tqdm.auto import tqdm

        bar = tqdm(total=len(tasks), desc="components", unit="tasks")
    left, done = list(tasks), 0
    while left:
        ready, left = ray.wait(left, num_returns=1, fetch_local=False)
        done += len(ready)
        if bar is not None:
            bar.update(len(ready))
        elif progress:
            progress(done, len(tasks))
    if bar is not None:
        bar.close()
