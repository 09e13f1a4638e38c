"""cluster() with rules and constraints: as its definition says, of every kind of table and ids; what it refuses; what the report says."""
import itertools
import json
import random
import subprocess
import sys
import uuid
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

import copse

COMMAND = Path(copse._load.core.__file__).parents[2] / "cli" / "copse"
LINKS = ("all", "mutual", "either")


def best_links(pairs, links):
    """Of {(u, v): score} the pairs that are the best of both records, or of one."""
    best = {}
    for (u, v), score in pairs.items():
        for record, other in ((u, v), (v, u)):
            best[record] = min(best.get(record, (np.inf, other)), (-score, other))
    count = {"all": 0, "either": 1, "mutual": 2}[links]
    return {(u, v): s for (u, v), s in pairs.items() if (best[u][1] == v) + (best[v][1] == u) >= count}


def reached(pairs, start, without):
    seen, grew = {start}, True
    while grew:
        fresh = {w for pair in pairs if pair != without and not seen.isdisjoint(pair) for w in pair} - seen
        seen, grew = seen | fresh, bool(fresh)
    return seen


def without_weak_bridges(pairs, weakest):
    kept = dict(pairs)
    for (u, v), score in pairs.items():
        if score < weakest:
            side = reached(pairs, u, (u, v))
            if v not in side and len(side) >= 2 and len(reached(pairs, v, (u, v))) >= 2:
                del kept[u, v]
    return kept


def broken(cluster, case):
    """The first constraint that a cluster breaks."""
    if case.get("max_records") is not None and len(cluster) > case["max_records"]:
        return "max_records"
    if any(u in cluster and v in cluster for u, v in case["cannot_link"] or ()):
        return "cannot_link"
    for name, most in case["one_per"].items():
        values = [case["values"][name][v] for v in cluster if case["values"][name].get(v) is not None]
        if any(values.count(value) > most for value in values):
            return f"one_per {name}"
    return None


def by_definition(case, threshold, lowest):
    """({record: cluster}, refused pairs, number of cut bridges) with sorted pairs and sets."""
    records = set(case["records"]) | {v for u, w, s in case["pairs"] if s >= lowest for v in (u, w)}
    pairs = {}
    for u, v, score in case["pairs"]:
        if u != v and score >= threshold:
            ends = (min(u, v), max(u, v))
            pairs[ends] = max(score, pairs.get(ends, -np.inf))
    pairs = best_links(pairs, case["links"])
    before = len(pairs)
    if case["cut_bridges"] is not None:
        pairs = without_weak_bridges(pairs, case["cut_bridges"])
    cluster, refused = {v: frozenset([v]) for v in records}, []
    for (u, v), score in sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0])):
        if cluster[u] == cluster[v]:
            continue
        both = cluster[u] | cluster[v]
        if why := broken(both, case):
            refused.append((u, v, score, why))
            continue
        cluster.update(dict.fromkeys(both, both))
    labels = {v: min(of) for v, of in cluster.items()}
    return labels, [(*pair, labels[pair[0]], labels[pair[1]]) for pair in refused], before - len(pairs)


IDS = {
    "integers": lambda i: i,
    "signed": lambda i: 7 * i - 40,
    "large": lambda i: 2**63 + i,
    "text": lambda i: f"r{i}ä",
    "bytes": lambda i: bytes([255 - i, 3]),
}


def random_case(rng, number, name_of):
    """Every combination of rules and constraints by turns, over few records, with ties, loops and repeated pairs."""
    size = rng.randint(1, 14)
    score = lambda: (rng.randint(0, 8) - 2) / 4  # noqa: E731
    case = {"pairs": [(name_of(rng.randrange(size)), name_of(rng.randrange(size)), score()) for _ in range(rng.randint(1, 3 * size + 2))]}
    case["threshold"] = [None, score(), [score()], list({score(): 0, score(): 0, score(): 0})][rng.randrange(4)]
    number, links = divmod(number, 3)
    number, cuts = divmod(number, 2)
    number, limited = divmod(number, 2)
    number, apart = divmod(number, 2)
    case["links"] = LINKS[links]
    case["cut_bridges"] = score() if cuts else None
    case["max_records"] = rng.randint(1, 5) if limited else None
    case["cannot_link"] = None
    if apart:
        drawn = [(name_of(rng.randrange(size + 2)), name_of(rng.randrange(size + 2))) for _ in range(rng.randint(1, 6))]
        case["cannot_link"] = [(u, v) for u, v in drawn if u != v]
    case["one_per"] = {name: rng.randint(1, 2) for name in ("source", "year")[: number % 3]}
    case["records"] = [name_of(i) for i in range(size + 3) if rng.random() < 0.8] if number % 3 or rng.random() < 0.5 else []
    kinds = {"source": ["crm", "web", "", "x"][: rng.randint(1, 4)], "year": [1999, -5, 2**40][: rng.randint(1, 3)]}
    case["values"] = {name: {v: rng.choice([*kinds[name], None]) for v in case["records"]} for name in case["one_per"]}
    return case


