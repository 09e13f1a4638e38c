"""The constraints of `cluster`: rules for pairs, limits on the values of columns, and pairs that must not meet."""
from typing import Any, NamedTuple

import numpy as np

from copse import _arrays, _columns, _table_files, _tables
from copse._ids import is_missing
from copse._load import core
from copse._names import Names
from copse._options import about, expect, real, whole
from copse._result import Components

_NO_VALUE = np.uint64(2**64 - 1)  # as the compiled module has it


class Constraints(NamedTuple):
    """The keywords of `cluster` that the compiled module's cluster_pairs answers."""

    links: str
    cut_bridges: Any
    one_per: dict  #: from the name of a column to how many records of a value a cluster may have
    cannot_link: Any
    max_records: Any

    @classmethod
    def of(cls, links, cut_bridges, one_per, cannot_link, max_records, max_size):
        """None where the caller gave none of them. Raises UsageError, also for a max_size in addition to them."""
        expect(links, ("all", "mutual", "either"), "links")
        if links == "all" and all(given is None for given in (cut_bridges, one_per, cannot_link, max_records)):
            return None
        if max_size is not None:
            raise core.UsageError("max_size= cannot be combined with rules and constraints; use max_records=, which refuses pairs one by one")
        return cls(
            links, None if cut_bridges is None else real(cut_bridges, "cut_bridges"), _limits_of(one_per), cannot_link,
            None if max_records is None else whole(max_records, "max_records", 1),
        )

    @property
    def names(self):
        """The names of the constraints in refused pairs, in the order of the compiled module's numbers."""
        return ["max_records", "cannot_link", *(f"one_per {name}" for name in self.one_per)]

    def vertex_table(self, vertices, id):
        """The vertices in a form that can be read once more, the name of their ids, and a ValueColumn for each limit. Raises UsageError."""
        if not self.one_per:
            return vertices, id, []
        expect_vertices(self.one_per, vertices)
        wanted = None if id is None else [id, *self.one_per]
        with about("vertices"):
            table = _columns.HeldColumns(vertices, wanted)
        id = _table_files.id_column(table.names, self.one_per) if id is None else id
        with about("vertices"):
            values = [ValueColumn.of(table[name], name) for name in self.one_per]
            for column in values:
                _tables.expect_length(column.codes, column.name, len(table[id]), id)
        return table.table, id, values

    def solve(self, pairs, left_out, ids, thresholds, values, apart, how):
        """Components for each threshold, and the Facts of them.

        pairs: an EdgeCollector that has the pairs, and behind them the vertices. left_out: of the pairs. ids: of both. values: what
        vertex_table gave. apart: None, or a graph of the pairs that must not meet."""
        score_type = pairs.score_type
        graph, scores, rows = pairs.finish()
        names = Names(graph, ids)
        first = left_out.rows - left_out.nulls - left_out.below
        numbers, places = graph.pairs()[first:, 0].astype(np.int64), rows[first:]
        columns = [column.of_vertices(numbers, places, graph.vertices, names) for column in values]
        answers, exempt, unknown = core.cluster_pairs(
            graph, np.zeros(len(rows)) if scores is None else scores, score_type, thresholds, self.links, self.cut_bridges, self.max_records,
            columns, list(self.one_per.values()), apart, how,
        )
        found = [Components(held, None, ids, left_out) for held, _, _ in answers]
        return found, Facts(self, names, ids, thresholds, answers, dict(zip(self.one_per, exempt)), unknown)


class Facts(NamedTuple):
    """The effects of the constraints, for the report."""

    constraints: Constraints
    names: Names
    ids: Any
    thresholds: list
    answers: list
    exempt: dict
    unknown_pairs: int

    def report(self, kind, several):
        """The fields of ClusterReport that say it. kind: of its table. several: the caller gave a list of thresholds."""
        cut = [count for _, count, _ in self.answers]
        refused_by = [self._counts(refused) for *_, refused in self.answers]
        return {
            "refused": self._refused(kind, several), "refused_by": refused_by if several else refused_by[0],
            "cut_bridges": cut if several else cut[0], "exempt": self.exempt, "unknown_pairs": self.unknown_pairs,
        }

    def _counts(self, refused):
        rules = self.constraints
        given = [rules.max_records is not None, rules.cannot_link is not None, *(True for _ in rules.one_per)]
        counts = np.bincount(refused[-1], minlength=len(given)).tolist()
        return {name: count for name, count, is_given in zip(rules.names, counts, given) if is_given}

    def _refused(self, kind, several):
        """All pairs that were refused as a table."""
        columns = [np.concatenate(parts) for parts in zip(*(refused for *_, refused in self.answers))]
        u, v, u_cluster, v_cluster = (self._named(column) for column in columns[:4])
        constraint = np.array(self.constraints.names)[columns[5]]
        table = {"u": u, "v": v, "score": columns[4], "constraint": constraint, "u_cluster": u_cluster, "v_cluster": v_cluster}
        if several:
            counts = [len(refused[0]) for *_, refused in self.answers]
            table = {"threshold": np.repeat(np.array(self.thresholds, float), counts), **table}
        return _tables.made(kind, table, self.ids, ("u", "v", "u_cluster", "v_cluster"))

    def _named(self, vertices):
        named = self.names.of(vertices)
        return np.empty(0, "U1") if len(named) == 0 and self.ids.kind == "text" else named  # a list of no objects has no type


