"""Splink with copse for its connected components: single and many thresholds, with Splink's own calls and outputs.

    with copse.splink.replace():
        clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(predictions, 0.95)

`cluster_pairwise_predictions_at_multiple_thresholds` is Splink's, too, with its arguments and columns (cluster_p_0_95): all thresholds come
from one pass over the predictions.
"""
import importlib

from copse._cluster import as_table, cluster_components, threshold_components

_AT_MANY = "cluster_pairwise_predictions_at_multiple_thresholds"
_USERS = ("splink.internals.clustering", "splink.internals.linker_components.clustering")


class replace:
    """Puts copse in the place of Splink's connected components, from this call until undo(), or in a `with` block until its end.

    It holds for the whole process. Clusters are the same: the cluster's id is its smallest record id. Tables of DuckDB are read as they
    are; those of other databases through pandas. Ids are strings, or integers of 0 or more.
    """

    def __init__(self):
        self._kept = []
        for name in _USERS:
            self._put(importlib.import_module(name), "solve_connected_components", _solve)
        self._put(importlib.import_module(_USERS[0]), _AT_MANY, globals()[_AT_MANY])

    def _put(self, module, name, ours):
        self._kept.append((module, name, getattr(module, name)))
        setattr(module, name, ours)

    def undo(self):
        """Gives Splink its own back."""
        while self._kept:
            setattr(*self._kept.pop())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.undo()


def _solve(
    nodes_table, edges_table, node_id_column_name, edge_id_column_name_left, edge_id_column_name_right, db_api, threshold_match_probability
):
    """What Splink calls: a table of its vertices and one of its edges to a table of vertices and cluster_id. Names come quoted for SQL."""
    above = "" if threshold_match_probability is None else f"where match_probability >= {threshold_match_probability}"
    answer = cluster_components(
        _selected(db_api, edges_table, f"{edge_id_column_name_left} as l, {edge_id_column_name_right} as r", above), ("l", "r"),
        vertices=_selected(db_api, nodes_table, f"{node_id_column_name} as id"), id="id",
    )
    return _joined(db_api, nodes_table, node_id_column_name, [answer], ["cluster_id"])


def cluster_pairwise_predictions_at_multiple_thresholds(
    nodes, edges, db_api, node_id_column_name, match_probability_thresholds=None, match_weight_thresholds=None, edge_id_column_name_left=None,
    edge_id_column_name_right=None, output_cluster_summary_stats=False,
):
    """Splink's function of this name, with its arguments and columns: clusters at many thresholds, from one maximum spanning forest.

    Its own clusters again for every threshold. Memory is O(vertices). Raises what Splink's raises, and what `copse.cluster` does.
    """
    from splink.internals import clustering
    from splink.internals.misc import threshold_args_to_match_prob_list

    thresholds = sorted(set(threshold_args_to_match_prob_list(match_probability_thresholds, match_weight_thresholds) or []))
    if not thresholds:
        raise ValueError("Must provide either match_probability_thresholds or match_weight_thresholds")
    nodes, edges = (_registered(db_api, table, name) for table, name in ((nodes, "nodes"), (edges, "edges")))
    left, right = clustering._get_edge_id_column_names(node_id_column_name, db_api, edge_id_column_name_left, edge_id_column_name_right)
    answers = threshold_components(
        _selected(db_api, edges, f"{left} as l, {right} as r, match_probability as p", f"where match_probability >= {thresholds[0]}"),
        ("l", "r"), "p", thresholds, vertices=_selected(db_api, nodes, f"{node_id_column_name} as id"), id="id",
    )
    by_weight = match_weight_thresholds is not None and match_probability_thresholds is None
    names = [f"cluster_{clustering._threshold_to_str(t, by_weight)}" for t in thresholds]
    joined = _joined(db_api, nodes, node_id_column_name, answers, names)
    return _summary(db_api, joined, thresholds, names) if output_cluster_summary_stats else joined


def _summary(db_api, joined, thresholds, names):
    """Splink's counts and sizes of clusters at each threshold, in the place of the clusters."""
    from splink.internals import clustering
    from splink.internals.pipeline import CTEPipeline

    counts = {}
    for threshold, name in zip(thresholds, names):
        pipeline = CTEPipeline([joined])
        pipeline.enqueue_sql(f"select {name} as cluster_id from {joined.templated_name}", "__splink__copse_one_threshold")
        one = db_api.sql_pipeline_to_splink_dataframe(pipeline)
        pipeline = CTEPipeline([one])
        pipeline.enqueue_list_of_sqls(clustering._get_cluster_stats_sql(one))
        counts[threshold] = db_api.sql_pipeline_to_splink_dataframe(pipeline)
        one.drop_table_from_database_and_remove_from_cache()
    pipeline = CTEPipeline()
    pipeline.enqueue_sql(clustering._generate_cluster_summary_stats_sql(counts), "__splink__clusters_at_all_thresholds")
    summary = db_api.sql_pipeline_to_splink_dataframe(pipeline)
    for table in (*counts.values(), joined):
        table.drop_table_from_database_and_remove_from_cache()
    return summary


def _registered(db_api, table, kind):
    """A user's table as one of Splink's."""
    from splink.internals.misc import ascii_uid
    from splink.internals.splink_dataframe import SplinkDataFrame

    if isinstance(table, SplinkDataFrame):
        return table
    return db_api._create_backend_table(table, f"__splink__df_{kind}_{ascii_uid(8)}", overwrite=True)


def _joined(db_api, nodes_table, node_id_column_name, answers, names):
    """Splink's table of its vertices, with a column of clusters for each answer."""
    from splink.internals.misc import ascii_uid
    from splink.internals.pipeline import CTEPipeline

    found = as_table(answers, {}, "copse_id", names)
    clusters = db_api._create_backend_table(found if _is_duckdb(db_api) else found.to_pandas(), f"__splink__copse_clusters_{ascii_uid(8)}")
    columns = ", ".join(f"c.{name}" for name in names)
    # A vertex that edges name and the table of vertices has not is none of Splink's answer.
    pipeline = CTEPipeline([clusters, nodes_table])
    pipeline.enqueue_sql(
        f"""select distinct n.{node_id_column_name} as {node_id_column_name}, {columns} from {clusters.templated_name} as c
        inner join {nodes_table.templated_name} as n on c.copse_id = n.{node_id_column_name}""",
        "__splink__clustering_output_final",
    )
    final = db_api.sql_pipeline_to_splink_dataframe(pipeline)
    clusters.drop_table_from_database_and_remove_from_cache(force_non_splink_table=True)
    return final


def _selected(db_api, frame, columns, where=""):
    """Columns of a table of Splink's: of DuckDB where they lie, of other databases as a frame of pandas."""
    if _is_duckdb(db_api):
        return db_api._execute_sql_against_backend(f"select {columns} from {frame.physical_name} {where}")
    from splink.internals.misc import ascii_uid
    from splink.internals.pipeline import CTEPipeline

    pipeline = CTEPipeline([frame])
    pipeline.enqueue_sql(f"select {columns} from {frame.templated_name} {where}", f"__splink__copse_input_{ascii_uid(8)}")
    selected = db_api.sql_pipeline_to_splink_dataframe(pipeline)
    found = selected.as_pandas_dataframe()
    selected.drop_table_from_database_and_remove_from_cache()
    return found


def _is_duckdb(db_api):
    return type(db_api).__name__.startswith("DuckDBAPI")
