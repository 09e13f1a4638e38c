"""Splink's single best links with copse inside, and clusters that copse keeps up to date for Splink. Skipped where Splink is not installed."""
import numpy as np
import pandas as pd
import pytest

import copse

splink, duckdb = pytest.importorskip("splink"), pytest.importorskip("duckdb")
SOURCES = ["a", "b", "c", "d'e"]


def random_cases(count, seed):
    """Small cases, each of records of its own: nodes and edges of all of them in two frames. Ids are in no order of datasets."""
    rng, nodes, edges = np.random.default_rng(seed), [], []
    for case in range(count):
        size = int(rng.integers(2, 13))
        names = rng.permutation(size)
        sources = rng.integers(0, int(rng.integers(1, len(SOURCES) + 1)), size)
        nodes += [(case * 100 + int(name), SOURCES[source]) for name, source in zip(names, sources)]
        scores = int(rng.integers(1, 12))  # few, so that many are equal
        for _ in range(int(rng.integers(1, 3 * size))):
            u, v = rng.integers(0, size, 2)
            if u != v:
                ends = [(case * 100 + int(names[end]), SOURCES[sources[end]]) for end in (u, v)]
                edges.append((ends[0][0], ends[1][0], ends[0][1], ends[1][1], round(0.3 + 0.6 * int(rng.integers(scores)) / scores, 3)))
    columns = ["node_id_l", "node_id_r", "source_dataset_l", "source_dataset_r", "match_probability"]
    return pd.DataFrame(nodes, columns=["node_id", "source_dataset"]), pd.DataFrame(edges, columns=columns)


def linear_duckdb():
    """A connection that joins tables in the order of the SQL. The order that DuckDB would choose pairs all nodes with all nodes, which takes hours."""
    connection = duckdb.connect()
    connection.execute("set disabled_optimizers = 'join_order'")
    return connection


def clusters(nodes, edges, free, ties, threshold, database="duckdb"):
    """What the function says that Splink calls, own or replaced."""
    from splink.internals.linker_components import clustering
    from splink.internals.sqlite.database_api import SQLiteAPI

    api = splink.DuckDBAPI(connection=linear_duckdb()) if database == "duckdb" else SQLiteAPI(register_udfs=False)
    tables = [api._create_backend_table(frame, name, overwrite=True) for frame, name in ((nodes, "test_nodes"), (edges, "test_edges"))]
    found = clustering.one_to_one_clustering(
        nodes_table=tables[0], edges_table=tables[1], node_id_column_name="node_id", source_dataset_column_name="source_dataset",
        edge_id_column_name_left="node_id_l", edge_id_column_name_right="node_id_r", duplicate_free_datasets=free, ties_method=ties,
        db_api=api, threshold_match_probability=threshold,
    ).as_pandas_dataframe()
    return found[["node_id", "cluster_id"]].sort_values("node_id").reset_index(drop=True)


CALLS = [("lowest_id", 4, False, 0.5), ("drop", 3, True, None)]


@pytest.mark.parametrize(("ties", "count", "strings", "threshold"), CALLS)
def test_single_best_links_are_splinks_own(ties, count, strings, threshold):
    import copse.splink

    cases = 10_000
    nodes, edges = random_cases(cases, count)
    nodes["source_dataset"] = nodes["source_dataset"].str.replace("'", "")  # Splink's own makes names of columns of them
    for column in ("source_dataset_l", "source_dataset_r"):
        edges[column] = edges[column].str.replace("'", "")
    if strings:
        nodes["node_id"] = "r-__-" + nodes["node_id"].astype(str)
        for column in ("node_id_l", "node_id_r"):
            edges[column] = "r-__-" + edges[column].astype(str)
    free = [name.replace("'", "") for name in SOURCES[:count]]
    own = clusters(nodes, edges, free, ties, threshold)
    with copse.splink.replace():
        ours = clusters(nodes, edges, free, ties, threshold)
    pd.testing.assert_frame_equal(own, ours, check_dtype=False)
    assert cases < own["cluster_id"].nunique() < len(nodes) - cases


