"""The tables of docs/measurements/forests.md."""

import statistics

from table_kit import figure, geometric_mean, grid, label, ratio, table, times

XEON = dict(machine="xeon16", run={"1", "2", "3"})


def ratios(s, measure, **wanted):
    """Time of a forest over that of components, one a graph and run."""
    same = lambda r: dict(graph=r["graph"], variant=r["variant"], machine=r["machine"], run=r["keys"]["run"])
    return [float(r["median"]) / s.forests.time(measure="components", **same(r)) for r in s.forests.all(measure=measure, **(XEON | wanted))]


def middle(values):
    return times(statistics.median(values) if values else None)


@table("forests_cpu")
def forests_cpu(s):
    rows = [["variant", "the forest alone", "run 1, 2, 3", "least and most", "with labels", "graphs and runs"]]
    for v in s.forests.variants(measure="forest", **XEON):
        alone = ratios(s, "forest", variant=v)
        by_run = ", ".join(middle(ratios(s, "forest", variant=v, run=run)) for run in "123")
        both = middle(ratios(s, "forest_and_labels", variant=v))
        rows.append([f"`{v}`", middle(alone), by_run, f"{min(alone):.2f} to {max(alone):.2f}", both, str(len(alone))])
    return rows


@table("forests_cpu_graphs")
def forests_cpu_graphs(s):
    graphs, variants = (names(measure="forest", **XEON) for names in (s.forests.graphs, s.forests.variants))
    return [["variant", *map(label, graphs)]] + [
        [f"`{v}`", *(middle(ratios(s, "forest", variant=v, graph=g)) for g in graphs)] for v in variants]


@table("forests_gpu")
def forests_gpu(s):
    columns = {"components": "components", "joined": "join", "collected": "collect", "forest, in all": "forest",
               "with labels": "forest_and_labels"}
    rows = [["graph", "variant", *columns, "GConn", "GConn / joined", "GConn / in all"]]
    gains, costs = {"join": [], "forest": []}, {"join": [], "forest": []}
    for r in s.forests.all(measure="components", machine="h200"):
        of = lambda measure: s.forests.time(graph=r["graph"], variant=r["variant"], measure=measure, machine="h200")
        gconn = s.rivals.time(graph=r["graph"], variant="gconn.forest", measure="join")
        for k in gains:
            costs[k].append(of(k) / of("components"))
            gains[k] += [gconn / of(k)] if gconn else []
        rows.append([r["graph"], f"`{r['variant']}`", *(figure(of(m)) for m in columns.values()), figure(gconn),
                     *(times(ratio(gconn, of(k))) for k in gains)])
    mean = lambda values: times(geometric_mean(values))
    return rows + [["geometric mean", *[""] * 7, *map(mean, gains.values())],
                   ["over components, geometric mean", "", "1", mean(costs["join"]), "", mean(costs["forest"]), *[""] * 4]]


def tours(s, machine):
    named = {"depth_first": "depth first, one thread", "root_forest_from_edges": "`root_forest`", "euler_tour_from_edges": "`euler_tour`"}
    wanted = dict(measure="tour", machine=machine)
    columns = {named.get(v, v.replace("_", " ")): v for v in s.euler_tours.variants(**wanted)}
    return grid(s.euler_tours, "forest of", s.euler_tours.graphs(**wanted), columns, **wanted)


table("tours_1")(lambda s: tours(s, "two-core"))
table("tours_16")(lambda s: tours(s, "xeon16"))


@table("tours_parts")
def tours_parts(s):
    rows = [["machine", "forest of", "the list of arcs", "ranking", "reading the places"]]
    for r in s.euler_tours.all(measure="mean_phase", phase="rank"):
        same = dict(graph=r["graph"], measure="mean_phase", machine=r["machine"])
        parts = [s.euler_tours.time(phase=p, **same) for p in ("successors", "rank", "read")]
        rows.append([r["machine"], label(r["graph"]), *(f"{figure(p)} ({100 * p / sum(parts):.0f} %)" for p in parts)])
    return rows
