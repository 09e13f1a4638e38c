"""The NetworkX backend: the same answers, all functions dispatched, and NetworkX's own tests."""
import os
import random
import subprocess
import sys
import textwrap
from fractions import Fraction

import pytest

import copse

nx = pytest.importorskip("networkx")
from copse.networkx import Graph, backend, info

FUNCTIONS = list(info()["functions"])


def graphs():
    for seed in range(5):
        yield nx.gnm_random_graph(200, 150, seed=seed)
        yield nx.gnm_random_graph(200, 150, seed=seed, directed=True)
    names = nx.Graph([("a", "b"), (1, ("t", 2)), ("loop", "loop")])
    names.add_node(frozenset({3}))
    yield names
    yield nx.MultiGraph([(3, 1), (1, 3), (7, 7)])
    yield nx.MultiDiGraph([(3, 1), (1, 3), (9, 3)])
    hidden = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 0), (2, 3)])
    yield nx.restricted_view(hidden, [], [(0, 1, 0), (1, 2, 0)])
    yield nx.restricted_view(hidden, [3], [(0, 1, 0), (0, 1, 1)])
    yield nx.empty_graph(3)
    yield nx.Graph()


@pytest.mark.parametrize("graph", list(graphs()), ids=str)
def test_the_answers_are_those_of_networkx(graph):
    ours, prefix = Graph(graph), "weakly_" if graph.is_directed() else ""
    found = list(getattr(backend, prefix + "connected_components")(ours))
    assert found == list(getattr(nx, prefix + "connected_components")(graph))  # in this order
    assert getattr(backend, f"number_{prefix}connected_components")(ours) == len(found)
    name = f"is_{prefix}connected"
    if len(graph) == 0:
        with pytest.raises(nx.NetworkXPointlessConcept):
            getattr(backend, name)(ours)
    else:
        assert getattr(backend, name)(ours) == getattr(nx, name)(graph)
    if not graph.is_directed():
        for vertex in graph:
            assert backend.node_connected_component(ours, vertex) == nx.node_connected_component(graph, vertex)
        with pytest.raises(KeyError):
            backend.node_connected_component(ours, "nobody")


def weighted_graphs():
    rng = random.Random(3)
    for kind in (nx.Graph, nx.MultiGraph):
        for weights in (lambda: rng.random(), lambda: rng.randint(-3, 3), lambda: Fraction(rng.randint(0, 9), 7), lambda: 10**17 + rng.randint(0, 2),
                        lambda: rng.choice([1, 2.5, True])):
            graph = kind()
            graph.add_nodes_from(f"v{i}" for i in range(40))
            graph.graph["name"] = "weighted"
            for _ in range(70):
                graph.add_edge(f"v{rng.randrange(40)}", f"v{rng.randrange(40)}", weight=weights(), colour=rng.random())
            graph.add_edge("v1", "without a weight")
            yield graph
    yield nx.Graph()


@pytest.mark.parametrize("graph", list(weighted_graphs()), ids=str)
@pytest.mark.parametrize("which", ["minimum", "maximum"])
def test_spanning_trees_are_those_of_kruskal_in_their_order(graph, which):
    ours = Graph(graph)
    for keywords in ({}, {"data": False}, {"keys": False}, {"weight": "colour"}, {"keys": False, "data": False}):
        theirs = list(getattr(nx, which + "_spanning_edges")(graph, **keywords))
        assert list(getattr(backend, which + "_spanning_edges")(ours, **keywords)) == theirs
    tree, own = getattr(backend, which + "_spanning_tree")(ours), getattr(nx, which + "_spanning_tree")(graph)
    assert nx.utils.graphs_equal(tree, own) and type(tree) is type(own) and tree.graph == graph.graph


