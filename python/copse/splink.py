"""Splink with copse for its clusters: connected components, single best links, single and many thresholds, with Splink's own calls and outputs.

    with copse.splink.replace():
        clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(predictions, 0.95)

`insert_predictions` keeps clusters up to date while records arrive, with lasting ids. `cluster_pairwise_predictions_at_multiple_thresholds`
has the arguments and columns of Splink's (cluster_p_0_95) and finds all thresholds in one pass over the predictions.
"""
import importlib

from copse._cluster import as_table, best_link_components, cluster_components, threshold_components

_AT_MANY = "cluster_pairwise_predictions_at_multiple_thresholds"
_USERS = ("splink.internals.clustering", "splink.internals.linker_components.clustering")


class replace:
    """Makes Splink use copse for connected components and single best links, from this call until undo(), or until the end of a `with` block.

    It affects the whole process. Clusters are the same: the id of a cluster is its smallest record id. Tables of DuckDB are read directly,
    those of other databases through pandas. Ids are strings, or integers of 0 or more.
    """

    def __init__(self):
        self._kept = []
        for name in _USERS:
            self._put(importlib.import_module(name), "solve_connected_components", _solve)
        self._put(importlib.import_module(_USERS[0]), _AT_MANY, globals()[_AT_MANY])
        self._put(importlib.import_module(_USERS[1]), "one_to_one_clustering", _one_to_one)

    def _put(self, module, name, ours):
        self._kept.append((module, name, getattr(module, name)))
        setattr(module, name, ours)

    def undo(self):
        """Restores Splink's own functions."""
        while self._kept:
            setattr(*self._kept.pop())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.undo()


def _solve(
    nodes_table, edges_table, node_id_column_name, edge_id_column_name_left, edge_id_column_name_right, db_api, threshold_match_probability
):
    """Called by Splink: turns a table of its vertices and one of its edges into a table of vertices and cluster_id. Names come quoted for SQL."""
    above = "" if threshold_match_probability is None else f"where match_probability >= {threshold_match_probability}"
    answer = cluster_components(
        _selected(db_api, edges_table, f"{edge_id_column_name_left} as l, {edge_id_column_name_right} as r", above), ("l", "r"),
        vertices=_selected(db_api, nodes_table, f"{node_id_column_name} as id"), id="id",
    )
    return _joined(db_api, nodes_table, node_id_column_name, [answer], ["cluster_id"])


def _one_to_one(
    nodes_table, edges_table, node_id_column_name, source_dataset_column_name, edge_id_column_name_left, edge_id_column_name_right,
    duplicate_free_datasets, ties_method, db_api, threshold_match_probability,
):
    """Called by Splink for single best links: like `_solve`, with at most one record of each of some datasets in a cluster."""
    above = "" if threshold_match_probability is None else f"where match_probability >= {threshold_match_probability}"
    numbers = " ".join(f"when {_quoted(name)} then {number}" for number, name in enumerate(duplicate_free_datasets))
    group = f"case {source_dataset_column_name} {numbers} else -1 end"
    answer = best_link_components(
        _selected(db_api, edges_table, f"{edge_id_column_name_left} as l, {edge_id_column_name_right} as r, match_probability as p", above),
        _selected(db_api, nodes_table, f"{node_id_column_name} as id, {group} as number"), ties_method,
    )
    return _joined(db_api, nodes_table, node_id_column_name, [answer], ["cluster_id"])


def insert_predictions(people, linker, predictions, records=None, *, threshold_match_probability=None, threshold_match_weight=None):
    """Inserts pairs that Splink predicted, and records, into a `copse.Dynamic` as one batch, which keeps the ids of clusters where it can.

    people: a Dynamic, with or without weights; the ids of its vertices are Splink's, which are composite (source_dataset-__-unique_id) if
    datasets are linked. linker: the linker that predicted. predictions: what `linker.inference` predicted (by `predict`, or by
    `predict_between` and `predict_within` for new records), or a list of these; pairs below the threshold are left out. records: a table of
    the new records, which become vertices even if no pair names them: a table of Splink's, or one that its database takes, with the columns
    that form an id.

    Returns what changed: the pandas table of `Dynamic.changes`, with the columns id, before (null for a new record) and after.
    Raises UsageError, InputError, ValueError for two thresholds.
    """
    import pandas
    from splink.internals.misc import threshold_args_to_match_prob
    from splink.internals.unique_id_concat import _composite_unique_id_from_edges_sql, _composite_unique_id_from_nodes_sql

    db_api, columns = linker._db_api, linker._settings_obj.column_info_settings.unique_id_input_columns
    threshold = threshold_args_to_match_prob(threshold_match_probability, threshold_match_weight)
    above = "" if threshold is None else f"where match_probability >= {threshold}"
    left, right = (_composite_unique_id_from_edges_sql(columns, side) for side in "lr")
    several = predictions if isinstance(predictions, (list, tuple)) else [predictions]
    batch = [_frame(_selected(db_api, one, f"{left} as l, {right} as r, match_probability as p", above)) for one in several]
    if records is not None:
        id = _composite_unique_id_from_nodes_sql(columns, None)
        batch.append(_frame(_selected(db_api, _registered(db_api, records, "records"), f"{id} as l, {id} as r, 1.0 as p")))
    before = people.last_batch
    people.insert(pandas.concat([part for part in batch if len(part)] or batch), "p" if people._weights else None, columns=("l", "r"))
    return people.changes(before)


def _frame(selected):
    return selected if hasattr(selected, "iloc") else selected.df()


def _quoted(text):
    return "'" + str(text).replace("'", "''") + "'"


def cluster_pairwise_predictions_at_multiple_thresholds(
    nodes, edges, db_api, node_id_column_name, match_probability_thresholds=None, match_weight_thresholds=None, edge_id_column_name_left=None,
    edge_id_column_name_right=None, output_cluster_summary_stats=False,
):
    """Finds clusters at many thresholds in one maximum spanning forest, with the arguments and columns of Splink's function of this name.

    Splink's own finds the clusters of each threshold anew. Memory is O(vertices). Raises what Splink's raises, and what `copse.cluster` does.
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
    # A vertex that occurs in edges but not in the table of vertices is left out of Splink's answer.
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
