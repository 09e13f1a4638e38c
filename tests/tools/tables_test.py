"""bench/tables.py and bench/summarise.py: this tree is in order, a stale copy is refused, and summaries say what their archives hold."""

import csv
import json
import lzma
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
sys.path.insert(0, str(BENCH))
import summarise  # noqa: E402
from samples_of import series_of  # noqa: E402
from table_kit import Summaries  # noqa: E402

RESULT = {
    "benchmark": "bench",
    "threads": [1],
    "input": "csr",
    "machine": {"cores": 2, "commit": "0123456789abcdef"},
    "graphs": [
        {
            "graph": "/tmp/g/star9.egr",
            "vertices": 9,
            "arcs": 16,
            "rows": [
                {"variant": "serial.none.own", "ran": "serial.none.own", "threads": 1, "seconds": {"samples": [0.003, 0.001, 0.0025]}},
                {"variant": "auto", "ran": "serial.none.own", "threads": 1, "seconds": {"samples": [0.002]}},
                {"variant": "serial.none.rem", "ran": "serial.none.rem", "threads": 1},
            ],
        }
    ],
}


def run(script, *arguments):
    return subprocess.run([sys.executable, "-B", str(script), *map(str, arguments)], capture_output=True, text=True)


def lists_of_numbers(content):
    """Every list of numbers anywhere in a document, however it is nested: nothing here knows the format."""
    if isinstance(content, list) and content and all(isinstance(c, (int, float)) for c in content):
        yield content
    elif isinstance(content, (list, dict)):
        for part in content.values() if isinstance(content, dict) else content:
            yield from lists_of_numbers(part)


