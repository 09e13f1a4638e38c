"""Spanning forests, rooted forests and Euler tours."""
from typing import NamedTuple

import numpy as np

from copse import _arrays
from copse._graph import Graph, graph_of
from copse._load import core
from copse._options import flag, options, text


class RootedForest(NamedTuple):
    """Trees with roots, the smallest vertex of each: arrays of one element per vertex."""

    parents: np.ndarray  #: a root is its own parent
    depths: np.ndarray  #: edges up to the root


class EulerTour(NamedTuple):
    """Trees with roots, and every subtree as a range of an order: the vertices below v are order[preorder[v]:preorder[v] + sizes[v]]."""

    parents: np.ndarray
    depths: np.ndarray
    sizes: np.ndarray
    preorder: np.ndarray
    order: np.ndarray


class Forest:
    """The edges of a spanning forest, and what can be made of them."""

    __slots__ = ("_graph", "_forest", "report", "labels")

    def __init__(self, graph, forest, labels, report):
        self._graph, self._forest, self.report = graph, forest, report
        #: canonical labels, one per vertex, if they were asked for
        self.labels = None if labels is None else labels.labels()

    @property
    def edges(self):
        """The n - k edges, in no order: an integer array (n - k, 2). A view."""
        return self._forest.pairs()

    @property
    def vertices(self):
        """Number of vertices."""
        return self._forest.vertices

    @property
    def count(self):
        """Number of trees, which is that of the components. O(1)."""
        return self._forest.vertices - self._forest.stored

    def verify(self):
        """Proves that this is a spanning forest of the graph it was made of. Returns a Verdict. O((n + m) alpha), serial."""
        return core.verify_forest(self._graph, self._forest)

    def __repr__(self):
        return f"Forest({self.vertices} vertices, {self.count} trees, variant {self.report.variant!r})"


def spanning_forest(
    edges, vertices=None, *, labels=False, variant="auto", device=None, threads=None, memory=None, seed=1, progress=None
):
    """A spanning forest: n - k edges of the graph without a cycle, one tree for each of its k components.

    edges, vertices: as Graph.of takes them. labels: find canonical labels as well. variant: a name of `variants('forest')`. Others as in
    `components`. Which forest of all is found may differ between runs on several threads.

    Returns a Forest. Time and memory of `components`, and 8 bytes per vertex. Raises UsageError, InputError, ResourceError.
    """
    graph = graph_of(edges, vertices)
    return Forest(graph, *core.spanning_forest(graph, flag(labels, "labels"), options(variant, device, threads, memory, seed, progress)))


def root_forest(forest, vertices=None, *, threads=None, memory=None):
    """Roots the trees of a forest: a Forest, or edges without a cycle as Graph.of takes them (a list, not a matrix).

    Returns a RootedForest, the same whatever the threads. O(n). Raises UsageError for an edge that closes a cycle, naming it.
    """
    return RootedForest(**core.root_forest(_forest_of(forest, vertices), options(threads=threads, memory=memory)))


def euler_tour(forest, vertices=None, *, ranking="auto", threads=None, memory=None):
    """Parents, depths, sizes of subtrees and preorder of a whole forest by one list ranking, however deep its trees.

    forest, vertices: as in `root_forest`. ranking: a variant of `rank_list`. Returns an EulerTour. O(n). Raises UsageError.
    """
    return EulerTour(**core.euler_tour(_forest_of(forest, vertices), options(ranking, threads=threads, memory=memory)))


def _forest_of(forest, vertices):
    return forest._forest if isinstance(forest, Forest) else graph_of(forest, vertices)


def rank_list(
    successors, weights=None, *, operation="sum", origin="end", variant="auto", device=None, threads=None, memory=None, seed=1, progress=None
):
    """How far each element of one linked list or many is from the end of its list.

    successors: n integers, the element after each; a list ends where that is the element itself, or -1. weights: n integers; the rank is
    then their sum (or operation 'min' or 'max') from the element to the end, both included. origin: 'end', or 'head' to count from there.

    Returns an integer array of n ranks. O(n). Raises InputError (naming the first wrong element) for what is no set of lists, UsageError.
    """
    successors = _arrays.integers(successors, "successors")
    if weights is not None:
        weights = _arrays.integers(weights, "weights")
        if weights.ndim != 1:
            raise core.UsageError(f"weights: found {weights.ndim} dimensions, expected 1")
        if weights.dtype == np.uint64 and weights.size and weights.max() >= 2**63:
            raise core.InputError(f"weights: found {weights.max()}, expected integers below 2^63")
        weights = np.ascontiguousarray(weights, dtype=np.int64)
    elif operation != "sum":
        raise core.UsageError(f"operation: found {operation!r} without weights, expected weights=")
    operation, origin = text(operation, "operation"), text(origin, "origin")
    return core.rank_list(successors, weights, operation, origin, options(variant, device, threads, memory, seed, progress))