def as_kind(kind, columns, tmp_path=None):
    """Columns (a dict of lists) as a table of that kind."""
    if kind == "pandas":
        return pd.DataFrame({name: pd.Series(column, dtype=None if column else object) for name, column in columns.items()})
    if kind == "polars":
        return pl.DataFrame(columns)
    if kind == "lazy":
        return pl.LazyFrame(columns)
    if kind in ("arrow", "reader", "parquet"):
        large = {name for name, column in columns.items() if column and type(column[0]) is int and column[0] >= 2**63}
        table = pa.table({name: pa.array(column, pa.uint64() if name in large else None) for name, column in columns.items()})
        if kind == "parquet":
            path = tmp_path / f"{'_'.join(columns)}.parquet"
            pq.write_table(table, path)
            return path
        return table.to_reader() if kind == "reader" else table
    return columns


def rows_of(table):
    """Rows of a table of any kind as tuples."""
    if isinstance(table, pd.DataFrame):
        return list(table.itertuples(index=False, name=None))
    if isinstance(table, pl.DataFrame):
        return table.rows()
    return list(zip(*table.to_pydict().values()))


def call(case, kind, tmp_path):
    vertices = as_kind(kind, {"id": case["records"], **{name: [of[v] for v in case["records"]] for name, of in case["values"].items()}}, tmp_path)
    rules = {name: case[name] for name in ("links", "cut_bridges", "max_records")}
    if case["one_per"]:
        rules["one_per"] = case["one_per"]
    if case["cannot_link"] is not None:
        listed = case["cannot_link"]
        rules["cannot_link"] = as_kind(kind, {"a": [u for u, _ in listed], "b": [v for _, v in listed]}, tmp_path) if listed else []
    u, v, scores = zip(*case["pairs"])
    pairs = as_kind(kind, {"l": list(u), "r": list(v), "s": list(scores)}, tmp_path)
    return copse.cluster(
        pairs, columns=("l", "r"), score="s", threshold=case["threshold"], vertices=vertices if case["records"] else None,
        id="id" if case["records"] else None, report=True, threads=2, **rules,
    )


@pytest.mark.filterwarnings("ignore::copse.Note")
@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "arrow", "reader", "parquet", "dict"])
@pytest.mark.parametrize("ids", list(IDS))
def test_as_the_definition_says(kind, ids, tmp_path):
    rng = random.Random(f"{kind} {ids}")
    for number in range(72):  # every combination of rules and constraints
        case = random_case(rng, number, IDS[ids])
        if kind == "parquet" and number % 4:
            continue
        if not case["records"]:
            case["one_per"], case["values"] = {}, {}
        if case["links"] == "all" and not case["one_per"] and all(case[name] is None for name in ("cut_bridges", "max_records", "cannot_link")):
            continue
        found, report = call(case, kind, tmp_path)
        several = isinstance(case["threshold"], list)
        thresholds = case["threshold"] if several else [-np.inf if case["threshold"] is None else case["threshold"]]
        answers = [by_definition(case, t, min(thresholds)) for t in thresholds]
        ordered = sorted(answers[0][0])
        assert rows_of(found) == [(v, *(labels[v] for labels, _, _ in answers)) for v in ordered], case
        refused = [(t, *pair) if several else pair for t, (_, of, _) in zip(thresholds, answers) for pair in of]
        assert rows_of(report.refused) == refused, case
        cut = [count for _, _, count in answers]
        assert report.cut_bridges == (cut if several else cut[0])
        assert report.exempt == {name: sum(case["values"][name].get(v) is None for v in ordered) for name in case["one_per"]}
        assert report.unknown_pairs == sum(u not in answers[0][0] or v not in answers[0][0] for u, v in case["cannot_link"] or ())
        counts = report.refused_by if several else [report.refused_by]
        assert [{name: n for name, n in of.items() if n} for of in counts] == [
            {name: len(list(same)) for name, same in itertools.groupby(sorted(pair[3] for pair in of))} for _, of, _ in answers
        ]
        assert report.rows == len(case["pairs"]) and report.below == sum(s < min(thresholds) for *_, s in case["pairs"])


