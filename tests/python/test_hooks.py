"""Splink and dedupe with copse inside: the same clusters as without. Skipped where they are not installed."""
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


@pytest.mark.parametrize("strings", [False, True])
def test_splink_clusters_tables(strings):
    splink = pytest.importorskip("splink")
    import pandas as pd
    from splink.clustering import cluster_pairwise_predictions_at_multiple_thresholds, cluster_pairwise_predictions_at_threshold

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


def test_splink_links_two_datasets():
    splink = pytest.importorskip("splink")
    import pandas as pd
    import splink.comparison_library as cl
    from splink import DuckDBAPI, Linker, SettingsCreator, block_on

    import copse.splink

    rng = np.random.default_rng(2)
    first, last = (np.array([f"{k}{i}" for i in range(30)]) for k in "ab")
    base = pd.DataFrame({"first": rng.choice(first, 200), "last": rng.choice(last, 200), "city": rng.choice(["x", "y"], 200)})
    left, right = base.copy(), base.sample(120, random_state=1)
    left["unique_id"], right["unique_id"] = range(200), range(120)
    settings = SettingsCreator(
        link_type="link_and_dedupe",
        comparisons=[cl.ExactMatch("first"), cl.ExactMatch("last"), cl.ExactMatch("city")],
        blocking_rules_to_generate_predictions=[block_on("first"), block_on("last")],
    )
    api = DuckDBAPI()
    tables = [api.register(t, dataset_display_name=n) for t, n in ((left, "here"), (right, "there"))]
    linker = Linker(tables, settings)
    predictions = linker.inference.predict(threshold_match_probability=0.0001)

    def clusters():
        frame = linker.clustering.cluster_pairwise_predictions_at_threshold(predictions, threshold_match_probability=0.001).as_pandas_dataframe()
        return frame.sort_values(["source_dataset", "unique_id"]).reset_index(drop=True)

    own = clusters()
    with copse.splink.replace():
        ours = clusters()
    pd.testing.assert_frame_equal(own, ours)
    assert ours["cluster_id"].nunique() < len(ours)


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
