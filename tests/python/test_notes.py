"""What the command line notes, Python warns of: one warning of each kind in a call, and all notes in the report."""
import re
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pytest

import copse
from copse._texts import as_argument, as_arguments, in_python

ROOT = Path(__file__).resolve().parents[2]
CLI = Path(copse.__file__).parents[2] / "cli" / "copse"
STAR = "".join(f"{i},NULL,1\n" for i in range(1200))

# name of the file, its text, keywords, ids of the answer (None: many), the note
FILES = {
    "strings": ("f.csv", "a,b,1\nx,y,2\n", {}, ["a", "b", "x", "y"], "the ids are not numeric: read as strings"),
    "strings behind a header": ("f.csv", "a,b,w\nx,y,2\n", {"header": True}, ["x", "y"], "the ids are not numeric: read as strings"),
    "a header that is known": ("f.csv", "id1,id2,w\nx,y,2\n", {}, ["x", "y"], "header"),
    "leading zeros": ("f.csv", "007,8,1\n7,9,1\n", {}, ["007", "7", "8", "9"], "leading zeros|read as strings"),
    "a dropped end": ("f.csv", "1,2,1\nNA,3,1\n", {"na": "NA"}, [1, 2], "1 edge dropped for a missing end"),
    "empty fields": ("f.csv", "1,2,1\n,3,1\n4,,1\n", {"na": ["NA", ""]}, [1, 2], "2 edges dropped for a missing end"),
    "tabs": ("f.tsv", "a\tb\t1\n", {}, ["a", "b"], "read as strings"),
}
FREQUENT = ("f.csv", STAR, {"header": False, "ids": "strings"}, None, 'the id "NULL" takes part in about [0-9]+ of 100 edges; if it stands for a missing value, na= drops them')
CALLS = {
    "components": lambda path, **how: copse.components(path, **how),
    "read_graph": lambda path, **how: copse.components(copse.read_graph(path, **how)),
    "spanning_forest": lambda path, **how: copse.spanning_forest(path, **how),
    "weighted_forest": lambda path, **how: copse.weighted_forest(path, 3, goal="maximum", **how),
    "bridges": lambda path, **how: copse.bridges(path, **how).two_edge_connected,
    "thresholds": lambda path, **how: copse.thresholds(path, 3, **how),
    "dendrogram": lambda path, **how: copse.dendrogram(path, 3, **how),
    "explain": lambda path, **how: copse.explain(path, *how.pop("pair"), 3, **how),
}


def noted(call, *arguments, **keywords):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answer = call(*arguments, **keywords)
    assert all(w.category is copse.Note and w.filename == __file__ for w in caught), [(str(w.message), w.filename) for w in caught]
    return answer, [str(w.message) for w in caught]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", FILES)
def test_a_note_is_a_warning(name, call, tmp_path):
    file, text, how, ids, note = FILES[name]
    path = tmp_path / file
    path.write_text(text)
    more = {"pair": ids[:2]} if call == "explain" else {}
    answer, told = noted(CALLS[call], path, **how, **more)
    assert sum(re.search(note, one) is not None for one in told) == 1, told
    assert not any("--" in one for one in told) and all(one.startswith(str(path)) for one in told)
    if hasattr(answer, "report"):
        assert answer.report.notes == told
        assert answer.ids.tolist() == ids


@pytest.mark.parametrize("call", ["components", "read_graph", "bridges", "spanning_forest"])
def test_an_id_that_may_stand_for_a_missing_value_is_a_warning(call, tmp_path):
    file, text, how, _, note = FREQUENT
    (tmp_path / file).write_text(text)
    answer, told = noted(CALLS[call], tmp_path / file, **how)
    assert sum(re.search(note, one) is not None for one in told) == 1
    assert any(re.search(note, one) for one in answer.report.notes)


