"""The archives of lab/results and the pages made of them are in order, and what is not in order is refused."""

import json
import lzma
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from lab import store, values  # noqa: E402

HEAD = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
BENCH = {
    "benchmark": "bench",
    "input": "csr",
    "machine": {"cores": 2, "load": 0.5, "commit": HEAD},
    "graphs": [
        {
            "graph": "/tmp/g/star9.egr",
            "vertices": 9,
            "arcs": 16,
            "rows": [
                {"variant": "serial.none.fast", "ran": "serial.none.fast", "threads": 1, "seconds": {"samples": [0.003, 0.001, 0.0025]}},
                {"variant": "auto", "ran": "serial.none.fast", "threads": 1, "seconds": {"samples": [0.002]}},
                {"variant": "serial.hb.rem", "ran": "serial.hb.rem", "threads": 1, "seconds": {"samples": [0.002]}, "work": {"loads": 7}},
                {"variant": "serial.none.rem", "ran": "serial.none.rem", "threads": 1},
            ],
        }
    ],
}


def run(*arguments):
    return subprocess.run([sys.executable, "-B", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)


class tree_test(unittest.TestCase):
    def test_archives_are_in_order(self):
        done = run("-m", "lab", "check")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_pages_are_what_the_samples_say(self):
        done = run("-m", "lab", "pages", "--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_file_is_an_archive_or_a_known_table(self):
        names = {p.name for p in store.RESULTS.iterdir()}
        self.assertEqual({n for n in names if not n.endswith(".jsonl.xz")}, {"graphs.csv", "machines.csv", "rivals.csv"})
        self.assertGreater(len(names), 10)


class copy_test(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.results = self.root / "lab" / "results"
        shutil.copytree(store.RESULTS, self.results)
        for name in ("measurements", "explanation"):
            shutil.copytree(ROOT / "docs" / name, self.root / "docs" / name)

    def replace(self, page, old, new):
        path = self.root / "docs" / page
        text = path.read_text(encoding="utf-8")
        self.assertTrue(old in text, old)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def change(self, area, change):
        path = self.results / f"{area}.jsonl.xz"
        found = [json.loads(line) for line in lzma.open(path, "rt")]
        change(found)
        path.write_bytes(store.packed(found))

    def lab(self, *arguments):
        return run("-m", "lab", *arguments, "--root", self.root)

    def test_a_changed_figure_and_a_changed_verdict_are_refused_and_mended(self):
        changes = {
            "measurements/gpu.md": ("| 0.346 |", "| 0.345 |"),
            "explanation/reproduction.md": ("1.34x) | not reproduced |", "1.34x) | reproduced |"),
        }
        original = {page: (self.root / "docs" / page).read_text(encoding="utf-8") for page in changes}
        for page, (old, new) in changes.items():
            self.replace(page, old, new)
        checked, again = self.lab("pages", "--check"), run("tests/lab/recompute.py", self.root)
        self.assertEqual((checked.returncode, again.returncode), (1, 1), checked.stderr + again.stderr)
        for page in changes:
            self.assertIn(f"docs/{page} is stale", checked.stdout)
        self.assertIn("table gpu_auto, row 1, column 6: found 0.345, expected 0.346", again.stdout)
        self.assertIn("no page shows 1.33x", again.stdout)
        self.assertEqual(self.lab("pages").returncode, 0)
        self.assertEqual({page: (self.root / "docs" / page).read_text(encoding="utf-8") for page in changes}, original)

    def test_another_sample_makes_a_page_stale(self):
        self.change("cpu", lambda found: [s["samples"].__setitem__(slice(None), [9.0] * len(s["samples"])) for d in found for s in d["series"]])
        self.assertIn("docs/measurements/cpu.md is stale", self.lab("pages", "--check").stdout)

    def test_changed_commits_no_samples_and_twins_are_refused(self):
        self.change("cpu", lambda found: found[0]["facts"].update(commit="0123456-dirty"))
        self.assertIn("found commit '0123456-dirty'", self.lab("check").stdout)
        self.change("gpu", lambda found: found[0]["series"][0].update(samples=[]))
        self.assertIn("found no samples", self.lab("check").stdout)
        self.change("text", lambda found: found.append(found[0]))
        done = self.lab("check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing tells apart", done.stdout)

    def test_a_rival_without_a_command_is_refused(self):
        path = self.results / "rivals.csv"
        path.write_text(path.read_text(encoding="utf-8") + "g,code,,,h200,solve,ms,5,1.0\n", encoding="utf-8")
        self.assertIn("rivals.csv: g, code: found no commit, command or machine", self.lab("check").stdout)

    def test_marks_tables_and_their_number_are_checked(self):
        for old, new, said in (
            ("<!-- end -->", "", "without an end"),
            ("table: cpu_auto", "table: cpu_autos", "found table cpu_autos"),
            ("## Repeat", "<!-- table: groups -->\n<!-- end -->\n\n## Repeat", "found 3 tables, expected 2 at most"),
        ):
            page = self.root / "docs" / "measurements" / "cpu.md"
            original = page.read_text(encoding="utf-8")
            self.replace("measurements/cpu.md", old, new)
            done = self.lab("pages", "--check")
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
            page.write_text(original, encoding="utf-8")

    def add(self, result, **how):
        file = self.root / "result.json"
        file.write_text(json.dumps(result) + "\n", encoding="utf-8")
        store.add("mine", [file], "two-core", folder=self.results, **how)
        return store.Store(self.results)["mine"]

    def test_results_are_added_once_or_instead(self):
        found = self.add(BENCH)
        self.assertEqual(
            [(s.graph, s.variant, s.samples, s.load) for s in found.all(measure="solve")],
            [("star9", "serial.none.fast", (3.0, 1.0, 2.5), 0.25), ("star9", "auto", (2.0,), 0.25), ("star9", "serial.hb.rem", (2.0,), 0.25)],
        )
        self.assertEqual(found.one(variant="auto").keys, {"ran": "serial.none.fast"})
        self.assertEqual([s.measure for s in found.all(variant="serial.hb.rem")], ["solve", "vertices", "arcs", "loads"])
        with self.assertRaisesRegex(SystemExit, "expected another run=NAME"):
            self.add(BENCH)
        self.assertEqual(len(store.Store(self.results)["mine"].series), 6)
        self.assertEqual(len(self.add(BENCH, run="2").series), 12)
        self.assertEqual(len(self.add(BENCH, run="2", instead=True).series), 12)

    def test_samples_of_a_changed_tree_are_refused(self):
        for commit in (f"{HEAD[:12]}-dirty", "unknown", "0" * 40):
            with self.assertRaisesRegex(SystemExit, "expected a commit of this history without changes"):
                self.add({**BENCH, "machine": {"cores": 2, "load": 0, "commit": commit}})
        self.assertFalse((self.results / "mine.jsonl.xz").exists())

    def test_an_unknown_machine_is_misuse(self):
        self.assertEqual(run("-m", "lab", "add", "mine", "x.json", "--machine", "none").returncode, 2)


class values_test(unittest.TestCase):
    def one(self, variant, *samples):
        return store.Series("a", "m", "0123456", 0.0, "", "g", variant, (), "solve", "ms", 1, samples)

    def test_numbers_and_their_expressions_agree(self):
        a, b = values.median(self.one("a", 4.0, 8.0, 6.0)), values.median(self.one("b", 2.0, 3.0))
        self.assertAlmostEqual((a / b).number, 6 / 2.5)
        self.assertEqual(values.least((a, None, b)).number, 2.5)
        self.assertAlmostEqual(values.mean((a, b)).number, (6 * 2.5) ** 0.5)
        self.assertEqual(str(values.shown(a / b, "times")), "2.40x")
        self.assertEqual(str(values.Printed("{} to {}", a, None)), "–")

    def test_a_choice_is_judged_on_the_samples_that_it_was_not_made_by(self):
        lucky, steady = self.one("10", 1.0, 9.0, 1.0, 9.0), self.one("20", 2.0, 3.0, 2.0, 3.0)
        candidates = [["10", lucky.key], ["20", steady.key]]
        series = {s.key: s for s in (lucky, steady)}
        self.assertEqual(values.Value(["held_out", *candidates], series).number, 9)
        self.assertEqual(values.Value(["chosen", *candidates], series).number, 10)

    def test_an_interval_holds_the_number_and_is_the_same_each_time(self):
        a = values.median(self.one("a", *map(float, range(1, 12))))
        low, high = a.interval()
        self.assertEqual((low, high), a.interval())
        self.assertTrue(1 <= low < a.number < high <= 11)


if __name__ == "__main__":
    unittest.main()
