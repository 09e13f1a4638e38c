"""bench/figures.py: every figure of the papers is complete, claims are judged as their page says, and the command measures, tells and draws."""

import csv
import json
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
sys.path.insert(0, str(BENCH))
import figures  # noqa: E402
import tables_reproduction  # noqa: E402
from papers import FIGURES, banerjee_components, claims  # noqa: E402
from papers.judging import shown, value_of, verdict  # noqa: E402
from papers.measuring import FORMS  # noqa: E402
from papers.plot import Chart, chart_svg, even_ticks, svg_of, ticks  # noqa: E402
from papers.runs import GRAPHS, RUNS, SIXTEEN, TWO, kept  # noqa: E402

BUILD = Path(sys.argv.pop(1)) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None

# A copse that knows two variants: async takes 2 ms on every graph, rem_cas 3 ms.
FAKE = '''#!{python}
import json, sys
if sys.argv[1] == "variants":
    names = ["threads.none.async.halve", "threads.none.rem_cas.naive.halve_one", "threads.none.hooks.naive", "threads.none.jtb.naive",
             "threads.none.rem_lock.naive.halve_one"]
    print(json.dumps([{{"name": n, "inputs": ["csr", "coo"]}} for n in names]))
else:
    specs = [a for a in sys.argv[2:] if ":" in a]
    names = sys.argv[sys.argv.index("--variants") + 1].split(",")
    took = lambda n: 0.002 if ".async" in n else 0.003
    graphs = [{{"graph": s, "vertices": 10, "arcs": 20, "rows": [
        {{"variant": n, "ran": n, "threads": 2, "seconds": {{"samples": [took(n), took(n)]}}}} for n in names]}} for s in specs]
    with open(sys.argv[sys.argv.index("--json") + 1], "w") as file:
        json.dump({{"benchmark": "bench", "input": "csr", "machine": {{"cores": 2}}, "graphs": graphs}}, file)
'''


def run(*arguments):
    return subprocess.run([sys.executable, "-B", str(BENCH / "figures.py"), *map(str, arguments)], capture_output=True, text=True)


def rows(times, run_name="rows"):
    """{graph: {variant: ms}} as measured rows."""
    made = [{"graph": g, "variant": v, "measure": "solve", "median": str(ms), "keys": {}} for g, of in times.items() for v, ms in of.items()]
    return claims.Rows({run_name: made}, "threads")


class data_test(unittest.TestCase):
    def test_every_figure_has_claims_or_says_why_not(self):
        self.assertEqual(len({f.name for f in FIGURES}), len(FIGURES))
        for figure in FIGURES:
            self.assertNotEqual(bool(figure.claims), bool(figure.cannot), figure.name)
            self.assertRegex(figure.name, r"^(gconn|ecl|cm|bk)\.\w+$")

    def test_every_run_is_there_and_used(self):
        needed = {run for f in FIGURES for c in f.claims for run in c.runs}
        self.assertEqual(needed, set(RUNS))
        for run_ in RUNS.values():
            self.assertIn(run_.program, FORMS)
            self.assertLessEqual(set(run_.graphs), set(GRAPHS))

    def test_graphs_have_about_as_many_edges_as_asked(self):
        self.assertEqual(GRAPHS["er"](10_000_000), "er:n=2500000,m=10000000")
        self.assertEqual(GRAPHS["rmat"](10_000_000), "rmat:scale=20,edges=16,a=.57,b=.19,c=.19,shuffle=1")
        self.assertEqual(GRAPHS["bk3"](9_000_000), "er:n=1500000,m=3000000")

    def test_a_claim_is_measured_on_one_device(self):
        for figure in FIGURES:
            for claim in figure.claims:
                self.assertLessEqual(len({RUNS[r].device for r in claim.runs} - {""}), 1, claim.what)  # on one device all of a claim