def test_notes_of_one_kind_are_one_warning_and_all_in_the_report(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("".join(f"NULL,NA{i % 2},1\n" for i in range(1200)))
    answer, told = noted(copse.components, path, ids="strings")
    assert sum("takes part in about" in one for one in told) == 1
    assert sum("takes part in about" in one for one in answer.report.notes) == 3


def test_a_warning_can_be_an_error_and_plain_files_have_none(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("a,b\nb,c\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(copse.Note, match="read as strings"):
            copse.components(path)
        path.write_text("1,2\n2,3\n")
        assert copse.components(path).report.notes == [] and copse.read_graph(path).vertices == 3
    assert issubclass(copse.Note, UserWarning)


def test_a_weight_that_no_edge_has_is_a_warning(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("1,2,.5\n2,3,.25\n")
    graph, told = noted(copse.read_graph, path, score=3, threshold=50)
    assert graph.stored == 0 and told == [f"{path}: no weight reaches the threshold 50: the largest is 0.5"]
    assert noted(copse.read_graph, path, score=3, threshold=.5)[1] == []


@pytest.mark.parametrize("name", FILES)
def test_the_command_line_reads_a_file_as_python_does(name, tmp_path):
    if not CLI.exists():
        pytest.skip("the command line is not built")
    file, text, how, _, _ = FILES[name]
    path = tmp_path / file
    path.write_text(text)
    flags = {"header": lambda v: ["--header", "yes" if v else "no"], "na": lambda v: ["--na", v if isinstance(v, str) else ",".join(v)]}
    asked = [word for key, value in how.items() for word in flags[key](value)]
    told = subprocess.run([CLI, "components", path, *asked, "-o", "-", "--output-format", "csv"], capture_output=True, text=True, check=True)
    answer, warned = noted(copse.components, path, **how)
    rows = [line.split(",") for line in told.stdout.splitlines()[1:]]
    assert [r[0] for r in rows] == [str(v) for v in answer.ids] and [r[1] for r in rows] == [str(v) for v in answer.labels]
    cli = [line.removeprefix("copse: note: ") for line in told.stderr.splitlines() if "note: " in line]
    assert warned == [in_python(re.sub(r"--([a-z-]+)", r"the option \1", one)) for one in cli]


READING = {
    "delimiter": ("f.txt", "a|b|1\nc|d|2\n", {"delimiter": "|", "ids": "strings"}, ["a", "b", "c", "d"]),
    "tab": ("f.csv", "a b\tc\t1\n", {"delimiter": "tab", "ids": "strings"}, ["a b", "c"]),
    "no header": ("f.csv", "source,target,1\n", {"header": False, "ids": "strings"}, ["source", "target"]),
    "blanks": ("f.csv", " a,b ,1\n", {"trim": False, "ids": "strings"}, [" a", "b "]),
    "comment": ("f.csv", "! no\n1,2,3\n", {"comment": "!"}, [1, 2]),
    "format": ("f.data", "1,2,3\n", {"format": "csv"}, [1, 2]),
    "integers": ("f.csv", "007,8,1\n", {"ids": "integers"}, [7, 8]),
    "bytes": ("f.csv", b"\xff,b,1\n", {"ids": "bytes"}, [b"b", b"\xff"]),
    "prefixes": ("f.csv", "1,1,1\n", {"prefix_left": "l", "prefix_right": "r"}, ["l1", "r1"]),
    "several columns": ("f.csv", "c,1,s,1,1\nc,1,s,2,1\n", {"columns": ((1, 2), (3, 4)), "weights": 5}, ["c:1", "s:1", "s:2"]),
    "several columns by name": ("f.csv", "a,b,c,d,w\nc,1,s,1,1\n", {"columns": (["a", "b"], ["c", "d"]), "weights": "w", "id_delimiter": "/"}, ["c/1", "s/1"]),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", READING)
def test_whatever_reads_a_path_takes_the_keywords_for_files(name, call, tmp_path):
    file, text, how, ids = READING[name]
    path = tmp_path / file
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    how = dict(how)
    weights = how.pop("weights", 3)
    weighted = {"weighted_forest": copse.weighted_forest, "thresholds": copse.thresholds, "dendrogram": copse.dendrogram}
    if call in weighted:
        answer = noted(weighted[call], path, weights, **how)[0]
    elif call == "explain":
        answer = noted(copse.explain, path, ids[0], ids[1], weights, **how)[0]
        assert answer.path.tolist() == ids[:2]
    else:
        answer = noted(CALLS[call], path, **how)[0]
    if hasattr(answer, "ids"):
        assert answer.ids.tolist() == ids


@pytest.mark.parametrize(
    "keywords, error, text",
    [
        ({"heading": True}, TypeError, r"components\(\) got an unexpected keyword argument 'heading'"), ({"header": "yes"}, copse.UsageError, "header must be True or False, not 'yes'"),
        ({"delimiter": ",,"}, copse.UsageError, "delimiter must be one byte or 'tab', not ',,'"), ({"delimiter": 5}, copse.UsageError, "delimiter must be a string, not 5"),
        ({"na": 5}, copse.UsageError, "na must be a word or a list of words, not 5"), ({"na": [None]}, copse.UsageError, "na must be a string, not None"), ({"id_delimiter": ""}, copse.UsageError, "id_delimiter must not be empty"),
        ({"columns": ((), (1,))}, copse.UsageError, "columns must give at least one column for each id"), ({"columns": ((1, 2),)}, copse.UsageError, "columns must give two columns, "),
        ({"format": "xyz"}, copse.UsageError, "xyz"), ({"ids": "numbers"}, copse.UsageError, "ids must be 'auto', 'integers', 'strings' or 'bytes', not 'numbers'"), ({"prefix_left": 5}, copse.UsageError, "prefix_left must be a string, not 5"),
    ],
)
def test_keywords_that_are_none_are_refused_in_words(keywords, error, text, tmp_path):
    (tmp_path / "f.csv").write_text("1,2\n")
    with pytest.raises(error, match=text):
        copse.components(tmp_path / "f.csv", **keywords)


@pytest.mark.parametrize("call", ["components", "spanning_forest", "weighted_forest", "bridges", "thresholds", "dendrogram"])
def test_arrays_and_tables_have_no_header(call):
    weights = () if call in ("components", "spanning_forest", "bridges") else ("w",)
    for given in ({"l": [1], "r": [2], "w": [1.0]} if weights else {"l": [1], "r": [2]}, np.array([[1, 2]])):
        arguments = weights if isinstance(given, dict) else ([1.0],) * bool(weights)
        with pytest.raises(copse.UsageError, match="header= applies only to the path of a text file, not to (a table|arrays)"):
            getattr(copse, call)(given, *arguments, header=True)
        with pytest.raises(TypeError, match="unexpected keyword argument 'heading'"):
            getattr(copse, call)(given, *arguments, heading=True)


def test_nulls_of_a_file_in_text_are_said_by_na(tmp_path):
    (tmp_path / "f.csv").write_text("1,2,3\n,2,3\n")
    for call in (copse.bridges, copse.spanning_forest, lambda path, **how: copse.weighted_forest(path, 3, **how)):
        with pytest.raises(copse.UsageError, match="nulls='drop' applies only to tables; for .* use na=''"):
            call(tmp_path / "f.csv", nulls="drop")
        assert noted(call, tmp_path / "f.csv", na="")[0].report.notes


@pytest.mark.parametrize(
    "text, want",
    [
        ("read as strings (the option header decides otherwise)", "read as strings (header= decides otherwise)"),
        ("the option ids int, which takes it for 7, or the option ids string, which tells them apart", "ids='integers', which takes it for 7, or ids='strings', which tells them apart"),
        ("unless the option comment '#' says so", "unless comment='#' says so"), ("(the option na '' drops such records)", "(na='' drops such records)"),
        ("if it stands for a missing value, the option na drops them", "if it stands for a missing value, na= drops them"),
        ("(the option format coo64 reads those)", "(format='coo64' reads those)"), ("a format by name, such as the option format edges)", "a format by name, such as format='edges')"),
        ("(the option memory LIMIT says that there is room)", "(memory= says that there is room)"), ("expected the option columns id_l,id_r", "expected columns=('id_l', 'id_r')"),
        ("(the option columns 1,2 passes over)", "(columns=(1, 2) passes over)"), ("expected the option header no; or", "expected header=False; or"),
        ("use the option prefix-left and the option prefix-right", "use prefix_left= and prefix_right="),
        ("(the option id-delimiter says another)", "(id_delimiter= says another)"), ("found no GPU; use the option device cpu", "found no GPU; use device='cpu'"),
        ("as the option says", "as the option says"), ("the option labels FILE", "the option labels FILE"),
        ("found 'the option na x', expected an id", "found 'the option na x', expected an id"), ('found "the option na x", expected', 'found "the option na x", expected'), ("no flags -- here", "no flags -- here"),
    ],
)
def test_options_become_keywords(text, want):
    assert in_python(text) == want


@pytest.mark.parametrize(
    "option, value, want",
    [
        ("columns", "from,to", "columns=('from', 'to')"), ("columns", "2,3", "columns=(2, 3)"), ("comment", "", "comment=''"), ("comment", "#%", "comment='#%'"),
        ("header", "no", "header=False"), ("trim", "yes", "trim=True"), ("prefix-left", "L", "prefix_left='L'"), ("ids", "string", "ids='strings'"), ("delimiter", ";", "delimiter=';'"),
    ],
)
def test_what_settles_an_input_is_said_as_an_argument(option, value, want):
    assert as_argument(option, value) == want


def test_ids_of_several_columns_are_one_argument():
    assert as_arguments([("left", "s_l,u_l", ""), ("right", "s_r,u_r", "")]) == "columns=(('s_l', 'u_l'), ('s_r', 'u_r'))"
    assert as_arguments([("header", "no", "where it is an edge"), ("ids", "string", "")]) == "header=False where it is an edge, ids='strings'"


def test_an_input_that_can_be_read_in_two_ways_is_refused_with_the_arguments(tmp_path):
    (tmp_path / "f.csv").write_text("name,from,to\nx,1,2\ny,2,3\n")
    with pytest.raises(copse.InputError, match=r"columns=\('from', 'to'\)"):
        copse.components(tmp_path / "f.csv")
    assert noted(copse.components, tmp_path / "f.csv", columns=("from", "to"))[0].ids.tolist() == [1, 2, 3]
    (tmp_path / "g.csv").write_text("source_dataset_l,unique_id_l,source_dataset_r,unique_id_r,src,dst\na,2,b,3,4,5\n")
    with pytest.raises(copse.InputError, match=r"columns=\(\('source_dataset_l', 'unique_id_l'\), \('source_dataset_r', 'unique_id_r'\)\)"):
        copse.components(tmp_path / "g.csv")


def test_every_option_that_the_library_names_becomes_a_keyword():
    """Texts of src name options; those that Python shows are keywords that there are."""
    from copse._reading import _KEYWORDS

    known = {*_KEYWORDS, "columns", "memory", "device", "score", "threads", "threshold", "vertices", "nulls"}
    beyond = {"npy_ids", "vertex_file", "labels", "maximum", "minimum", "goal"}  # what only the command line does
    for path in sorted((ROOT / "src").rglob("*.[ch]pp")):
        for literal in re.findall(r'"(?:[^"\\\n]|\\.)*"', path.read_text()):
            for keyword in re.findall(r"([a-z_]+)=", in_python(literal[1:-1])) if "the option " in literal else ():
                assert keyword in known | beyond, (path.name, literal)


def test_errors_name_no_flags(tmp_path):
    path = tmp_path / "f.csv"
    for text, how in (("1,2\n3,07\n", {}), ("1,2\n,3\n", {}), ("1,2\n\xff\xfe,3\n", {"ids": "strings"}), ("1,2\nx,3\n", {})):
        path.write_bytes(text.encode("latin-1"))
        with pytest.raises(copse.InputError) as caught:
            noted(copse.components, path, **how)
        assert "--" not in str(caught.value)
    (tmp_path / "f.xyz").write_text("1 2\n")
    with pytest.raises(copse.InputError, match="format='edges'"):
        copse.components(tmp_path / "f.xyz")
