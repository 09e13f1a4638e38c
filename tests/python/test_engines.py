"""Ray and Spark on this machine: the clusters of one process, whatever the partitions; skipped where an engine is missing."""
import random

import numpy as np
import pyarrow as pa
import pytest

import copse

from engine_kills import ray_session, ray_under_fire, spark_session, spark_under_fire

PARTITIONS = [1, 3, 17]  # the last goes through two rounds of merging


def _pairs(kind, seed=3):
    """Edges of 400 vertices with scores, some below 0.5."""
    dice = np.random.default_rng(seed)
    left, right = dice.integers(0, 400, (2, 350))
    if kind == "sparse":
        left, right = left * 1_000_003 - 200_000_601, right * 1_000_003 - 200_000_601  # half of them are negative, one is -1
    if kind == "strings":
        left, right = [f"user {v}" for v in left], [f"user {v}" for v in right]
    return pa.table({"l": left, "r": right, "p": dice.random(350)})


def _expected(pairs, **options):
    return _sorted(copse.cluster(pairs, columns=("l", "r"), output_cluster="component", **options))


def _sorted(table):
    return sorted(zip(*(table.column(name).to_pylist() for name in table.column_names)))


@pytest.fixture(scope="module")
def spark():
    pytest.importorskip("pyspark")
    with spark_session() as session:
        yield session


@pytest.fixture(scope="module")
def deaths(tmp_path_factory):
    return tmp_path_factory.mktemp("deaths")


@pytest.fixture(scope="module")
def ray(deaths):
    pytest.importorskip("ray")
    with ray_session(deaths) as engine:
        yield engine


@pytest.mark.parametrize(("partitions", "kind"), [(1, "strings"), (3, "sparse"), (17, "dense"), (17, "strings")])  # seconds each
def test_spark_has_the_clusters_of_one_process(spark, kind, partitions):
    from copse.spark import connected_components

    pairs = _pairs(kind)
    frame = spark.createDataFrame(pairs.to_pandas()).repartition(partitions)
    found = connected_components(frame, columns=("l", "r"), score="p", threshold=0.5)
    assert found.columns == ["id", "component"]
    assert _sorted(found.toArrow()) == _expected(pairs, score="p", threshold=0.5)


def test_spark_keeps_vertices_without_an_edge(spark):
    from copse.spark import connected_components

    edges = spark.createDataFrame([(1, 2), (2, 3)], "l int, r bigint")
    people = spark.createDataFrame([(3, "c"), (9, "d")], "who int, name string")
    found = connected_components(edges, columns=("l", "r"), vertices=people, id="who", output_id="who", output_component="cluster")
    assert sorted(map(tuple, found.collect())) == [(1, 1), (2, 1), (3, 1), (9, 9)]
    nothing = connected_components(edges.filter("l > 5"), columns=("l", "r"))
    assert nothing.collect() == []


def test_spark_refuses_before_anything_runs(spark):
    from copse.spark import connected_components

    edges = spark.createDataFrame([(1, "a", 0.5)], "l int, r string, p double")
    with pytest.raises(copse.UsageError, match="ids of one kind"):
        connected_components(edges, columns=("l", "r"))
    with pytest.raises(copse.UsageError, match="double"):
        connected_components(edges, columns=("l", "p"))
    with pytest.raises(copse.UsageError, match="give both score= and threshold=, or neither"):
        connected_components(edges, columns=("l", "l"), threshold=0.5)


