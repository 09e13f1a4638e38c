"""Weighted forests, thresholds, dendrograms, explanations and bridges: as SciPy and NetworkX have them, from arrays, tables and files."""
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse
from scipy.cluster import hierarchy
from scipy.sparse.csgraph import connected_components as scipys
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import squareform

import copse


def random_edges(seed, n=60, m=90, levels=None):
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, n, (m, 2))
    weights = rng.random(m) if levels is None else rng.integers(-levels, levels, m) / 4
    return edges, weights


def partition(labels):
    """Numbers in the order of first vertices: equal for equal partitions."""
    return np.unique(labels, return_inverse=True)[1] if len(labels) == 0 else pd.factorize(np.asarray(labels))[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.int32, np.uint32, np.int64, np.uint64, np.float16, bool])
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "pairs", "columns"])
def test_the_weight_is_that_of_scipys_tree(form, dtype):
    for seed in range(4):
        edges, weights = random_edges(seed)
        weights = (weights * 100 + 1).astype(dtype)
        _, first = np.unique(np.sort(edges, axis=1), axis=0, return_index=True)  # SciPy adds up what is repeated
        edges, weights = edges[first], weights[first]
        stored = weights.astype(np.float32) if dtype == np.float16 else weights  # SciPy has no matrices of half floats
        matrix = sparse.coo_array((stored, edges.T), shape=(60, 60))
        expected = minimum_spanning_tree(matrix.astype(np.float64).tocsr()).sum()
        if form == "pairs":
            found = copse.weighted_forest(edges, weights, 60)
        elif form == "columns":
            found = copse.weighted_forest((edges[:, 0].copy(), edges[:, 1].astype(np.uint64)), weights, 60)
        elif form == "lil":
            found = copse.weighted_forest(matrix.tolil())
        else:
            found = copse.weighted_forest(getattr(matrix, "to" + form)())
        assert found.verify() and found.goal == "minimum"
        assert found.count == scipys(matrix.astype(float), directed=False)[0] and len(found) == 60 - found.count
        assert found.total == pytest.approx(expected)
        assert found.edges.shape == (len(found), 2) and found.edges.dtype.kind == "i"
        if form in ("pairs", "columns"):
            assert np.array_equal(edges[found.positions], found.edges) and np.array_equal(weights[found.positions], found.weights)
        assert abs(found.to_scipy()).sum() == pytest.approx(abs(found.weights.astype(float)).sum())


