"""Files of Parquet and Arrow at the command line, written and read again by pyarrow."""
import decimal
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import copse

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

BUILD = Path(copse._load.core.__file__).parents[2]
COMMAND = BUILD / "cli" / "copse"
PLUGIN = BUILD / "lib" / "copse" / "libcopse_parquet.so"
pytestmark = pytest.mark.skipif(not (COMMAND.exists() and PLUGIN.exists()), reason="no command line with the plug-in for Parquet in this build")


# A program without a plug-in beside it becomes this Python.
IN_PYTHON = {**os.environ, "PATH": os.path.dirname(sys.executable), "PYTHONPATH": str(BUILD / "python")}


def run(*arguments, code=0, program=COMMAND, env=None):
    ended = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, env=env)
    assert ended.returncode == code, ended.stderr
    return ended


def write(path, table, **options):
    if path.suffix == ".parquet":
        pq.write_table(table, path, **options)
    else:
        maker = pa.ipc.new_stream if path.suffix == ".arrows" else pa.ipc.new_file
        with maker(path, table.schema) as to:
            to.write_table(table, max_chunksize=options.get("row_group_size"))


def labels(path):
    table = pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()
    return dict(zip(*(table.column(name).to_pylist() for name in ("id", "component"))))


def expected(pairs):
    """The smallest id of the component of each id, by the definition."""
    label = {id: id for pair in pairs for id in pair}
    changed = True
    while changed:
        changed = False
        for u, v in pairs:
            least = min(label[u], label[v])
            changed |= label[u] != least or label[v] != least
            label[u] = label[v] = least
    return label


@pytest.fixture(params=[".parquet", ".arrow", ".arrows"])
def suffix(request):
    return request.param


@pytest.mark.parametrize("kind", ["int64", "uint32", "int8", "decimal", "string", "large_string", "dictionary"])
@pytest.mark.parametrize("threads", [1, 7])
def test_components_are_those_of_the_definition(tmp_path, suffix, kind, threads):
    random = np.random.default_rng(7)
    pairs = random.integers(0, 120, (200, 2))
    columns = [pa.array(column) for column in pairs.T]
    if kind in ("string", "large_string", "dictionary"):
        columns = [pa.array([f"name {i}" for i in column], pa.large_string() if kind == "large_string" else pa.string()) for column in pairs.T]
        columns = [column.dictionary_encode() if kind == "dictionary" and suffix == ".parquet" else column for column in columns]
    else:
        columns = [column.cast(pa.decimal128(38, 0) if kind == "decimal" else kind) for column in columns]
    source = tmp_path / f"pairs{suffix}"
    write(source, pa.table({"other": pa.array(range(200)), "v": columns[1], "u": columns[0]}), row_group_size=13)
    to = tmp_path / ("labels.arrow" if suffix == ".arrow" else "labels.parquet")
    run("components", source, "--columns", "u,v", "-o", to, "--threads", threads)
    named = [[column[i].as_py() for column in columns] for i in range(200)]
    assert labels(to) == expected(named)


def test_names_of_columns_decide_as_a_header_does(tmp_path):
    source = tmp_path / "links.parquet"
    write(source, pa.table({"kind": [1, 1], "source": [5, 7], "target": [6, 8]}))
    to = tmp_path / "labels.csv"
    ended = run("components", source, "-o", to)
    assert "the header names the ends" in ended.stderr
    assert to.read_text() == "id,component\n5,5\n6,5\n7,7\n8,7\n"
    ended = run("components", source, "--columns", "a,b", "-o", to, code=2)
    assert "no column" in ended.stderr and "'a'" in ended.stderr.replace('"', "'")


def test_scores_below_the_threshold_are_left_out_exactly(tmp_path, suffix):
    source = tmp_path / f"scored{suffix}"
    scores = pa.array([0.1, 0.7, 0.9, 0.2], pa.float32())
    write(source, pa.table({"l": [1, 2, 3, 4], "r": [2, 3, 4, 5], "score": scores}))
    to = tmp_path / "labels.parquet"
    run("components", source, "--weight", "score", "--min-weight", "0.7", "-o", to)  # in single precision, as the column is
    assert labels(to) == {2: 2, 3: 2, 4: 2}
    held = tmp_path / "scored.csv"  # the same numbers as text
    held.write_text("l,r,score\n1,2,0.1\n2,3,0.7\n3,4,0.9\n4,5,0.2\n")
    options = ("--weight", "score", "--at", "0.1,0.2,0.7,0.9", "--json")
    found, as_text = (json.loads(run("thresholds", path, *options).stdout) for path in (source, held))
    assert found["thresholds"] == as_text["thresholds"]