PAIRS = {"l": ["ann", "bob", "cid", "dan"], "r": ["bob", "cid", "dan", "eve"], "score": [0.9, 0.8, 0.7, 0.6]}
PEOPLE = {"id": ["ann", "bob", "cid", "dan", "eve", "fay"], "source": ["crm", "web", "crm", "web", None, "web"]}


def people_with(source):
    return {"id": PEOPLE["id"], "source": source}


def clusters_of(table):
    return dict(zip(table.to_pydict()["id"], table.to_pydict()["cluster_id"]))


def sources(kind):
    """The column of sources in one more type."""
    texts = PEOPLE["source"]
    numbers = [None if s is None else ["crm", "web"].index(s) for s in texts]
    return {
        "integers": pa.table(people_with(pa.array(numbers, pa.int8()))),
        "floats with NaN": pd.DataFrame(people_with(np.array([np.nan if n is None else n for n in numbers]))),
        "floats of Arrow with NaN": pa.table(people_with(pa.array([np.nan if n is None else n for n in numbers], pa.float32(), from_pandas=False))),
        "Int64 of pandas": pd.DataFrame(people_with(pd.array(numbers, dtype="Int64"))),
        "category": pd.DataFrame(people_with(pd.Categorical(texts))),
        "dictionary": pa.table(people_with(pa.array(texts).dictionary_encode())),
        "a dictionary that repeats itself": pa.table(people_with(pa.DictionaryArray.from_arrays(
            pa.array([0, 1, 2, 3, None, 1]), pa.array(["crm", "web", "crm", "web"])))),
        "a dictionary with a null": pa.table(people_with(pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, 1, 2, 1]), pa.array(["crm", "web", None])))),
        "views": pa.table(people_with(pa.array(texts, pa.string_view()))),
        "large": pa.table(people_with(pa.array(texts, pa.large_string()))),
        "chunks": pa.concat_tables([pa.table(PEOPLE).slice(0, 1), pa.table(PEOPLE).slice(1, 2), pa.table(PEOPLE).slice(3)]),
        "polars": pl.DataFrame(PEOPLE),
        "Categorical of Polars": pl.DataFrame(PEOPLE).with_columns(pl.col("source").cast(pl.Categorical)),
        "objects": {**PEOPLE, "source": np.array(texts, object)},
        "fixed strings": {"id": PEOPLE["id"][:4], "source": np.array(texts[:4])},
        "bytes": {**PEOPLE, "source": [None if s is None else s.encode() for s in texts]},
        "dates": {**PEOPLE, "source": np.array(["NaT" if n is None else f"200{n}-01-01" for n in numbers], "datetime64[D]")},
    }[kind]


@pytest.mark.parametrize("kind", [
    "integers", "floats with NaN", "floats of Arrow with NaN", "Int64 of pandas", "category", "dictionary", "a dictionary that repeats itself",
    "a dictionary with a null", "views", "large", "chunks", "polars", "Categorical of Polars", "objects", "fixed strings", "bytes", "dates",
])
def test_values_of_every_type(kind):
    found, report = copse.cluster(PAIRS, columns=("l", "r"), score="score", vertices=sources(kind), id="id", one_per="source", report=True)
    labels = clusters_of(found)
    assert labels.pop("fay", "fay") == "fay"
    assert labels == {"ann": "ann", "bob": "ann", "cid": "cid", "dan": "cid", "eve": "cid"}
    assert report.exempt == {"source": 1} and report.refused_by == {"one_per source": 1} and report.cut_bridges == 0
    assert rows_of(report.refused) == [("bob", "cid", 0.8, "one_per source", "ann", "cid")]


def test_no_record_is_held_to_a_column_of_nulls():
    found, report = copse.cluster(PAIRS, score="score", vertices=pa.table(people_with(pa.nulls(6))), one_per="source", report=True)
    assert set(clusters_of(found).values()) == {"ann", "fay"} and report.exempt == {"source": 6} and rows_of(report.refused) == []


