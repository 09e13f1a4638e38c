"""The checker of words is itself checked: every pattern refuses its samples, and lines that are in order pass."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools" / "check_words.py"
sys.path.insert(0, str(TOOL.parent))
import check_words  # noqa: E402

# Text, and what is found in it. Each is one fault of one pattern.
SAMPLES = {
    "int own_path = 1;": "own_path",
    "// our own path is faster": "own path",
    "auto x = solve_own(g);": "solve_own",
    "void span_own();": "span_own",
    '#include "gpu_ideas.hpp"': "gpu_ideas",
    "auto p = looks_of(g);": "looks_of",
    "bool known_there_ = false;": "known_there",
    "void there_and_back();": "there_and_back",
    "// turn_round comes later": "turn_round",
    "struct keeping_rest {};": "keeping_rest",
    "struct contracting_rest {};": "contracting_rest",
    "gpu_rest g;": "gpu_rest",
    "rest_device d;": "rest_device",
    "class settler;": "settler",
    "#include <registry/table.hpp>": "registry",
    "auto x = own::solve(g);": "own::",
    'run("omp.hb.own");': "hb.own",
    "// serial.none.own": "none.own",
    'run("hybrid.own.none.rem");': "hybrid.own",
    "// a row of the table": "row of the table",
    "// Rows of\n// the table": "Rows of // the table",
    '"expected a row of cuda"': "row of cuda",
    "// rows of omp": "rows of omp",
    "// 438 omp rows": "omp rows",
    "// 4 bytes a vertex": "bytes a vertex",
    "// two arcs a\n  /// vertex": "arcs a /// vertex",
    "// 16 edges a vertex": "edges a vertex",
    "// 8 bytes an edge": "bytes an edge",
    "auto r = gpu_row_for(name);": "gpu_row_for",
    "auto r = find_row(name);": "find_row",
    "row_choice c;": "row_choice",
    "hybrid_row h;": "hybrid_row",
    "incremental_row i;": "incremental_row",
    "bench_row b;": "bench_row",
    "// see Issue 7": "Issue 7",
    "// the bar of 3 %": "bar of",
    "told.seconds = 1;": "told.",
    "report told{};": "told{",
    "return made;": "made;",
    "made->rows = 1;": "made->",
    "f(made, 2);": "made,",
    "void f(context& with);": "& with",
}
CLEAN = """// The fast path, told of a row: 4 bytes per vertex; made (in one pass) with rows of a graph, each vertex a thread.
const char* text = "as I was told: f(made)";
int remade = 1, retold{2};  // the variants of cuda & with them those of omp
auto registry_like = down::f(x), grown_path = 1, town = a.own, owner = own;
"""


class check_words_test(unittest.TestCase):
    def tree(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            file = Path(folder.name) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return folder.name

    def test_samples_are_refused(self):
        for text, found in SAMPLES.items():
            faults = check_words.check(self.tree({"src/a.cpp": "int a;\n" + text + "\n"}))
            self.assertEqual(len(faults), 1, (text, faults))
            self.assertTrue(faults[0].startswith(f"src/a.cpp:2: found {found}, expected "), (text, faults))

    def test_every_pattern_has_a_sample(self):
        for patterns in (check_words.COMPILED, check_words.COMPILED_IN_CODE):
            for pattern, _ in patterns:
                self.assertTrue(any(pattern.search(text) for text in SAMPLES), pattern.pattern)

    def test_clean_lines_pass(self):
        self.assertEqual(check_words.check(self.tree({"src/a.cpp": CLEAN, "README.md": "I was told; it was made.\n"})), [])

    def test_every_place_is_looked_at(self):
        for place in check_words.PLACES:
            name = place if place.endswith(".md") else f"{place}/deep/a.md"
            self.assertEqual(len(check_words.check(self.tree({name: "gpu_ideas\n"}))), 1, name)

    def test_code_is_told_from_prose(self):
        self.assertEqual(check_words.check(self.tree({"docs/a.md": "So it was made, and told; told. The value& with it.\n"})), [])

    def test_exceptions(self):
        clean = {"src/a.cpp": "\n"}
        for name in ("CHANGELOG.md", "docs/decisions/a.md", "bench/results/a.csv", "tests/cases_81b8f81.txt", "tests/corpus/a/b.json"):
            self.assertEqual(check_words.check(self.tree({**clean, name: "gpu_ideas\n"})), [], name)
        self.assertEqual(len(check_words.check(self.tree({**clean, "docs/decisions.md": "gpu_ideas\n"}))), 1)

    def test_it_says_so_and_fails(self):
        bad = subprocess.run([sys.executable, "-B", TOOL, self.tree({"cli/a.cpp": "\nspan_own\n"})], capture_output=True, text=True)
        self.assertEqual((bad.returncode, bad.stdout), (1, "cli/a.cpp:2: found span_own, expected spanning_forest\n"))
        good = subprocess.run([sys.executable, "-B", TOOL, self.tree({"cli/a.cpp": "\n"})], capture_output=True, text=True)
        self.assertEqual((good.returncode, good.stdout), (0, ""))

    def test_empty_tree_is_a_fault(self):
        self.assertEqual(len(check_words.check(self.tree({}))), 1)


if __name__ == "__main__":
    unittest.main()