def test_single_best_links_take_other_databases_and_any_names():
    import copse.splink

    nodes, edges = random_cases(40, 99)
    with copse.splink.replace():
        found = [clusters(nodes, edges, SOURCES, "lowest_id", 0.5, database) for database in ("duckdb", "sqlite")]
    pd.testing.assert_frame_equal(*found, check_dtype=False)
    sources = dict(nodes.itertuples(index=False))
    for _, group in found[0].groupby("cluster_id"):
        assert group["node_id"].map(sources).is_unique


def test_records_that_are_no_nodes_join_nothing():
    import copse.splink

    nodes = pd.DataFrame({"node_id": [1, 2], "source_dataset": ["a", "b"]})
    edges = pd.DataFrame({"node_id_l": [1, 7], "node_id_r": [7, 2], "source_dataset_l": ["a", "c"], "source_dataset_r": ["c", "b"],
                          "match_probability": [0.9, 0.8]})
    own = clusters(nodes, edges, ["a"], "lowest_id", 0.5)
    with copse.splink.replace():
        pd.testing.assert_frame_equal(clusters(nodes, edges, ["a"], "lowest_id", 0.5), own, check_dtype=False)
    assert own["cluster_id"].tolist() == [1, 2]


def linker_of(tables, link_type="dedupe_only"):
    """A linker whose model is given, not trained."""
    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    exact = [cl.ExactMatch(name).configure(m_probabilities=[0.9, 0.1], u_probabilities=[0.01, 0.99]) for name in ("name", "mail")]
    settings = SettingsCreator(
        link_type=link_type, comparisons=exact, probability_two_random_records_match=0.01,
        blocking_rules_to_generate_predictions=[block_on("name"), block_on("mail")],
    )
    api = DuckDBAPI()
    return Linker([api.register(table, dataset_display_name=name) for name, table in tables.items()], settings)


PEOPLE = pd.DataFrame({"unique_id": [1, 2, 3, 4, 5], "name": ["ann", "ann", "bob", "bob", "cid"], "mail": list("aabbc")})
NEW = pd.DataFrame({"unique_id": [6, 7, 8], "name": ["ann", "dan", "bob"], "mail": ["a", "d", "a"]})


def test_new_records_come_to_clusters_whose_ids_stay():
    import copse.splink

    linker = linker_of({"people": PEOPLE})
    people = copse.Dynamic(weights=True, history="all")
    first = copse.splink.insert_predictions(people, linker, linker.inference.predict(), PEOPLE, threshold_match_probability=0.3)
    assert sorted(first["id"]) == [1, 2, 3, 4, 5] and first["before"].isna().all()
    ids = {v: people.component_of(v) for v in PEOPLE["unique_id"].tolist()}
    assert ids[1] == ids[2] != ids[3] == ids[4] != ids[5]

    old, new = (linker._db_api.register(table) for table in (PEOPLE, NEW))
    found = [linker.inference.predict_between(old, new), linker.inference.predict_within(new)]
    changes = copse.splink.insert_predictions(people, linker, found, NEW, threshold_match_probability=0.3)
    after = dict(zip(changes["id"], changes["after"]))
    assert after[6] == ids[1] and 7 in after and after[7] not in ids.values()  # a record without a match is a new cluster
    assert people.component_of(1) == ids[1] and people.component_of(5) == ids[5]
    whole = linker_of({"people": pd.concat([PEOPLE, NEW])})
    at_once = whole.clustering.cluster_pairwise_predictions_at_threshold(whole.inference.predict(), 0.3).as_pandas_dataframe()
    at_once = at_once.set_index("unique_id")["cluster_id"].to_dict()
    kept = people.components()
    assert {v: kept[v] for v in at_once} == at_once


def test_linked_datasets_have_composite_ids():
    import copse.splink

    linker = linker_of({"here": PEOPLE, "there": NEW}, "link_and_dedupe")
    people = copse.Dynamic()
    records = pd.concat([PEOPLE.assign(source_dataset="here"), NEW.assign(source_dataset="there")])
    copse.splink.insert_predictions(people, linker, linker.inference.predict(), records, threshold_match_weight=-1.2)
    assert people.vertices == 8 and people.connected([("here-__-1", "there-__-6")])[0]
    with pytest.raises(ValueError, match="threshold"):
        copse.splink.insert_predictions(people, linker, linker.inference.predict(), threshold_match_probability=0.5, threshold_match_weight=1)
