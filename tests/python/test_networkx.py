"""The NetworkX backend: the same answers, all seven functions dispatched, and NetworkX's own tests."""
import os
import subprocess
import sys
import textwrap

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
        [sys.executable, "-m", "pytest", "-q", "-p", "counting", "-p", "no:cacheprovider", "--pyargs", "-s", "networkx.algorithms.components"],
        capture_output=True, text=True, env=environment, timeout=500, cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    calls = next(line for line in done.stdout.splitlines() if line.startswith("CALLS"))
    for function in FUNCTIONS:
        assert f"('{function}', " in calls, calls
