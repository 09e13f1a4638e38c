"""The rows that the tasks of an engine exchange if scores matter: a part of the pairs that determines the same answer as all of them.

These are the rows of its maximum spanning forest, and of a second one, of the pairs that are not in the first, where bridges are cut; so
that every threshold has its components, its best pairs and its bridges in them. Such rows are pairs again: the rows kept of several parts
together are those kept of all. One task makes the clusters of what is left, by copse.cluster.
"""
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from copse._cluster import _feed, cluster, names_of_answer
from copse._constraints import Constraints, expect_vertices
from copse._load import core
from copse._options import expect, options
from copse._stars import expect_different, id_type, vertex_type
from copse._table_files import id_column, known_columns
from copse._tables import two_columns
from copse._weighted import weighted_forest

_ROWS_AT_ONCE = 1 << 20  # that a task holds at least before it keeps some of them


class ClusterPlan(NamedTuple):
    """The arguments of `cluster` that every task needs."""

    left: str
    right: str
    score: str
    lowest: float
    second: bool  #: a second forest is kept
    id: Any  #: the vertices' column of ids
    one_per: Any
    nulls: str
    threads: int
    names: list  #: the columns of the answer
    keywords: dict  #: of copse.cluster

    @classmethod
    def of(cls, columns, score, threshold, max_size, id, output_id, output_cluster, nulls, links, cut_bridges, one_per, cannot_link, max_records, threads):
        """Refuses here what tasks would refuse one by one, and what forests cannot answer."""
        left, right = two_columns(columns)
        expect(nulls, ("error", "drop"), "nulls")
        expect_different([left, right, score])
        rules = Constraints.of(links, cut_bridges, one_per, cannot_link, max_records, max_size)
        limits = {} if rules is None else rules.one_per
        if links == "all" and (limits or cannot_link is not None or max_records is not None):
            raise core.UsageError(
                "one_per=, cannot_link= and max_records= need links='mutual' or links='either': with links='all' a pair outside the forests may "
                "join what a refused pair did not, so that one task would need all pairs; copse.cluster takes links='all'"
            )
        several = threshold is not None and np.ndim(threshold) > 0
        names = names_of_answer(output_id, output_cluster, threshold)
        lowest = -np.inf if threshold is None else min(threshold) if several else threshold
        keywords = {
            "threshold": threshold, "max_size": max_size, "output_id": output_id, "output_cluster": names if several else names[0],
            "links": links, "cut_bridges": cut_bridges, "one_per": limits or None, "cannot_link": cannot_link, "max_records": max_records,
        }
        second = cut_bridges is not None and links == "all"
        return cls(left, right, score, lowest, second, id, limits, nulls, threads, [output_id, *names], keywords)

    @property
    def edge_columns(self):
        return [self.left, self.right, self.score]

    def vertex_columns(self, names):
        """The columns that are wanted of a table of vertices with these names: its ids, and those of one_per."""
        wanted = [id_column(names, self.one_per) if self.id is None else self.id, *self.one_per]
        known_columns(wanted, names, "vertices")
        return wanted

    def expect_vertices(self, vertices):
        expect_vertices(self.one_per, vertices)

    def ids(self, left, right, of_vertices=None):
        """The one type of all ids, of the types of their columns. Raises UsageError."""
        ids = id_type([left, right], "columns")
        return ids if of_vertices is None else vertex_type(of_vertices, self.id, ids)

    def kept(self, batches, schema):
        """The rows that are kept of some record batches, which are taken one by one: a table. Memory follows what is kept."""
        held, rows, most = [], 0, _ROWS_AT_ONCE
        for batch in batches:
            held.append(batch)
            rows += batch.num_rows
            if rows >= most:
                held = self._kept(pa.Table.from_batches(held, schema)).to_batches()
                rows = sum(batch.num_rows for batch in held)
                most = max(2 * rows, _ROWS_AT_ONCE)
        return self._kept(pa.Table.from_batches(held, schema))

    def _kept(self, table):
        if table.num_rows == 0:
            return table
        sink = core.EdgeCollector(options(threads=self.threads))
        _feed(sink, table, [self.left, self.right], self.score, self.lowest, None, None, self.nulls, self.threads)
        graph, scores, rows = sink.finish()
        if len(rows) == 0:
            return table.slice(0, 0)
        ends, vertices = graph.pairs(), graph.vertices
        first = self._forest(ends, scores, vertices)
        kept = [first]
        if self.second:
            pairs = ends.min(axis=1) * vertices + ends.max(axis=1)
            rest = np.flatnonzero(~np.isin(pairs, pairs[first]))
            kept.append(rest[self._forest(ends[rest], scores[rest], vertices)])
        seen = np.zeros(vertices, bool)
        seen[ends[first]] = True
        loops = np.flatnonzero(~seen[ends[:, 0]])  # a vertex outside the forest has no other pairs
        kept.append(loops[np.unique(ends[loops, 0], return_index=True)[1]])
        return table.take(rows[np.concatenate(kept)])

    def _forest(self, ends, scores, vertices):
        return weighted_forest((ends[:, 0], ends[:, 1]), scores, vertices, goal="maximum", threads=self.threads).positions

    def clusters(self, pairs, vertices=None):
        """The answer, of the pairs that were kept of all parts and of the whole table of vertices."""
        asked = self.keywords
        is_scored = asked["threshold"] is not None or asked["max_size"] is not None or asked["links"] != "all" or asked["cut_bridges"] is not None
        return cluster(
            pairs, columns=[self.left, self.right], score=self.score if is_scored else None, vertices=vertices, id=None if vertices is None else self.id, nulls=self.nulls,
            threads=self.threads, **self.keywords,
        )
