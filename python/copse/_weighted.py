"""Minimum and maximum spanning forests, and what a maximum one says: thresholds, the single-linkage tree, weakest links."""
import os

import numpy as np

from copse import _arrays, _html, _ids, _plots, _reading, _tables, _texts
from copse._graph import Graph
from copse._inputs import feed, graph_of_arrays, is_table, read_options
from copse._load import core
from copse._names import Names
from copse._options import expect, expect_no, forest_threshold, options, real, whole
from copse._result import Components


class WeightedForest:
    """A minimum or maximum spanning forest. Arrays here have one element per edge of the forest, in the order of the input.

    Edges are compared by (weight, smaller end, larger end), so that the forest is the same set of edges for every variant, number of
    threads and order of the input. Can be pickled and copied.

    >>> import copse
    >>> forest = copse.weighted_forest([(0, 1), (1, 2), (2, 3)], [.9, .2, .8], goal="maximum")
    >>> forest.labels_at(.5).labels.tolist(), forest.clusters(3).count
    ([0, 0, 2, 2], 3)
    >>> forest.weights[forest.weakest([(0, 3)])].tolist()
    [0.2]
    """

    __slots__ = ("_held", "_names", "_input", "_kind", "_ids")

    def __init__(self, held, given=None, kind="numpy", ids=None):
        self._held, self._names, self._input, self._kind, self._ids = held, None, given, kind, ids or _ids.INTEGERS

    def __reduce__(self):
        return WeightedForest, (self._held, self._input, self._kind, self._ids)

    def _named(self):
        if self._names is None:
            self._names = Names(self._held, self._ids)
        return self._names

    @property
    def edges(self):
        """The n - k edges, given by the ids of their ends: an array (n - k, 2) of integers, or of strings, bytes or UUIDs as objects."""
        return self._named().of(self._held.edges())

    @property
    def weights(self):
        """The weight of each edge, in the type of the input. A view."""
        return self._held.weights()

    @property
    def positions(self):
        """The position of each edge in the input: its row in an array or list, or its place among the stored entries of a matrix. int64,
        ascending. None for tables and files, whose edges are not held.
        """
        return self._held.positions()

    @property
    def ids(self):
        """The ids of the vertices, ascending: integers, or strings, bytes or UUIDs as objects."""
        return self._named().all

    @property
    def vertices(self):
        """Number of vertices."""
        return self._held.vertices

    @property
    def count(self):
        """Number of trees, which is that of the components. O(1)."""
        return self._held.vertices - len(self.weights)

    @property
    def total(self):
        """Sum of the weights: an int for integer weights, otherwise a float. O(n)."""
        if self.weights.dtype.kind == "f":
            return float(self.weights.sum(dtype=np.float64))
        return sum(self.weights.tolist())

    @property
    def goal(self):
        """'minimum' or 'maximum'."""
        return "maximum" if self._held.is_maximum else "minimum"

    @property
    def report(self):
        """The report of the solve: variant, explanation, threads, solve_seconds, phases, edges."""
        return self._held.report

    def labels_at(self, threshold):
        """Returns the Components of the edges with weight >= threshold. Only for maximum forests. O(n).

        The threshold is rounded once to the type of the weights if that is float16 or float32.
        """
        number = forest_threshold(threshold)
        _note_unreached(self, number)
        return Components(self._held.labels_at(number), None, self._ids)

    def clusters(self, count):
        """Cuts the lightest edges, in order, until there are exactly `count` clusters. Returns Components. Only for maximum forests. O(n).

        Raises UsageError for fewer clusters than components or more than vertices.
        """
        return Components(self._held.clusters(whole(count, "count")), None, self._ids)

    def limited(self, max_size):
        """Splits components of more than max_size vertices by whole levels of weight, the weakest first.

        Returns (Components, cuts): cuts are the positions in `edges` of the edges that were cut, the heaviest first (int64). Only for maximum
        forests. O(n). Raises UsageError.
        """
        labels, cuts = self._held.at_most(whole(max_size, "max_size", 1))
        return Components(labels, None, self._ids), cuts

    def weakest(self, pairs):
        """Finds the weakest link between the two vertices of each pair: the lightest edge of the best chain between them.

        pairs: ids of vertices, of shape (m, 2). Returns the position of each link in `edges`, or -1 if the two are the same vertex or in
        different components (int64). Only for maximum forests. O(log n) per pair, after O(n log n) for the first call. Raises UsageError for
        an id that is not a vertex.
        """
        numbers = self._named().positions(pairs)
        if numbers.size == 0:
            numbers = numbers.reshape(0, 2)
        _arrays.expect_pairs(numbers, "pairs")
        return self._held.weakest(np.ascontiguousarray(numbers))

    def verify(self):
        """Proves by plain code that this is the minimum or maximum spanning forest of its input. O((n + m) log n).

        Returns a Verdict. Raises UsageError if the input was not held (tables and files).
        """
        if self._input is None:
            raise core.UsageError("verify() needs a forest of arrays or a matrix, because edges of tables and files are not held")
        return core.verify_weighted_forest(*self._input, self._held)

    def to_scipy(self):
        """Returns an upper triangular scipy.sparse.csr_array (N, N) of the forest: entry (u, v), u < v, is the weight of the edge whose ends
        have the positions u and v in `ids`."""
        from scipy import sparse

        ends, n = np.sort(self._held.edges(), axis=1), self.vertices
        return sparse.coo_array((self.weights, (ends[:, 0], ends[:, 1])), shape=(n, n)).tocsr()

    def to_table(self, output_columns=("u", "v"), output_score="weight"):
        """Returns the edges as a table of the input's kind (see `thresholds`), with columns of these names."""
        names = (*output_columns, output_score)
        if not all(isinstance(name, str) for name in names) or len(names) != 3 or len(set(names)) != 3:
            raise core.UsageError(f"to_table() needs three names that differ, not {', '.join(map(repr, names))}")
        ends = self.edges
        return _tables.made(self._kind, dict(zip(names, (ends[:, 0], ends[:, 1], self.weights))), self._ids, names[:2])

    def plot_thresholds(self, at=None, points=None, ax=None):
        """Plots the number of components and the size of the largest by threshold. at, points: as in `thresholds`. Only for maximum forests.

        Returns an Axes of Matplotlib (`ax`, or a new one), or a Chart of Altair if only that is installed. Raises UsageError if neither is.
        """
        curve = self._held.curve(_asked(self, at, points))
        curves = {name: curve[name] for name in ("components", "largest")}
        return _plots.points(curve["threshold"], curves, "threshold", "number", ax)

    def _repr_html_(self):
        return _html.table(f"WeightedForest ({self.goal})", {
            "vertices": self.vertices, "trees": self.count, "edges": len(self), "total": self.total, "variant": self.report.variant,
        })

    def __len__(self):
        return len(self.weights)

    def __repr__(self):
        return f"WeightedForest({self.goal}, {self.vertices} vertices, {self.count} trees, variant {self.report.variant!r})"