class ValueColumn(NamedTuple):
    """The values of a column as numbers, equal ones for equal values."""

    name: Any
    codes: np.ndarray  #: int64, -1 where there is none

    @classmethod
    def of(cls, column, name):
        """Raises UsageError for values that cannot be compared."""
        try:
            return cls(name, _codes_of(column, name))
        except TypeError as error:
            raise core.UsageError(f"column '{name}' must hold values that can be compared, such as strings or integers ({error})") from None

    def of_vertices(self, numbers, rows, count, names):
        """The value of each of `count` vertices, as uint64. numbers: the vertices of those rows. Raises InputError for a vertex with two values."""
        codes = self.codes[rows]
        numbers, codes = numbers[codes >= 0], codes[codes >= 0].astype(np.uint64)
        values = np.full(count, _NO_VALUE)
        values[numbers] = codes
        clashes = numbers[values[numbers] != codes]
        if len(clashes):
            record = names.of(np.array([clashes.min()])).tolist()[0]
            raise core.InputError(f"vertices: found two values in column '{self.name}' for the record {record!r}, expected one")
        return values


def expect_vertices(one_per, vertices):
    """Raises UsageError for columns of one_per without a table that has them."""
    if one_per and vertices is None:
        raise core.UsageError(f"one_per needs vertices=: give a table of vertices that has the column '{next(iter(one_per))}'")


def _limits_of(one_per):
    if one_per is None:
        return {}
    if isinstance(one_per, dict):
        return {name: whole(most, f"one_per[{name!r}]", 1) for name, most in one_per.items()}
    if isinstance(one_per, (set, frozenset)):
        raise core.UsageError(f"one_per must be the name of a column, a list of names or a dict from names to limits, not {one_per!r}")
    names = list(one_per) if isinstance(one_per, (list, tuple)) else [one_per]
    if len(set(names)) != len(names):
        raise core.UsageError(f"one_per must name each column once, not {one_per!r}")
    return dict.fromkeys(names, 1)


def _codes_of(column, name):
    library = _tables._library_of(column)
    if library == "polars" and _table_files.has_pyarrow() and str(column.dtype) != "Object":
        column, library = column.to_arrow(), "pyarrow"
    if library == "pyarrow":
        _arrays.expect_sound(column, name)
        return _codes_of_arrow(column)
    if library == "pandas":
        import pandas

        return pandas.factorize(column)[0].astype(np.int64)
    array = _tables._column(column, name, True)
    if array.dtype == object:
        known = {}
        return np.fromiter((-1 if is_missing(v) else known.setdefault(v, len(known)) for v in array), np.int64, len(array))
    codes = np.unique(array, return_inverse=True)[1].astype(np.int64)
    if array.dtype.kind in "fmM":
        codes[array != array] = -1
    return codes


def _codes_of_arrow(column):
    import pyarrow as pa

    column = pa.chunked_array([column]) if isinstance(column, pa.Array) else column
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    plain = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}  # dictionaries are not made of views
    column = column.cast(plain.get(column.type, column.type))
    encoded = column.dictionary_encode().unify_dictionaries()
    codes = [np.asarray(chunk.indices.cast(pa.int64()).fill_null(-1)) for chunk in encoded.chunks]
    codes = np.concatenate([np.empty(0, np.int64), *codes])
    if pa.types.is_floating(column.type) and encoded.num_chunks:
        missing = np.flatnonzero(np.isnan(np.asarray(encoded.chunk(0).dictionary)))
        codes[np.isin(codes, missing)] = -1
    return codes
