"""The NetworkX backend `copse`: components, spanning trees, bridges and biconnected components of NetworkX graphs.

NetworkX finds it by itself once copse-graph is installed: nx.connected_components(G, backend="copse"), or NETWORKX_BACKEND_PRIORITY=copse. A
graph is converted once and NetworkX keeps the result, until the graph changes; `convert_from_nx` makes it by hand.
"""
from itertools import chain

import numpy as np

from copse import _arrays, _networkx_edges
from copse._load import core
from copse._options import options

# For fewer vertices than this, NetworkX finishes before a graph is converted.
_SMALLEST = 2_000


class Graph:
    """A NetworkX graph as two columns of edges between the positions of its vertices."""

    __networkx_backend__ = "copse"

    def __init__(self, graph):
        self._graph = graph  # for functions that the backend does not have
        self.vertices = list(graph)
        self._position = {v: i for i, v in enumerate(self.vertices)}
        neighbours = list(map(list, graph._adj.values()))  # what a view hides, its length counts
        degrees = np.fromiter(map(len, neighbours), np.int32, len(neighbours))
        self._sources = np.repeat(np.arange(len(neighbours), dtype=np.int32), degrees)
        self._targets = np.fromiter(map(self._position.__getitem__, chain.from_iterable(neighbours)), np.int32, int(degrees.sum()))
        self._answer = self._bridges = None

    def is_directed(self):
        """As in NetworkX."""
        return self._graph.is_directed()

    def is_multigraph(self):
        """As in NetworkX."""
        return self._graph.is_multigraph()

    def __len__(self):
        return len(self.vertices)

    def __contains__(self, vertex):
        return vertex in self._position

    def once(self):
        """True for the direction of an undirected edge that the edges() of its graph list."""
        return self._targets >= self._sources

    def edge_columns(self):
        """The positions of the ends of each edge of an undirected graph, in the order of its edges(); parallel ones once."""
        once = self.once()
        return self._sources[once], self._targets[once]

    def columns_of(self, edges):
        """The graph of a list of edges."""
        return tuple(np.fromiter((self._position[edge[side]] for edge in edges), np.int32, len(edges)) for side in (0, 1))

    def bridges(self):
        """The compiled module's bridges of the simple graph, with biconnected components; found once."""
        if self._bridges is None:
            graph = core.Graph.of_columns(*_arrays.columns(*self.edge_columns()), len(self.vertices))
            self._bridges = core.bridges(graph, True, True, options())
        return self._bridges

    def numbers(self):
        """(count, number of its component for each vertex); solved once."""
        if self._answer is None:
            graph = core.Graph.of_columns(*_arrays.columns(self._sources, self._targets), len(self.vertices))
            self._answer = core.numbered_components(graph, options(), True)
        return self._answer

    def components(self):
        """The sets of vertices, in the order of their first ones."""
        count, numbers = self.numbers()
        order = np.argsort(numbers, kind="stable")
        ends = np.cumsum(np.bincount(numbers, minlength=count)).tolist()
        vertices, order, begin = self.vertices, order.tolist(), 0
        for end in ends:
            yield {vertices[i] for i in order[begin:end]}
            begin = end

    def component_of(self, vertex):
        """The set of vertices in the component of one. Raises KeyError."""
        numbers = self.numbers()[1]
        same = np.flatnonzero(numbers == numbers[self._position[vertex]])
        return {self.vertices[i] for i in same.tolist()}


class _Backend:
    """The functions that NetworkX calls. `calls` counts them by function, for tests."""

    def __init__(self):
        self.calls = {}

    def _count(self, name):
        self.calls[name] = self.calls.get(name, 0) + 1

    @staticmethod
    def convert_from_nx(graph, *args, **kwargs):
        """A NetworkX graph as one of ours."""
        return graph if isinstance(graph, Graph) else Graph(graph)

    @staticmethod
    def convert_to_nx(result, *args, **kwargs):
        """A graph of ours as the one that it was made of; other results are NetworkX's already."""
        return result._graph if isinstance(result, Graph) else result

    @staticmethod
    def can_run(name, args, kwargs):
        """True if the arguments are supported. Spanning trees are Kruskal's, whose order they have; bridges are those of the whole graph."""
        place, keyword, known = _ARGUMENTS.get(name, (None, None, None))
        if place is None:
            return True
        return (args[place] if len(args) > place else kwargs.get(keyword, known)) == known

    @staticmethod
    def should_run(name, args, kwargs):
        """True if copse is faster than NetworkX, conversion included; otherwise the reason why not."""
        graph = args[0] if args else kwargs.get("G")
        if isinstance(graph, Graph) or len(graph) >= _SMALLEST:
            return True
        return f"converting a graph of {len(graph)} vertices takes longer than NetworkX's own search (from {_SMALLEST} on it pays)"


