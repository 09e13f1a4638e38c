"""The figures of the papers: their claims are complete, one strict rule judges them, and the command measures, judges and draws."""

import dataclasses
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from lab.papers import FIGURES, banerjee, runs  # noqa: E402
from lab.papers.claims import Chart, Figure, Rows, claim, missing, time_ratio  # noqa: E402
from lab.papers.judge import allowed, chart_csv_of, chart_text_of, judged, points_of, verdict_of  # noqa: E402
from lab.papers.plot import bars_svg, chart_svg  # noqa: E402
from lab.store import Series  # noqa: E402

BUILD = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None
CLAIMS = [c for f in FIGURES for c in f.claims]


def series(variant, samples, graph="er:n=4,m=8", run="rows", load=0.5, machine="h200", **setting):
    return Series(
        "figures", machine, "0123456", load, "", graph, variant, tuple(sorted({"run": run, **setting}.items())), "solve", "ms", 1, tuple(samples)
    )


def rows(*found, device="gpu"):
    return Rows(found, device)


def lab(*arguments):
    return subprocess.run([sys.executable, "-B", "-m", "lab", *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)


class claims_test(unittest.TestCase):
    def test_every_figure_has_claims_or_says_why_not(self):
        names = [f.name for f in FIGURES]
        self.assertEqual(len(names), len(set(names)))
        for figure in FIGURES:
            self.assertNotEqual(bool(figure.claims), bool(figure.nothing), figure.name)

    def test_every_claim_has_a_number_a_direction_or_a_reason(self):
        for c in CLAIMS:
            self.assertIn(c.device, ("cpu", "gpu"))
            self.assertEqual(bool(c.missing), c.each is None, c.what)
            if not c.missing:
                self.assertNotEqual(bool(c.number), bool(c.side), c.what)

    def test_a_chart_needs_what_is_measured_somewhere(self):
        for figure in (f for f in FIGURES if f.chart):
            for run, _ in figure.chart.needs:
                self.assertIn(figure.chart.device or runs.RUNS[run].device, ("cpu", "gpu"), figure.name)

    def test_what_a_claim_needs_is_measured_on_its_device(self):
        for c in CLAIMS:
            for run, _ in c.needs:
                self.assertIn(runs.RUNS[run].device, ("", c.device), f"{c.what}: {run}")

    def test_gconn_is_measured_with_its_parameters(self):
        for name in ("rows", "counts", "anchors"):
            words = " ".join(runs.RUNS[name].arguments)
            self.assertTrue("--preset paper" in words or "--hb-arcs 4 --gpu-rows gathered" in words, words)
            self.assertEqual(runs.RUNS[name].pairs, (("hb_arcs", "4"),))

    def test_vertices_of_specs(self):
        for name, spec in ((n, make(10_000)) for n, make in runs.GRAPHS.items() if not n.startswith("list")):
            self.assertGreater(runs.vertices_of(spec), 100, name)
        self.assertEqual([runs.vertices_of(g) for g in ("er:n=5,m=9", "osm:side=7,keep=.6", "rmat:scale=4,edges=8", "road_usa")], [5, 49, 16, None])


class judge_test(unittest.TestCase):
    claim = time_ratio("a : b", "gpu", "none.a", "none.b", 3)

    def verdict(self, number, low, high, unit="x"):
        return verdict_of(claim("a : b", "gpu", number, None, unit=unit), low, high)

    def test_a_number_is_reproduced_on_its_side_and_within_a_factor_of_two(self):
        self.assertEqual(self.verdict(3.0, 2.9, 3.1), "reproduced")
        self.assertEqual(self.verdict(3.0, 1.51, 5.9), "reproduced")
        self.assertEqual(self.verdict(3.0, 1.4, 5.9), "undecided")
        self.assertEqual(self.verdict(3.0, 0.9, 1.4), "not reproduced")
        self.assertEqual(self.verdict(1.2, 0.8, 0.95), "not reproduced")
        self.assertEqual(self.verdict(1.2, 0.95, 1.3), "undecided")
        self.assertEqual(self.verdict(0.5, 0.26, 0.99), "reproduced")
        self.assertEqual(self.verdict((2.0, 4.0), 7.5, 7.9), "reproduced")
        self.assertEqual(self.verdict((2.0, 4.0), 8.1, 9.0), "not reproduced")

    def test_a_ratio_of_one_has_no_side_and_a_share_none_either(self):
        self.assertEqual(self.verdict(1.0, 0.6, 1.9), "reproduced")
        self.assertEqual(self.verdict(100, 60, 90, "%"), "reproduced")
        self.assertEqual(self.verdict(0, 0, 0, "%"), "reproduced")
        self.assertEqual(self.verdict(0, 1, 2, "%"), "not reproduced")

    def test_a_direction_is_no_number(self):
        self.assertEqual(self.verdict("above", 1.01, 9.0), "same direction")
        self.assertEqual(self.verdict("below", 1.01, 9.0), "not same direction")
        self.assertEqual(self.verdict("below", 0.9, 1.1), "undecided")

    def test_one_rule_for_all_claims(self):
        """No claim has limits of its own: they follow from its number, its side and its unit."""
        fields = {f.name for f in dataclasses.fields(type(self.claim))}
        self.assertEqual(fields, {"what", "device", "paper", "number", "side", "each", "needs", "mean", "unit", "missing"})
        for c in (c for c in CLAIMS if c.number):
            twin = dataclasses.replace(c, what="", each=None, needs=(), mean="geometric")
            self.assertEqual(allowed(c), allowed(twin))

    def test_few_samples_and_loaded_machines_are_not_judged(self):
        a, b = [3.0] * 10, [1.0] * 10
        self.assertEqual(judged(self.claim, rows(series("cuda.none.a", a), series("cuda.none.b", b))).verdict, "reproduced")
        for change, said in (
            ({"samples": [1.0] * 9}, "9 samples"),
            ({"load": 1.1}, "a load of 1.1 per core"),
            ({"load": None}, "the machine's load was not recorded"),
        ):
            one = judged(self.claim, rows(series("cuda.none.a", a), dataclasses.replace(series("cuda.none.b", b), **change)))
            self.assertEqual((one.verdict, one.value), (f"not measured with the strict rules yet: {said}", None))
        self.assertIn("no samples", judged(self.claim, rows()).verdict)

    def test_a_claim_about_a_gpu_is_not_judged_by_cores(self):
        found = (series("threads.none.a", [3.0] * 10), series("threads.none.b", [1.0] * 10))
        self.assertIn("no samples", judged(self.claim, rows(*found)).verdict)
        on_cores = dataclasses.replace(self.claim, device="cpu")
        self.assertEqual(judged(on_cores, rows(*found, device="cpu")).verdict, "reproduced")

    def test_the_best_of_each_kind_over_the_graphs(self):
        found = [
            series(v, [t] * 10, g)
            for v, t, g in (
                ("cuda.none.a.x", 6.0, "er:n=1"),
                ("cuda.none.a.y", 4.0, "er:n=1"),
                ("cuda.none.b", 1.0, "er:n=1"),
                ("cuda.none.a.x", 9.0, "web:n=1"),
                ("cuda.none.b", 1.0, "web:n=1"),
                ("cuda.none.a.x", 1.0, "osm:n=1"),
            )
        ]
        one = judged(self.claim, rows(*found))
        self.assertEqual({g: v.number for g, v in one.each.items()}, {"er:n=1": 4, "web:n=1": 9})
        self.assertAlmostEqual(one.value.number, 6)

    def test_what_nothing_measures_says_why(self):
        self.assertEqual(judged(missing("a", "gpu", "2x", "no such code"), rows()).verdict, "not measured: no such code")

    def test_the_algorithms_as_printed_are_compared_on_their_own_graphs(self):
        random, few, twitter = "er:n=4,m=8", "rmat:scale=2,a=.45", "rmat:scale=2,a=.57"
        times = {"cuda.none.cc_printed": 6.0, "cuda.none.cc_updt_printed": 3.0, "cuda.stages.cc_printed": 2.0}
        on_gpu = [series(v, [t] * 10, g, "printed_variants") for v, t in times.items() for g in (random, few, twitter)]
        found = rows(*on_gpu, series("threads.none.cc_printed", [18.0] * 10, random, "printed_cores"))
        numbers = {}
        for name in ("cm.figure1", "cm.figure2", "cm.figure3"):
            for c in next(f for f in FIGURES if f.name == name).claims:
                if c.device == "gpu" and not c.missing:
                    numbers[name] = {g: v.number for g, v in c.each(found).items()}
        self.assertEqual(numbers, {"cm.figure1": {random: 3}, "cm.figure2": {few: 2}, "cm.figure3": {random: 3, few: 3}})
        count = lambda v, m, n: dataclasses.replace(series(v, [n] * 10, random, "printed_counts"), measure=m)
        counted = [count(f"threads.{v}", m, n) for v, m, n in (
            ("none.cc_printed", "sampled_arcs", 0.0), ("none.cc_printed", "finish_arcs", 40.0),
            ("stages.cc_printed", "sampled_arcs", 30.0), ("stages.cc_printed", "finish_arcs", 0.0),
        )]
        lemma = next(f for f in FIGURES if f.name == "cm.lemma1").claims[0]
        self.assertEqual(judged(lemma, rows(*counted, device="cpu")).value.number, 0.75)

    def test_the_share_of_both_is_chosen_and_judged_apart(self):
        graph = "er:n=1500000,m=3000000"
        at = lambda share, samples: series(banerjee.PAIR, samples, graph, "hybrid_min_label", form="host", cross="min_label", share=share)
        found = rows(at("0", [4.0] * 10), at("100", [9.0] * 10), at("10", [1.0, 8.0] * 5), at("20", [3.0] * 10))
        self.assertEqual(banerjee.over_gpu()(found)[graph].number, 2)
        self.assertEqual(banerjee.best_share_at(1_500_000)(found)[graph].number, 10)


class plot_test(unittest.TestCase):
    def test_bars_show_each_graph_interval_and_paper(self):
        found = [series(v, [t] * 10, g) for g in ("er:n=1", "web:n=1") for v, t in (("cuda.none.a", 4.0), ("cuda.none.b", 1.0))]
        figure = Figure("p.figure1", "shows", (judge_test.claim,))
        svg = bars_svg(figure, [judged(judge_test.claim, rows(*found))])
        self.assertEqual(svg.count("<title>"), 2)
        self.assertIn("stroke-dasharray", svg)
        self.assertIsNone(bars_svg(figure, [judged(judge_test.claim, rows())]))

    def test_an_axis_has_what_was_measured_along_it(self):
        """Of every figure of the papers with an axis over numbers: the names of the curves, and the places on the axis."""
        of = lambda variant, graph, run, measure="solve", threads=1, **setting: dataclasses.replace(
            series(variant, [4.0] * 10, graph, run, **setting), measure=measure, threads=threads
        )
        printed = [
            of(f"threads.{w}", g, "printed_threads", threads=t)
            for w in ("none.cc_printed", "none.cc_updt_printed", "stages.cc_printed")
            for g in ("er:n=4,m=8", "rmat:scale=2")
            for t in (4, 1)
        ]
        batches = [of(f"cuda.none.{r}.x", "er:n=4,m=8", "gpu_rules", "rate", batch=b) for r in ("async", "rem_cas") for b in ("100000", "all", "10000")]
        batches += [of("way.whole_batch.shiloach_vishkin", "er:n=4,m=8", "gpu_rules", "rate", batch="100000")]
        inspected = [
            of("way.whole_batch.liu_tarjan.PRF", "er:n=4,m=8", "gpu_rules", "inspected_edges", batch=b) for b in ("100000", "10000", "all")
        ]
        queries = [of("cuda.none.async.x", "osm:side=4", "gpu_queries", "rate", queries_per_insert=q, mixing="phased") for q in ("100", "1", "10")]
        ranks = [of("hybrid.fis", f"list:n={n}", "hybrid_ranks", "rank") for n in (2000000, 1000000)]
        phases = [of("hybrid.fis", "list:n=2000000", "hybrid_ranks", "phase", phase=p) for p in ("reduce", "rank", "round_2_remove", "round_1_remove")]
        rounds = [of("cuda.fis", "list:n=2000000", "rank_rounds", "rank", rounds=r) for r in ("12", "0", "4")]
        shares = [
            of(banerjee.PAIR, f"er:n={n},m={2 * n}", "hybrid_min_label", form="host", cross="min_label", share=s)
            for n in (1000, 2000, 3000)
            for s in ("10", "0", "40", "100")
        ]
        edges = [dataclasses.replace(s, setting=tuple(sorted({**s.keys, "run": "hybrid_edges"}.items()))) for s in shares]
        sampled = [of(v, "er:n=4,m=8", "rows") for v in ("cuda.none.async.halve", "cuda.kout.async.halve", "cuda.bfs.ecl.halve")]
        counts = [of("cuda.kout.async.compress", "er:n=4,m=8", "counts", m) for m in ("arcs", "vertices")]
        for name, device, found, expected in (
            ("cm.figure1", "cpu", printed, {"none.cc_printed, er": [1, 4]}),
            ("cm.figure2", "cpu", printed, {f"none.{w}_printed, {g}": [1, 4] for w in ("cc", "cc_updt") for g in ("er", "rmat")}),
            ("cm.figure5", "cpu", printed, {f"{w}_printed, er": [1, 4] for w in ("none.cc", "none.cc_updt", "stages.cc")}),
            ("cm.figure6", "cpu", printed, {f"{w}_printed, rmat": [1, 4] for w in ("none.cc", "none.cc_updt", "stages.cc")}),
            ("gconn.figure5", "gpu", sampled + counts, {"k-out": [1], "BFS": [1]}),
            ("gconn.figure8", "gpu", batches, {"async, er": [10000, 100000], "rem_cas, er": [10000, 100000], "shiloach_vishkin, er": [100000]}),
            ("gconn.figure9", "gpu", inspected, {"liu_tarjan.PRF, er": [10000, 100000]}),
            ("gconn.figure10", "gpu", queries, {"osm": [1, 10, 100]}),
            ("bk.figure4", "gpu", ranks, {"independent sets, both": [1, 2]}),
            ("bk.figure5", "gpu", rounds, {"2 M elements": [0, 4, 12]}),
            ("bk.tables1_2", "gpu", phases, {"phase I": [2], "phase II": [2]}),
            ("bk.figure6", "gpu", phases, {"removal on the GPU": [1, 2]}),
            ("bk.figure8", "gpu", shares, {"GPU alone": [0.001, 0.002, 0.003], "both, at the best share": [0.001, 0.002, 0.003]}),
            ("bk.figure9", "gpu", shares, {"0.003 M vertices": [0, 10, 40]}),
            ("bk.figure10", "gpu", shares, {"best share": [0.001, 0.002, 0.003]}),
            ("bk.figure11", "gpu", edges, {"best share": [0.002, 0.004, 0.006]}),
        ):
            figure = next(f for f in FIGURES if f.name == name)
            curves = points_of(figure.chart, rows(*found, device=device))
            self.assertEqual({k: [x for x, _ in points] for k, points in curves.items()}, expected, name)
            text = chart_text_of(figure.chart, rows(*found, device=device))
            self.assertEqual(len(text.splitlines()), 2 + len(expected), text)
            self.assertIn(figure.chart.title, text)

    def test_a_chart_is_text_csv_and_svg(self):
        point = lambda samples: judged(judge_test.claim, rows(series("cuda.none.a", samples), series("cuda.none.b", [1.0] * 10))).value
        chart = Chart("t", "threads", "ms", lambda _: {"one": [(2, point([2.0] * 10)), (1, point([4.0] * 10))], "b": [(16, point([8.0] * 10))]})
        self.assertEqual(chart_text_of(chart, rows()), "t (ms)\nthreads  1  2  16\none      4  2   –\nb        –  –   8\n")
        self.assertEqual(
            chart_csv_of(Figure("p.figure1", "shows", chart=chart), rows()),
            "figure,curve,threads,ms,low,high\np.figure1,one,1,4,4,4\np.figure1,one,2,2,2,2\np.figure1,b,16,8,8,8\n",
        )
        twice = Chart("t", "x", "y", lambda _: {"one": [(1, point([4.0] * 10)), (2, point([2.0] * 10)), (1, point([8.0] * 10))]})
        self.assertEqual(chart_text_of(twice, rows()), "t (y)\nx      1  2\none  4/8  2\n")
        nothing = Figure("p.figure1", "shows", chart=Chart("t", "x", "y", lambda _: {"none": []}))
        self.assertEqual((chart_text_of(nothing.chart, rows()), chart_csv_of(nothing, rows())), ("", ""))

    def test_curves_have_a_dot_for_every_point(self):
        point = lambda samples: judged(judge_test.claim, rows(series("cuda.none.a", samples), series("cuda.none.b", [1.0] * 10))).value
        chart = Chart("t", "threads", "ms", lambda _: {"one": [(1, point([4.0] * 10)), (2, point([2.0] * 10))], "none": []})
        self.assertEqual(chart_svg(chart, rows()).count("<circle"), 2)
        self.assertIsNone(chart_svg(Chart("t", "x", "y", lambda _: {"none": []}), rows()))


class command_test(unittest.TestCase):
    def test_unknown_figures_are_misuse(self):
        self.assertEqual(lab("figure", "gconn.figure99").returncode, 2)
        self.assertEqual(lab("figure").returncode, 2)

    def test_a_figure_of_the_other_device_has_a_status_of_its_own(self):
        done = lab("figure", "bk.figure8")
        self.assertEqual(done.returncode, 77)
        self.assertIn("--device gpu", done.stdout)

    def test_a_program_that_is_not_built_is_named_with_what_builds_it(self):
        done = lab("figure", "cm.figure2", "--build", "/nowhere")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("/nowhere/lab/copse_printed: no such file, build it with tools/build.sh release copse_cli benchmarks", done.stderr)

    def test_stored_figures_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            done = lab("stored", "bk.figure9", "--out", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual({p.name for p in Path(folder).iterdir()}, {f"bk.figure9.gpu.{s}" for s in ("csv", "svg", "chart.csv", "chart.svg")})

    @unittest.skipUnless(BUILD, "no build was named")
    def test_every_command_names_variants_that_there_are(self):
        listed = subprocess.run([BUILD / "cli" / "copse", "variants"], capture_output=True, text=True).stdout
        for device in ["cpu", "gpu"] if "cuda." in listed else ["cpu"]:
            done = lab("figure", "*", "--build", BUILD, "--device", device, "--edges", 1000, "--dry-run")
            self.assertEqual(done.returncode, 0, done.stderr[-500:])
            self.assertIn("--variants ", done.stdout)

    @unittest.skipUnless(BUILD, "no build was named")
    def test_a_figure_is_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            done = lab("figure", "cm.theorem3", "--build", BUILD, "--edges", 2000, "--trials", 2, "--threads", 1, "--out", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("strict rules yet: 2 samples", done.stdout)
            self.assertTrue((Path(folder) / "giant.json").exists())


if __name__ == "__main__":
    unittest.main()