@pytest.mark.parametrize("one_per", ["source", ["source"], ("source",), {"source": 1}])
def test_the_ways_to_name_columns(one_per):
    assert clusters_of(copse.cluster(PAIRS, score="score", vertices=PEOPLE, one_per=one_per))["cid"] == "cid"
    both = {**PEOPLE, "team": [1, 2, 3, 4, 5, 6]}
    names = [*([one_per] if isinstance(one_per, str) else one_per), "team"]
    assert clusters_of(copse.cluster(PAIRS, score="score", vertices=both, one_per=names))["cid"] == "cid"
    assert set(clusters_of(copse.cluster(PAIRS, score="score", vertices=PEOPLE, one_per={"source": 2})).values()) == {"ann", "fay"}


def test_arrays_and_matrices():
    edges, scores = [(0, 1), (1, 2), (2, 3)], [0.9, 0.8, 0.7]
    labels = [0, 0, 2, 2]
    for pairs in (edges, np.array(edges), tuple(np.array(edges).T), np.array(edges, np.int8)):
        for apart in ([(0, 2)], np.array([(2, 0)]), (np.array([0]), np.array([2])), pd.DataFrame({"x": [0], "y": [2]}), pl.DataFrame({"x": [0], "y": [2]})):
            assert list(clusters_of(copse.cluster(pairs, score=scores, cannot_link=apart)).values()) == labels
    matrix = sparse.coo_array((scores, np.array(edges).T), shape=(5, 5))
    for form in (matrix, matrix.tocsr(), matrix.tocsc()):
        found, report = copse.cluster(form, cannot_link=sparse.coo_array(([1], ([0], [2])), shape=(5, 5)), threshold=[0.85, 0.1], report=True)
        assert found.to_pydict() == {"id": [0, 1, 2, 3, 4], "cluster_id_0_85": [0, 0, 2, 3, 4], "cluster_id_0_1": [*labels, 4]}
        assert rows_of(report.refused) == [(0.1, 1, 2, 0.8, "cannot_link", 0, 2)]
    assert copse.cluster(edges, score=scores, threshold=0.75).to_pydict()["cluster_id"] == [0, 0, 0]
    assert report.unknown_pairs == 0


def test_ids_are_of_the_type_that_came(tmp_path):
    frame = pd.DataFrame({"l": np.array([1, 2], np.int16), "r": np.array([2, 3], np.int16), "s": [0.5, 0.4]})
    _, report = copse.cluster(frame, columns=("l", "r"), score="s", max_records=2, report=True)
    assert [report.refused[name].dtype for name in ("u", "v", "u_cluster", "v_cluster")] == [np.int16] * 4
    table = pa.table({"l": pa.array(["a"], pa.large_string()), "r": pa.array(["b"], pa.large_string()), "s": [0.5]})
    for most, rows in ((1, 1), (2, 0)):
        _, report = copse.cluster(table, score="s", max_records=most, report=True)
        assert report.refused.num_rows == rows and report.refused.schema.field("v_cluster").type == pa.large_string()
        assert report.refused.schema.field("constraint").type == pa.string()
    first, second, third = sorted((uuid.uuid4() for _ in range(3)), key=lambda one: one.bytes)
    found, report = copse.cluster({"l": [first, second], "r": [second, third], "s": [2, 1]}, score="s", cannot_link=[(third, first)], report=True)
    assert report.refused_by == {"cannot_link": 1}
    found = copse.cluster([], score=[], vertices=["a", "b"], max_records=1)
    assert clusters_of(found) == {"a": "a", "b": "b"}
    assert clusters_of(copse.cluster({"l": [], "r": [], "s": []}, score="s", vertices=PEOPLE, one_per="source")) == {v: v for v in PEOPLE["id"]}


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("kind", ["dict", "arrow", "polars"])
def test_thresholds_have_the_precision_of_scores(kind, dtype):
    columns = {"l": np.array([0, 1, 2]), "r": np.array([1, 2, 3]), "s": np.array([0.9, 0.1, 0.7], dtype)}
    table = {"dict": dict, "arrow": pa.table, "polars": pl.DataFrame}[kind](columns)
    found, report = copse.cluster(table, columns=("l", "r"), score="s", threshold=[0.7, 0.9], max_records=3, report=True)
    assert [row[1:] for row in rows_of(found)] == [(0, 0), (0, 0), (2, 2), (2, 3)]
    assert report.below == 1


