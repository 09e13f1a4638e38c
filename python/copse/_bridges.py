"""The places at which a graph falls apart: bridges, articulation points, and the components without them."""
import numpy as np

from copse import _html, _ids
from copse._inputs import held_graph
from copse._load import core
from copse._names import Names
from copse._options import flag, options
from copse._result import Components


class Bridges:
    """The bridges and articulation points of a graph. Arrays have one element per bridge, in the order of the input. Can be pickled and
    copied.

    >>> import copse
    >>> found = copse.bridges([(0, 1), (1, 2), (2, 0), (2, 3)], blocks=True)
    >>> found.count, found.articulation_points.tolist(), found.two_edge_connected.count
    (1, [2], 2)
    >>> [block.tolist() for block in found.biconnected_components()]
    [[0, 1, 2], [2, 3]]
    """

    __slots__ = ("_held", "_graph", "_rows", "_names", "_simple", "_blocks", "_ids")

    def __init__(self, held, graph, rows, simple, blocks, ids=None):
        self._held, self._graph, self._rows, self._simple, self._blocks, self._ids = held, graph, rows, simple, blocks, ids or _ids.INTEGERS
        self._names = Names(graph, self._ids)

    def __reduce__(self):
        return Bridges, (self._held, self._graph, self._rows, self._simple, self._blocks, self._ids)

    @property
    def edges(self):
        """The bridges, each given by the ids of its two ends: an array (k, 2)."""
        return self._names.of(self._held.edges())

    @property
    def positions(self):
        """The position of each bridge in the input: its row in a table, array or list, or its place among the stored entries of a matrix.
        int64. Of repeated edges that count as one, the position of the first.
        """
        positions = self._held.positions()
        return positions if self._rows is None else self._rows[positions]

    @property
    def smaller_sides(self):
        """The number of vertices on the smaller side of each bridge. int64."""
        return self._held.smaller_sides()

    @property
    def articulation_points(self):
        """The ids of the vertices whose removal splits a component, ascending."""
        return self._names.of(self._held.articulation_points())

    @property
    def two_edge_connected(self):
        """The two-edge-connected components, which remain when all bridges are removed, as Components. O(n)."""
        return Components(self._held.two_edge_connected(), None, self._ids)

    def biconnected_components(self):
        """The biconnected components as arrays of ids, ascending; a vertex without edges is in none of them. O(their sizes).

        Two of them share at most one vertex, an articulation point. Raises UsageError unless bridges() was called with blocks=True.
        """
        if not self._blocks:
            raise core.UsageError("biconnected_components() needs bridges(..., blocks=True)")
        offsets, vertices = self._held.block_offsets(), self._names.of(self._held.block_vertices())
        return np.split(vertices, offsets[1:-1]) if len(offsets) > 1 else []

    @property
    def count(self):
        """Number of bridges."""
        return len(self._held.positions())

    @property
    def biconnected_count(self):
        """Number of biconnected components."""
        return self._held.biconnected_count

    @property
    def components(self):
        """Number of components of the graph."""
        return self._held.components

    @property
    def report(self):
        """The report of the solve, like `Components.report`; the variant is that of the spanning forest."""
        return self._held.report

    def verify(self):
        """Proves the answer by a plain depth-first search and its chain decomposition. Returns a Verdict. O(n + m) apart from sorting."""
        return core.verify_bridges(self._graph, self._held, self._simple)

    def _repr_html_(self):
        return _html.table("Bridges", {
            "bridges": self.count, "articulation points": len(self._held.articulation_points()), "components": self.components,
            "variant": self.report.variant,
        })

    def __repr__(self):
        return f"Bridges({self.count} bridges, {len(self._held.articulation_points())} articulation points, {self.components} components)"


def bridges(
    edges, vertices=None, *, multigraph=False, blocks=False, columns=None, nulls="error", threads=None, memory=None, progress=None,
    **reading,
):
    """Finds bridges, articulation points, biconnected and two-edge-connected components; the direction of an edge does not matter.

    edges: a SciPy sparse matrix (N, N) or a Graph; an integer array (m, 2) or a tuple of two; a table or the path of a Parquet or Arrow
    file, as `cluster` takes them; or the path of any file of edges that copse knows. vertices, columns, nulls, reading: as in
    `weighted_forest`.
    multigraph: parallel edges, in either direction, count separately, so that none of them is a bridge; by default they count as one edge.
    The two entries of an edge in a symmetric matrix always count as one. blocks: also find the biconnected components. threads, memory,
    progress: as in `components`.

    Returns Bridges. O(n + m); about 90 bytes per vertex in addition to the edges, which are held in memory. Raises UsageError and
    InputError (ValueErrors), OSError, ResourceError (a MemoryError).

    >>> import copse
    >>> copse.bridges([(0, 1), (1, 2), (2, 0), (2, 3)]).edges.tolist()
    [[2, 3]]
    """
    how = options(threads=threads, memory=memory, progress=progress)
    multigraph, blocks = flag(multigraph, "multigraph"), flag(blocks, "blocks")
    held = held_graph("bridges", edges, None, vertices, columns, nulls, how, reading)
    return Bridges(core.bridges(held.graph, not multigraph, blocks, how), held.graph, held.rows, not multigraph, blocks, held.ids)