def test_the_two_directions_of_an_entry_may_differ():
    """SciPy takes the smaller one of both."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        matrix = sparse.random_array((40, 40), density=0.06, rng=rng, format="csr")
        matrix = (matrix + matrix.T).multiply(1 + rng.random((40, 40))).tocsr()
        assert copse.weighted_forest(matrix).total == pytest.approx(minimum_spanning_tree(matrix).sum())
        assert copse.weighted_forest(matrix, goal="maximum").total == pytest.approx(-minimum_spanning_tree(-matrix).sum())


def test_a_maximum_forest_is_the_minimum_of_the_negative():
    for seed in range(5):
        edges, weights = random_edges(seed, levels=4)
        assert copse.weighted_forest(edges, weights, 60, goal="maximum").total == -copse.weighted_forest(edges, -weights, 60).total


def test_the_edges_are_the_same_for_every_variant_and_form():
    edges, weights = random_edges(3, 200, 900, levels=2)
    first = copse.weighted_forest(edges, weights, 200, goal="maximum")
    table = pa.table({"l": edges[:, 0], "r": edges[:, 1], "w": weights})
    others = [copse.weighted_forest(edges, weights, 200, goal="maximum", variant=v, threads=2) for v in copse.variants("weighted") if "cuda" not in v]
    others.append(copse.weighted_forest(table, "w", goal="maximum"))
    for other in others:
        assert np.array_equal(other.edges, first.edges) and np.array_equal(other.weights, first.weights)
    assert others[-1].positions is None and first.report.edges == 900
    with pytest.raises(ValueError, match="not held"):
        others[-1].verify()


def test_infinite_weights_count_and_nan_is_refused():
    edges = [(0, 1), (1, 2), (2, 0)]
    assert copse.weighted_forest(edges, [np.inf, 1.0, -np.inf]).edges.tolist() == [[1, 2], [2, 0]]
    for call in (lambda: copse.weighted_forest(edges, [1.0, np.nan, 2.0]), lambda: copse.thresholds({"l": [1, 2], "r": [2, 3], "w": [1, np.nan]}, "w"),
                 lambda: copse.thresholds(pa.table({"l": [1, 2], "r": [2, 3], "w": [1, np.nan]}), "w")):
        with pytest.raises(copse.InputError, match="NaN|not a number"):
            call()


@pytest.mark.parametrize("levels", [None, 3])
def test_thresholds_are_what_each_threshold_alone_does(levels):
    edges, weights = random_edges(8, levels=levels)
    forest = copse.weighted_forest(edges, weights, 60, goal="maximum")
    asked = [*np.linspace(weights.min() - 1, weights.max() + 1, 9), *weights[:3]]
    curve = copse.thresholds(forest, at=asked)
    assert curve.dtype.names == ("threshold", "components", "largest", "singletons", "median", "percentile_90", "percentile_99", "pairs")
    for point in curve:
        alone = copse.components(edges[weights >= point["threshold"]], vertices=60)
        sizes = np.sort(alone.sizes())
        assert (point["components"], point["largest"], point["singletons"]) == (alone.count, sizes[-1], (sizes == 1).sum())
        assert point["pairs"] == (sizes * (sizes - 1) // 2).sum() and point["median"] == sizes[(len(sizes) + 1) // 2 - 1]
        assert np.array_equal(forest.labels_at(point["threshold"]).labels, alone.labels)
    every = copse.thresholds(forest)
    assert np.array_equal(every["threshold"], np.unique(forest.weights)[::-1])
    few = copse.thresholds(forest, points=3)["threshold"]
    assert len(few) == 3 and few[0] == every["threshold"][0] and few[-1] == every["threshold"][-1]
    assert len(pd.DataFrame(every).columns) == 8 and copse.thresholds(np.empty((0, 2), int), [], 3, at=[0])["singletons"].tolist() == [3]


def test_the_dendrogram_is_scipys_single_linkage():
    rng = np.random.default_rng(2)
    for n in (2, 5, 40):
        distances = rng.random((n, n))
        distances = np.triu(distances, 1) + np.triu(distances, 1).T
        likeness = sparse.coo_array(np.triu(2 - distances, 1))
        ours, scipys_own = copse.dendrogram(likeness), hierarchy.linkage(squareform(distances), "single")
        assert ours.shape == (n - 1, 4) and ours.dtype == np.float64 and hierarchy.is_valid_linkage(ours)
        assert np.allclose(ours[:, 2] - ours[0, 2], scipys_own[:, 2] - scipys_own[0, 2])
        for height, theirs in zip(ours[:, 2], scipys_own[:, 2]):
            cut = hierarchy.fcluster(ours, height + 1e-12, "distance")
            assert np.array_equal(partition(cut), partition(hierarchy.fcluster(scipys_own, theirs + 1e-12, "distance")))


def test_components_join_last_in_a_dendrogram():
    edges, weights = random_edges(5, 60, 40)
    forest = copse.weighted_forest(edges, weights, 60, goal="maximum")
    tree = copse.dendrogram(forest, top=9)
    assert hierarchy.is_valid_linkage(tree) and (tree[:, 2] == 9).sum() == forest.count - 1
    largest = forest.weights.max()
    for threshold in np.quantile(weights, [0.1, 0.5, 0.9]):
        cut = hierarchy.fcluster(tree, largest - threshold, "distance")
        assert np.array_equal(partition(cut), partition(forest.labels_at(threshold).labels))
    for count in (forest.count, forest.count + 7):
        assert forest.clusters(count).count == count
        assert np.array_equal(partition(hierarchy.fcluster(tree, count, "maxclust")), partition(forest.clusters(count).labels))
    with pytest.raises(ValueError, match="clusters"):
        forest.clusters(1)
    with pytest.raises(ValueError):
        copse.dendrogram(forest, top=0.0)


def test_no_component_is_larger_than_asked_and_the_cuts_are_listed():
    edges, weights = random_edges(6, 60, 100, levels=6)
    forest = copse.weighted_forest(edges, weights, 60, goal="maximum")
    for most in (1, 2, 7, 60):
        parts, cuts = forest.limited(most)
        assert parts.sizes().max() <= most
        kept = np.delete(np.arange(len(forest)), cuts)
        assert np.array_equal(copse.components(forest.edges[kept], vertices=60).labels, parts.labels)
        assert np.all(np.diff(forest.weights[cuts]) <= 0)


def strongest(edges, weights, a, b):
    """The weakest link of the best chain, by the definition: the largest threshold at which both are together."""
    for t in np.unique(weights)[::-1]:
        labels = copse.components(edges[weights >= t], vertices=60).labels
        if labels[a] == labels[b]:
            return t
    return None


def test_explanations_are_chains_of_the_strongest_links():
    for seed in range(4):
        edges, weights = random_edges(seed, levels=5 if seed % 2 else None)
        graph = nx.Graph()
        graph.add_nodes_from(range(60))
        graph.add_edges_from((u, v) for u, v in edges.tolist() if u != v)
        bridges = {tuple(sorted(e)) for e in nx.bridges(graph)}
        forest = copse.weighted_forest(edges, weights, 60, goal="maximum")
        pairs = np.random.default_rng(seed).integers(0, 60, (25, 2))
        for (a, b), place in zip(pairs.tolist(), forest.weakest(pairs).tolist()):
            found, expected = copse.explain(edges, a, b, weights, 60), strongest(edges, weights, a, b)
            if a == b or expected is None:
                assert place == -1 and (found is None if a != b else found.weight == np.inf and len(found) == 0)
                continue
            assert found.path[0] == a and found.path[-1] == b and len(found) == len(found.links) == len(found.path) - 1
            assert found.weight == expected == forest.weights[place] == found.links["weight"].min() == found.links["weight"][found.weakest]
            for link in found.links:
                assert sorted(edges[link["row"]].tolist()) == sorted((link["from"], link["to"])) and weights[link["row"]] == link["weight"]
            weakest = found.links[found.weakest]
            assert found.is_bridge == (tuple(sorted((int(weakest["from"]), int(weakest["to"])))) in bridges)


def test_a_link_that_is_repeated_is_one_link():
    told = copse.explain([(0, 1), (1, 0), (1, 2), (2, 3), (3, 1)], 0, 2, [0.5, 0.4, 0.9, 0.8, 0.7])
    assert told.weight == 0.5 and told.is_bridge and told.links["row"].tolist() == [0, 2]
    assert not copse.explain([(1, 2), (2, 3), (3, 1)], 1, 3, [0.9, 0.8, 0.7]).is_bridge


@pytest.mark.parametrize("multigraph", [False, True])
def test_bridges_are_networkxs(multigraph):
    for seed in range(6):
        edges = random_edges(seed, 60, 40 + 15 * seed)[0]
        found = copse.bridges(edges, 60, blocks=True, multigraph=multigraph)
        graph = (nx.MultiGraph if multigraph else nx.Graph)()
        graph.add_nodes_from(range(60))
        graph.add_edges_from((u, v) for u, v in edges.tolist() if u != v)
        assert found.verify() and found.components == nx.number_connected_components(graph)
        assert {frozenset(e) for e in found.edges.tolist()} == {frozenset(e) for e in nx.bridges(graph)}
        assert found.count == len(found.edges) and np.array_equal(edges[found.positions], found.edges)
        simple = nx.Graph(graph)
        assert found.articulation_points.tolist() == sorted(nx.articulation_points(simple))
        blocks = [set(b.tolist()) for b in found.biconnected_components()]
        assert sorted(map(sorted, blocks)) == sorted(map(sorted, nx.biconnected_components(simple))) and found.biconnected_count == len(blocks)
        for (u, v), side in zip(found.edges.tolist(), found.smaller_sides.tolist()):
            without = simple.copy()
            without.remove_edge(u, v)
            assert side == min(len(nx.node_connected_component(without, end)) for end in (u, v))
            assert found.two_edge_connected.labels[u] != found.two_edge_connected.labels[v]
    with pytest.raises(ValueError, match="blocks=True"):
        copse.bridges(edges).biconnected_components()
    both_ways = sparse.coo_array((np.ones(4), ([0, 1, 1, 2], [1, 0, 2, 1])), shape=(3, 3)).tocsr()
    assert copse.bridges(both_ways).count == 2 and copse.bridges(both_ways, multigraph=multigraph).count == 2


LINKS = {"l": ["b", "c", "x", "b"], "r": ["a", "b", "y", "x"], "p": [0.9, 0.7, 0.8, 0.2]}


def table_of(kind, tmp_path):
    if kind == "dict":
        return LINKS
    if kind == "pandas":
        return pd.DataFrame(LINKS)
    if kind == "polars":
        return pl.DataFrame(LINKS)
    if kind == "parquet":
        pq.write_table(pa.table(LINKS), tmp_path / "links.parquet")
        return tmp_path / "links.parquet"
    return pa.table(LINKS)


def columns_of(table):
    return {name: list(table[name].to_list() if hasattr(table[name], "to_list") else table[name].to_pylist()) for name in
            (table.column_names if isinstance(table, pa.Table) else table.columns)}


@pytest.mark.parametrize("kind", ["dict", "pandas", "polars", "arrow", "parquet"])
def test_tables_give_tables_of_their_kind(kind, tmp_path):
    table = table_of(kind, tmp_path)
    expected = {"pandas": pd.DataFrame, "polars": pl.DataFrame}.get(kind, pa.Table)
    forest = copse.weighted_forest(table, "p", goal="maximum")
    assert forest.ids.tolist() == ["a", "b", "c", "x", "y"] and forest.weakest([["a", "c"], ["y", "a"], ["a", "a"]]).tolist() == [1, 3, -1]
    edges, curve = forest.to_table(output_columns=("from", "to"), output_score="score"), copse.thresholds(table, "p", at=[0.5, 0.75])
    assert isinstance(edges, expected) and isinstance(curve, expected)
    assert columns_of(edges) == {"from": LINKS["l"], "to": LINKS["r"], "score": LINKS["p"]}
    assert columns_of(curve)["components"] == [2, 3] and columns_of(curve)["threshold"] == [0.5, 0.75]
    why = copse.explain(table, "y", "c", "p", columns=("l", "r"))
    assert isinstance(why.links, expected) and why.path.tolist() == ["y", "x", "b", "c"] and why.is_bridge and why.weakest == 1
    assert columns_of(why.links)["row"] == [2, 3, 1] and why.weight == 0.2
    found = copse.bridges(table, columns=("l", "r"))
    assert found.count == 4 and found.articulation_points.tolist() == ["b", "x"] and found.positions.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="vertex"):
        copse.explain(table, "y", "nobody", "p")


@pytest.mark.parametrize("kind", ["dict", "pandas", "polars", "arrow", "parquet"])
def test_clusters_at_several_thresholds(kind, tmp_path):
    table, thresholds = table_of(kind, tmp_path), [0.1, 0.75, 0.95]
    keywords = {"score": "p", "vertices": ["lonely", "a"]}
    found = columns_of(copse.cluster(table, columns=("l", "r"), threshold=thresholds, **keywords))
    assert list(found) == ["id", "cluster_id_0_1", "cluster_id_0_75", "cluster_id_0_95"]
    for t, name in zip(thresholds, list(found)[1:]):
        alone = columns_of(copse.cluster(table, columns=("l", "r"), threshold=t, **{**keywords, "vertices": found["id"]}))
        assert alone == {"id": found["id"], "cluster_id": found[name]}
    named = copse.cluster(table, score="p", threshold=np.array([0.75]), output_id="who", output_cluster=["group"])
    assert columns_of(named) == {"who": ["a", "b", "x", "y"], "group": ["a", "a", "x", "x"]}
    limited = columns_of(copse.cluster(table, score="p", max_size=2))
    assert limited == {"id": ["a", "b", "c", "x", "y"], "cluster_id": ["a", "a", "c", "x", "x"]}
    assert columns_of(copse.cluster(table, score="p", threshold=0.75, max_size=5)) == {"id": ["a", "b", "x", "y"], "cluster_id": ["a", "a", "x", "x"]}


def test_clusters_of_sparse_integers_and_nulls():
    pairs = pa.table({"l": [10**12, 7, None, 9], "r": [7, 5, 1, 9], "p": pa.array([0.9, 0.4, 0.9, None], pa.float32())})
    with pytest.raises(copse.InputError, match="null in row 2"):
        copse.cluster(pairs.slice(0, 3), score="p", threshold=[0.3, 0.5])
    found = copse.cluster(pairs, score="p", threshold=[0.5, 0.3], nulls="drop")
    assert found.to_pydict() == {"id": [5, 7, 10**12], "cluster_id_0_5": [5, 7, 7], "cluster_id_0_3": [5, 5, 5]}
    forest = copse.weighted_forest(pairs, "p", nulls="drop")
    assert forest.edges.tolist() == [[10**12, 7], [7, 5]] and forest.ids.tolist() == [5, 7, 10**12]
    why = copse.explain(pairs, 5, 10**12, "p", nulls="drop")
    assert why.links.column("row").to_pylist() == [1, 0]


@pytest.mark.parametrize("kind", ["dense", "gaps", "sparse", "large", "texts"])
def test_ids_of_tables_are_numbered_whatever_they_are(kind):
    edges, weights = random_edges(12, 60, 80)
    ids = {"dense": np.arange(60), "gaps": np.arange(60) * 3 + 5, "sparse": np.arange(60) ** 7 + 10**9,
           "large": np.arange(60, dtype=np.uint64) + np.uint64(2**63), "texts": np.array([f"{i:03}" for i in range(60)], dtype=object)}[kind]
    table = {"l": ids[edges[:, 0]], "r": ids[edges[:, 1]], "w": weights}
    plain, found = copse.bridges(edges, 60), copse.bridges(pa.table(table), columns=("l", "r"))
    assert found.edges.tolist() == ids[plain.edges].tolist() and found.positions.tolist() == plain.positions.tolist()
    assert found.articulation_points.tolist() == ids[plain.articulation_points].tolist() and found.verify()
    why, a_and_b = copse.explain(edges, *edges[0].tolist(), weights), ids[edges[0]].tolist()
    for given in (table, pa.table(table)):
        told = copse.explain(given, *a_and_b, "w")
        assert told.path.tolist() == ids[why.path].tolist() and (told.weight, told.is_bridge) == (why.weight, why.is_bridge)
        forest = copse.weighted_forest(given, "w")
        assert forest.edges.tolist() == ids[copse.weighted_forest(edges, weights).edges].tolist()


def test_large_ids_are_told_apart():
    table = pa.table({"l": pa.array([2**60, 2**63 + 1], pa.uint64()), "r": pa.array([2**60 + 1, 2**60], pa.uint64()), "w": [2.0, 1.0]})
    forest = copse.weighted_forest(table, "w", goal="maximum")
    assert forest.weakest(np.array([[2**60, 2**60 + 1]], np.int64)).tolist() == [0]
    for wrong in (np.array([[2**60, 2**60 + 2]], np.int64), np.array([[2**60, -(2**63) + 1]], np.int64)):
        with pytest.raises(ValueError, match="vertex"):
            forest.weakest(wrong)


@pytest.mark.parametrize("weights", ["weight", 3])
def test_files_of_edges(weights, tmp_path):
    (tmp_path / "links.csv").write_text("u,v,weight\nb,a,0.9\nc,b,0.7\nx,y,0.8\nb,x,0.2\n")
    path = tmp_path / "links.csv"
    forest = copse.weighted_forest(path, weights, goal="maximum")
    assert forest.edges.tolist() == [["b", "a"], ["c", "b"], ["x", "y"], ["b", "x"]] and forest.count == 1
    assert copse.thresholds(path, weights, at=[0.75])["components"].tolist() == [3]
    assert copse.explain(path, "y", "c", weights).links["row"].tolist() == [2, 3, 1]
    assert copse.bridges(path).count == 4
    assert copse.dendrogram(path, weights).shape == (4, 4)
    with pytest.raises(OSError):
        copse.weighted_forest(tmp_path / "none.csv", weights)


def test_what_is_wrong_is_refused():
    edges, table = [(0, 1)], {"l": [1], "r": [2], "p": [0.5]}
    calls = [
        (lambda: copse.weighted_forest(edges), "score"), (lambda: copse.weighted_forest(edges, [1, 2]), "one for each"),
        (lambda: copse.weighted_forest(edges, "p"), "array"), (lambda: copse.weighted_forest(edges, [1], goal="most"), "goal"),
        (lambda: copse.weighted_forest(table), "column of scores"), (lambda: copse.weighted_forest(table, [0.5]), "name of a column"),
        (lambda: copse.weighted_forest(table, "q"), "'q'"), (lambda: copse.weighted_forest(table, "p", 9), "vertices"),
        (lambda: copse.weighted_forest(edges, [1], columns=("a", "b")), "columns"), (lambda: copse.weighted_forest(edges, ["a"]), "number per edge"),
        (lambda: copse.thresholds(copse.weighted_forest(edges, [1])), "maximum"), (lambda: copse.thresholds(edges, [1], at=[1], points=2), "points"),
        (lambda: copse.thresholds(edges, [1], at=[np.nan]), "NaN"), (lambda: copse.explain(edges, 0, "b", [1]), "integer"),
        (lambda: copse.explain(edges, 0, 2, [1]), "vertex"), (lambda: copse.explain(copse.weighted_forest(edges, [1]), 0, 1), "all edges"),
        (lambda: copse.cluster(table, threshold=[0.5, 0.6]), "score"), (lambda: copse.cluster(table, score="p", threshold=[]), "threshold"),
        (lambda: copse.cluster(table, score="p", max_size=0), "max_size"), (lambda: copse.cluster(table, columns=("l", "r"), max_size=3), "score"),
        (lambda: copse.cluster(table, score="p", threshold=[0.5], output_cluster=["a", "b"]), "output_cluster"),
        (lambda: copse.cluster(table, score="p", threshold=[0.5, 0.5]), "a name of its own"), (lambda: copse.cluster(table, score="p", threshold=[0.5], max_size=3), "one threshold"),
        (lambda: copse.weighted_forest(edges, [1], goal="maximum").weakest([0, 1]), "shape"), (lambda: copse.bridges(table, nulls="keep"), "nulls"),
    ]
    for call, reason in calls:
        with pytest.raises(ValueError, match=reason):
            call()


def test_no_edges_and_no_vertices():
    for vertices in (0, 3):
        forest = copse.weighted_forest(np.empty((0, 2), int), [], vertices, goal="maximum")
        assert forest.count == vertices and len(forest) == 0 and forest.weights.dtype == np.float64 and forest.total == 0
        assert copse.dendrogram(forest).shape == (max(vertices - 1, 0), 4) and len(copse.thresholds(forest)) == 0
        assert copse.bridges(np.empty((0, 2), int), vertices, blocks=True).biconnected_components() == []
    empty = pa.table({"l": pa.array([], pa.string()), "r": pa.array([], pa.string()), "p": pa.array([], pa.float64())})
    assert copse.weighted_forest(empty, "p").count == 0 and copse.cluster(empty, score="p", threshold=[0.5, 0.9]).num_rows == 0
    assert copse.bridges(empty, columns=("l", "r")).count == 0


def test_a_callers_arrays_are_read_alone_and_memory_is_limited():
    edges, weights = random_edges(1, 30_000, 60_000)
    matrix = sparse.coo_array((weights, edges.T), shape=(30_000, 30_000)).tocsr()
    for array in (edges, weights, matrix.data, matrix.indices, matrix.indptr):
        array.flags.writeable = False
    before = edges.copy(), weights.copy(), matrix.copy()
    table = pa.table({"l": edges[:, 0], "r": edges[:, 1], "w": weights})
    for keywords in ({}, {"memory": "100kB"}):
        calls = [lambda: copse.weighted_forest(edges, weights, **keywords), lambda: copse.weighted_forest(matrix, **keywords),
                 lambda: copse.bridges(edges, **keywords), lambda: copse.explain(table, 0, 1, "w", **keywords),
                 lambda: copse.cluster(table, score="w", threshold=[0.1, 0.9], **keywords)]
        for call in calls:
            if keywords:
                with pytest.raises(MemoryError):
                    call()
            else:
                call()
    assert np.array_equal(edges, before[0]) and np.array_equal(weights, before[1]) and (matrix != before[2]).nnz == 0


def test_threads_may_share_a_forest():
    edges, weights = random_edges(2, 2000, 6000)
    alone = copse.weighted_forest(edges, weights, 2000, goal="maximum")
    expected = [alone.labels_at(t).count for t in np.linspace(0, 1, 40)]
    for _ in range(5):
        shared = copse.weighted_forest(edges, weights, 2000, goal="maximum")
        with ThreadPoolExecutor(8) as pool:
            links = pool.submit(shared.weakest, edges)
            assert list(pool.map(lambda t: shared.labels_at(t).count, np.linspace(0, 1, 40))) == expected
            assert np.array_equal(links.result(), alone.weakest(edges))


def test_edges_that_are_left_out_of_files_count_as_rows_of_tables_do(tmp_path):
    rows = [(None, "bob", 1.0), ("ann", "bob", 0.9), (None, None, 0.9), ("bob", "cy", 0.1), ("bob", "dee", float("nan")), ("cy", "bob", 0.8)]
    path, table = tmp_path / "e.csv", dict(zip(("l", "r", "score"), map(list, zip(*rows))))
    path.write_text("l,r,score\n" + "".join(f"{u or ''},{v or ''},{w}\n" for u, v, w in rows))
    of_file = copse.explain(path, "ann", "cy", "score", na=["", "nan"])
    of_table = copse.explain(table, "ann", "cy", "score", nulls="drop")
    assert of_file.links["row"].tolist() == columns_of(of_table.links)["row"] == [1, 5]
    of_file = copse.bridges(path, na="", header=True, ids="strings")
    of_table = copse.bridges({name: table[name] for name in ("l", "r")}, nulls="drop", columns=("l", "r"))
    assert of_file.positions.tolist() == of_table.positions.tolist() == [1, 3, 4]
