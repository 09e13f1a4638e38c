"""Why two vertices are together: the chain of the strongest evidence between them."""
import numpy as np

from copse import _tables
from copse._inputs import held_graph, is_table
from copse._load import core
from copse._names import Names
from copse._options import options
from copse._weighted import WeightedForest


class Explanation:
    """The chain of strongest links between two vertices: no other chain has a stronger weakest link.

    >>> import copse
    >>> why = copse.explain([(0, 1), (1, 2)], 0, 2, [5, 3])
    >>> len(why), why.weakest, why.links["weight"].tolist()
    (2, 1, [5, 3])
    """

    __slots__ = ("links", "weakest", "weight", "is_bridge", "path")

    def __init__(self, links, path, weakest, weight, is_bridge):
        #: the chain from a to b as a table of the input's kind (see `thresholds`) with columns from, to, weight and row (position in the input)
        self.links = links
        #: the ids along the chain, from a to b
        self.path = path
        #: the position of the weakest link in the chain, the first of equal ones; None if a is b
        self.weakest = weakest
        #: the weight of the weakest link, infinite if a is b: the two are together at any threshold up to this
        self.weight = weight
        #: True if the weakest link is a bridge, so that nothing else joins its two sides; False if a is b
        self.is_bridge = is_bridge

    def __reduce__(self):
        return Explanation, (self.links, self.path, self.weakest, self.weight, self.is_bridge)

    def __len__(self):
        return max(len(self.path) - 1, 0)

    def __repr__(self):
        bridge = ", a bridge" if self.is_bridge else ""
        return f"Explanation({len(self)} links, weakest {self.weight}{bridge})"


def explain(
    edges, a, b, score=None, vertices=None, *, columns=None, nulls="error", threads=None, memory=None, progress=None,
    **reading,
):
    """Explains why two vertices are in one component: the path between them in the maximum spanning forest, and its weakest link.

    edges, score, vertices, columns, nulls, reading: as in `weighted_forest`. a, b: the ids of two vertices. For many pairs,
    `WeightedForest.weakest` finds the weakest links.

    Returns an Explanation, or None if a and b are in different components. The edges are held in memory, also those of tables: O(m log n)
    time, 8 bytes per edge and 16 for its weight and row. Raises what weighted_forest raises, and UsageError for an id that is not a vertex.

    >>> import copse
    >>> why = copse.explain({"l": ["a", "b", "a"], "r": ["b", "c", "c"], "s": [.9, .8, .1]}, "a", "c", "s")
    >>> why.path.tolist(), why.weight, why.is_bridge
    (['a', 'b', 'c'], 0.8, False)
    """
    if isinstance(edges, WeightedForest):
        raise core.UsageError("explain() needs all edges, not a WeightedForest: edges outside the forest may join the two sides of a link, too")
    how = options(threads=threads, memory=memory, progress=progress)
    graph, column, rows, held_ids = held_graph("explain", edges, score, vertices, columns, nulls, how, reading, weighted=True)
    forest = core.weighted_forest(graph, column, "maximum", how)
    names = Names(forest, held_ids)
    path = forest.path(names.position(a), names.position(b))
    if path is None:
        return None
    places = _places_of_links(forest.edges(), path)
    heavy = forest.weights()[places]
    rows = forest.positions()[places] if rows is None else rows[forest.positions()[places]]
    ids = names.of(path)
    kind = _tables.kind_of(edges) if is_table(edges) else _tables.kind_of_arrays(edges)
    links = {"from": ids[:-1], "to": ids[1:], "weight": heavy, "row": rows}
    if len(places) == 0:
        return Explanation(_tables.made(kind, links, held_ids, ("from", "to")), ids, None, np.inf, False)
    weakest = int(np.argmin(heavy))
    found = core.bridges(graph, True, False, how)
    ends = np.sort(np.asarray(found.edges()), axis=1)
    is_bridge = bool((ends == np.sort(path[weakest : weakest + 2])).all(axis=1).any())
    return Explanation(_tables.made(kind, links, held_ids, ("from", "to")), ids, weakest, heavy[weakest].item(), is_bridge)


def _places_of_links(edges, path):
    """The places in the forest of the edges between neighbours on a path."""
    if len(path) < 2:
        return np.empty(0, np.int64)
    on_path = np.zeros(int(max(edges.max(), path.max())) + 1, bool)
    on_path[path] = True
    places = np.flatnonzero(on_path[edges[:, 0]] & on_path[edges[:, 1]])  # in a tree only neighbours are joined
    known = {tuple(sorted(pair)): place for pair, place in zip(edges[places].tolist(), places.tolist())}
    return np.array([known[tuple(sorted(pair))] for pair in zip(path[:-1].tolist(), path[1:].tolist())])

