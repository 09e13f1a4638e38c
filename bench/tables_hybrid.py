"""The tables of docs/measurements/hybrid.md."""

import re

from papers import banerjee_components as components
from papers.claims import Rows
from papers.plot import chart_svg
from papers.runs import H200, kept
from table_kit import Summary, figure, geometric_mean, grid, picture, table, times


def point(s, name, measure="solve", **case):
    return s.hybrid.row(point=name, measure=measure, **case)


class of_run:
    """In the place of the summaries: what is kept of a run of bench/figures.py, for graphs of the paper's sizes or for larger ones."""

    def __init__(self, s, run, sizes):
        rows = kept(s, run, H200)
        wanted = components.graphs(Rows({run: rows}, "cuda"), run, sizes)
        self.hybrid = Summary([row for row in rows if row["graph"] in wanted])


def shares(first, letter, digits, cross_points=("best", "best_by_unite", "best_by_min_label"), of=lambda s: s, **case):
    def rows_of(s):
        s = of(s)
        rows = [[first, "GPU alone", "CPU alone", "best share, %", "its ms", "ahead of the GPU, %", "ahead of the CPU, %",
                 "idle CPU, GPU, %", "cross: keep, unite, min_label" if len(cross_points) == 3 else "cross", "most even share, %",
                 "its idle CPU, GPU, %", "its ms"]]
        for g in s.hybrid.graphs(point="best", measure="solve", **case):
            gpu, cpu, best, even = (point(s, p, graph=g, **case) for p in ("gpu", "cpu", "best", "even"))
            cross = [point(s, p, "cross", graph=g, **case) for p in cross_points]
            ahead = [f"{100 * (float(alone['median']) / float(best['median']) - 1):+.0f}" for alone in (gpu, cpu)]
            waits = lambda p, side: abs(float(point(s, p, side, graph=g, **case)["median"]))
            idle = lambda p: f"{waits(p, 'cpu_idle'):.0f}, {waits(p, 'gpu_idle'):.0f}"
            size = int(re.search(rf"\b{letter}=(\d+)", g)[1]) / 1e6
            rows.append([f"{size:.{digits}f} M", figure(gpu["median"]), figure(cpu["median"]), best["keys"]["share"],
                         figure(best["median"]), *ahead, idle("best"), ", ".join(times(float(c["median"])) for c in cross),
                         even["keys"]["share"], idle("even"), figure(even["median"])])
        return rows
    return rows_of


AUTO, PAPER = "hybrid.auto", "hybrid.dfs.none.soman"
table("hybrid_sizes_auto")(shares("vertices", "n", 1, variant=AUTO, run="sizes", form="host"))
table("hybrid_edges_auto")(shares("edges", "m", 0, variant=AUTO, run="edges", form="host"))
table("hybrid_resident_auto")(shares("vertices", "n", 1, variant=AUTO, run="sizes", form="gpu"))
table("hybrid_sizes_paper")(shares("vertices", "n", 1, variant=PAPER, run="soman_sizes", form="host"))
table("hybrid_resident_paper")(shares("vertices", "n", 1, variant=PAPER, run="soman_sizes", form="gpu"))
BY_ALGORITHM_4 = dict(cross_points=("best",), variant=PAPER, run=lambda _: True, form="host")
for run, title, letter, digits in (("hybrid_min_label", "vertices", "n", 1), ("hybrid_edges", "edges", "m", 0)):
    for name, sizes in (("paper", components.PAPERS), ("larger", components.LARGER)):
        table(f"{run}_{name}")(shares(title, letter, digits, of=lambda s, run=run, sizes=sizes: of_run(s, run, sizes), **BY_ALGORITHM_4))


def curves(run, title, letter, digits):
    """Every share that was timed: the gain is over the GPU alone of the finals."""
    def rows_of(s):
        rows = Rows({run: kept(s, run, H200)}, "cuda")
        cells = [[title, "share of the cores, %", "ms", "over the GPU alone", "ahead of it, %", "idle CPU, %", "idle GPU, %"]]
        for g in components.graphs(rows, run, components.PAPERS):
            gpu = components.point(rows, run, g, "gpu")
            waits = [dict(components.curve(rows, run, g, side)) for side in ("cpu_idle", "gpu_idle")]
            for share, ms in components.curve(rows, run, g):
                cells.append([f"{components.millions(rows, g, letter):.{digits}f} M", f"{share:g}", figure(ms), times(ms / gpu), f"{100 * (gpu / ms - 1):+.0f}",
                              *(f"{abs(of[share]):.0f}" for of in waits)])
        return cells
    return rows_of


