"""The tables of docs/measurements/forests.md."""

import statistics

from table_kit import figure, geometric_mean, label, ratio, table, times


def forest_ratios(s, variant, measure, run=None, graph=None):
    """Time of a forest over that of components, one a graph and run."""
    found = []
    for r in s.forests.all(measure=measure, machine="xeon16", variant=variant, run=run or {"1", "2", "3"}):
        if graph in (None, r["graph"]):
            base = s.forests.time(graph=r["graph"], variant=variant, measure="components", machine="xeon16", run=r["keys"]["run"])
            found.append((float(r["median"]) / base, r["graph"]))
    return found


def forest_variants(s):
    return list(dict.fromkeys(r["variant"] for r in s.forests.all(measure="forest", machine="xeon16", run={"1", "2", "3"})))


@table("forests_cpu")
def forests_cpu(s):
    rows = [["variant", "the forest alone", "run 1, 2, 3", "least and most", "with labels", "graphs and runs"]]
    for v in forest_variants(s):
        alone = [r for r, _ in forest_ratios(s, v, "forest")]
        by_run = [[r for r, _ in forest_ratios(s, v, "forest", run)] for run in "123"]
        both = [r for r, _ in forest_ratios(s, v, "forest_and_labels")]
        rows.append(
            [
                f"`{v}`",
                times(statistics.median(alone)),
                ", ".join(times(statistics.median(r)) if r else "–" for r in by_run),
                f"{min(alone):.2f} to {max(alone):.2f}",
                times(statistics.median(both)),
                str(len(alone)),
            ]
        )
    return rows


@table("forests_cpu_graphs")
def forests_cpu_graphs(s):
    graphs = s.forests.graphs(measure="forest", machine="xeon16", run={"1", "2", "3"})
    rows = [["variant", *map(label, graphs)]]
    for v in forest_variants(s):
        median = lambda g: [r for r, _ in forest_ratios(s, v, "forest", graph=g)]
        rows.append([f"`{v}`", *(times(statistics.median(median(g))) if median(g) else "–" for g in graphs)])
    return rows


@table("forests_gpu")
def forests_gpu(s):
    rows = [
        [
            "graph",
            "variant",
            "components",
            "joined",
            "collected",
            "forest, in all",
            "with labels",
            "GConn",
            "GConn / joined",
            "GConn / in all",
        ]
    ]
    gains, costs = {"join": [], "forest": []}, {"join": [], "forest": []}
    for r in s.forests.all(measure="components", machine="h200"):
        of = lambda measure: s.forests.time(graph=r["graph"], variant=r["variant"], measure=measure, machine="h200")
        gconn = s.rivals.time(graph=r["graph"], variant="gconn.forest", measure="join")
        for k in gains:
            costs[k].append(of(k) / of("components"))
            if gconn:
                gains[k].append(gconn / of(k))
        rows.append(
            [
                r["graph"],
                f"`{r['variant']}`",
                *(figure(of(m)) for m in ("components", "join", "collect", "forest", "forest_and_labels")),
                figure(gconn),
                times(ratio(gconn, of("join"))),
                times(ratio(gconn, of("forest"))),
            ]
        )
    mean = lambda values: times(geometric_mean(values))
    return rows + [
        ["geometric mean", *[""] * 7, mean(gains["join"]), mean(gains["forest"])],
        ["over components, geometric mean", "", "1", mean(costs["join"]), "", mean(costs["forest"]), *[""] * 4],
    ]


def tours(s, **machine):
    c = s.euler_tours
    names = list(dict.fromkeys(r["variant"] for r in c.all(measure="tour", **machine)))
    named = {
        "levels": "levels",
        "depth_first": "depth first, one thread",
        "tour": "tour",
        "tour_gpu": "tour, list ranked on the GPU",
        "root_forest_from_edges": "`root_forest`",
        "euler_tour_from_edges": "`euler_tour`",
    }
    rows = [["forest of", *(named.get(n, n.replace("_", " ")) for n in names)]]
    return rows + [
        [label(g), *(figure(c.time(graph=g, variant=n, measure="tour", **machine)) for n in names)]
        for g in c.graphs(measure="tour", **machine)
    ]


@table("tours_1")
def tours_1(s):
    return tours(s, machine="two-core")


@table("tours_16")
def tours_16(s):
    return tours(s, machine="xeon16")


@table("tours_parts")
def tours_parts(s):
    c = s.euler_tours
    rows = [["machine", "forest of", "the list of arcs", "ranking", "reading the places"]]
    for r in c.all(measure="mean_phase", phase="rank"):
        of = lambda phase: c.time(graph=r["graph"], measure="mean_phase", phase=phase, machine=r["machine"], threads=r["threads"])
        parts = [of(p) for p in ("successors", "rank", "read")]
        rows.append([r["machine"], label(r["graph"]), *(f"{figure(p)} ({100 * p / sum(parts):.0f} %)" for p in parts)])
    return rows
