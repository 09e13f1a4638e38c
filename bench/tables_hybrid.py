"""The tables of docs/measurements/hybrid.md."""

import re

from table_kit import figure, geometric_mean, table, times


def point(s, graph, variant, run, form, name, measure="solve"):
    return s.hybrid.row(graph=graph, variant=variant, run=run, form=form, point=name, measure=measure)


def size(graph, letter):
    return int(re.search(rf"\b{letter}=(\d+)", graph)[1]) / 1e6


def percent_ahead(alone, best):
    return f"{100 * (float(alone['median']) / float(best['median']) - 1):+.0f}"


def waits(s, graph, variant, run, form, name):
    return ", ".join(f"{abs(float(point(s, graph, variant, run, form, name, side)['median'])):.0f}" for side in ("cpu_idle", "gpu_idle"))


def shares(s, variant, run, form, first, letter, digits):
    rows = [
        [
            first,
            "GPU alone",
            "CPU alone",
            "best share, %",
            "its ms",
            "ahead of the GPU, %",
            "ahead of the CPU, %",
            "idle CPU, GPU, %",
            "cross: keep, unite, min_label",
            "most even share, %",
            "its idle CPU, GPU, %",
            "its ms",
        ]
    ]
    for g in s.hybrid.graphs(variant=variant, run=run, form=form, point="best", measure="solve"):
        gpu, cpu, best, even = (point(s, g, variant, run, form, p) for p in ("gpu", "cpu", "best", "even"))
        cross = [point(s, g, variant, run, form, p, "cross") for p in ("best", "best_by_unite", "best_by_min_label")]
        rows.append(
            [
                f"{size(g, letter):.{digits}f} M",
                *(figure(r["median"]) for r in (gpu, cpu)),
                best["keys"]["share"],
                figure(best["median"]),
                percent_ahead(gpu, best),
                percent_ahead(cpu, best),
                waits(s, g, variant, run, form, "best"),
                ", ".join(f"{float(c['median']):.2f}" for c in cross),
                even["keys"]["share"],
                waits(s, g, variant, run, form, "even"),
                figure(even["median"]),
            ]
        )
    return rows


for _name, _run, _form, _first, _letter, _digits in (
    ("sizes", "sizes", "host", "vertices", "n", 1),
    ("edges", "edges", "host", "edges", "m", 0),
    ("resident", "sizes", "gpu", "vertices", "n", 1),
):
    for _pair, _variant in (("auto", "hybrid.auto"), ("paper", "hybrid.dfs.none.shiloach_vishkin")):
        table(f"hybrid_{_name}_{_pair}")(lambda s, v=_variant, r=_run, f=_form, t=_first, x=_letter, d=_digits: shares(s, v, r, f, t, x, d))


@table("hybrid_large")
def hybrid_large(s):
    caps = ["75", "50", "25", "10"]
    rows = [["graph", "GPU alone", "CPU alone", "best share, %", "its ms", "`auto`", *(f"{c} % of the memory" for c in caps)]]
    for g in s.hybrid.graphs(run="large", point="best", measure="solve"):
        of = lambda name: point(s, g, "hybrid.auto", "large", "host", name)
        share = lambda r: f"{figure(r['median'])} ({float(r['keys']['share']):.0f} %)"
        capped = [of(f"cap_{c}") for c in caps]
        rows.append(
            [
                f"`{g}`",
                figure(of("gpu")["median"]),
                figure(of("cpu")["median"]),
                of("best")["keys"]["share"],
                figure(of("best")["median"]),
                share(of("auto")),
                *(f"{share(r)[:-1]}, {r['keys']['cross']})" for r in capped),
            ]
        )
    return rows


@table("hybrid_choice")
def hybrid_choice(s):
    rows = [["graphs", "`auto` / the quicker side alone, least", "geometric mean", "most", "cases"]]
    for title, run, form in (
        ("random, by vertices, from host memory", "sizes", "host"),
        ("random, by edges, from host memory", "edges", "host"),
        ("larger, from host memory", "large", "host"),
        ("random, by vertices, resident", "sizes", "gpu"),
    ):
        found = []
        for r in s.hybrid.all(run=run, form=form, point="auto", measure="solve"):
            alone = [float(point(s, r["graph"], r["variant"], run, form, side)["median"]) for side in ("gpu", "cpu")]
            found.append(float(r["median"]) / min(alone))
        rows.append([title, times(min(found)), times(geometric_mean(found)), times(max(found)), str(len(found))])
    return rows


@table("hybrid_copies")
def hybrid_copies(s):
    columns = {
        "in, driver": "in.driver",
        "in, copse": "in.ours",
        "in, page-locked": "in.page_locked",
        "out, driver": "out.driver",
        "out, copse": "out.ours",
        "out to new pages, driver": "out.driver.new",
        "out to new pages, copse": "out.ours.new",
        "out, page-locked": "out.page_locked",
    }
    rows = [["size", *columns]]
    for g in s.hybrid.graphs(variant="in.driver", measure="rate"):
        rows.append([g, *(figure(s.hybrid.time(graph=g, variant=v, measure="rate")) for v in columns.values())])
    return rows


@table("hybrid_sides")
def hybrid_sides(s):
    rows = [["graph", "GPU alone, resident", "CPU alone, labels copied to the GPU", "CPU / GPU"]]
    found = []
    for g in s.hybrid.graphs(run="anchors", form="gpu", point="gpu", measure="solve"):
        gpu, cpu = (float(point(s, g, "hybrid.auto", "anchors", "gpu", p)["median"]) for p in ("gpu", "cpu"))
        found.append(cpu / gpu)
        rows.append([f"`{g}`", figure(gpu), figure(cpu), figure(cpu / gpu)])
    return rows + [["geometric mean", "", "", figure(geometric_mean(found))]]


@table("hybrid_noise")
def hybrid_noise(s):
    rows = [["graph", "between two solves", "OMP_WAIT_POLICY", "median", "least", "most"]]
    for r in s.hybrid.all(run="threads_between"):
        rows.append(
            [
                f"`{r['graph']}`",
                r["keys"]["between"].replace("_", " "),
                r["keys"]["wait_policy"],
                *(figure(r[k]) for k in ("median", "min", "max")),
            ]
        )
    return rows
