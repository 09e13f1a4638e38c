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
    are; those of other databases through pandas.
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
    """What Splink calls: a table of its vertices and one of its edges to a table of vertices and cluster_id."""
    from splink.internals.pipeline import CTEPipeline

    has_threshold = threshold_match_probability is not None
    edges = [edge_id_column_name_left, edge_id_column_name_right, *(["match_probability"] if has_threshold else [])]
    answer = cluster_components(
        _table(edges_table, edges),
        edge_id_column_name_left,
        edge_id_column_name_right,
        score="match_probability" if has_threshold else None,
        threshold=threshold_match_probability,
        vertices=_table(nodes_table, [node_id_column_name]),
        id=node_id_column_name,
    )
    # A vertex that edges name and the table of vertices has not is none of Splink's answer.
    clusters = db_api._create_backend_table(
        _frame(db_api, _Stream(answer, node_id_column_name, "cluster_id")), f"__splink__copse_clusters_{_unique()}"
    )
    pipeline = CTEPipeline([clusters, nodes_table])
    pipeline.enqueue_sql(
        f"""select distinct c.{node_id_column_name}, c.cluster_id from {clusters.templated_name} as c
        inner join {nodes_table.templated_name} as n on c.{node_id_column_name} = n.{node_id_column_name}""",
        "__splink__clustering_output_final",
    )
    final = db_api.sql_pipeline_to_splink_dataframe(pipeline)
    clusters.drop_table_from_database_and_remove_from_cache(force_non_splink_table=True)
    return final


def _table(frame, columns):
    """The named columns of a table of Splink's: of DuckDB as a stream, of others as a pandas frame."""
    if hasattr(frame, "as_duckdbpyrelation"):
        try:
            return frame.as_duckdbpyrelation().select(*columns).to_arrow_table()
        except NotImplementedError:
            pass
    return frame.as_pandas_dataframe()[columns]


def _frame(db_api, stream):
    import pyarrow

    table = pyarrow.table(stream)
    return table if type(db_api).__name__ == "DuckDBAPI" else table.to_pandas()


def _unique():
    from splink.internals.misc import ascii_uid

    return ascii_uid(8)