def test_weights_that_are_no_numbers_are_as_in_networkx():
    graph = nx.Graph([(0, 1, {"weight": float("nan")}), (1, 2, {"weight": 2}), (0, 2, {"weight": 3}), (0, 1, {})])
    graph[0][1]["weight"] = float("nan")
    with pytest.raises(ValueError, match="NaN found as an edge weight"):
        list(backend.minimum_spanning_edges(Graph(graph)))
    assert list(backend.minimum_spanning_edges(Graph(graph), ignore_nan=True, data=False)) == [(1, 2), (0, 2)]
    with pytest.raises(nx.NetworkXNotImplemented):
        backend.minimum_spanning_tree(Graph(nx.DiGraph([(0, 1)])))


@pytest.mark.parametrize("graph", [g for g in graphs() if not g.is_directed()], ids=str)
def test_bridges_and_blocks_are_those_of_networkx(graph):
    ours = Graph(graph)
    assert list(backend.bridges(ours)) == list(nx.bridges(graph)) and backend.has_bridges(ours) == nx.has_bridges(graph)
    assert set(backend.articulation_points(ours)) == set(nx.articulation_points(graph))
    blocks, theirs = list(backend.biconnected_components(ours)), list(nx.biconnected_components(graph))
    assert len(blocks) == len(theirs) and all(block in theirs for block in blocks)
    assert backend.is_biconnected(ours) == nx.is_biconnected(graph)


def test_other_algorithms_and_roots_are_left_to_networkx():
    graph = nx.path_graph(3)
    assert backend.can_run("minimum_spanning_edges", (graph,), {}) and backend.can_run("minimum_spanning_tree", (graph, "weight", "kruskal"), {})
    assert not backend.can_run("minimum_spanning_edges", (graph, "prim"), {}) and not backend.can_run("maximum_spanning_tree", (graph,), {"algorithm": "boruvka"})
    assert backend.can_run("bridges", (graph,), {"root": None}) and not backend.can_run("bridges", (graph, 0), {})
    assert backend.can_run("is_connected", (graph,), {})


def test_small_graphs_are_left_to_networkx_with_a_reason():
    assert "takes longer" in backend.should_run("is_connected", (nx.path_graph(10),), {})
    assert backend.should_run("is_connected", (nx.path_graph(5000),), {}) is True
    assert backend.should_run("is_connected", (), {"G": nx.path_graph(5000)}) is True


def test_networkx_runs_its_own_tests_by_copse(tmp_path):
    """All pass, and the count of calls shows that every function ran here."""
    try:
        from importlib.metadata import entry_points

        installed = any(e.name == "copse" for e in entry_points(group="networkx.backends"))
    except ImportError:
        installed = False
    if not installed:
        # What an installation leaves beside the package: names of the entry points.
        facts = tmp_path / "copse_graph-0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: copse-graph\nVersion: 0\n")
        (facts / "entry_points.txt").write_text(
            "[networkx.backends]\ncopse = copse.networkx:backend\n\n[networkx.backend_info]\ncopse = copse.networkx:info\n"
        )
    (tmp_path / "counting.py").write_text(
        textwrap.dedent(
            """
            def pytest_sessionfinish(session):
                from copse.networkx import backend
                print("\\nCALLS", sorted(backend.calls.items()))
            """
        )
    )
    paths = [str(tmp_path), os.path.dirname(os.path.dirname(copse.__file__)), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ, "NETWORKX_TEST_BACKEND": "copse", "NETWORKX_FALLBACK_TO_NX": "True", "PYTHONPATH": os.pathsep.join(filter(None, paths))
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "counting", "-p", "no:cacheprovider", "--pyargs", "-s", "networkx.algorithms.components",
         "networkx.algorithms.tree.tests.test_mst", "networkx.algorithms.tests.test_bridges"],
        capture_output=True, text=True, env=environment, timeout=500, cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    calls = next(line for line in done.stdout.splitlines() if line.startswith("CALLS"))
    for function in FUNCTIONS:
        assert f"('{function}', " in calls, calls