def test_nulls_are_refused_or_left_out(tmp_path, suffix):
    source = tmp_path / f"nulls{suffix}"
    write(source, pa.table({"u": pa.array([1, None, 3]), "v": pa.array([2, 9, 4])}))
    to = tmp_path / "labels.parquet"
    ended = run("components", source, "-o", to, code=2)
    assert "column 'u': found a null in row 1" in ended.stderr and "--na" in ended.stderr
    assert not to.exists()
    ended = run("components", source, "--na", "", "-o", to)
    assert "1 edge dropped" in ended.stderr
    assert labels(to) == {1: 1, 2: 1, 3: 3, 4: 3}


def test_a_folder_of_files_is_one_table(tmp_path):
    folder = tmp_path / "table"
    (folder / "day=1").mkdir(parents=True)
    (folder / "_temporary").mkdir()
    write(folder / "day=1" / "a.parquet", pa.table({"u": [1, 2], "v": [2, 3]}))
    write(folder / "b.parquet", pa.table({"u": [3], "v": [4]}))
    (folder / "_temporary" / "c.parquet").write_text("half written")
    to = tmp_path / "labels.parquet"
    run("components", folder, "-o", to)
    assert labels(to) == {1: 1, 2: 1, 3: 1, 4: 1}
    write(folder / "d.parquet", pa.table({"u": ["x"], "v": ["y"]}))
    assert "column 'u' of string" in run("components", folder, "-o", to, code=2).stderr
    (tmp_path / "empty").mkdir()
    assert "a folder without files" in run("components", tmp_path / "empty", code=2).stderr


def test_several_files_and_tables_of_vertices(tmp_path):
    write(tmp_path / "a.parquet", pa.table({"u": ["ann"], "v": ["bob"]}))
    (tmp_path / "b.csv").write_text("bob,cy\n")
    write(tmp_path / "people.parquet", pa.table({"age": [1, 2], "id": ["dan", "ann"]}))
    to = tmp_path / "labels.parquet"
    run("components", tmp_path / "a.parquet", tmp_path / "b.csv", "--vertex-file", tmp_path / "people.parquet", "-o", to)
    assert labels(to) == {"ann": "ann", "bob": "ann", "cy": "ann", "dan": "dan"}


def test_a_graph_that_is_held_has_the_edges_in_the_order_of_the_rows(tmp_path, suffix):
    random = np.random.default_rng(3)
    pairs = random.integers(0, 1 << 40, (50_000, 2))
    source = tmp_path / f"pairs{suffix}"
    write(source, pa.table({"u": pairs[:, 0], "v": pairs[:, 1]}), row_group_size=1000)
    to = tmp_path / "edges.el"
    run("convert", source, to, "--threads", 5)
    read = np.loadtxt(to, dtype=np.int64, comments="#")
    assert (read == pairs).all()


