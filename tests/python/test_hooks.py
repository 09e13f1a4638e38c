"""Splink, dedupe and datatrove with copse inside: the same clusters as without. Skipped where they are not installed."""
import numpy as np
import pytest

import copse


def people(count, seed):
    """Records with mistakes, and links between them with probabilities, as linkage makes them."""
    rng = np.random.default_rng(seed)
    person = rng.integers(0, count // 3, count)
    order = np.argsort(person, kind="stable")
    edges = [(int(u), int(v), float(p)) for u, v, p in zip(order[:-1], order[1:], rng.random(count)) if person[u] == person[v]]
    edges += [(int(u), int(v), float(p)) for u, v, p in zip(*rng.integers(0, count, (2, count // 10)), rng.random(count // 10) * 0.7) if u != v]
    return edges


@pytest.mark.parametrize("database", ["duckdb", "sqlite"])
@pytest.mark.parametrize("strings", [False, True])
def test_splink_clusters_at_many_thresholds_by_one_forest(strings, database, monkeypatch):
    splink = pytest.importorskip("splink")
    import pandas as pd
    from splink.internals import clustering
    from splink.internals.sqlite.database_api import SQLiteAPI

    import copse.splink

    edges = pd.DataFrame(people(400, 6), columns=["from", "to", "match_probability"]).drop_duplicates(["from", "to"])
    nodes = pd.DataFrame({"my id": list(range(400)) + [7, 7]})
    if strings:
        nodes["my id"], edges["from"], edges["to"] = (column.map(lambda v: f"r{v}") for column in (nodes["my id"], edges["from"], edges["to"]))
    calls = [{"match_probability_thresholds": [0.95, 0.3, 0.6, 0.6]}, {"match_weight_thresholds": [1.5, 3]},
             {"match_probability_thresholds": [0.5, 0.9], "output_cluster_summary_stats": True}]

    def frames():
        found = []
        for call in calls:
            api = splink.DuckDBAPI() if database == "duckdb" else SQLiteAPI(register_udfs=False)
            frame = clustering.cluster_pairwise_predictions_at_multiple_thresholds(
                nodes, edges, api, '"my id"', edge_id_column_name_left='"from"', edge_id_column_name_right='"to"', **call
            ).as_pandas_dataframe()
            found.append(frame.drop_duplicates().sort_values(frame.columns[0]).reset_index(drop=True))
        return found

    own = frames()
    with copse.splink.replace():
        monkeypatch.setattr(copse.splink, "_solve", None)  # not once for each threshold
        ours = frames()
    for a, b in zip(own, ours):
        pd.testing.assert_frame_equal(a, b, check_dtype=False)
    assert list(ours[0].columns) == ["my id", "cluster_p_0_3", "cluster_p_0_6", "cluster_p_0_95"] and len(ours[0]) == 400
    with pytest.raises(ValueError, match="Must provide"):
        copse.splink.cluster_pairwise_predictions_at_multiple_thresholds(nodes, edges, splink.DuckDBAPI(), '"my id"')


@pytest.mark.parametrize("strings", [False, True])
def test_splink_clusters_tables(strings):
    splink = pytest.importorskip("splink")
    import pandas as pd
    from splink.internals.clustering import cluster_pairwise_predictions_at_multiple_thresholds, cluster_pairwise_predictions_at_threshold

    import copse.splink

    def name(v):
        return f"source-__-{v}" if strings else v

    edges = pd.DataFrame(people(600, 1), columns=["unique_id_l", "unique_id_r", "match_probability"])
    edges["unique_id_l"], edges["unique_id_r"] = edges["unique_id_l"].map(name), edges["unique_id_r"].map(name)
    nodes = pd.DataFrame({"unique_id": [name(v) for v in range(600)]})

    def clusters(function, **keywords):
        frame = function(nodes, edges, db_api=splink.DuckDBAPI(), node_id_column_name="unique_id", **keywords).as_pandas_dataframe()
        return frame.sort_values("unique_id").reset_index(drop=True).sort_index(axis=1)

    calls = [
        (cluster_pairwise_predictions_at_threshold, {"threshold_match_probability": 0.5}),
        (cluster_pairwise_predictions_at_threshold, {}),
        (cluster_pairwise_predictions_at_multiple_thresholds, {"match_probability_thresholds": [0.3, 0.6, 0.95]}),
    ]
    own = [clusters(f, **k) for f, k in calls]
    with copse.splink.replace():
        solved = splink.internals.clustering.solve_connected_components
        ours = [clusters(f, **k) for f, k in calls]
    assert solved.__module__ == "copse.splink" and splink.internals.clustering.solve_connected_components is not solved
    for a, b in zip(own, ours):
        pd.testing.assert_frame_equal(a, b)
    assert "cluster_p_0_95" in ours[2].columns


def demo_people(count, seed):
    """Records as Splink's demo fake_1000 has them: people with several records each, with errors and gaps."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    first, last, city = (np.array([kind + str(i) for i in range(size)]) for kind, size in (("anna", 40), ("smith", 60), ("york", 8)))
    people = {"first_name": rng.choice(first, count // 4), "surname": rng.choice(last, count // 4), "city": rng.choice(city, count // 4),
              "dob": rng.integers(0, 9000, count // 4).astype("datetime64[D]").astype(str)}
    people["email"] = np.char.add(np.char.add(people["first_name"], people["surname"]), "@mail")
    frame = pd.DataFrame(people).iloc[np.sort(rng.integers(0, count // 4, count))].reset_index(drop=True)
    for column in frame:
        frame[column] = frame[column].astype(object)
        frame.loc[rng.random(count) < 0.1, column] = None
        wrong = rng.random(count) < 0.1
        frame.loc[wrong, column] = [v and v[1:] + v[0] for v in frame.loc[wrong, column]]
    return frame.rename_axis("unique_id").reset_index()


def linked(tables, link_type):
    """A trained linker and its predictions, as in Splink's tutorial."""
    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    settings = SettingsCreator(
        link_type=link_type,
        comparisons=[cl.LevenshteinAtThresholds("first_name"), cl.LevenshteinAtThresholds("surname"), cl.ExactMatch("city"),
                     cl.ExactMatch("dob"), cl.ExactMatch("email")],
        blocking_rules_to_generate_predictions=[block_on("first_name", "city"), block_on("surname"), block_on("dob")],
    )
    api = DuckDBAPI()
    linker = Linker([api.register(table, dataset_display_name=name) for name, table in tables.items()], settings)
    linker.training.estimate_probability_two_random_records_match([block_on("first_name", "surname")], recall=0.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e5, seed=1)
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("surname"))
    linker.training.estimate_parameters_using_expectation_maximisation(block_on("dob"))
    return linker, linker.inference.predict(threshold_match_probability=0.01)


@pytest.mark.parametrize("link_type", ["dedupe_only", "link_and_dedupe"])
def test_splink_clusters_its_own_predictions(link_type):
    pytest.importorskip("splink")
    import pandas as pd

    import copse.splink

    people = demo_people(1000, 4)
    tables = {"here": people} if link_type == "dedupe_only" else {"here": people[::2], "there": people[1::2]}
    linker, predictions = linked(tables, link_type)
    order = ["unique_id"] if link_type == "dedupe_only" else ["source_dataset", "unique_id"]

    def clusters(threshold):
        frame = linker.clustering.cluster_pairwise_predictions_at_threshold(predictions, threshold_match_probability=threshold)
        return frame.as_pandas_dataframe().sort_values(order).reset_index(drop=True)

    own = [clusters(t) for t in (0.1, 0.9)]
    with copse.splink.replace():
        ours = [clusters(t) for t in (0.1, 0.9)]
    for a, b in zip(own, ours):
        pd.testing.assert_frame_equal(a, b)
    assert 1 < own[0]["cluster_id"].nunique() < own[1]["cluster_id"].nunique() < 1000


@pytest.mark.parametrize("ids", ["i8", "negative", "U12"])
def test_dedupe_finds_the_same_components(ids):
    clustering = pytest.importorskip("dedupe.clustering")
    import copse.dedupe

    edges = people(500, 3)
    pairs = np.array([(u, v) for u, v, _ in edges])
    pairs = pairs - 250 if ids == "negative" else np.char.add("r", pairs.astype("U6")) if ids == "U12" else pairs
    scored = np.zeros(len(edges), dtype=[("pairs", pairs.dtype, 2), ("score", "f4"), ("label", "i4")])
    scored["pairs"], scored["score"] = pairs, [p for *_, p in edges]

    def components(union_find):
        taken = scored.copy()
        ends = union_find(taken)
        assert ends[-1] == len(taken)
        parts = np.split(taken, ends[:-1])
        assert all(np.all(np.diff(p["score"]) >= 0) and len(set(p["label"])) == 1 for p in parts)
        return sorted(sorted(map(tuple, p["pairs"].tolist())) for p in parts)

    assert components(copse.dedupe.union_find) == components(clustering.union_find)


def test_splink_takes_other_databases_and_names():
    splink = pytest.importorskip("splink")
    from splink.clustering import cluster_pairwise_predictions_at_threshold
    from splink.internals.sqlite.database_api import SQLiteAPI

    import copse.splink

    def clusters(api, node, left, right):
        nodes = {node: [5, 3, 9, 9, 70], "name": list("abcde")}
        edges = {left: [5, 9, 70], right: [3, 5, 3], "match_probability": [0.9, 0.8, 0.2]}
        quoted = [f'"{name}"' for name in (node, left, right)]
        found = cluster_pairwise_predictions_at_threshold(nodes, edges, api, *quoted, threshold_match_probability=0.5)
        return sorted(map(tuple, (row.values() for row in found.as_record_list())))

    calls = [(splink.DuckDBAPI(), "my id", "from", "to"), (SQLiteAPI(register_udfs=False), "number", "a", "b")]
    own = [clusters(*call) for call in calls]
    with copse.splink.replace():
        assert [clusters(*call) for call in calls] == own == [[(3, 3), (5, 3), (9, 3), (70, 70)]] * 2


def test_dedupe_clusters_the_same_records(monkeypatch):
    clustering = pytest.importorskip("dedupe.clustering")
    import copse.dedupe

    edges = people(400, 5)
    scored = np.zeros(len(edges), dtype=[("pairs", "i8", 2), ("score", "f4")])
    scored["pairs"], scored["score"] = [e[:2] for e in edges], [max(p, 1e-3) for *_, p in edges]

    def clusters(most):
        return sorted((tuple(sorted(ids)), tuple(np.round(sorted(scores), 4))) for ids, scores in clustering.cluster(scored.copy(), 0.3, most))

    own = [clusters(30_000), clusters(20)]  # the second splits components that are too large
    monkeypatch.setattr(clustering, "union_find", copse.dedupe.union_find)
    assert [clusters(30_000), clusters(20)] == own and len(own[0]) > 10


def write_dups(folder, buckets, seed, index):
    """What datatrove's second stage leaves: pairs of (file, document), a match with the index as a pair of largest numbers."""
    rng = np.random.default_rng(seed)
    folder.mkdir()
    for bucket in range(buckets):
        pairs = np.column_stack([rng.integers(0, 3, 60), rng.integers(0, 80, 60), rng.integers(0, 3, 60), rng.integers(0, 80, 60)])
        pairs = pairs[(pairs[:, :2] != pairs[:, 2:]).any(axis=1)]
        if index:
            pairs[rng.random(len(pairs)) < 0.03, :2] = 2**32 - 1
        pairs.astype("<u4").tofile(folder / f"{bucket:05d}_00.dups")


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("ignore", [False, True])
def test_datatrove_removes_all_but_one_of_the_same_clusters(tmp_path, index, ignore):
    minhash = pytest.importorskip("datatrove.pipeline.dedup.minhash")
    from copse.datatrove import MinhashDedupCluster

    write_dups(tmp_path / "dups", 2, 6, index)
    config = minhash.MinhashConfig(num_buckets=2)
    found = {}
    for kind in (minhash.MinhashDedupCluster, MinhashDedupCluster):
        folder = tmp_path / kind.__module__
        stage = kind(str(tmp_path / "dups"), str(folder), config, save_cluster_id=True, save_cluster_size=True, ignore_index_matches=ignore)
        stage.run()
        found[kind] = {p.name: np.fromfile(p, "<u4") for p in folder.iterdir() if not p.name.startswith("4294967295")}, stage.stats
    (theirs, their_stats), (ours, our_stats) = found.values()
    for name in [n for n in theirs if not n.endswith(".remove")]:
        assert np.array_equal(theirs[name], ours[name]), name  # clusters and their sizes
    assert set(theirs) == set(ours)

    def removed(files):
        return {(name, d) for name, docs in files.items() if name.endswith(".remove") for d in docs.tolist()}

    assert len(removed(theirs)) == len(removed(ours)) > 50
    assert our_stats["to_remove"].total == len(removed(ours)) and our_stats["clusters"].total == their_stats["clusters"].total
    cluster = {(name[:6], d): c for name, docs in ours.items() if name.endswith(".clusters") for d, c in docs.reshape(-1, 2).tolist()}
    kept = [c for (name, d), c in cluster.items() if (name + ".remove", d) not in removed(ours)]
    assert len(kept) == len(set(kept))  # one of each, the first
    for c in kept:
        members = sorted(key for key, value in cluster.items() if value == c)
        assert (members[0][0] + ".remove", members[0][1]) not in removed(ours)


def test_datatrove_refuses_files_that_are_cut_off(tmp_path):
    minhash = pytest.importorskip("datatrove.pipeline.dedup.minhash")
    from copse.datatrove import MinhashDedupCluster

    (tmp_path / "00000_00.dups").write_bytes(b"x" * 20)
    with pytest.raises(copse.InputError, match="expected pairs of 16 bytes"):
        MinhashDedupCluster(str(tmp_path), str(tmp_path / "out"), minhash.MinhashConfig(num_buckets=1)).run()
