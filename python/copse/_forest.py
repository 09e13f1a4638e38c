"""Spanning forests, rooted forests and Euler tours."""
import os
from typing import NamedTuple

import numpy as np

from copse import _arrays, _html
from copse._graph import Graph, graph_of
from copse._ids import INTEGERS, IdType
from copse._inputs import held_graph, is_table, reading_of
from copse._load import core
from copse._names import Names
from copse._options import expect, flag, options, text
from copse._reading import ids_kind, readable
from copse._result import Components


class RootedForest(NamedTuple):
    """Rooted trees, whose roots are their smallest vertices: arrays with one element per vertex, in ascending order of ids.

    >>> import copse
    >>> copse.root_forest([(1, 0), (2, 1)]).depths.tolist()
    [0, 1, 2]
    """

    parents: np.ndarray  #: the id of each vertex's parent; a root is its own parent
    depths: np.ndarray  #: the number of edges up to the root


class EulerTour(NamedTuple):
    """Rooted trees, with every subtree as a range of an order: the subtree of the vertex at position v (in ascending order of ids) is
    order[preorder[v]:preorder[v] + sizes[v]]. `parents` and `order` hold ids.

    >>> import copse
    >>> tour = copse.euler_tour([(0, 1), (0, 2), (2, 3)])
    >>> sorted(tour.order[tour.preorder[2]:tour.preorder[2] + tour.sizes[2]].tolist())
    [2, 3]
    """

    parents: np.ndarray
    depths: np.ndarray
    sizes: np.ndarray
    preorder: np.ndarray
    order: np.ndarray


class Forest:
    """A spanning forest. Can be pickled and copied.

    >>> import copse
    >>> forest = copse.spanning_forest([(0, 1), (1, 2), (2, 0)])
    >>> forest.vertices, forest.count, len(forest.edges), bool(forest.verify())
    (3, 1, 2, True)
    """

    __slots__ = ("_graph", "_forest", "_labels", "_ids", "_names", "report")

    def __init__(self, graph, forest, labels, report, ids=None):
        """graph: the compiled module's graph, or of a file (path, *arguments of read_options)."""
        self._graph, self._forest, self._labels, self._ids, self._names = graph, forest, labels, ids or INTEGERS, None
        #: what the solve did, like `Components.report`
        self.report = report

    def __reduce__(self):
        return Forest, (self._graph, self._forest, self._labels, self.report, self._ids)

    def _named(self):
        if self._names is None:
            self._names = Names(self._forest, self._ids)
        return self._names

    @property
    def edges(self):
        """The n - k edges, given by the ids of their ends, in no particular order: an array (n - k, 2)."""
        return self._named().of(self.end_positions)

    @property
    def end_positions(self):
        """The positions of the ends of the edges in `ids`: an integer array (n - k, 2). A view."""
        return self._forest.pairs()

    @property
    def ids(self):
        """The ids of the vertices, ascending: integers, or strings, bytes or UUIDs as objects."""
        return self._named().all

    @property
    def labels(self):
        """Canonical labels (for each vertex the smallest id of its component) if made with labels=True; otherwise None."""
        return None if self._labels is None else Components(self._labels, None, self._ids).labels

    @property
    def vertices(self):
        """Number of vertices."""
        return self._forest.vertices

    @property
    def count(self):
        """Number of trees, which is that of the components. O(1)."""
        return self._forest.vertices - self._forest.stored

    def verify(self):
        """Proves that this is a spanning forest of the graph that it was made from; a file is read again and held in memory. Returns a
        Verdict. O((n + m) alpha), serial."""
        if isinstance(self._graph, tuple):
            path, *how_read = self._graph
            return core.verify_forest_of_path(path, core.read_options(*how_read), self._forest)
        return core.verify_forest(self._graph, self._forest)

    def _repr_html_(self):
        return _html.table("Forest", {
            "vertices": self.vertices, "trees": self.count, "edges": self.vertices - self.count, "variant": self.report.variant,
            "seconds": self.report.solve_seconds,
        })

    def __repr__(self):
        return f"Forest({self.vertices} vertices, {self.count} trees, variant {self.report.variant!r})"