def _components(name):
    def function(self, G):
        self._count(name)
        return G.components()

    return function


def _number(name):
    def function(self, G):
        self._count(name)
        return G.numbers()[0]

    return function


def _is(name, what):
    def function(self, G):
        self._count(name)
        if len(G) == 0:
            from networkx import NetworkXPointlessConcept

            raise NetworkXPointlessConcept(f"{what} is undefined for the null graph.")
        return G.numbers()[0] == 1

    return function


def _node_connected_component(self, G, n):
    self._count("node_connected_component")
    return G.component_of(n)


def _spanning_edges(name, minimum):
    def function(self, G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False):
        self._count(name)
        return _networkx_edges.spanning_edges(G, minimum, weight, keys, data, ignore_nan)

    return function


def _spanning_tree(name, minimum):
    def function(self, G, weight="weight", algorithm="kruskal", ignore_nan=False):
        self._count(name)
        return _networkx_edges.spanning_tree(G, minimum, weight, ignore_nan)

    return function


def _by_bridges(name):
    def function(self, G, root=None):
        self._count(name)
        return getattr(_networkx_edges, name)(G)

    return function


def _has_bridges(self, G, root=None):
    self._count("has_bridges")
    return any(True for _ in _networkx_edges.bridges(G))


def _is_biconnected(self, G):
    self._count("is_biconnected")
    found = G.bridges()
    return found.biconnected_count == 1 and len(found.block_vertices()) == len(G)


# The place and name of an argument, and the value that is understood.
_ARGUMENTS = {
    "minimum_spanning_edges": (1, "algorithm", "kruskal"),
    "maximum_spanning_edges": (1, "algorithm", "kruskal"),
    "minimum_spanning_tree": (2, "algorithm", "kruskal"),
    "maximum_spanning_tree": (2, "algorithm", "kruskal"),
    "bridges": (1, "root", None),
    "has_bridges": (1, "root", None),
}

_FUNCTIONS = {
    "connected_components": _components("connected_components"),
    "number_connected_components": _number("number_connected_components"),
    "is_connected": _is("is_connected", "Connectivity"),
    "node_connected_component": _node_connected_component,
    "weakly_connected_components": _components("weakly_connected_components"),
    "number_weakly_connected_components": _number("number_weakly_connected_components"),
    "is_weakly_connected": _is("is_weakly_connected", "Connectivity"),
    "minimum_spanning_edges": _spanning_edges("minimum_spanning_edges", True),
    "maximum_spanning_edges": _spanning_edges("maximum_spanning_edges", False),
    "minimum_spanning_tree": _spanning_tree("minimum_spanning_tree", True),
    "maximum_spanning_tree": _spanning_tree("maximum_spanning_tree", False),
    "bridges": _by_bridges("bridges"),
    "has_bridges": _has_bridges,
    "articulation_points": _by_bridges("articulation_points"),
    "biconnected_components": _by_bridges("biconnected_components"),
    "is_biconnected": _is_biconnected,
}
for _name, _function in _FUNCTIONS.items():
    _function.__name__ = _name
    setattr(_Backend, _name, _function)

backend = _Backend()


def info():
    """The description of the backend that NetworkX shows."""
    return {
        "backend_name": "copse",
        "project": "copse-graph",
        "package": "copse",
        "short_summary": "Connected components, spanning trees and bridges by copse, on all cores.",
        "functions": {name: {} for name in _FUNCTIONS},
    }