class judging_test(unittest.TestCase):
    def test_ratio_is_that_of_the_best_of_each_pattern(self):
        claim = claims.time_ratio("a over b", "none.async", "none.rem_cas,none.jtb", 1.5)
        measured = {"er": {"threads.none.async.halve": 6, "threads.none.async.naive": 9, "threads.none.rem_cas.x.y": 4, "threads.none.jtb.z": 3},
                    "web": {"threads.none.async.halve": 4, "threads.none.jtb.z": 8, "cuda.none.jtb.z": 1}, "ba": {"threads.none.jtb.z": 8}}
        value, each = value_of(claim, rows(measured))
        self.assertEqual(each, {"er": 2, "web": .5})
        self.assertAlmostEqual(value, 1)

    def test_a_name_is_not_the_beginning_of_another(self):
        self.assertTrue(claims.matches("threads.none.ecl.halve", "threads.none.ecl"))
        self.assertFalse(claims.matches("threads.none.ecl_cc", "threads.none.ecl"))

    def test_sides_and_sizes(self):
        bigger = claims.time_ratio("a over b", "none.a", "none.b", 3, reason="of caches")
        for value, expected in ((2.9, "reproduced"), (1.2, "reproduced in order"), (7, "reproduced in order"), (.9, "not reproduced: of caches"),
                                (None, "not measured")):
            self.assertEqual(verdict(bigger, value), expected)
        alike = claims.time_ratio("a over b", "none.a", "none.b", 1.02)
        self.assertEqual([verdict(alike, v) for v in (.81, 1.2, .7, 1.3)], ["reproduced", "reproduced", "not reproduced", "not reproduced"])

    def test_one_rule_for_shares_and_for_what_is_most(self):
        def claim(paper, **more):
            return claims.Claim("share", "", None, paper, unit="%", **more)

        for asked, within in ((claim(92), (67, 117)), (claim(20), (10, 40)), (claim(0), (0, 5)), (claim(3, ceiling=True), (0, 6)),
                              (claim(79.7, points=.5), (79.2, 80.2)), (claim(None), None)):
            self.assertEqual(asked.holds, within)
        gain = claims.time_ratio("without : with", "none.a", "none.b", 1.0, "no gain", ceiling=True)
        self.assertEqual([verdict(gain, v) for v in (.5, 1.25, 1.3)], ["reproduced", "reproduced", "not reproduced"])

    def test_distance_of_a_chooser_is_the_papers_score(self):
        claim = claims.distance("tree", "gconn_tree", "none.async,kout.async", 9.4)
        value, each = value_of(claim, rows({"er": {"gconn_tree": 3, "threads.none.async": 2, "threads.kout.async": 4},
                                            "osm": {"gconn_tree": 2, "threads.none.async": 5}}))
        self.assertEqual(each, {"er": 50, "osm": 0})
        self.assertEqual(value, 25)
        value, _ = value_of(claim, rows({"er": {"threads.none.async": 2, "threads.kout.async": 4}}))
        self.assertIsNone(value)  # not measured itself

    def test_share_of_graphs_counts_where_one_of_few_is_best(self):
        claim = claims.share_of_graphs("x", "none.a", "none.a,none.b", 100, "all")
        value, _ = value_of(claim, rows({"er": {"threads.none.a": 1, "threads.none.b": 2}, "ba": {"threads.none.a": 3, "threads.none.b": 2}}))
        self.assertEqual(value, 50)

    def test_only_graphs_of_the_kind_count(self):
        claim = claims.time_ratio("a over b", "none.a", "none.b", 3, of=claims.ROADS)
        _, each = value_of(claim, rows({g: {"threads.none.a": 1, "threads.none.b": 2} for g in ("osm:side=9", "osm44M", "er23", "USA-road-d.NY", "grid2d")}))
        self.assertEqual(list(each), ["osm:side=9", "osm44M", "USA-road-d.NY"])

    def test_samples_of_figures_take_the_place_of_older_ones(self):
        class campaign:
            def __init__(self, rows):
                self.rows = rows

            def all(self, **wanted):
                return self.rows.get(wanted.get("machine"), [])

        summaries = SimpleNamespace(figures=campaign({"two-core": ["new"]}), papers=campaign({"xeon16": ["old"], "two-core": ["old"]}))
        self.assertEqual(kept(summaries, "phases", TWO), ["new"])
        self.assertEqual(kept(summaries, "phases", SIXTEEN), ["old"])
        summaries.figures.rows["xeon16"] = ["newer"]
        self.assertEqual(kept(summaries, "phases", SIXTEEN), ["newer"])

    def test_files_are_of_kinds_too(self):
        for name, kind in (("road_usa", "road"), ("/data/2d-2e20.sym.egr", "d"), ("com-Orkut", "com"), ("osm:side=9", "osm")):
            self.assertEqual(claims.family(name), kind)
        self.assertFalse(claims.DENSE & claims.LONG)
        self.assertLess(claims.ROADS & claims.DENSE, claims.ROADS)

    def test_the_page_wants_a_reason(self):
        figure = claims.Figure("cm.x", "a figure")
        silent, open_ = (claims.time_ratio("a over b", "none.a", "none.b", 3, reason=reason) for reason in ("", "of caches"))
        self.assertEqual(tables_reproduction.verdict_of(figure, silent, {"two cores": 2, "H200": None}), "reproduced")
        self.assertEqual(tables_reproduction.verdict_of(figure, open_, {"two cores": .5, "H200": 2}),
                         "reproduced on H200; not on two cores: of caches")
        for values in ({"two cores": .5}, {"two cores": None}):
            with self.assertRaises(ValueError):
                tables_reproduction.verdict_of(figure, silent, values)

    def test_figures_are_short(self):
        self.assertEqual([shown(v, "x") for v in (1.234, 123.4, .0123, None)], ["1.23x", "123x", "0.012x", "–"])


