"""The tables of docs/measurements/weighted.md."""

from table_kit import figure, geometric_mean, grid, label, low_to_high, millions, ratio, table, times

ON_GPU = dict(variant="cuda.filter_boruvka", memory="")
RESIDENT = dict(variant="cuda.filter_boruvka", memory="taken")
ECL_MST = dict(variant="cuda.ecl_mst", memory="taken")
# What the columns of other codes call their draws of the same families.
NAMES = {
    "rmat:scale=22,edges=8,a=.45,b=.15,c=.15": "rmat22",
    "rmat:scale=21,edges=48,a=.57,b=.19,c=.19": "kron21",
    "er:n=8388608,m=33554432": "er23",
    "mesh:side=4096": "mesh24",
    "osm:side=3600,keep=.6": "osm44M",
    "web:n=18520486,degree=32": "web18M",
    "ba:n=16777216,k=10": "ba24",
    "rmat:scale=25,edges=28,a=.57,b=.19,c=.19": "rmat25",
}
OF_SEARCH = {"first round": "first_round", "list": "list", "rounds": "rounds", "trees": "trees", "collect": "collect"}
CPU_PHASES = ("keys", "search", "edges")


def phase(s, graph, name):
    return s.weighted.time(graph=graph, measure="phase", phase=name, **ON_GPU) or 0


def rival(s, graph, variant, measure):
    return s.rivals.time(graph=NAMES[graph], variant=variant, measure=measure)


@table("weighted_gpu_resident")
def weighted_gpu_resident(s):
    rivals = ["ecl_mst", "raft_mst", "plain_boruvka"]
    rows = [["graph", "edges", "`cuda.filter_boruvka`", "least to most", "ECL-MST", "RAFT", "plain Boruvka", "fastest other / ours",
             "`cuda.ecl_mst`", "`cuda.ecl_mst` / ECL-MST"]]
    facts, ratios, of_ecl_mst = s.graph_facts(), [], []
    for row in s.weighted.all(measure="solve", **RESIDENT):
        others = [rival(s, row["graph"], v, "weighted_forest") for v in rivals]
        ratios.append(ratio(min(others), float(row["median"])))
        ecl_mst = s.weighted.time(graph=row["graph"], run="ecl_mst", **ECL_MST)
        of_ecl_mst.append(ratio(ecl_mst, others[0]))
        rows.append([label(row["graph"]), millions(int(facts[NAMES[row["graph"]]]["arcs"]) / 2), figure(row["median"]),
                     f"{figure(row['min'])} to {figure(row['max'])}", *map(figure, others), times(ratios[-1]), figure(ecl_mst),
                     times(of_ecl_mst[-1])])
    return rows + [["geometric mean", *[""] * 6, times(geometric_mean(ratios)), "", times(geometric_mean(of_ecl_mst))]]


@table("weighted_light")
def weighted_light(s):
    light = {str(share): dict(light=str(share)) for share in (".5", ".75", 1, 1.5, 2, 3, 4)}
    return grid(s.weighted, "graph", s.weighted.graphs(measure="solve", **RESIDENT), light, run="light", **ECL_MST)


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
    return grid(s.weighted, "graph", s.weighted.graphs(measure="solve", **RESIDENT), {t: dict(phase=p) for t, p in OF_SEARCH.items()},
                measure="phase", **RESIDENT)


@table("weighted_cpu")
def weighted_cpu(s):
    named = [f"threads.{algorithm}" for algorithm in ("filter_boruvka", "filter_kruskal", "boruvka")]
    rows = [["graph", *(f"`{n}`" for n in named), "PBBS", "GBBS", "PBBS / `threads.filter_boruvka`"]]
    ratios = []
    for g in s.weighted.graphs(measure="solve", variant=named[0]):
        pbbs, gbbs = (rival(s, g, v, "weighted_forest") for v in ("pbbs.filter_kruskal", "gbbs.boruvka"))
        ratios.append(ratio(pbbs, s.weighted.time(graph=g, variant=named[0])))
        rows.append([label(g), *(figure(s.weighted.time(graph=g, variant=n)) for n in named), figure(pbbs), figure(gbbs), times(ratios[-1])])
    return rows + [["geometric mean", "", "", "", "", "", times(geometric_mean(ratios))]]


