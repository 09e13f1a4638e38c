"""The tables of docs/measurements/weighted.md."""

from table_kit import figure, grid, label, millions, ratio, table, times

ON_GPU = dict(variant="cuda.filter_boruvka", source="")
OF_SEARCH = {"first round": "first_round", "list": "list", "rounds": "rounds", "trees": "trees", "collect": "collect"}
CPU_PHASES = ("keys", "search", "edges")


def phase(s, graph, name):
    return s.weighted.time(graph=graph, measure="phase", phase=name, **ON_GPU) or 0


@table("weighted_gpu")
def weighted_gpu(s):
    rows = [["graph", "whole call", "least to most", "search, by the GPU's clock", "keys", "marks", "edges", "copies and the rest",
             "samples"]]
    for row in s.weighted.all(measure="solve", **ON_GPU):
        kernels = sum(phase(s, row["graph"], name) for name in OF_SEARCH.values())
        parts = [kernels, *(phase(s, row["graph"], name) for name in CPU_PHASES)]
        rows.append([label(row["graph"]), figure(row["median"]), f"{figure(row['min'])} to {figure(row['max'])}", *map(figure, parts),
                     figure(float(row["median"]) - sum(parts)), row["n"]])
    return rows


@table("weighted_gpu_phases")
def weighted_gpu_phases(s):
    return grid(s.weighted, "graph", s.weighted.graphs(measure="solve", **ON_GPU), {t: dict(phase=p) for t, p in OF_SEARCH.items()},
                measure="phase", **ON_GPU)


@table("weighted_cpu")
def weighted_cpu(s):
    named = [f"omp.{algorithm}" for algorithm in ("filter_boruvka", "filter_kruskal", "boruvka")]
    rows = [["graph", *(f"`{n}`" for n in named), "`cuda.filter_boruvka`", "`omp.filter_boruvka` / `cuda.filter_boruvka`"]]
    for g in s.weighted.graphs(measure="solve", variant=named[0]):
        best, gpu = s.weighted.time(graph=g, variant=named[0]), s.weighted.time(graph=g, **ON_GPU)
        rows.append([label(g), *(figure(s.weighted.time(graph=g, variant=n)) for n in named), figure(gpu), times(ratio(best, gpu))])
    return rows


@table("weighted_serial")
def weighted_serial(s):
    named = [f"serial.{algorithm}" for algorithm in ("kruskal", "filter_kruskal", "filter_boruvka")]
    return grid(s.weighted, "graph", s.weighted.graphs(measure="solve", variant=named[0]), named)


@table("weighted_prototype")
def weighted_prototype(s):
    facts = s.graph_facts()
    edges = lambda row: millions(int(facts[row["graph"]]["arcs"]) / 2)
    return [["graph", "vertices", "edges", "ms", "least"]] + [
        [row["graph"], millions(facts[row["graph"]]["vertices"]), edges(row), figure(row["median"]), figure(row["min"])]
        for row in s.weighted.all(measure="solve", source="prototype")]