class plot_test(unittest.TestCase):
    def test_is_a_document_with_a_dot_for_each_graph(self):
        figure = claims.Figure("cm.x", "a < b & c", (claims.time_ratio("a over b", "none.a", "none.b", 3),))
        svg = svg_of(figure, rows({"er": {"threads.none.a": 2, "threads.none.b": 1}, "ba": {"threads.none.a": 5, "threads.none.b": 1}}), "2 threads")
        document = xml.dom.minidom.parseString(svg)
        dots = [float(c.getAttribute("cx")) for c in document.getElementsByTagName("circle")]
        self.assertEqual(len(dots), 2)
        self.assertLess(dots[0], dots[1])
        self.assertEqual(len(document.getElementsByTagName("path")), 1)

    def test_a_direction_is_no_number(self):
        figure = claims.Figure("cm.x", "x", (claims.time_ratio("a over b", "none.a", "none.b", 3, "above 1"),))
        self.assertNotIn("<path", svg_of(figure, rows({"er": {"threads.none.a": 2, "threads.none.b": 1}}), ""))

    def test_ticks_are_between(self):
        self.assertEqual(ticks(.4, 11), [.5, 1, 2, 5, 10])
        self.assertEqual(ticks(.001, 150), [.001, .01, .1, 1, 10, 100])

    def test_a_chart_has_a_dot_for_each_point_and_a_diamond_for_each_mark(self):
        curves = {"a & b": [(0, -10), (50, 20), (100, -90)], "c": [(0, 1)]}
        document = xml.dom.minidom.parseString(chart_svg(Chart("gain < 1", "share", "per cent", curves, ((25, 0), (17, 0)))))
        dots = [(float(c.getAttribute("cx")), float(c.getAttribute("cy"))) for c in document.getElementsByTagName("circle")]
        self.assertEqual(len(dots), 4 + len(curves))  # and one beside each name
        (x0, y0), (x1, y1), (x2, y2) = dots[:3]
        self.assertAlmostEqual(x1 - x0, x2 - x1, delta=.2)
        self.assertLess(y1, y0)
        self.assertLess(y0, y2)  # a loss is below
        self.assertEqual(len(document.getElementsByTagName("path")), 2)
        xml.dom.minidom.parseString(chart_svg(Chart("nothing", "x", "y", {})))

    def test_even_ticks_are_few_and_round(self):
        self.assertEqual(even_ticks(-90, 11), [-80, -60, -40, -20, 0])
        self.assertEqual(even_ticks(0, 6.6), [0, 1, 2, 3, 4, 5, 6])

    def test_a_figure_without_rows_is_drawn_too(self):
        figure = claims.Figure("cm.x", "x", (claims.time_ratio("a over b", "none.a", "none.b", 3),))
        xml.dom.minidom.parseString(svg_of(figure, claims.Rows({}, "threads"), ""))


def solved(ms, share, cpu=1, gpu=1, **more):
    return {"seconds": [ms / 1e3] * 2, "cpu_seconds": [cpu] * 2, "gpu_seconds": [gpu] * 2, "cross_seconds": [.1e-3] * 2, "share": share,
            "asked_share": share, "cross": "min_label", **more}


