"""What holds a graph together at one place only: bridges, articulation points, and the components without them."""
import numpy as np

from copse import _html, _ids
from copse._inputs import held_graph
from copse._load import core
from copse._names import Names
from copse._options import flag, options
from copse._result import Components


class Bridges:
    """Bridges and articulation points of a graph. Arrays of bridges have one element for each, in the order of the input. Can be pickled
    and copied.

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
        """The edges whose loss parts a component, by the ids of their ends: an array (k, 2)."""
        return self._names.of(self._held.edges())

    @property
    def positions(self):
        """Where each bridge stands in the input: its row in tables, arrays and lists, its place among a matrix's stored entries. int64.

        Of edges that repeat each other and count once, the first.
        """
        positions = self._held.positions()
        return positions if self._rows is None else self._rows[positions]

    @property
    def smaller_sides(self):
        """How many vertices each bridge parts from at least as many others. int64."""
        return self._held.smaller_sides()

    @property
    def articulation_points(self):
        """The ids of the vertices whose loss parts a component, ascending."""
        return self._names.of(self._held.articulation_points())

    @property
    def two_edge_connected(self):
        """The components that are left without the bridges, as Components. O(n)."""
        return Components(self._held.two_edge_connected(), None, self._ids)

    def biconnected_components(self):
        """The biconnected components as arrays of ids, ascending; a vertex without an edge is in none. O(their sizes).

        Two of them share an articulation point or nothing. Raises UsageError unless bridges() was called with blocks=True.
        """
        if not self._blocks:
            raise core.UsageError("biconnected_components: found bridges() without blocks=True, expected it")
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
        """What the solve did, as `Components.report`; the variant is that of the spanning forest."""
        return self._held.report

    def verify(self):
        """Proves all of it by a plain depth-first search and its chains. Returns a Verdict. O(n + m) but for sorting."""
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
    """Bridges, articulation points, biconnected and two-edge-connected components; the direction of an edge does not matter.

    edges: a SciPy sparse matrix (N, N) or a Graph; an integer array (m, 2) or a tuple of two; a table or the path of a Parquet or Arrow
    file, as `cluster` takes them; or the path of any file of edges that copse knows. vertices, columns, nulls, reading: as in
    `weighted_forest`.
    multigraph: edges that repeat another, in either direction, count, too, so that they are no bridges; by default all of them are one
    edge, and so are the two entries of an edge in a symmetric matrix always. blocks: also list the biconnected components. threads,
    memory, progress: as in `components`.

    Returns Bridges. O(n + m); about 90 bytes per vertex beside the edges, which are held. Raises UsageError and InputError (ValueErrors),
    OSError, ResourceError (a MemoryError).

    >>> import copse
    >>> copse.bridges([(0, 1), (1, 2), (2, 0), (2, 3)]).edges.tolist()
    [[2, 3]]
    """
    how = options(threads=threads, memory=memory, progress=progress)
    multigraph, blocks = flag(multigraph, "multigraph"), flag(blocks, "blocks")
    held = held_graph("bridges", edges, None, vertices, columns, nulls, how, reading)
    return Bridges(core.bridges(held.graph, not multigraph, blocks, how), held.graph, held.rows, not multigraph, blocks, held.ids)