def weighted_forest(
    edges, score=None, vertices=None, *, goal="minimum", columns=None, nulls="error", variant="auto", device=None, threads=None,
    memory=None, gpu_memory=None, progress=None, **reading,
):
    """Finds the minimum or maximum spanning forest of a weighted graph; the direction of an edge does not matter.

    edges, score: a SciPy sparse matrix (N, N), whose stored entries are edges and weights, explicit zeros included; an integer array
    (m, 2) or a tuple of two integer arrays, with an array of m weights; a table (as `cluster` takes them), or the path of a Parquet or
    Arrow file, with the name of the column of weights; the path of any file of edges that copse can read, with the number or name of that
    column if the format has columns. columns: the names of the two columns of ids, for a table that has more; for a file, their numbers or
    names, or tuples of them. reading: how a text file is read, as in `read_graph`. vertices: the number of vertices, for arrays; by default
    the largest id + 1. The vertices of a table are the ids that occur.

    goal: 'minimum', or 'maximum' if weights say how similar two ends are. Weights are integers or floats of any width, infinities
    included; NaN is refused. nulls: 'error', or 'drop' to leave out a table's rows with a null or a NaN. variant: a name of
    `variants('weighted')`. device, threads, memory, gpu_memory, progress: as in `components`.

    Returns a WeightedForest. O(m log n) at worst; arrays are not copied, and the edges of tables and of text files are not held, so that they
    take O(vertices) memory. Raises UsageError, InputError (both ValueErrors), OSError, ResourceError (a MemoryError).

    >>> import copse
    >>> forest = copse.weighted_forest([(0, 1), (1, 2), (2, 0)], [5, 1, 3])
    >>> forest.edges.tolist(), forest.total
    ([[1, 2], [2, 0]], 4)
    >>> copse.weighted_forest({"l": ["a", "b"], "r": ["b", "c"], "s": [.9, .1]}, score="s", goal="maximum").labels_at(.5).count
    2
    """
    how = options(variant, device, threads, memory, progress=progress, gpu_memory=gpu_memory)
    expect(goal, ("minimum", "maximum"), "goal")
    expect(nulls, ("error", "drop"), "nulls")
    _reading.expect_known("weighted_forest", reading)
    if is_table(edges):
        expect_no(vertices, "vertices", "a table")
        _reading.expect_none("weighted_forest", reading, "a table")
        sink = core.WeightedSink(goal == "maximum", how)
        ids = feed(sink, edges, columns, score, nulls)
        return WeightedForest(sink.finish(), None, _tables.kind_of(edges), ids)
    if isinstance(edges, (str, bytes, os.PathLike)):
        how_read = read_options("weighted_forest", edges, score, vertices, columns, nulls, reading)
        found = core.weighted_forest_of_path(_reading.readable(edges), how_read, goal, how)
        return WeightedForest(found, ids=_ids.IdType(_reading.ids_kind(reading)))
    expect_no(columns, "columns", "arrays")
    _reading.expect_none("weighted_forest", reading, "arrays")
    ids = edges._ids if isinstance(edges, Graph) else _ids.INTEGERS
    stored = edges if score is None and _arrays.is_sparse(edges) else _arrays.unmasked(score, "score")
    graph, weights = graph_of_arrays(edges, score, vertices)
    found = core.weighted_forest(graph, weights, goal, how, stored.dtype == np.float16)
    return WeightedForest(found, (graph, weights), _tables.kind_of_arrays(edges), ids)