def spanning_forest(
    edges, vertices=None, *, labels=False, columns=None, nulls="error", variant="auto", device=None, threads=None, memory=None,
    gpu_memory=None, seed=1, progress=None, **reading,
):
    """Finds a spanning forest: n - k edges of the graph without a cycle, one tree for each of its k components.

    edges: a SciPy sparse matrix (N, N) or a Graph; an integer array (m, 2) or a tuple of two; a table or the path of a Parquet or Arrow
    file, as `cluster` takes them; or the path of any file of edges that copse can read. vertices: the number of vertices, for arrays; by
    default the largest id + 1. labels: also find canonical labels. columns, nulls: as in `weighted_forest`. reading: as in `read_graph`.
    variant: a name of `variants('forest')`. Other arguments as in `components`. Which of all spanning forests is found may differ between
    runs on several threads.

    Returns a Forest. Takes the time and memory of `components` and 8 to 40 bytes per vertex; the edges of tables are held in memory, and
    those of files if `components` holds them. Raises UsageError, InputError, OSError, ResourceError.

    >>> import copse
    >>> copse.spanning_forest({"l": ["a", "b", "a"], "r": ["b", "c", "c"]}).count
    1
    """
    how, labels = options(variant, device, threads, memory, seed, progress, gpu_memory), flag(labels, "labels")
    if isinstance(edges, (str, bytes, os.PathLike)) and not is_table(edges):
        expect(nulls, ("error", "drop"), "nulls")
        how_read = reading_of("spanning_forest", edges, None, vertices, columns, nulls, reading)
        path = readable(edges)
        found = core.spanning_forest_of_path(path, core.read_options(*how_read), labels, how)
        return Forest((path, *how_read), *found, IdType(ids_kind(reading)))
    held = held_graph("spanning_forest", edges, None, vertices, columns, nulls, how, reading)
    return Forest(held.graph, *core.spanning_forest(held.graph, labels, how), held.ids)


def root_forest(forest, vertices=None, *, threads=None, memory=None):
    """Roots the trees of a forest: a Forest, or edges without a cycle as Graph.of takes them (a list, not a matrix).

    Returns a RootedForest, which does not depend on the number of threads. O(n). Raises UsageError that names an edge if it closes a cycle.

    >>> import copse
    >>> copse.root_forest([(1, 0), (2, 1)]).parents.tolist()
    [0, 0, 1]
    """
    held, names = _forest_of(forest, vertices)
    return _by_ids(RootedForest(**core.root_forest(held, options(threads=threads, memory=memory))), names, "parents")


def euler_tour(forest, vertices=None, *, ranking="auto", threads=None, memory=None):
    """Finds parents, depths, sizes of subtrees and preorder of a whole forest by one list ranking, however deep its trees are.

    forest, vertices: as in `root_forest`. ranking: a variant of `rank_list`. Returns an EulerTour. O(n). Raises UsageError.

    >>> import copse
    >>> copse.euler_tour([(0, 1), (1, 2)]).sizes.tolist()
    [3, 2, 1]
    """
    held, names = _forest_of(forest, vertices)
    return _by_ids(EulerTour(**core.euler_tour(held, options(ranking, threads=threads, memory=memory))), names, "parents", "order")


def _forest_of(forest, vertices):
    """The compiled module's graph of a forest, and what its vertices are called."""
    if isinstance(forest, Forest):
        return forest._forest, forest._named()
    held = graph_of(forest, vertices)
    return held, forest._named() if isinstance(forest, Graph) else None


def _by_ids(arrays, names, *fields):
    """The arrays, those of the named fields with ids in the place of positions."""
    return arrays if names is None else arrays._replace(**{field: names.of(getattr(arrays, field)) for field in fields})


def rank_list(
    successors, weights=None, *, operation="sum", origin="end", variant="auto", device=None, threads=None, memory=None, gpu_memory=None,
    seed=1, progress=None,
):
    """Finds how far each element of one or more linked lists is from the end of its list.

    successors: n integers, the element after each; the last element of a list has itself or -1. weights: n integers; the rank is then
    their sum (or their minimum or maximum, with operation 'min' or 'max') from the element to the end, both included. origin: 'end', or
    'head' to count from the head.

    Returns an integer array of n ranks. O(n). Raises UsageError, and InputError that names the first wrong element if the successors do not
    form lists.

    >>> import copse
    >>> copse.rank_list([1, 2, 2]).tolist()
    [2, 1, 0]
    """
    operation, origin = text(operation, "operation"), text(origin, "origin")
    successors = _arrays.integers(successors, "successors")
    if weights is not None:
        weights = _arrays.integers(weights, "weights")
        if weights.ndim != 1:
            raise core.UsageError(f"weights must have one dimension, not {weights.ndim}")
        if weights.dtype == np.uint64 and weights.size and weights.max() >= 2**63:
            raise core.InputError(f"weights: found {weights.max()}, expected integers below 2^63")
        weights = np.ascontiguousarray(weights, dtype=np.int64)
    elif operation != "sum":
        raise core.UsageError(f"operation={operation!r} needs weights=")
    return core.rank_list(successors, weights, operation, origin, options(variant, device, threads, memory, seed, progress, gpu_memory))
