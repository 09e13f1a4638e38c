"""Functions of NetworkX that answer with edges or are found by them: spanning edges and trees, bridges, biconnected components."""
import math
from itertools import compress

import numpy as np

from copse import _arrays
from copse._load import core
from copse._options import options


def ranks(weights, minimum):
    """Weights as numbers 0 .. m - 1 in the order of NetworkX: by weight, equal ones as they come. So its forest is the only one."""
    array = np.array(weights) if weights else np.empty(0)
    exact = array.dtype.kind == "i" or array.dtype.kind == "f" and not np.any(np.abs(array[np.isfinite(array)]) > 2**53)
    if array.ndim == 1 and exact:
        order = np.argsort(array if minimum else ~array if array.dtype.kind == "i" else -array, kind="stable")
    else:  # Python's own numbers: fractions, decimals, integers of any size
        order = np.array(sorted(range(len(weights)), key=weights.__getitem__, reverse=not minimum), dtype=np.int64)
    found = np.empty(len(order), np.int64)
    found[order] = np.arange(len(order))
    return found


def spanning_edges(graph, minimum, weight, keys, data, ignore_nan):
    """Yields the edges that kruskal_mst_edges yields, in its order."""
    own = graph._graph
    if own.is_multigraph():
        edges = list(own.edges(keys=True, data=True))
        weights = [edge[-1].get(weight, 1) for edge in edges]
        sources, targets = graph.columns_of(edges)
    else:  # no tuple is made of an edge that is not in the forest
        edges = None
        both = [d.get(weight, 1) for neighbours in own._adj.values() for d in neighbours.values()]
        weights = list(compress(both, graph.once().tolist()))
        sources, targets = graph.edge_columns()

    def edge(i):
        if edges is not None:
            u, v, key, d = edges[i]
            return (u, v, *([key] if keys else []), *([d] if data else []))
        u, v = graph.vertices[sources[i]], graph.vertices[targets[i]]
        return (u, v, own._adj[u][v]) if data else (u, v)

    numbers = np.arange(len(weights))
    wrong = _not_numbers(weights)
    if len(wrong):
        if not ignore_nan:
            data = keys = True
            raise ValueError(f"NaN found as an edge weight. Edge {edge(wrong[0])}")
        numbers = np.delete(numbers, wrong)
        weights = [weights[i] for i in numbers.tolist()]
    columns = _arrays.columns(sources[numbers], targets[numbers])
    forest = core.weighted_forest(core.Graph.of_columns(*columns, len(graph)), ranks(weights, minimum), "minimum", options())
    for i in numbers[forest.positions()[np.argsort(forest.weights())]].tolist():
        yield edge(i)


def _not_numbers(weights):
    array = np.array(weights)
    if array.dtype.kind == "f" and array.ndim == 1:
        return np.flatnonzero(np.isnan(array))
    return np.array([], int) if array.dtype.kind in "iub" else np.flatnonzero([math.isnan(w) for w in weights])


def spanning_tree(graph, minimum, weight, ignore_nan):
    """A NetworkX graph of the same class: all vertices and their attributes, and the edges of the forest with theirs."""
    own = graph._graph
    if own.is_directed():
        from networkx import NetworkXNotImplemented

        raise NetworkXNotImplemented("not implemented for directed type")
    tree = own.__class__()
    tree.graph.update(own.graph)
    tree.add_nodes_from(own.nodes.items())
    tree.add_edges_from(spanning_edges(graph, minimum, weight, True, True, ignore_nan))
    return tree


def bridges(graph):
    """The bridges in the order of NetworkX's edges; a parallel edge of a multigraph is no bridge."""
    own, found = graph._graph, graph.bridges().positions()
    for places in zip(*(side[found].tolist() for side in graph.edge_columns())):
        u, v = (graph.vertices[place] for place in places)
        if not own.is_multigraph() or len(own[u][v]) == 1:
            yield u, v


def articulation_points(graph):
    """In the order of the vertices."""
    for v in graph.bridges().articulation_points().tolist():
        yield graph.vertices[v]


def biconnected_components(graph):
    """Sets of vertices, in the order of their first ones."""
    found = graph.bridges()
    offsets, vertices = found.block_offsets().tolist(), found.block_vertices().tolist()
    for begin, end in zip(offsets, offsets[1:]):
        yield {graph.vertices[v] for v in vertices[begin:end]}
