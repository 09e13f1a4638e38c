"""The extension for DuckDB, in the DuckDB of the Python package: its answers are those of copse.components. COPSE_DUCKDB_EXTENSION names it;
tools/duckdb_tests.sh builds and runs."""
import os
import random
import subprocess

import copse
import duckdb
import pyarrow as pa
import pytest

EXTENSION = os.environ["COPSE_DUCKDB_EXTENSION"]


def connect(threads=2):
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": threads})
    connection.execute(f"LOAD '{EXTENSION}'")
    return connection


@pytest.fixture
def sql():
    return connect()


def groups(connection, arguments="id_l, id_r", table="pairs", filtered=""):
    query = f"SELECT unnest(copse_components({arguments}){filtered}, recursive := true) FROM {table}"
    return connection.execute(query).fetchall()


def expected(left, right, type=None):
    answer = copse.components(pa.table({"l": pa.array(left, type), "r": pa.array(right, type)}))
    return list(zip(*(column.to_pylist() for column in answer.to_arrow().columns)))


def pairs_of(seed, rows, ids):
    draw = random.Random(seed)
    return [ids(draw) for _ in range(rows)], [ids(draw) for _ in range(rows)]


IDS = {
    "dense": ("BIGINT", pa.int64(), lambda draw: draw.randrange(300)),
    "negative": ("BIGINT", pa.int64(), lambda draw: draw.randrange(-150, 150)),
    "sparse": ("BIGINT", pa.int64(), lambda draw: draw.randrange(300) * 30_000_000_000_000_000 - 2**62),
    "unsigned": ("UBIGINT", pa.uint64(), lambda draw: 2**64 - 1 - draw.randrange(300)),
    "integer": ("INTEGER", pa.int32(), lambda draw: draw.choice([-(2**31), 2**31 - 1, draw.randrange(-150, 150)])),
    "tinyint": ("TINYINT", pa.int8(), lambda draw: draw.randrange(-128, 128)),
    "usmallint": ("USMALLINT", pa.uint16(), lambda draw: 2**16 - 1 - draw.randrange(300)),
    "short": ("VARCHAR", pa.string(), lambda draw: f"r{draw.randrange(300)}"),
    "long": ("VARCHAR", pa.string(), lambda draw: "ä record with a long name" * draw.randrange(3) + str(draw.randrange(300))),
    "bytes": ("BLOB", pa.binary(), lambda draw: bytes(draw.randrange(256) for _ in range(draw.randrange(3)))),
}


@pytest.mark.parametrize("kind", IDS)
@pytest.mark.parametrize("rows", [1, 250, 3000])  # few rows are solved together with other groups, many by a hash table
def test_answers_are_those_of_components(sql, kind, rows):
    type, arrow, ids = IDS[kind]
    left, right = pairs_of(rows, rows, ids)
    data = pa.table({"l": pa.array(left, arrow), "r": pa.array(right, arrow)})
    sql.execute(f"CREATE TABLE pairs AS SELECT l::{type} AS id_l, r::{type} AS id_r FROM data")
    assert groups(sql) == expected(left, right, arrow)
    assert sql.execute("SELECT typeof(copse_components(id_l, id_r)) FROM pairs").fetchone() == (f'STRUCT(id {type}, "label" {type})[]',)


def test_uuids_come_back_in_the_order_of_their_texts(sql):
    sql.execute("SELECT setseed(.5)")
    sql.execute("CREATE TABLE ids AS SELECT uuid() AS id, i FROM range(400) t(i)")
    sql.execute("CREATE TABLE pairs AS SELECT a.id AS id_l, b.id AS id_r FROM ids a JOIN ids b ON b.i = a.i * 7 % 400")
    left, right = zip(*sql.execute("SELECT id_l::VARCHAR, id_r::VARCHAR FROM pairs").fetchall())
    assert [tuple(map(str, row)) for row in groups(sql)] == expected(left, right)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("convert", ["", "::VARCHAR"])
def test_states_of_several_threads_are_combined(threads, convert):
    connection = connect(threads)
    connection.execute(
        f"CREATE TABLE pairs AS SELECT (i * 7919 % 500000){convert} AS id_l, (i * 104729 % 500000 // 3){convert} AS id_r FROM range(700000) t(i)")
    data = connection.sql("SELECT * FROM pairs").to_arrow_table()
    assert groups(connection) == expected(data["id_l"].to_pylist(), data["id_r"].to_pylist())