class tree_test(unittest.TestCase):
    def test_pages_are_what_the_summaries_say(self):
        checked = run(BENCH / "tables.py", "--check")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_summaries_are_what_the_archives_say(self):
        checked = run(BENCH / "summarise.py", "--check")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_every_file_belongs_to_a_campaign(self):
        names = set(summarise.campaigns())
        self.assertGreaterEqual(len(names), 14)
        expected = {f"{n}{suffix}" for n in names for suffix in (".csv", ".jsonl.xz")} | {f"{n}.csv" for n in summarise.TABLES}
        self.assertEqual({p.name for p in (BENCH / "results").iterdir()}, expected)

    def test_headers_are_alike(self):
        for name in [*summarise.campaigns(), "rivals"]:
            with open(BENCH / "results" / f"{name}.csv", encoding="utf-8", newline="") as file:
                self.assertEqual(next(csv.reader(file)), summarise.COLUMNS, name)

    def test_medians_are_those_of_samples_in_the_archive(self):
        for name in summarise.campaigns():
            with lzma.open(BENCH / "results" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
                samples = {
                    (len(found), *(summarise.figure(scale * what(found)) for what in (statistics.median, min, max)))
                    for line in file
                    for found in lists_of_numbers(json.loads(line))
                    for scale in (1e3, 1)  # seconds; in the format `series`, milliseconds
                }
            rows = [r for r in summarise.read_csv(BENCH / "results" / f"{name}.csv") if r["unit"] == "ms" and r["max"]]
            if not rows:  # rates, or single runs, which have no least and most
                rows = [r if r["max"] else r | {"min": r["median"], "max": r["median"]} for r in summarise.read_csv(BENCH / "results" / f"{name}.csv")]
            found = sum((int(r["n"]), *(r[k] for k in ("median", "min", "max"))) in samples for r in rows)
            self.assertGreaterEqual(found, min(10, len(rows)), name)
            self.assertGreater(found, 0, name)
            self.assertGreaterEqual(found, 0.95 * len(rows), name)

    def test_no_old_variant_names(self):
        for name in summarise.campaigns():
            for row in summarise.read_csv(BENCH / "results" / f"{name}.csv"):
                self.assertNotRegex(row["variant"] + " " + row["setting"], r"\bown\b")


class copy_test(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        shutil.copytree(BENCH / "results", self.root / "bench" / "results")
        for folder in ("measurements", "explanation"):
            shutil.copytree(ROOT / "docs" / folder, self.root / "docs" / folder)
        self.results = self.root / "bench" / "results"

    def check(self):
        return run(BENCH / "tables.py", "--check", "--root", self.root)

    def replace(self, path, old, new):
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def test_unchanged_copy_passes(self):
        self.assertEqual(self.check().returncode, 0)

    def test_changed_page_picture_and_verdict_are_refused_and_mended(self):
        changes = {"measurements/gpu.md": ("| rmat22 | 0.", "| rmat22 | 9."), "measurements/hybrid_figure9.svg": ("<circle", "<square"),
                   "explanation/reproduction.md": ("| reproduced |", "| not reproduced |")}
        original = {}
        for page, (old, new) in changes.items():
            original[page] = (self.root / "docs" / page).read_text(encoding="utf-8")
            self.replace(self.root / "docs" / page, old, new)
        checked = self.check()
        self.assertEqual(checked.returncode, 1, checked.stdout + checked.stderr)
        for page in changes:
            self.assertIn(f"docs/{page} is stale", checked.stdout)
        self.assertEqual(run(BENCH / "tables.py", "--root", self.root).returncode, 0)
        for page in changes:
            self.assertEqual((self.root / "docs" / page).read_text(encoding="utf-8"), original[page])

    def test_picture_that_no_page_shows_is_refused(self):
        self.replace(self.root / "docs/measurements/hybrid.md", "](hybrid_figure9.svg)", "](other.svg)")
        checked = self.check()
        self.assertEqual(checked.returncode, 1)
        self.assertIn("no page shows hybrid_figure9", checked.stderr)

    def test_changed_summary_is_refused(self):
        summary = self.results / "cpu_auto.csv"
        row = next(r for r in summarise.read_csv(summary) if r["graph"] == "rmat" and r["variant"] == "auto" and r["threads"] == "16")
        self.replace(summary, f",{row['median']},", ",1234.0,")
        stale = self.check()
        self.assertEqual(stale.returncode, 1, stale.stdout + stale.stderr)
        self.assertIn("docs/measurements/cpu.md is stale", stale.stdout)
        checked = run(BENCH / "summarise.py", "--check", "--results", self.results)
        self.assertEqual(checked.returncode, 1)
        self.assertIn("cpu_auto.csv", checked.stdout)
        self.assertEqual(run(BENCH / "summarise.py", "--anew", "--results", self.results).returncode, 0)
        self.assertEqual(summary.read_text(encoding="utf-8"), (BENCH / "results" / "cpu_auto.csv").read_text(encoding="utf-8"))

    def test_mark_without_an_end_is_refused(self):
        self.replace(self.root / "docs/measurements/text.md", "<!-- end -->", "")
        self.assertEqual(self.check().returncode, 1)

    def test_unknown_table_is_refused(self):
        self.replace(self.root / "docs/measurements/text.md", "table: text_input", "table: text_outpt")
        self.assertEqual(self.check().returncode, 1)

    def test_new_results_are_added_and_appended(self):
        file = self.root / "result.json"
        file.write_text(json.dumps(RESULT), encoding="utf-8")
        added = run(BENCH / "summarise.py", "mine", file, "--results", self.results)
        self.assertEqual(added.returncode, 0, added.stderr)
        rows = summarise.read_csv(self.results / "mine.csv")
        self.assertEqual([r["variant"] for r in rows], ["serial.none.fast", "auto", "serial.none.rem"])
        first, auto, given_up = rows
        self.assertEqual(
            [first[k] for k in ("graph", "n", "median", "min", "max", "machine", "commit")],
            ["star9", "3", "2.5", "1", "3", "two-core", "0123456"],
        )
        self.assertEqual([auto[k] for k in ("setting", "n", "median", "min")], ["ran=serial.none.fast", "1", "2", ""])
        self.assertEqual([given_up[k] for k in ("n", "median")], ["0", ""])
        again = run(BENCH / "summarise.py", "mine", file, "--results", self.results)
        self.assertNotEqual(again.returncode, 0)
        self.assertIn("--setting", again.stderr)
        self.assertEqual(summarise.read_csv(self.results / "mine.csv"), rows)
        more = run(BENCH / "summarise.py", "mine", file, "--results", self.results, "--setting", "run=2")
        self.assertEqual(more.returncode, 0, more.stderr)
        self.assertEqual(len(summarise.read_csv(self.results / "mine.csv")), 6)
        self.assertEqual(len(summarise.read_archive(self.results / "mine.jsonl.xz")), 2)
        self.assertEqual(run(BENCH / "summarise.py", "--check", "--results", self.results).returncode, 0)

    def test_unknown_machine_and_unknown_kind_are_refused(self):
        file = self.root / "result.json"
        file.write_text(json.dumps({**RESULT, "machine": {"cores": 3}}), encoding="utf-8")
        self.assertIn("machines.csv", run(BENCH / "summarise.py", "mine", file, "--results", self.results).stderr)
        file.write_text('{"speed": "high"}', encoding="utf-8")
        self.assertNotEqual(run(BENCH / "summarise.py", "mine", file, "--results", self.results, "--machine", "two-core").returncode, 0)
        self.assertFalse((self.results / "mine.csv").exists())


class names_test(unittest.TestCase):
    def test_old_names(self):
        for old, new in (
            ("omp.hb.own", "omp.hb.fast"),
            ("hybrid.own.hb.own", "hybrid.fast.hb.fast"),
            ("hybrid.own.none.rem_cas.naive.halve_one", "hybrid.fast.none.rem_cas.naive.halve_one"),
            ("own_gpu", "fast_gpu"),
            ("own.unsampled", "fast.unsampled"),
            ("by hybrid.own.hb.own, then", "by hybrid.fast.hb.fast, then"),
            ("serial.none.rem", "serial.none.rem"),
            ("its own", "its own"),
        ):
            self.assertEqual(summarise.current(old), new)

    def test_series_without_samples_keeps_what_is_given(self):
        one = {"graph": "g", "variant": "v", "measure": "solve", "unit": "ms", "n": 5, "median": 2.0, "min": "", "max": ""}
        self.assertEqual(series_of({"benchmark": "series", "series": [one]})[0]["median"], 2.0)

    def test_two_rows_where_one_is_asked_for(self):
        with self.assertRaises(ValueError):
            Summaries().cpu_auto.row(graph="rmat", measure="solve")


if __name__ == "__main__":
    unittest.main()
