"""The NetworkX backend `copse`: connected and weakly connected components of NetworkX graphs.

NetworkX finds it by itself once copse-graph is installed: nx.connected_components(G, backend="copse"), or NETWORKX_BACKEND_PRIORITY=copse. A
graph is converted once and NetworkX keeps the result, until the graph changes; `convert_from_nx` makes it by hand.
"""
from itertools import chain

import numpy as np

from copse import _arrays
from copse._load import core
from copse._options import options

# Below this many vertices NetworkX is done before a graph is converted.
_SMALLEST = 2_000


class Graph:
    """A NetworkX graph as two columns of edges between the positions of its vertices."""

    __networkx_backend__ = "copse"

    def __init__(self, graph):
        self._graph = graph  # for functions that the backend does not have
        self.vertices = list(graph)
        self._position = {v: i for i, v in enumerate(self.vertices)}
        neighbours = graph._adj
        degrees = np.fromiter(map(len, neighbours.values()), np.int32, len(neighbours))
        self._sources = np.repeat(np.arange(len(neighbours), dtype=np.int32), degrees)
        self._targets = np.fromiter(map(self._position.__getitem__, chain.from_iterable(neighbours.values())), np.int32, int(degrees.sum()))
        self._answer = None

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
    """What NetworkX calls. `calls` counts them by function, for tests."""

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
        """All arguments of the functions that are here are understood."""
        return True

    @staticmethod
    def should_run(name, args, kwargs):
        """Is it quicker than NetworkX with the conversion counted? Otherwise the reason why not."""
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


_FUNCTIONS = {
    "connected_components": _components("connected_components"),
    "number_connected_components": _number("number_connected_components"),
    "is_connected": _is("is_connected", "Connectivity"),
    "node_connected_component": _node_connected_component,
    "weakly_connected_components": _components("weakly_connected_components"),
    "number_weakly_connected_components": _number("number_weakly_connected_components"),
    "is_weakly_connected": _is("is_weakly_connected", "Connectivity"),
}
for _name, _function in _FUNCTIONS.items():
    _function.__name__ = _name
    setattr(_Backend, _name, _function)

backend = _Backend()


def info():
    """What NetworkX shows of the backend."""
    return {
        "backend_name": "copse",
        "project": "copse-graph",
        "package": "copse",
        "short_summary": "Connected components by copse, on all cores.",
        "functions": {name: {} for name in _FUNCTIONS},
    }