@pytest.mark.parametrize("kind", ["dense", "sparse", "strings"])
@pytest.mark.parametrize("partitions", PARTITIONS)
def test_ray_has_the_clusters_of_one_process(ray, kind, partitions):
    from copse.ray import connected_components

    pairs = _pairs(kind)
    step = -(-pairs.num_rows // partitions)
    dataset = ray.data.from_arrow([pairs.slice(at, step) for at in range(0, pairs.num_rows, step)])
    seen = []
    found = connected_components(dataset, columns=("l", "r"), score="p", threshold=0.5, progress=lambda done, of: seen.append((done, of)))
    assert _sorted(pa.concat_tables(ray.get(found.to_arrow_refs()))) == _expected(pairs, score="p", threshold=0.5)
    assert seen[-1][0] == seen[-1][1] == len(seen)


def test_ray_keeps_vertices_without_an_edge(ray):
    from copse.ray import connected_components

    edges = ray.data.from_arrow(pa.table({"l": [1, 2], "r": [2, 3]}))
    people = ray.data.from_arrow(pa.table({"who": [3, 9]}))
    found = connected_components(edges, columns=("l", "r"), vertices=people, output_id="who", output_component="cluster")
    assert _sorted(pa.concat_tables(ray.get(found.to_arrow_refs()))) == [(1, 1), (2, 1), (3, 1), (9, 9)]


def test_ray_refuses_before_anything_runs(ray):
    from copse.ray import connected_components

    edges = ray.data.from_arrow(pa.table({"l": ["1", "2"], "r": ["2", "3"], "p": [0.9, 0.1]}))
    numbers = ray.data.from_arrow(pa.table({"who": [7, 2]}))
    for options, text in [
        ({"columns": ("x", "r")}, "the dataset has no column named 'x'; its columns are"), ({"columns": ("r", "r")}, "columns must name two different columns"),
        ({"columns": ("l", "p")}, "must hold integers, strings or bytes, not double"),
        ({"score": "p"}, "give both score= and threshold=, or neither"), ({"score": "p", "threshold": [0.5, 0.9]}, "takes one threshold, not a list"),
        ({"nulls": "keep"}, "'error' or 'drop'"), ({"vertices": numbers}, "the ids of vertices must be string, as in the edges, not int64"),
        ({"vertices": numbers, "id": "whom"}, "vertices has no column named 'whom'"), ({"vertices": edges}, "id must name the column of ids in vertices"),
    ]:
        with pytest.raises(copse.UsageError, match=text) as refused:
            connected_components(edges, **{"columns": ("l", "r"), **options})
        assert not isinstance(refused.value, ray.exceptions.RayTaskError), text


def test_ray_takes_edges_without_rows(ray):
    from copse.ray import connected_components

    nothing = ray.data.from_arrow(pa.table({"l": [1], "r": [2]})).filter(lambda row: row["l"] > 5)
    people = ray.data.from_arrow(pa.table({"who": ["a", "b"]}))
    assert connected_components(nothing, columns=("l", "r")).count() == 0
    found = connected_components(nothing, columns=("l", "r"), vertices=people)
    assert _sorted(pa.concat_tables(ray.get(found.to_arrow_refs()))) == [("a", "a"), ("b", "b")]
    edges = ray.data.from_arrow(pa.table({"l": [1], "r": [2]}))
    assert connected_components(edges, columns=("l", "r"), vertices=people.filter(lambda row: row["who"] > "c")).count() == 2


def test_ray_loses_nothing_with_its_workers(ray, deaths):
    from copse.ray import connected_components

    pairs = _pairs("dense")
    blocks = [pairs.slice(at, 50) for at in range(0, pairs.num_rows, 50)]
    (deaths / "armed").touch()
    try:
        found = connected_components(ray.data.from_arrow(blocks), columns=("l", "r"), remote_options={"max_retries": 5})
        assert _sorted(pa.concat_tables(ray.get(found.to_arrow_refs()))) == _expected(pairs)
    finally:
        (deaths / "armed").unlink()
    assert len(list(deaths.iterdir())) >= len(blocks), "each has died"


def test_spark_loses_nothing_with_its_workers(spark, tmp_path):
    from copse.spark import connected_components

    pairs = _pairs("dense")
    folder = str(tmp_path)

    def dies_once(batches):
        import os

        from pyspark import TaskContext

        mark = os.path.join(folder, str(TaskContext.get().partitionId()))
        if not os.path.exists(mark):
            open(mark, "w").close()
            os._exit(1)
        yield from batches

    frame = spark.createDataFrame(pairs.to_pandas()).repartition(5)
    found = connected_components(frame.mapInArrow(dies_once, frame.schema), columns=("l", "r"))
    assert _sorted(found.toArrow()) == _expected(pairs)
    assert len(list(tmp_path.iterdir())) >= 5


def test_ray_has_one_answer_whichever_workers_are_killed(ray, deaths):
    kills = ray_under_fire(ray, deaths, 4, random.Random(1))
    assert kills["merge"] > 0


def test_spark_has_one_answer_whichever_executors_are_killed(spark, tmp_path):
    kills = spark_under_fire(spark, tmp_path, 3, random.Random(1))
    assert kills["merge"] > 0


# What copse.cluster is asked for, and engines as well. Scores are few, so that many are equal, and pairs come twice.
CLUSTERS = [
    {"threshold": [0.3, 0.7], "nulls": "drop"}, {"threshold": 0.2, "max_size": 9}, {"threshold": [0.6, 0.2], "cut_bridges": 0.8},
    {"links": "mutual", "one_per": "source"}, {"links": "either", "one_per": {"source": 2, "town": 1}, "max_records": 5, "threshold": [0.1, 0.4]},
    {"links": "mutual", "cannot_link": [(3, 4), (1, 7), (2, 9)], "max_records": 3},
]


def _scored_pairs(seed=5):
    dice = np.random.default_rng(seed)
    left, right = dice.integers(0, 300, (2, 900)) // dice.integers(1, 4, 900)
    return pa.table({"l": left, "r": right, "p": np.round(dice.random(900), 1).astype(np.float32), "more": ["x"] * 900})


def _records():
    dice = np.random.default_rng(6)
    sources = [None if v == 0 else f"s{v}" for v in dice.integers(0, 4, 310)]
    return pa.table({"who": np.arange(310), "source": sources, "town": dice.integers(0, 3, 310)})


def _clusters_of_one_process(options):
    records = _records() if "one_per" in options else None
    return _sorted(copse.cluster(_scored_pairs(), columns=["l", "r"], score="p", vertices=records, id=None if records is None else "who", **options))


@pytest.mark.parametrize("partitions", [1, 30])  # the last goes through two rounds
@pytest.mark.parametrize("options", CLUSTERS)
def test_ray_makes_the_clusters_of_one_process(ray, partitions, options):
    from copse.ray import cluster

    pairs, records = _scored_pairs(), None
    step = -(-pairs.num_rows // partitions)
    dataset = ray.data.from_arrow([pairs.slice(at, step) for at in range(0, pairs.num_rows, step)])
    if "one_per" in options:
        records = ray.data.from_arrow([_records().slice(0, 100), _records().slice(100)])
    found = cluster(dataset, columns=["l", "r"], score="p", vertices=records, id=None if records is None else "who", **options)
    assert _sorted(pa.concat_tables(ray.get(found.to_arrow_refs()))) == _clusters_of_one_process(options)


@pytest.mark.parametrize(("partitions", "options"), [(30 if i % 2 else 3, options) for i, options in enumerate(CLUSTERS)])  # seconds each
def test_spark_makes_the_clusters_of_one_process(spark, partitions, options):
    from copse.spark import cluster

    def of(table):  # by rows: pandas would make NaN of nulls
        types = {pa.string(): "string", pa.float32(): "float", pa.int64(): "bigint"}
        return spark.createDataFrame([tuple(row.values()) for row in table.to_pylist()], ", ".join(f"{f.name} {types[f.type]}" for f in table.schema))

    frame, records = of(_scored_pairs()).repartition(partitions), None
    if "one_per" in options:
        records = of(_records())
    found = cluster(frame, columns=["l", "r"], score="p", vertices=records, id=None if records is None else "who", **options)
    assert _sorted(found.toArrow()) == _clusters_of_one_process(options)


def _refusals(pairs, records):
    return [
        ({"max_records": 5}, "links='mutual' or links='either': with links='all' a pair outside the forests"), ({"one_per": "source"}, "links='all'"),
        ({"cannot_link": [(1, 2)]}, "links='all'"), ({"links": "best"}, "links must be 'all', 'mutual' or 'either', not 'best'"),
        ({"links": "mutual", "max_size": 3}, "max_records="), ({"links": "mutual", "one_per": "source"}, "one_per needs vertices="),
        ({"links": "mutual", "one_per": "shoe", "vertices": records, "id": "who"}, "vertices has no column named 'shoe'"),
        ({"vertices": records}, "id must name the column of ids in vertices"), ({"score": "l"}, "columns and score must name different columns"),
        ({"threshold": float("nan")}, "threshold"), ({"nulls": "keep"}, "'error' or 'drop'"), ({"output_id": "cluster_id"}, "output_id must differ from the names of the columns of clusters"),
    ]


def test_ray_refuses_clusters_that_forests_cannot_tell(ray):
    from copse.ray import cluster

    pairs, records = ray.data.from_arrow(_scored_pairs()), ray.data.from_arrow(_records())
    for options, words in _refusals(pairs, records):
        with pytest.raises(copse.UsageError, match=words) as refused:
            cluster(pairs, columns=["l", "r"], **{"score": "p", **options})
        assert not isinstance(refused.value, ray.exceptions.RayTaskError), words
    nothing = pairs.filter(lambda row: row["p"] > 5)
    assert cluster(nothing, columns=["l", "r"], score="p", vertices=records, id="who").count() == 310


def test_spark_refuses_clusters_that_forests_cannot_tell(spark):
    from copse.spark import cluster

    pairs, records = spark.createDataFrame(_scored_pairs().to_pandas()), spark.createDataFrame(_records().to_pandas())
    for options, words in _refusals(pairs, records):
        with pytest.raises(copse.UsageError, match=words):
            cluster(pairs, columns=["l", "r"], **{"score": "p", **options})
    assert cluster(pairs.filter("p > 5"), columns=["l", "r"], score="p", vertices=records, id="who").count() == 310