def test_many_rows_take_memory_for_vertices_only():
    """40 million rows are 640 MB; a state that holds 128 MB of them keeps one pair per vertex instead."""
    code = f"""
import duckdb, resource
c = duckdb.connect(config={{"allow_unsigned_extensions": "true", "threads": 1}})
c.execute("LOAD '{EXTENSION}'")
c.execute("SET enable_progress_bar = false")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(c.execute("SELECT len(copse_components(i % 1000, i % 1000 // 2 * 2)) FROM range(40000000) t(i)").fetchone()[0])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    vertices, megabytes = map(int, subprocess.run([os.sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout.split())
    assert vertices == 1000
    assert megabytes < 300


def test_groups_of_all_sizes(sql):
    draw = random.Random(5)
    rows = [(g, draw.randrange(n), draw.randrange(n)) for g, n in enumerate([1, 2, 5, 40, 3000, 4, 9000]) for _ in range(n)]
    rows += [(g, draw.randrange(9), draw.randrange(9)) for g in range(10, 5000) for _ in range(2)]
    draw.shuffle(rows)
    data = pa.table(dict(zip(("g", "a", "b"), map(pa.array, zip(*rows)))))
    for convert, type in (("", None), ("::VARCHAR", pa.string())):
        answer = sql.execute(f"SELECT g, copse_components(a{convert}, b{convert}) FROM data GROUP BY g").fetchall()
        assert len(answer) == 7 + 4990
        for g, found in answer:
            if g < 20 or g % 100 == 0:
                mine = [(str(a), str(b)) if type else (a, b) for key, a, b in rows if key == g]
                assert [tuple(vertex.values()) for vertex in found] == expected(*zip(*mine), type)


def test_windows_combine_a_state_several_times(sql):
    sql.execute("CREATE TABLE pairs AS SELECT i, (i * 7 % 50)::BIGINT AS a, (i * 11 % 50)::BIGINT AS b FROM range(200) t(i)")
    rows = sql.execute("SELECT a, b FROM pairs ORDER BY i").fetchall()
    found = sql.execute("SELECT i, copse_components(a, b) OVER (ORDER BY i ROWS BETWEEN 90 PRECEDING AND CURRENT ROW) FROM pairs ORDER BY i").fetchall()
    for i, vertices in found:
        assert [tuple(vertex.values()) for vertex in vertices] == expected(*zip(*rows[max(0, i - 90):i + 1]))


def test_no_rows_have_no_components(sql):
    sql.execute("CREATE TABLE pairs (id_l BIGINT, id_r BIGINT)")
    assert groups(sql) == []
    assert sql.execute("SELECT copse_components(id_l, id_r) FROM pairs").fetchone() == ([],)


@pytest.mark.parametrize("type", ["FLOAT", "DOUBLE", "DECIMAL(3, 2)", "INTEGER"])
def test_rows_below_the_threshold_are_left_out(sql, type):
    scale = 100 if type == "INTEGER" else 1
    scores = [round(i % 101 / 100 * scale, 2) for i in range(2000)]
    left, right = pairs_of(3, 2000, lambda draw: draw.randrange(900))
    data = pa.table({"id_l": left, "id_r": right, "score": scores})
    sql.execute(f"CREATE TABLE pairs AS SELECT id_l, id_r, score::{type} AS score FROM data")
    kept = [(a, b) for a, b, score in zip(left, right, scores) if score >= 0.9 * scale]
    assert groups(sql, f"id_l, id_r, score, {90 if scale == 100 else 0.9}") == expected(*zip(*kept))
    assert groups(sql, f"id_l, id_r, score, {200 * scale}") == []


@pytest.mark.parametrize("arguments, place, found", [
    ("id_l, id_r", 2, "NULL"),
    ("id_r, id_l", 1, "NULL"),
    ("id_l, id_l, CASE WHEN id_l > 1 THEN NULL ELSE 1. END, .5", 3, "NULL"),
    ("id_l, id_l, 1., NULL::DOUBLE", 4, "NULL"),
    ("id_l, id_l, 'nan'::DOUBLE, .5", 3, "NaN"),
    ("id_l, id_l, 1., 'nan'::DOUBLE", 4, "NaN"),
])
def test_what_is_missing_is_refused_with_its_place(sql, arguments, place, found):
    sql.execute("CREATE TABLE pairs AS SELECT * FROM (VALUES (1, 2), (3, NULL), (4, 5)) t(id_l, id_r)")
    with pytest.raises(duckdb.InvalidInputException, match=f"copse_components: argument {place}: found {found}, expected a"):
        groups(sql, arguments)
    assert groups(sql, filtered=" FILTER (WHERE id_r IS NOT NULL)") == [(1, 1), (2, 1), (4, 4), (5, 4)]


def test_ids_of_other_types_are_refused_when_the_query_is_bound(sql):
    with pytest.raises(duckdb.BinderException, match="copse_components"):
        sql.execute("SELECT copse_components(1.5, 2.5)")


def test_one_symbol_is_exported():
    names = subprocess.run(["nm", "-D", "--defined-only", EXTENSION], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    assert names[2::3] == ["copse_init_c_api"]