def test_files_that_are_none_are_refused(tmp_path):
    for name in ("x.parquet", "x.arrow"):
        (tmp_path / name).write_bytes(b"PAR1 nothing of the kind")
        ended = run("components", tmp_path / name, code=2)
        assert ended.stderr.startswith(f"{tmp_path / name}: found no ") and ended.stderr.count("\n") == 1
    write(tmp_path / "floats.parquet", pa.table({"u": [1.5], "v": [2.5]}))
    assert "found double" in run("components", tmp_path / "floats.parquet", code=2).stderr.replace("float64", "double")
    whole = tmp_path / "whole.parquet"
    write(whole, pa.table({"u": range(1000), "v": range(1, 1001)}), row_group_size=100)
    data = whole.read_bytes()
    for at in range(4, len(data), max(len(data) // 60, 1)):  # damaged somewhere: an error or an answer, never a crash
        (tmp_path / "cut.parquet").write_bytes(data[:at])
        (tmp_path / "changed.parquet").write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        run("components", tmp_path / "cut.parquet", code=2)
        ended = subprocess.run([COMMAND, "components", tmp_path / "changed.parquet"], capture_output=True, text=True)
        assert ended.returncode in (0, 2), ended.stderr


def test_decimals_that_are_no_ids_are_refused(tmp_path, suffix):
    source = tmp_path / f"pairs{suffix}"
    for texts, scale, expected in (
        (["1", str(2**63)], 0, "column 'r': found the decimal 9223372036854775808 in row 1, expected ids from -2^63 to 2^63 - 1"),
        (["-9223372036854775809", "1"], 0, "column 'r': found the decimal -9223372036854775809 in row 0, expected ids from -2^63 to 2^63 - 1"),
        (["1.0", "2.0"], 1, "column 'r': found decimal, expected integers, strings or binaries"),
    ):
        right = pa.array([decimal.Decimal(text) for text in texts], pa.decimal128(38, scale))
        write(source, pa.table({"l": pa.array([-(2**63), 2**63 - 1]), "r": right}))
        assert expected in run("components", source, code=2).stderr


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_signs_of_ids_are_watched_over_all_inputs(tmp_path, suffix):
    source = tmp_path / f"signed{suffix}"
    write(source, pa.table({"u": [-1, 5], "v": [3, -(2**63)]}))
    to = tmp_path / "labels.parquet"
    run("components", source, "-o", to)
    assert labels(to) == {-1: -1, 3: -1, 5: -(2**63), -(2**63): -(2**63)}
    large = tmp_path / "large.csv"
    large.write_text(f"{2**64 - 1}\n")
    ended = run("components", source, "--vertex-file", large, code=2)
    assert str(2**64 - 1) in ended.stderr or "-1" in ended.stderr
    write(tmp_path / f"large{suffix}", pa.table({"u": pa.array([2**64 - 1], pa.uint64()), "v": pa.array([1], pa.uint64())}))
    run("components", source, tmp_path / f"large{suffix}", code=2)


def test_files_of_a_folder_have_the_same_types(tmp_path):
    folder = tmp_path / "table"
    folder.mkdir()
    narrow, wide = (pa.DictionaryArray.from_arrays(pa.array([0, 1], index), ["a", "b"]) for index in (pa.int8(), pa.int16()))
    write(folder / "1.parquet", pa.table({"u": narrow, "v": narrow}))
    write(folder / "2.parquet", pa.table({"u": wide, "v": wide}))
    assert "as in" in run("components", folder, code=2).stderr
    (folder / "2.parquet").unlink()
    for output in (folder / "1.parquet", folder / "labels.parquet"):
        assert "would be one of the input's files" in run("components", folder, "-o", output, code=2).stderr
    assert sorted(path.name for path in folder.iterdir()) == ["1.parquet"]


def test_labels_are_read_again(tmp_path):
    source = tmp_path / "pairs.csv"
    source.write_text('ann,"b ""c"""\n"b ""c""",dan\ned,flo\n')
    for to in (tmp_path / "labels.parquet", tmp_path / "labels.arrow"):
        run("components", source, "-o", to)
        assert labels(to) == {"ann": "ann", 'b "c"': "ann", "dan": "ann", "ed": "ed", "flo": "ed"}
        run("verify", source, to)
        source.write_text("ann,ed\n")
        run("verify", source, to, code=1)
        source.write_text('ann,"b ""c"""\n"b ""c""",dan\ned,flo\n')
    assert "none after .parquet" in run("components", source, "-o", tmp_path / "labels.parquet.gz", code=2).stderr


def test_parts_of_a_file_are_each_row_once(tmp_path, suffix):
    source = tmp_path / f"pairs{suffix}"
    write(source, pa.table({"u": range(0, 400, 2), "v": range(1, 401, 2)}), row_group_size=7)
    forests = [tmp_path / f"{part}.forest" for part in range(3)]
    found = [json.loads(run("reduce", source, "--part", f"{i + 1}/3", "-o", to, "--json").stdout) for i, to in enumerate(forests)]
    assert sum(part["vertices"] for part in found) == 400
    to = tmp_path / "labels.parquet"
    run("merge", *forests, "-o", to)
    assert labels(to) == expected([(u, u + 1) for u in range(0, 400, 2)])


def test_without_the_plugin_or_room_on_the_disk_one_line_says_so(tmp_path):
    source = tmp_path / "pairs.el"
    source.write_text("1 2\n")
    alone = tmp_path / "copse"
    shutil.copy(COMMAND, alone)
    empty = tmp_path / "empty"
    empty.mkdir()
    no_pyarrow = empty / "pyarrow.py"
    no_pyarrow.write_text("raise ImportError\n")
    for environment in ({"PATH": ""}, {**IN_PYTHON, "PYTHONPATH": f"{empty}:{IN_PYTHON['PYTHONPATH']}"}):  # without Python, or pyarrow
        ended = subprocess.run([alone, "components", source, "-o", tmp_path / "labels.parquet"], capture_output=True, text=True, env=environment)
        assert ended.returncode == 2 and ended.stderr.count("\n") == 1 and "pip install pyarrow" in ended.stderr, ended.stderr
    shutil.rmtree(empty)
    for suffix in ("parquet", "arrow"):
        assert "No space left on device" in run("components", source, "-o", "/dev/full", "--output-format", suffix, code=3).stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copse", "pairs.el"]


def test_declared_vertices_and_other_options(tmp_path):
    source = tmp_path / "pairs.parquet"
    write(source, pa.table({"u": [1], "v": [3]}))
    to = tmp_path / "labels.csv"
    run("components", source, "--vertices", "1..4", "-o", to)
    assert to.read_text() == "id,component\n1,1\n2,2\n3,1\n4,4\n"
    assert "found id 3" in run("components", source, "--vertices", "2", code=2).stderr
    assert "found --delimiter, which applies only to text" in run("components", source, "--delimiter", ";", code=2).stderr
    assert "as --ids says" in run("components", source, "--ids", "string", code=2).stderr
    write(tmp_path / "table.parquet", pa.table({"id": [4, 2]}))
    run("components", source, "--vertices", "1..4", "--vertex-file", tmp_path / "table.parquet", "-o", to)
    assert to.read_text() == "id,component\n1,1\n2,2\n3,1\n4,4\n"
    assert "found id 4" in run("components", source, "--vertices", "1..3", "--vertex-file", tmp_path / "table.parquet", code=2).stderr


def test_errors_name_the_file_of_a_folder_and_the_row_in_it(tmp_path):
    folder = tmp_path / "table"
    folder.mkdir()
    write(folder / "a.parquet", pa.table({"u": range(100), "v": range(100)}), row_group_size=7)
    write(folder / "b.parquet", pa.table({"u": pa.array([1, 2, None]), "v": pa.array([4, 5, 6])}))
    said = run("components", folder, code=2).stderr
    assert said.startswith(f"{folder / 'b.parquet'}: column 'u': found a null in row 2, expected a value"), said
    write(folder / "b.parquet", pa.table({"u": [1, -2], "v": [4, 5]}))
    large = tmp_path / "large.parquet"
    write(large, pa.table({"u": pa.array([2**64 - 1], pa.uint64()), "v": pa.array([1], pa.uint64())}))
    said = run("components", large, folder, "--threads", 1, code=2).stderr
    assert said.startswith(f"{folder / 'b.parquet'}: column 'u' in row 1: found the id -2, expected ids of 0 or more, as {large}: column 'u' in row 0 has")


def test_missing_ends_missing_weights_and_low_weights_are_counted_apart(tmp_path, suffix):
    source = tmp_path / f"scored{suffix}"
    weights = pa.array([0.5, 0.5, None, float("nan"), 0.01])
    write(source, pa.table({"u": pa.array([1, None, 3, 5, 1]), "v": [2, 3, 4, 6, 9], "w": weights}))
    ended = run("components", source, "--weight", "w", "--min-weight", "0.1", "--na", "", "--json", "-o", tmp_path / "labels.csv")
    found = json.loads(ended.stdout)
    assert (found["missing_ends"], found["missing_weights"], found["below_min_weight"]) == (1, 2, 1)
    assert "1 edge dropped for a missing end" in ended.stderr and "2 edges dropped for a missing weight" in ended.stderr


def columns(path):
    table = pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()
    return {name: str(table.schema.field(name).type) for name in table.column_names}, table.to_pydict()


def as_csv(path):
    """The columns of a table of integers, numbers and words as they are in text."""
    header, *lines = path.read_text().splitlines()
    return {name: list(column) for name, column in zip(header.split(","), zip(*(line.split(",") for line in lines)))}


def shown(value):
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


WEIGHTED = ("--weight", "w")
TABLES = {
    "labels": ("components", "-o"),
    "sizes": ("components", "--sizes"),
    "forest": ("forest", "-o"),
    "rooted": ("forest", "--rooted"),
    "weighted forest": ("forest", "--maximum", *WEIGHTED, "-o"),
    "labels at": ("thresholds", *WEIGHTED, "--at", "0.25,0.75", "-o", "curve.csv", "--labels"),
    "curve": ("thresholds", *WEIGHTED, "-o"),
    "linkage": ("dendrogram", *WEIGHTED, "-o"),
    "bridges": ("bridges", "-o"),
    "points": ("bridges", "--articulation-points"),
    "sets": ("bridges", "--biconnected"),
    "pairs": ("explain", *WEIGHTED, "--pairs", "pairs.csv", "-o"),
    "cuts": ("components", *WEIGHTED, "--max-size", "2", "--cuts"),
    "edges": ("convert", *WEIGHTED),
    "edges without weights": ("convert", "--drop-weights"),
}


@pytest.mark.parametrize("to", [".parquet", ".arrow"])
@pytest.mark.parametrize("what", TABLES)
@pytest.mark.parametrize("kind", ["integers", "negative", "large", "strings"])
def test_every_table_is_written_as_columns(tmp_path, monkeypatch, what, kind, to):
    monkeypatch.chdir(tmp_path)
    name = {"integers": str, "negative": lambda i: str(i - 3), "large": lambda i: str(2**64 - 9 + i), "strings": lambda i: f"n{i}"}[kind]
    edges = [(1, 2, 0.5), (2, 3, 0.75), (3, 1, 0.25), (3, 4, 1), (5, 6, 0.5)]
    Path("graph.csv").write_text("u,v,w\n" + "".join(f"{name(u)},{name(v)},{w}\n" for u, v, w in edges))
    Path("pairs.csv").write_text("u,v\n" + "".join(f"{name(u)},{name(v)}\n" for u, v in [(1, 4), (1, 6), (2, 2)]))
    command, *options = TABLES[what]
    for output in (Path("table.csv"), Path(f"table{to}")):
        run(command, "graph.csv", *options, output)
    types, values = columns(Path(f"table{to}"))
    expected = as_csv(Path("table.csv"))
    assert {name: [shown(value) for value in column] for name, column in values.items()} == expected
    ids = {"integers": "int64", "negative": "int64", "large": "uint64", "strings": "string" if to == ".parquet" else "large_string"}[kind]
    assert {types[c] for c in types if c in ("id", "u", "v", "parent", "a", "b", "from", "to", "at_0.25")} <= {ids}
    assert {types[c] for c in types if c in ("weight", "height", "threshold")} <= {"double"}
    assert {types[c] for c in types if c in ("size", "depth", "components", "edge")} <= {"int64"}


def test_ranks_and_many_rows_are_written_as_columns(tmp_path):
    successors = tmp_path / "list.txt"
    count = 300_000  # of more than one batch
    successors.write_text("".join(f"{i + 1}\n" for i in range(count - 1)) + "-1\n")
    to = tmp_path / "ranks.parquet"
    run("rank", successors, "-o", to)
    assert columns(to)[1] == {"element": list(range(count)), "rank": list(range(count - 1, -1, -1))}


def test_narrow_weights_become_doubles_of_the_same_digits(tmp_path):
    source, to = tmp_path / "scored.parquet", tmp_path / "forest.parquet"
    write(source, pa.table({"u": [1, 2], "v": [2, 3], "w": pa.array([0.1, 0.7], pa.float32())}))
    run("forest", source, "--weight", "w", "--maximum", "-o", to)
    types, values = columns(to)
    assert types["weight"] == "double" and values["weight"] == [0.1, 0.7]
    again = tmp_path / "again.parquet"
    run("convert", to, again, "--weight", "weight")
    assert columns(again) == (types, values)


KEYS = {"id": ["a", "b", "c", "d", "e"], "email": ["x@y", None, "x@y", "", "z@y"], "phone": [7, 8, 9, 8, None]}


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("named", [True, False])
def test_records_are_grouped_as_in_text(tmp_path, suffix, threads, named):
    table = pa.table({**KEYS, **({} if named else {"id": [5, 4, 3, -2, 1]}), "other": [0.5] * 5})
    source, text = tmp_path / f"records{suffix}", tmp_path / "records.csv"
    write(source, table, row_group_size=2)
    rows = list(zip(*(table.column(name).to_pylist() for name in ("id", "email", "phone"))))
    text.write_text("id,email,phone\n" + "".join(",".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows))
    found = []
    for path in (source, text):
        to = tmp_path / f"{path.suffix[1:]}.csv"
        ended = run("group", path, "--id", "id", "--by", "email,phone", "--threads", threads, "--verify", "--json", "-o", to)
        found.append((to.read_text(), {key: json.loads(ended.stdout)[key] for key in ("records", "rows", "keys", "missing", "values", "groups")}))
    assert found[0] == found[1]


def test_records_without_ids_are_called_by_their_rows(tmp_path, suffix):
    source, to = tmp_path / f"records{suffix}", tmp_path / "labels.parquet"
    write(source, pa.table({"key": [f"k{i % 100}" for i in range(40_000)]}), row_group_size=1000)
    for threads in (1, 4):
        run("group", source, "--by", "key", "--threads", threads, "--verify", "-o", to)
        assert labels(to) == {row: row % 100 for row in range(40_000)}


def test_records_that_cannot_be_grouped_are_refused(tmp_path):
    source = tmp_path / "records.parquet"
    write(source, pa.table({"id": pa.array([1, None]), "key": ["x", "y"], "part": [0.5, 1.5]}))
    assert f"{source}: column 'id': found a null in row 1" in run("group", source, "--id", "id", "--by", "key", code=2).stderr
    assert "column 'part': keys must be integers or strings, not float64" in run("group", source, "--by", "part", code=2).stderr
    assert "no column" in run("group", source, "--by", "missing", code=2).stderr
    assert "appended to text only" in run("group", source, "--by", "key", "--append", tmp_path / "records.csv", code=2).stderr


@pytest.fixture
def run_in_python(tmp_path_factory):
    alone = tmp_path_factory.mktemp("program") / "copse"
    shutil.copy(COMMAND, alone)
    return lambda *arguments, code=0: run(*arguments, code=code, program=alone, env=IN_PYTHON)


@pytest.mark.parametrize("kind", ["int64", "string", "dictionary"])
@pytest.mark.parametrize("threads", [1, 7])
def test_pyarrow_serves_a_command_without_a_plugin(tmp_path, run_in_python, suffix, kind, threads):
    random = np.random.default_rng(11)
    u, v = (pa.array([f"name {i}" for i in column]) if kind != "int64" else pa.array(column) for column in random.integers(0, 900, (2, 1000)))
    if kind == "dictionary" and suffix == ".parquet":
        u, v = u.dictionary_encode(), v.dictionary_encode()
    source = tmp_path / f"pairs{suffix}"
    write(source, pa.table({"other": pa.array(range(1000)), "v": v, "u": u, "w": random.random(1000)}), row_group_size=130)
    for name, command in {
        "labels": ("components", source, "--columns", "u,v"),
        "strong": ("components", source, "--columns", "u,v", "--weight", "w", "--min-weight", "0.5"),
        "forest": ("forest", source, "--columns", "u,v", "--weight", "w", "--maximum"),
        "edges": ("convert", source, "--columns", "u,v", "--weight", "w"),
        "groups": ("group", source, "--by", "u"),
    }.items():
        tables = []
        for runs, to in ((run, tmp_path / f"{name}.parquet"), (run_in_python, tmp_path / f"{name}_python.parquet")):
            runs(*command, *(() if name == "edges" else ("-o",)), to, "--threads", threads)
            tables.append(columns(to))
        assert tables[0] == tables[1], name
    run_in_python("components", source, "--columns", "u,v", "-o", tmp_path / "labels.arrow")
    assert columns(tmp_path / "labels.arrow")[1] == columns(tmp_path / "labels.parquet")[1]


def test_errors_of_pyarrow_are_those_of_the_plugin(tmp_path, run_in_python):
    (tmp_path / "none.parquet").write_bytes(b"PAR1 nothing of the kind")
    said = run_in_python("components", tmp_path / "none.parquet", code=2).stderr
    assert said.startswith(f"{tmp_path / 'none.parquet'}: found no Parquet file") and said.count("\n") == 1
    write(tmp_path / "nested.parquet", pa.table({"u": pa.array([[1], [2]]), "v": [1, 2]}))
    assert "nested" in run_in_python("components", tmp_path / "nested.parquet", code=2).stderr
    write(tmp_path / "pairs.parquet", pa.table({"u": range(1000), "v": range(1000)}), row_group_size=100)
    data = (tmp_path / "pairs.parquet").read_bytes()
    (tmp_path / "pairs.parquet").write_bytes(data[:200] + bytes(300) + data[500:])
    said = run_in_python("components", tmp_path / "pairs.parquet", code=2).stderr
    assert said.startswith(f"{tmp_path / 'pairs.parquet'}: ") or said.startswith("table: "), said
    source = tmp_path / "pairs.el"
    source.write_text("1 2\n")
    for suffix in ("parquet", "arrow"):
        assert "No space left on device" in run_in_python("components", source, "-o", "/dev/full", "--output-format", suffix, code=3).stderr
    assert not list(tmp_path.glob("*.tmp"))


@pytest.mark.parametrize("ids", [["ann", "bob", "cid", "dan", "eve"], [-7, 2, 30, 400, 5000]])
@pytest.mark.parametrize("source", [["crm", "web", "crm", "web", None], [1, 2, 1, 2, None]])
def test_limits_on_the_values_of_a_column_of_vertices(tmp_path, suffix, ids, source):
    write(tmp_path / f"records{suffix}", pa.table({"source": source, "id": ids}))
    pairs = zip(ids, ids[1:], (0.9, 0.8, 0.7, 0.6))
    (tmp_path / "pairs.csv").write_text("l,r,score\n" + "".join(f"{u},{v},{score}\n" for u, v, score in pairs))
    asked = ["cluster", tmp_path / "pairs.csv", "--weight", "score", "--vertex-file", tmp_path / f"records{suffix}", "--one-per", "source"]
    said = json.loads(run(*asked, "-o", tmp_path / "clusters.parquet", "--json").stdout)
    assert labels(tmp_path / "clusters.parquet") == dict(zip(ids, [ids[0], ids[0], ids[2], ids[2], ids[2]]))
    assert said["answers"][0]["refused"] == {"one_per source": 1} and said["exempt"] == {"source": 1}


# A process begins with the peak memory of the one that starts it, so a small one does.
PEAK = "import os, sys; pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ); print(os.wait4(pid, 0)[2].ru_maxrss * 1024)"


def test_a_parquet_file_is_not_memory_of_the_process(tmp_path):
    ids = np.random.default_rng(1).integers(0, 1000, (2, 8_000_000))
    path = tmp_path / "pairs.parquet"
    write(path, pa.table({"l": ids[0], "r": ids[1]}), compression="none", use_dictionary=False, row_group_size=1 << 17)
    command = [COMMAND, "components", path, "--columns", "l,r", "--threads", "16", "-o", tmp_path / "labels.parquet"]
    ended = subprocess.run([sys.executable, "-S", "-c", PEAK, *map(str, command)], capture_output=True, text=True, check=True)
    assert pq.read_metadata(tmp_path / "labels.parquet").num_rows == 1000, ended.stderr
    assert int(ended.stdout.splitlines()[-1]) < path.stat().st_size
