"""What the tasks of an engine exchange where scores matter: the rows of a part of the pairs that say as much as all of them.

These are the rows of its maximum spanning forest, and of a second one, of the pairs that are not in the first, where bridges are cut; so
that every threshold has its components, its best pairs and its bridges in them. Such rows are pairs again: the rows kept of several parts
together are those kept of all. One task makes the clusters of what is left, by copse.cluster.
"""
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from copse._cluster import _feed, _names_of, cluster
from copse._constraints import Constraints
from copse._load import core
from copse._options import options, text, threshold_text
from copse._stars import id_type, vertex_type
from copse._tables import two_columns
from copse._weighted import weighted_forest

_ROWS_AT_ONCE = 1 << 20  # that a task holds at least before it keeps some of them


class ClusterPlan(NamedTuple):
    """What `cluster` was asked for, as every task needs it."""

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
        if nulls not in ("error", "drop"):
            raise core.UsageError(f"nulls: found {nulls!r}, expected 'error' or 'drop'")
        if len({left, right, score}) != 3:
            raise core.UsageError(f"cluster: found columns {left}, {right}, {score}, expected different ones")
        rules = Constraints.of(links, cut_bridges, one_per, cannot_link, max_records)
        limits = {} if rules is None else rules.one_per
        if links == "all" and (limits or cannot_link is not None or max_records is not None):
            raise core.UsageError(
                "cluster: found constraints with links='all', expected links='mutual' or 'either': a pair that is in no forest may join what a "
                "refused pair did not, so that one task would need all pairs; copse.cluster takes them"
            )
        if rules is not None and max_size is not None:
            raise core.UsageError("cluster: found max_size= and constraints, expected max_records= among them, which refuses pairs one by one")
        several = threshold is not None and np.ndim(threshold) > 0
        names = _names_of(output_cluster, threshold) if several else [text(output_cluster, "output_cluster")]
        if threshold is not None and not several:
            threshold_text(threshold)
        if output_id in names:
            raise core.UsageError(f"output_id: found {output_id!r}, which a column of clusters is called, expected another name")
        lowest = -np.inf if threshold is None else min(threshold) if several else threshold
        keywords = {
            "threshold": threshold, "max_size": max_size, "output_id": text(output_id, "output_id"), "output_cluster": names if several else names[0],
            "links": links, "cut_bridges": cut_bridges, "one_per": limits or None, "cannot_link": cannot_link, "max_records": max_records,
        }
        second = cut_bridges is not None and links == "all"
        return cls(left, right, score, lowest, second, id, limits, nulls, threads, [output_id, *names], keywords)

    @property
    def edge_columns(self):
        return [self.left, self.right, self.score]

    def vertex_columns(self, names):
        """The columns that are wanted of a table of vertices with these names: its ids, and those of one_per."""
        id = self.id
        if id is None:
            others = [name for name in names if name not in self.one_per]
            if len(others) != 1:
                raise core.UsageError(f"vertices: found columns {', '.join(names)}, expected one in addition to those of one_per, or id=")
            id = others[0]
        missing = [name for name in (id, *self.one_per) if name not in names]
        if missing:
            raise core.UsageError(f"vertices: found columns {', '.join(names)}, expected {', '.join(missing)} among them")
        return [id, *self.one_per]

    def expect_vertices(self, are_there):
        if self.one_per and not are_there:
            raise core.UsageError(f"one_per: found no vertices=, expected a table of vertices that has the column '{next(iter(self.one_per))}'")

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