class components_test(unittest.TestCase):
    """Banerjee and Kothapalli's curves, from what copse_bench_hybrid writes."""

    def rows(self, sizes, cross="min_label", run="hybrid_min_label"):
        graphs = []
        for n, best, gain in sizes:
            judged = {"gpu": solved(10, 0), "cpu": solved(90, 100), "best": solved(10 / gain, best, 3, 4), "auto": solved(10, 0),
                      "finals": [solved(10 / gain, best, 3, 4), solved(11, 40, 4, 4)]}
            curve = [solved(11, 0), solved(12.5, 5), solved(8, 20), solved(16, 50, 4, 1), solved(24, 50, 4, 1), solved(90, 100)]
            graphs.append({"graph": f"er:n={n},m={2 * n}", "forms": [{"form": "host", "variant": banerjee_components.PAIR, "judged": judged,
                                                                      "curve": curve}]})
        return {run: list(figures.rows_of({"benchmark": "hybrid", "machine": {"cores": 16}, "threads": 16, "cross": cross, "graphs": graphs}, run))}

    def test_a_share_that_was_met_twice_is_one_point(self):
        found = claims.Rows(self.rows([(1_500_000, 25, 1.25)]), "cuda")
        self.assertEqual(banerjee_components.curve(found, "hybrid_min_label", "er:n=1500000,m=3000000"),
                         [(0, 11), (5, 12.5), (20, 8), (50, 20), (100, 90)])
        gains = dict(banerjee_components.gains(found, "hybrid_min_label", "er:n=1500000,m=3000000"))
        self.assertAlmostEqual(gains[20], 25)
        self.assertAlmostEqual(gains[50], -50)
        waits = dict(banerjee_components.curve(found, "hybrid_min_label", "er:n=1500000,m=3000000", "gpu_idle"))
        self.assertEqual((waits[20], waits[50]), (0, 75))

    def test_only_the_papers_own_rule_has_a_curve(self):
        found = claims.Rows(self.rows([(1_500_000, 25, 1.25)], cross="keep", run="hybrid"), "cuda")
        self.assertEqual(banerjee_components.curve(found, "hybrid", "er:n=1500000,m=3000000"), [])

    def test_larger_graphs_have_claims_of_their_own(self):
        found = claims.Rows(self.rows([(1_500_000, 25, 1.25), (3_000_000, 17, 1.25), (30_000_000, 5, .5)]), "cuda")
        figure8, figure9 = (next(f for f in FIGURES if f.name == name) for name in ("bk.figure8", "bk.figure9"))
        self.assertAlmostEqual(value_of(figure8.claims[0], found)[0], .8)
        self.assertAlmostEqual(value_of(figure8.claims[1], found)[0], 2)
        self.assertEqual([value_of(c, found)[0] for c in figure9.claims[:2]], [25, 17])

    def test_verdicts_are_about_the_papers_own_algorithm(self):
        own = {"hybrid_min_label", "hybrid_edges"}
        for figure in FIGURES:
            for claim in figure.claims if figure.name in ("bk.figure8", "bk.figure9", "bk.table3", "bk.figure10", "bk.figure11") else ():
                self.assertEqual(claim.what.startswith("ours: "), not set(claim.runs) <= own, claim.what)
                self.assertEqual(claim.what.startswith("ours: "), claim.holds is None, claim.what)  # ours has no verdict
        for run_ in own:
            arguments = RUNS[run_].arguments
            self.assertEqual(arguments[arguments.index("--cross") + 1], "min_label")

    def test_every_chart_is_drawn(self):
        by_run = self.rows([(k * 500_000, 20 - k, 1.1) for k in range(1, 10)])
        by_run["hybrid_edges"] = self.rows([(2_500_000, 12, 1.1)], run="hybrid_edges")["hybrid_edges"]
        for figure in FIGURES:
            if figure.chart:
                chart = figure.chart(claims.Rows(by_run, "cuda"))
                self.assertTrue(all(chart.curves.values()), figure.name)
                xml.dom.minidom.parseString(chart_svg(chart))
                xml.dom.minidom.parseString(chart_svg(figure.chart(claims.Rows({}, "cuda"))))  # nothing measured

    def test_files_count_as_they_were_measured(self):
        found = claims.Rows({}, "cuda", {"road": {"vertices": 2_000_000, "arcs": 6_000_000}})
        self.assertEqual([banerjee_components.count(found, "road", letter) for letter in "nm"], [2_000_000, 3_000_000])
        self.assertEqual(banerjee_components.count(found, "er:n=5,m=7", "m"), 7)