def test_nulls_are_dropped_everywhere_or_nowhere():
    pairs = {"l": ["a", "b", None], "r": ["b", "c", "a"], "s": [0.9, None, 0.7]}
    people = {"id": [None, "c", "a", "b"], "source": ["x", "y", "x", "x"]}
    apart = {"u": ["a", None], "v": ["c", "a"]}
    keywords = {"score": "s", "vertices": people, "id": "id", "one_per": "source", "cannot_link": apart}
    found, report = copse.cluster(pairs, columns=("l", "r"), **keywords, nulls="drop", report=True)
    assert clusters_of(found) == {"a": "a", "b": "b", "c": "c"} and report.nulls == 2
    assert report.refused_by == {"cannot_link": 0, "one_per source": 1}
    with pytest.raises(copse.InputError, match="column 's': found a null in row 1"):
        copse.cluster(pairs, columns=("l", "r"), **keywords)
    with pytest.raises(copse.InputError, match="cannot_link: column 'u': found a null in row 1"):
        copse.cluster({"l": ["a"], "r": ["b"], "s": [1]}, columns=("l", "r"), score="s", cannot_link=apart)


def test_a_record_may_be_listed_again():
    pairs = {"l": [1, 2], "r": [2, 3], "s": [0.9, 0.8]}
    people = {"id": [1, 2, 3, 1, 2], "source": ["x", "y", "x", None, "y"]}
    assert clusters_of(copse.cluster(pairs, score="s", vertices=people, id="id", one_per="source")) == {1: 1, 2: 1, 3: 3}
    with pytest.raises(copse.InputError, match="vertices: found two values in column 'source' for the record 2, expected one"):
        copse.cluster(pairs, score="s", vertices={**people, "source": ["x", "y", "x", None, "z"]}, id="id", one_per="source")


def test_the_pairs_of_a_larger_table_are_those_called_left_and_right():
    apart = pd.DataFrame({"why": ["x"], "r": ["ann"], "l": ["cid"]})
    assert clusters_of(copse.cluster(PAIRS, columns=("l", "r"), score="score", cannot_link=apart))["cid"] == "cid"


def test_the_report_without_constraints_is_as_before():
    report = copse.cluster(PAIRS, columns=("l", "r"), score="score", threshold=0.5, report=True)[1]
    assert report[4:] == (None,) * 5
    with_rules = copse.cluster(PAIRS, columns=("l", "r"), score="score", threshold=0.65, max_records=9, report=True)[1]
    assert (with_rules.rows, with_rules.nulls, with_rules.below, with_rules.solve.edges) == (4, 0, 1, 3)


REFUSALS = [
    ({"links": "best"}, "links must be 'all', 'mutual' or 'either', not 'best'"),
    ({"cut_bridges": "weak"}, "cut_bridges must be a number, not 'weak'"),
    ({"max_records": 0}, "max_records must be 1 or more, not 0"),
    ({"max_records": 2, "max_size": 2}, "max_size= cannot be combined with rules and constraints; use max_records="),
    ({"max_records": 2, "score": None}, "score is required with rules and constraints: give the name of the column of scores"),
    ({"one_per": "source"}, "one_per needs vertices=: give a table of vertices that has the column 'source'"),
    ({"one_per": "source", "vertices": ["ann"]}, "vertices: a table must be .*, not list"),
    ({"one_per": "source", "vertices": pl.Series(["ann"])}, "vertices: a table must be .*, not Series"),
    ({"one_per": "team", "vertices": PEOPLE, "id": "id"}, "vertices: the table has no column named 'team'; its columns are id, source"),
    ({"one_per": "team", "vertices": PEOPLE}, "id must name the column of ids in vertices, whose columns are id, source"),
    ({"one_per": {"source": 0}, "vertices": PEOPLE}, r"one_per\['source'\] must be 1 or more, not 0"),
    ({"one_per": ["source", "source"], "vertices": PEOPLE}, "one_per must name each column once"),
    ({"one_per": {"source"}, "vertices": PEOPLE}, "one_per must be the name of a column, a list of names or a dict from names to limits"),
    ({"one_per": "source", "vertices": {**PEOPLE, "source": ["x"]}}, "vertices: column 'source' must have 6 elements as 'id' has, not 1"),
    ({"one_per": "source", "vertices": people_with([[1]] * 6)}, "vertices: column 'source' must "),
    ({"cannot_link": [("ann", "ann")]}, "cannot_link: found the pair 'ann' and 'ann', expected two different records"),
    ({"cannot_link": [(1, 2)]}, "the ids of cannot_link must be strings, as in the pairs, not integers"),
    ({"cannot_link": [("ann", "bob", "cid")]}, r"cannot_link: pairs must have the shape \(m, 2\), not \(1, 3\)"),
    ({"cannot_link": {"a": ["ann"], "b": ["bob"], "c": ["cid"]}, "columns": None}, "cannot_link: columns must name the two columns of ids; the columns of the table are a, b, c"),
]


