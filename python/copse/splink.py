"""Splink with copse for its connected components: single and many thresholds, with Splink's own calls and outputs.

    with copse.splink.replace():
        clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(predictions, 0.95)
"""
import importlib

from copse._cluster import cluster_components
from copse._result import _Stream

_USERS = ("splink.internals.clustering", "splink.internals.linker_components.clustering")


class replace:
    """Puts copse in the place of Splink's connected components, from this call until undo(), or in a `with` block until its end.

    It holds for the whole process. Clusters are the same: the cluster's id is its smallest record id. Tables of DuckDB are read as they
    are; those of other databases through pandas. Ids are strings, or integers of 0 or more.
    """

    def __init__(self):
        self._kept = []
        for name in _USERS:
            module = importlib.import_module(name)
            self._kept.append((module, module.solve_connected_components))
            module.solve_connected_components = _solve

    def undo(self):
        """Gives Splink its own back."""
        while self._kept:
            module, own = self._kept.pop()
            module.solve_connected_components = own

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.undo()


def _solve(
    nodes_table, edges_table, node_id_column_name, edge_id_column_name_left, edge_id_column_name_right, db_api, threshold_match_probability
):
    """What Splink calls: a table of its vertices and one of its edges to a table of vertices and cluster_id. Names come quoted for SQL."""
    from splink.internals.misc import ascii_uid
    from splink.internals.pipeline import CTEPipeline

    above = "" if threshold_match_probability is None else f"where match_probability >= {threshold_match_probability}"
    answer = cluster_components(
        _selected(db_api, edges_table, f"{edge_id_column_name_left} as l, {edge_id_column_name_right} as r", above), "l", "r",
        vertices=_selected(db_api, nodes_table, f"{node_id_column_name} as id"), id="id",
    )
    clusters = db_api._create_backend_table(_frame(db_api, _Stream(answer, "copse_id", "cluster_id")), f"__splink__copse_clusters_{ascii_uid(8)}")
    # A vertex that edges name and the table of vertices has not is none of Splink's answer.
    pipeline = CTEPipeline([clusters, nodes_table])
    pipeline.enqueue_sql(
        f"""select distinct n.{node_id_column_name} as {node_id_column_name}, c.cluster_id from {clusters.templated_name} as c
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


def _frame(db_api, stream):
    import pyarrow

    table = pyarrow.table(stream)
    return table if _is_duckdb(db_api) else table.to_pandas()


def _is_duckdb(db_api):
    return type(db_api).__name__.startswith("DuckDBAPI")