class command_test(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        copse = self.folder / "cli" / "copse"
        copse.parent.mkdir()
        copse.write_text(FAKE.format(python=sys.executable), encoding="utf-8")
        copse.chmod(0o755)

    def test_measures_tells_and_keeps(self):
        done = run("gconn.figure3", "--build", self.folder, "--out", self.folder / "out", "--edges", 1000, "--trials", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rem_cas : async     1.02x  1.50x", done.stdout)
        self.assertIn("rem_lock : rem_cas  3.81x  1.00x", done.stdout)
        with open(self.folder / "out" / "gconn.figure3.csv", encoding="utf-8", newline="") as file:
            found = list(csv.DictReader(file))
        graphs = len(RUNS["rows"].graphs)
        self.assertEqual(len(found), 4 * (1 + graphs))
        self.assertEqual([found[0][k] for k in ("graph", "ours", "ours_over_paper")], ["*", "1.5", "1.471"])
        xml.dom.minidom.parse(str(self.folder / "out" / "gconn.figure3.svg"))
        samples = json.loads((self.folder / "out" / "rows.json").read_text(encoding="utf-8"))
        self.assertEqual(len(samples["graphs"]), graphs)

    def test_other_graphs_take_the_place_of_those_made(self):
        done = run("gconn.figure3", "--build", self.folder, "--out", self.folder / "out", "--trials", 1, "--graphs", "x:a=1", "y:a=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        samples = json.loads((self.folder / "out" / "rows.json").read_text(encoding="utf-8"))
        self.assertEqual([g["graph"] for g in samples["graphs"]], ["x:a=1", "y:a=1"])

    def test_inspected_edges_are_of_one_kind_of_rounds(self):
        claim = next(c for f in FIGURES if f.name == "gconn.figure9" for c in f.claims)
        counts = {("10000", "whole"): 200, ("all", "whole"): 300, ("10000", "roots"): 100, ("all", "roots"): 500}
        made = [{"graph": "er", "variant": "threads.none.shiloach_vishkin", "measure": "inspected_edges", "median": str(count),
                 "keys": {"batch": batch, "rounds": rounds}} for (batch, rounds), count in counts.items()]
        self.assertEqual(value_of(claim, claims.Rows({"insert_counts": made}, "threads"))[1], {"er": 1.5})

    def test_a_gpu_figure_without_a_gpu_has_a_status_of_its_own(self):
        done = run("bk.figure8", "--build", self.folder)
        self.assertEqual((done.returncode, done.stdout), (77, "bk.figure8: needs a GPU (--device cuda)\n"))

    def test_what_cannot_be_measured_says_why(self):
        done = run("gconn.table5", "--build", self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("needs a second kind of GPU", done.stdout)

    def test_unknown_figures_are_misuse(self):
        self.assertEqual(run("gconn.figure99").returncode, 2)
        self.assertEqual(run().returncode, 2)

    def test_a_failed_measurement_is_a_failure(self):
        self.assertEqual(run("ecl.figure6_5", "--build", self.folder).returncode, 1)

    def test_a_program_that_is_not_built_is_named_with_what_builds_it(self):
        for figure, missing in (("bk.figure4_bits", "bench/copse_bench_random_bits"), ("gconn.figure3", "cli/copse")):
            folder = self.folder if missing.startswith("bench") else self.folder / "empty"
            done = run(figure, "--build", folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertTrue(done.stderr.rstrip().endswith(
                f"figures: {folder / missing}: no such file, build it with tools/build.sh release copse_cli benchmarks (--build says where)"))

    def test_one_trial_has_no_verdicts_and_no_causes(self):
        words = {"reproduced"} | {c.reason for f in FIGURES for c in f.claims if c.reason} | {f.note for f in FIGURES if f.note}
        for arguments in (["--quick"], ["--edges", 1000, "--trials", 1]):
            done = run("gconn.figure3", "--build", self.folder, "--out", self.folder / "out", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("rem_cas : async     1.02x  1.50x", done.stdout)
            self.assertIn("no verdicts: one trial shows only that the commands run", done.stdout)
            kept = (self.folder / "out" / "gconn.figure3.csv").read_text(encoding="utf-8")
            kept += (self.folder / "out" / "gconn.figure3.svg").read_text(encoding="utf-8")
            for word in words:
                self.assertNotIn(word, done.stdout + kept)
        judged = run("gconn.figure3", "--build", self.folder, "--edges", 1000, "--trials", 2)
        self.assertIn("reproduced", judged.stdout)

    @unittest.skipUnless(BUILD, "no build was named")
    def test_every_command_names_variants_that_there_are(self):
        listed = subprocess.run([BUILD / "cli" / "copse", "variants"], capture_output=True, text=True).stdout
        devices = ["cpu", "cuda"] if "cuda." in listed else ["cpu"]
        for device in devices:
            done = run("*", "--build", BUILD, "--device", device, "--edges", 1000, "--dry-run")
            self.assertEqual(done.returncode, 0, done.stderr[-500:])
            self.assertIn("--variants " if device == "cpu" else "cuda.", done.stderr)


if __name__ == "__main__":
    unittest.main()