@pytest.mark.parametrize("keywords, text", REFUSALS, ids=[str(i) for i in range(len(REFUSALS))])
def test_refusals(keywords, text):
    with pytest.raises((copse.UsageError, copse.InputError), match=text):
        copse.cluster(PAIRS, **{"columns": ("l", "r"), "score": "score", **keywords})


def test_scores_of_arrays_are_refused_by_name():
    with pytest.raises(copse.UsageError, match="score must be an array of one score per pair, not 's'"):
        copse.cluster([(0, 1)], score="s", max_records=2)
    with pytest.raises(copse.UsageError, match="score is required with .*: give an array of one score per pair"):
        copse.cluster([(0, 1)], max_records=2)
    with pytest.raises(copse.UsageError, match="give both score= and threshold=, or neither"):
        copse.cluster([(0, 1)], score=[0.5])


@pytest.mark.skipif(not COMMAND.exists(), reason="no command line in this build")
@pytest.mark.parametrize("options", [
    {"one_per": "source"},
    {"one_per": {"source": 2}, "max_records": 4, "threshold": 0.65},
    {"one_per": "source", "links": "either", "cut_bridges": 0.75, "cannot_link": [("ann", "bob"), ("ann", "zoe")]},
    {"links": "mutual", "max_records": 3, "cannot_link": [("dan", "cid")]},
])
def test_the_answer_is_that_of_the_command(options, tmp_path):
    rng = random.Random(3)
    extra = [(f"r{rng.randrange(30)}", f"r{rng.randrange(30)}", rng.randint(0, 100) / 100) for _ in range(60)]
    pairs = pd.concat([pd.DataFrame(PAIRS), pd.DataFrame(extra, columns=["l", "r", "score"])])
    people = pd.DataFrame({"id": [*PEOPLE["id"], *(f"r{i}" for i in range(25))], "source": [*PEOPLE["source"], *rng.choices(["crm", "web", None], k=25)]})
    pairs.to_csv(tmp_path / "scores.csv", index=False)
    people.to_csv(tmp_path / "records.csv", index=False)
    arguments = ["--weight", "score", "--vertex-file", "records.csv", "-o", "clusters.csv", "--refused", "refused.csv", "--json"]
    for name, value in options.items():
        if name == "cannot_link":
            pd.DataFrame(value, columns=["u", "v"]).to_csv(tmp_path / "apart.csv", index=False)
            value = "apart.csv"
        elif isinstance(value, dict):
            value = ":".join(map(str, *value.items()))
        arguments += [f"--{name.replace('links', 'best_link').replace('_', '-')}", str(value)]
    ran = subprocess.run([COMMAND, "cluster", "scores.csv", *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
    told = json.loads(ran.stdout)
    found, report = copse.cluster(pairs, columns=("l", "r"), score="score", vertices=people, id="id", report=True, **options)
    assert rows_of(found) == rows_of(pd.read_csv(tmp_path / "clusters.csv"))
    refused = report.refused
    assert rows_of(refused) == rows_of(pd.read_csv(tmp_path / "refused.csv")) and (len(refused) > 0 or "mutual" in options.values())
    answer = told["answers"][0]
    assert report.refused_by == answer["refused"]
    assert (report.cut_bridges, report.exempt, report.unknown_pairs) == (answer["cut_bridges"], told["exempt"], told["unknown_pairs"])


def test_without_pyarrow():
    program = """
import sys
sys.modules["pyarrow"] = None
import copse, pandas, polars
pairs = {"l": ["ann", "bob"], "r": ["bob", "cid"], "s": [0.9, 0.8]}
people = {"id": ["ann", "bob", "cid"], "source": ["x", None, "x"]}
for kind in (dict, pandas.DataFrame, polars.DataFrame):
    found, report = copse.cluster(kind(pairs), columns=("l", "r"), score="s", vertices=kind(people), id="id", one_per="source", report=True)
    labels = found.labels if kind is dict else found["cluster_id"]
    assert list(labels) == ["ann", "ann", "cid"]
    assert report.refused["constraint"][0] == "one_per source" and report.exempt == {"source": 1}
"""
    subprocess.run([sys.executable, "-c", program], check=True)