def thresholds(
    edges, score=None, vertices=None, *, at=None, points=None, columns=None, nulls="error", threads=None, memory=None, progress=None,
    **reading,
):
    """Shows what each threshold on the weights does, from one pass over the edges: components, their sizes, the pairs they imply.

    edges, score, vertices, columns, nulls, reading: as in `weighted_forest`; or a maximum WeightedForest alone. At a threshold t the edges with
    weight >= t count. at: the thresholds to use, in any order; points: that many of the weights at which components change, evenly spread;
    by default all of these weights, descending.

    Returns a table of the kind of `edges`: a pandas or Polars frame, a pyarrow table for other tables, else a NumPy structured array,
    which pandas.DataFrame takes. Columns: threshold (float64), and as int64 components, largest (the size of the largest component),
    singletons, median, percentile_90 and percentile_99 of the sizes of components, and pairs (of vertices in one component). O(n log n)
    after the forest, whatever the number of thresholds. Raises what weighted_forest raises.

    >>> import copse
    >>> curve = copse.thresholds([(0, 1), (1, 2)], [.9, .5], at=[.8, .4])
    >>> curve["components"].tolist(), curve["largest"].tolist()
    ([2, 1], [2, 3])
    """
    _expect_one(at, points)
    forest = _maximum(
        edges, score, vertices, columns=columns, nulls=nulls, threads=threads, memory=memory, progress=progress, **reading
    )
    return _tables.made(forest._kind, forest._held.curve(_asked(forest, at, points)))


def _expect_one(at, points):
    if at is not None and points is not None:
        raise core.UsageError("give either at= or points=, not both")


def _asked(forest, at, points):
    """The thresholds that at= or points= ask for."""
    _expect_one(at, points)
    if at is None:
        return forest._held.levels(None if points is None else whole(points, "points")).tolist()
    asked = [forest_threshold(t, "at") for t in np.atleast_1d(at).tolist()]
    if asked:
        _note_unreached(forest, max(asked))
    return asked


def dendrogram(
    edges, score=None, vertices=None, *, top=None, columns=None, nulls="error", threads=None, memory=None, progress=None,
    **reading,
):
    """Finds the single-linkage tree of a graph whose weights say how similar two ends are, in the form of scipy.cluster.hierarchy.

    edges, score, vertices, columns, nulls, reading: as in `weighted_forest`; or a maximum WeightedForest alone. Vertices are numbered in
    ascending order of their ids (`WeightedForest.ids`).

    Returns a linkage matrix, float64 of shape (n - 1, 4), for fcluster, dendrogram, cophenet and the like. The height of an edge is the
    largest weight in the forest (`WeightedForest.weights.max()`: a loop is in no forest) minus its weight, so that a cut at height h is the
    threshold (largest weight) - h. SciPy needs a single tree: components join last, at the height top, by default twice the largest height (1
    if that is 0). O(n log n) after the forest. Raises what weighted_forest raises, InputError for infinite weights, and UsageError for a top
    below the largest height.

    >>> import copse
    >>> copse.dendrogram([(0, 1), (1, 2)], [3, 1]).tolist()
    [[0.0, 1.0, 0.0, 2.0], [2.0, 3.0, 2.0, 3.0]]
    """
    forest = _maximum(
        edges, score, vertices, columns=columns, nulls=nulls, threads=threads, memory=memory, progress=progress, **reading
    )
    return forest._held.linkage(None if top is None else real(top, "top"))


def _note_unreached(forest, threshold):
    """Warns of a threshold that no weight reaches."""
    if text := forest._held.unreached(threshold):
        _texts.warn(text)


def _maximum(edges, score, vertices, **keywords):
    """A maximum forest that is given or made."""
    if not isinstance(edges, WeightedForest):
        return weighted_forest(edges, score, vertices, goal="maximum", **keywords)
    _reading.expect_none("thresholds", {k: v for k, v in keywords.items() if k not in _OPTIONS}, "a WeightedForest")
    if score is not None or vertices is not None or keywords["columns"] is not None:
        raise core.UsageError("score=, vertices= and columns= do not apply to a WeightedForest; leave them out")
    return edges


_OPTIONS = ("columns", "nulls", "threads", "memory", "progress")