table("hybrid_curves_sizes")(curves("hybrid_min_label", "vertices", "n", 1))
table("hybrid_curves_edges")(curves("hybrid_edges", "edges", "m", 0))
for name in ("figure8", "figure9", "table3", "figure10", "figure11"):
    def draw(s, chart=getattr(components, name)):
        return chart_svg(chart(Rows({run: kept(s, run, H200) for run in (*components.RULES, "hybrid_edges")}, "cuda")))

    picture(f"hybrid_{name}")(draw)


@table("hybrid_large")
def hybrid_large(s):
    caps = ["75", "50", "25", "10"]
    rows = [["graph", "GPU alone", "CPU alone", "best share, %", "its ms", "`auto`", *(f"{c} % of the memory" for c in caps)]]
    for g in s.hybrid.graphs(run="large", point="best", measure="solve"):
        points = ["gpu", "cpu", "best", "auto", *(f"cap_{c}" for c in caps)]
        gpu, cpu, best, auto, *capped = (point(s, p, graph=g, run="large") for p in points)
        share = lambda r: f"{figure(r['median'])} ({float(r['keys']['share']):.0f} %"
        rows.append([f"`{g}`", figure(gpu["median"]), figure(cpu["median"]), best["keys"]["share"], figure(best["median"]),
                     share(auto) + ")", *(f"{share(r)}, {r['keys']['cross']})" for r in capped)])
    return rows


@table("hybrid_choice")
def hybrid_choice(s):
    rows = [["graphs", "`auto` / the quicker side alone, least", "geometric mean", "most", "cases"]]
    for title, run, form in (("random, by vertices, from host memory", "sizes", "host"),
                             ("random, by edges, from host memory", "edges", "host"),
                             ("larger, from host memory", "large", "host"), ("random, by vertices, resident", "sizes", "gpu")):
        found = []
        for r in s.hybrid.all(run=run, form=form, point="auto", measure="solve"):
            same = dict(graph=r["graph"], variant=r["variant"], run=run, form=form)
            found.append(float(r["median"]) / min(float(point(s, side, **same)["median"]) for side in ("gpu", "cpu")))
        rows.append([title, times(min(found)), times(geometric_mean(found)), times(max(found)), str(len(found))])
    return rows


@table("hybrid_labels")
def hybrid_labels(s):
    """At the best of the shares 5 to 15 %, of two runs by turns the lower median."""
    rows = [["graph", *(f"{form}, {way}" for form in ("host memory", "resident") for way in ("staged", "page-locked"))]]
    for g in s.hybrid.graphs(run="labels_locked", point="best"):
        least = lambda form, run: min(float(r["median"]) for r in s.hybrid.all(graph=g, run=run, form=form, point="best", measure="solve"))
        rows.append([f"`{g}`", *(figure(least(form, f"labels_{way}")) for form in ("host", "gpu") for way in ("staged", "locked"))])
    return rows


@table("hybrid_copies")
def hybrid_copies(s):
    columns = {"in, driver": "in.driver", "in, copse": "in.ours", "in, page-locked": "in.page_locked", "out, driver": "out.driver",
               "out, copse": "out.ours", "out to new pages, driver": "out.driver.new", "out to new pages, copse": "out.ours.new",
               "out, page-locked": "out.page_locked"}
    return grid(s.hybrid, "size", s.hybrid.graphs(variant="in.driver", measure="rate"), columns, measure="rate")


@table("hybrid_sides")
def hybrid_sides(s):
    case = dict(run="anchors", form="gpu")
    header, *rows = grid(s.hybrid, "graph", s.hybrid.graphs(measure="solve", **case),
                         {"GPU alone, resident": dict(point="gpu"), "CPU alone, labels copied to the GPU": dict(point="cpu")}, **case)
    times_of = lambda side: [s.hybrid.time(graph=g, point=side, **case) for g in s.hybrid.graphs(measure="solve", **case)]
    ratios = [cpu / gpu for cpu, gpu in zip(times_of("cpu"), times_of("gpu"))]
    mean = ["geometric mean", "", "", figure(geometric_mean(ratios))]
    return [[*header, "CPU / GPU"], *(row + [figure(r)] for row, r in zip(rows, ratios)), mean]


@table("hybrid_noise")
def hybrid_noise(s):
    return [["graph", "between two solves", "OMP_WAIT_POLICY", "median", "least", "most"]] + [
        [f"`{r['graph']}`", r["keys"]["between"].replace("_", " "), r["keys"]["wait_policy"],
         *(figure(r[k]) for k in ("median", "min", "max"))]
        for r in s.hybrid.all(run="threads_between")]