@table("weighted_serial")
def weighted_serial(s):
    named = [f"serial.{algorithm}" for algorithm in ("kruskal", "filter_kruskal", "filter_boruvka")]
    return grid(s.weighted, "graph", s.weighted.graphs(measure="solve", variant=named[0]), named)


@table("weighted_plain")
def weighted_plain(s):
    names = ["plain.kruskal", *(f"serial.{algorithm}" for algorithm in ("kruskal", "filter_kruskal", "filter_boruvka"))]
    rows = [["graph", "plain Kruskal", "least to most", *(f"`{n}`" for n in names[1:]), "plain / `serial.kruskal`",
             "plain / `serial.filter_kruskal`"]]
    gains = []
    for g in s.weighted.graphs(measure="solve", variant=names[0], run="plain"):
        plain, *ours = (s.weighted.time(graph=g, variant=n, run="plain") for n in names)
        gains.append([ratio(plain, ours[0]), ratio(plain, ours[1])])
        rows.append([label(g), figure(plain), low_to_high(s.weighted.row(graph=g, variant=names[0], measure="solve", run="plain")),
                     *map(figure, ours), *map(times, gains[-1])])
    return rows + [["geometric mean", "", "", "", "", "", *(times(geometric_mean(column)) for column in zip(*gains))]]


@table("weighted_dendrograms")
def weighted_dendrograms(s):
    parts = {"sort": "sort", "contract": "contract", "merges": "merges"}
    rows = [["graph", "16 threads", *parts, "ParSLD", "ParSLD / 16 threads", "H200, in its memory", "ParSLD / H200", "H200, whole call"]]
    cpu, gpu = [], []
    for g in s.weighted.graphs(measure="solve", variant="cuda.dendrogram"):
        phase = lambda variant, name: s.weighted.time(graph=g, variant=variant, measure="phase", phase=name)
        rival_ms, ours = rival(s, g, "parsld.paruf", "dendrogram"), s.weighted.time(graph=g, variant="dendrogram")
        in_memory = sum(phase("cuda.dendrogram", name) for name in parts)
        cpu.append(ratio(rival_ms, ours))
        gpu.append(ratio(rival_ms, in_memory))
        rows.append([label(g), figure(ours), *(figure(phase("dendrogram", name)) for name in parts), figure(rival_ms), times(cpu[-1]),
                     figure(in_memory), times(gpu[-1]), figure(s.weighted.time(graph=g, variant="cuda.dendrogram"))])
    return rows + [["geometric mean", "", "", "", "", "", times(geometric_mean(cpu)), "", times(geometric_mean(gpu)), ""]]


def pairs(graph, batch, run, before):
    """A run of pairs beside the run `before`, of an earlier commit, both in turns."""
    def rows_of(s):
        time = lambda variant, run: s.weighted.time(graph=graph, variant=variant, run=run)
        rows = [["what", "ms", "of the forest alone", "least to most", "before, ms"]]
        for what, name in {"the forest": "forest", "1,000 thresholds of that forest": "thresholds",
                           f"the forest, in batches of {batch}": "stream"}.items():
            row = s.weighted.all(graph=graph, variant=name, measure="solve", run=run)[0]
            rows.append([what, figure(row["median"]), times(ratio(float(row["median"]), time("forest", run))),
                         f"{figure(row['min'])} to {figure(row['max'])}", figure(time(name, before))])
        return rows
    return rows_of


table("weighted_pairs_serial")(pairs("pairs:n=4000000,m=20000000", "1,000,000", "one_loop", "two_loops"))
table("weighted_pairs")(pairs("pairs:n=20000000,m=100000000", "4,000,000", "one_loop", "two_loops"))
