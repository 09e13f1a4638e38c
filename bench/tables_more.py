"""The tables of docs/measurements on forests, edges that arrive in batches, list ranking, and the codes of four papers."""
import statistics

from table_kit import figure, geometric_mean, millions, ratio, table, times

STREAMS = {"rmat": "rmat:scale=22,edges=8,a=.45,b=.15,c=.15", "er": "er:n=8388608,m=33554432", "ba": "ba:n=16777216,k=10",
           "osm": "osm:side=1000,keep=.6"}


def label(graph):
    return f"`{graph}`" if ":" in graph else graph


def seconds_in_ms(row):
    return None if row is None else float(row["median"])


# Forests

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
        rows.append([f"`{v}`", times(statistics.median(alone)), ", ".join(times(statistics.median(r)) if r else "–" for r in by_run),
                     f"{min(alone):.2f} to {max(alone):.2f}", times(statistics.median(both)), str(len(alone))])
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
    rows = [["graph", "variant", "components", "joined", "collected", "forest, in all", "with labels", "GConn", "GConn / joined", "GConn / in all"]]
    gains, costs = {"join": [], "forest": []}, {"join": [], "forest": []}
    for r in s.forests.all(measure="components", machine="h200"):
        of = lambda measure: s.forests.time(graph=r["graph"], variant=r["variant"], measure=measure, machine="h200")
        gconn = s.rivals.time(graph=r["graph"], variant="gconn.forest", measure="join")
        for k in gains:
            costs[k].append(of(k) / of("components"))
            if gconn:
                gains[k].append(gconn / of(k))
        rows.append([r["graph"], f"`{r['variant']}`", *(figure(of(m)) for m in ("components", "join", "collect", "forest", "forest_and_labels")),
                     figure(gconn), times(ratio(gconn, of("join"))), times(ratio(gconn, of("forest")))])
    mean = lambda values: times(geometric_mean(values))
    return rows + [["geometric mean", *[""] * 7, mean(gains["join"]), mean(gains["forest"])],
                   ["over components, geometric mean", "", "1", mean(costs["join"]), "", mean(costs["forest"]), *[""] * 4]]


def tours(s, **machine):
    c = s.euler_tours
    names = list(dict.fromkeys(r["variant"] for r in c.all(measure="tour", **machine)))
    named = {"levels": "levels", "depth_first": "depth first, one thread", "tour": "tour", "tour_gpu": "tour, list ranked on the GPU",
             "root_forest_from_edges": "`root_forest`", "euler_tour_from_edges": "`euler_tour`"}
    rows = [["forest of", *(named.get(n, n.replace("_", " ")) for n in names)]]
    return rows + [[label(g), *(figure(c.time(graph=g, variant=n, measure="tour", **machine)) for n in names)] for g in c.graphs(measure="tour", **machine)]


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


# Edges in batches

BATCHES = ["1000", "10000", "100000", "1000000", "10000000", "all"]
POWERS = ["10^3", "10^4", "10^5", "10^6", "10^7", "all"]


@table("incremental_cpu")
def incremental_cpu(s):
    c, graph = s.incremental, "rmat"
    rows = [["machine, threads", "sequential Rem", *POWERS]]
    for machine, threads in (("two-core", "1"), ("xeon16", "1"), ("xeon16", "16")):
        of = lambda **w: c.time(graph=graph, measure="insert", machine=machine, threads=threads, queries_per_insert="", **w)
        rows.append([f"{machine}, {threads}", figure(of(variant="serial.none.rem", batch="static")), *(figure(of(variant="auto", batch=b)) for b in BATCHES)])
    return rows


@table("incremental_rules")
def incremental_rules(s):
    c = s.incremental
    rows = [["graph", "machine, threads", "variant", "10^4", "10^6", "all"]]
    for graph, machine, threads in (("rmat", "xeon16", "16"), ("osm:side=1024,keep=.6", "two-core", "1")):
        wanted = dict(graph=graph, machine=machine, threads=threads, measure="insert", queries_per_insert="")
        static = c.time(**wanted, batch="static", variant="serial.none.rem")
        rows.append([label(graph), f"{machine}, {threads}", "`serial.none.rem`, all at once", "", "", figure(static)])
        for v in dict.fromkeys(r["variant"] for r in c.all(**wanted) if r["keys"]["batch"] != "static"):
            rows.append([label(graph), f"{machine}, {threads}", f"`{v}`", *(figure(c.time(**wanted, batch=b, variant=v)) for b in ("10000", "1000000", "all"))])
    return rows


@table("incremental_queries")
def incremental_queries(s):
    rows = [["queries per insert", "phased, M operations/s", "concurrent, M operations/s"]]
    for q in ("1", "10", "100"):
        rows.append([q, *(figure(s.incremental.time(graph="osm:side=1024,keep=.6", measure="rate", queries_per_insert=q, mixing=m))
                          for m in ("phased", "concurrent"))])
    return rows


def gpu_rate(s, graph, source, batch, run="", queries=""):
    return s.incremental.time(graph=graph, variant="gpu_incremental", measure="rate", source=source, batch=batch, run=run, queries_per_insert=queries)


@table("incremental_gpu")
def incremental_gpu(s):
    rows = [["graph", *POWERS, "GConn, all", "ours / GConn"]]
    gains = []
    for graph in STREAMS.values():
        found = [gpu_rate(s, graph, "resident", b) for b in BATCHES]
        gconn = s.rivals.time(graph=graph, variant="gconn.async_split", measure="rate")
        gains.append(found[-1] / gconn)
        rows.append([label(graph), *map(figure, found), figure(gconn), times(gains[-1])])
    return rows + [["geometric mean", *[""] * 7, times(geometric_mean(gains))]]


@table("incremental_gpu_copies")
def incremental_gpu_copies(s):
    rows = [["graph", "pinned, 10^5", "10^6", "10^7", "all", "the copy alone", "pageable, 10^6", "10^7", "all"]]
    for graph in STREAMS.values():
        pageable = [gpu_rate(s, copied, "pageable", b, "several_copying_cores") for b in ("1000000", "10000000", "all") for copied in [pageable_name(s, graph)]]
        rows.append([label(graph), *(figure(gpu_rate(s, graph, "pinned", b)) for b in ("100000", "1000000", "10000000", "all")),
                     figure(gpu_rate(s, graph, "copy_alone_pinned", "all")), *map(figure, pageable)])
    return rows


def pageable_name(s, graph):
    """That run read the same laws from files of a generator."""
    names = s.incremental.graphs(run="several_copying_cores")
    return next(n for n in names if n == graph or n.startswith(graph.split(":")[0]))


@table("incremental_gpu_queries")
def incremental_gpu_queries(s):
    rows = [["graph", *(f"{q} per insert, {b}" for q in (1, 10, 100) for b in ("10^6", "one batch"))]]
    for graph in STREAMS.values():
        rows.append([label(graph), *(figure(gpu_rate(s, graph, "mixed_resident", b, queries=q)) for q in ("1", "10", "100") for b in ("1000000", "all"))])
    return rows


@table("incremental_streams")
def incremental_streams(s):
    rows = [["stream", "10^5", "10^6", "10^7", "10^8", "10^9", "all", "GConn on a V100 (its paper), G arcs/s"]]
    for graph in s.incremental.graphs(run="streams"):
        found = [gpu_rate(s, graph, "resident", b, "streams") for b in ("100000", "1000000", "10000000", "100000000", "1000000000", "all")]
        rows.append([label(graph), *map(figure, found), figure(s.rivals.time(graph=graph, measure="rate", batch="all"))])
    return rows


@table("incremental_ways")
def incremental_ways(s):
    named = {"flat_then_all_rem_split": "parents, all of them flat", "marked_then_all_by_fine": "one bit per vertex",
             "marked_then_all_by_groups": "groups of vertices, in shared memory"}
    graphs = list(STREAMS.values())
    rows = [["all edges a second time, by", *map(label, graphs)]]
    return rows + [[what, *(figure(s.incremental.time(graph=g, variant=v, measure="second_rate", run="ways")) for g in graphs)] for v, what in named.items()]


# List ranking

def list_time(s, variant, elements, **wanted):
    return seconds_in_ms(s.list_ranking.fastest(graph=f"list:n={elements}", variant=variant, measure="rank", **wanted))


@table("lists_sizes")
def lists_sizes(s):
    rows = [["elements", "`cuda.helman_jaja`", "`cuda.fis`", "`hybrid.fis`", "Banerjee and Kothapalli (2011)", "Wei and JaJa, as printed there"]]
    for m in (1, 2, 4, 8, 16, 32, 64, 128):
        n = f"{m}000000"
        published = [s.rivals.time(graph=f"list:n={n}", variant=v, measure="rank") for v in ("banerjee_kothapalli.hybrid", "wei_jaja")]
        rows.append([f"{m} M", figure(list_time(s, "cuda.helman_jaja", n, run="sizes")), figure(list_time(s, "cuda.fis", n, run="fis_sizes")),
                     figure(list_time(s, "hybrid.fis", n, run="fis_sizes")), *map(figure, published)])
    return rows


@table("lists_cpu")
def lists_cpu(s):
    walk = list_time(s, "serial.walk", 64000000, run="sizes", machine="xeon16")
    rows = [["variant", "threads", "ms", "times as fast as `serial.walk`"]]
    for r in s.list_ranking.all(graph="list:n=64000000", measure="rank", run="sizes", machine="xeon16"):
        rows.append([f"`{r['variant']}`", r["threads"], figure(r["median"]), figure(walk / float(r["median"]))])
    return rows


@table("lists_phases")
def lists_phases(s):
    rows = [["variant, 128 M elements", "phase", "ms"]]
    for v, run in (("cuda.helman_jaja", "sizes"), ("hybrid.fis", "fis_sizes")):
        for r in s.list_ranking.all(graph="list:n=128000000", variant=v, measure="phase", run=run):
            rows.append([f"`{v}`", r["keys"]["phase"].replace("_", " "), figure(r["median"])])
    return rows


@table("lists_splitters")
def lists_splitters(s):
    found = s.list_ranking.all(measure="rank", run="splitters")
    key = lambda r: (r["machine"], r["variant"], int(r["keys"]["splitters"]))
    return [["machine", "variant", "elements", "splitters", "ms"]] + [
        [r["machine"], f"`{r['variant']}`", millions(r["graph"].split("=")[1]), f"{int(r['keys']['splitters']):,}", figure(r["median"])]
        for r in sorted(found, key=key)]


@table("lists_in_flight")
def lists_in_flight(s):
    found = sorted(s.list_ranking.all(measure="rank", run="in_flight"), key=lambda r: int(r["keys"]["in_flight"]))
    return [["sublists in flight per thread", "ms"]] + [[r["keys"]["in_flight"], figure(r["median"])] for r in found]


@table("lists_rounds")
def lists_rounds(s):
    rows = [["machine", "elements", "rounds", "reduce", "rank", "reinsert", "in all"]]
    found = [r for r in s.list_ranking.all(measure="rank", run="rounds") if r["variant"].endswith(".fis")]
    for r in sorted(found, key=lambda r: (r["machine"], int(r["keys"]["rounds"]))):
        of = lambda phase: s.list_ranking.time(graph=r["graph"], variant=r["variant"], measure="phase", run="rounds", phase=phase, machine=r["machine"],
                                               rounds=r["keys"]["rounds"])
        rows.append([r["machine"], millions(r["graph"].split("=")[1]), r["keys"]["rounds"], *(figure(of(p)) for p in ("reduce", "rank", "reinsert")),
                     figure(r["median"])])
    return rows


# The codes of four papers

@table("papers_coverage")
def papers_coverage(s):
    facts, c = s.graph_facts(), s.papers
    rows = [["graph", "variant", "giant in the sample, % of vertices", "arcs read while sampling, per vertex", "arcs left to the finish, %",
             "between components, %"]]
    for g in c.graphs(run="counts", machine="xeon16", measure="giant_vertices"):
        n, m = int(facts[g]["vertices"]), int(facts[g]["arcs"])
        for v in (f"omp.{sampler}.async.compress" for sampler in ("kout", "hb", "bfs")):
            of = lambda what: float(c.time(graph=g, variant=v, run="counts", machine="xeon16", measure=what))
            rows.append([label(g), f"`{v}`", f"{100 * of('giant_vertices') / n:.1f}", f"{of('sampled_arcs') / n:.2f}", f"{100 * of('finish_arcs') / m:.2f}",
                         f"{100 * of('crossing_arcs') / m:.2f}"])
    return rows


def over(s, base, run, **wanted):
    c = s.papers
    graphs = c.graphs(run=run, variant=base, measure="solve", **wanted)
    names = list(dict.fromkeys(r["variant"] for r in c.all(run=run, measure="solve", **wanted)))
    rows = [["graph", f"`{base}`, ms", *(f"`{n}`" for n in names if n != base)]]
    for g in graphs:
        least = c.time(graph=g, run=run, variant=base, **wanted)
        rows.append([label(g), figure(least), *(times(ratio(c.time(graph=g, run=run, variant=n, **wanted), least)) for n in names if n != base)])
    return rows


@table("papers_ecl")
def papers_ecl(s):
    return over(s, "omp.none.ecl_cc", "ecl")


@table("papers_edge_lists")
def papers_edge_lists(s):
    return over(s, "omp.none.rem_lock.naive.split_one", "ecl", input="coo")


@table("papers_slow")
def papers_slow(s):
    c = s.papers
    graphs = c.graphs(run="slow", measure="solve")
    names = list(dict.fromkeys(r["variant"] for r in c.all(run="slow", measure="solve")))
    rows = [["variant", *map(label, graphs)]]
    return rows + [[f"`{n}`", *(figure(c.time(graph=g, run="slow", variant=n)) for g in graphs)] for n in names]


@table("papers_stages")
def papers_stages(s):
    c = s.papers
    graphs = c.graphs(run="stages", input="coo", measure="solve")
    names = list(dict.fromkeys(r["variant"] for r in c.all(run="stages", input="coo", measure="solve")))
    rows = [["variant", *map(label, graphs)]]
    return rows + [[f"`{n}`", *(figure(c.time(graph=g, run="stages", input="coo", variant=n)) for g in graphs)] for n in names]


@table("papers_stages_cpu")
def papers_stages_cpu(s):
    graphs, c = ["er", "rmat", "grid2d", "path"], s.cpu_variants
    names = ["omp.none.cc", "omp.none.cc_updt", "omp.none.cc_sort", "omp.none.sv", "omp.none.sv_updt", "omp.stages.cc", "omp.stages.cc_updt",
             "omp.stages.sv", "omp.stages.sv_updt", "omp.none.rem_verify"]
    rows = [["variant", *graphs]]
    return rows + [[f"`{n}`", *(figure(c.time(graph=g, variant=n, threads="16", input="coo")) for g in graphs)] for n in names]


@table("papers_inspected")
def papers_inspected(s):
    facts, c = s.graph_facts(), s.papers
    graphs = c.graphs(run="counts", machine="two-core", input="coo", measure="finish_arcs")
    rows = [["variant", *(f"{label(g)}: {what}" for g in graphs for what in ("arcs per edge", "loads per vertex"))]]
    for v in dict.fromkeys(r["variant"] for r in c.all(run="counts", machine="two-core", input="coo", measure="loads")):
        cells = []
        for g in graphs:
            of = lambda what: float(c.time(graph=g, variant=v, run="counts", machine="two-core", input="coo", measure=what))
            edges, n = int(facts[g]["arcs"]) / 2, int(facts[g]["vertices"])
            cells += [times((of("sampled_arcs") + of("finish_arcs")) / edges), f"{of('loads') / n:.1f}"]
        rows.append([f"`{v}`", *cells])
    return rows


@table("papers_phases")
def papers_phases(s):
    c = s.papers
    rows = [["graph", "variant", "solve, ms", "phases of the last solve, ms"]]
    for r in c.all(run="phases", measure="solve"):
        phases = c.all(run="phases", graph=r["graph"], variant=r["variant"], measure="phase")
        rows.append([label(r["graph"]), f"`{r['variant']}`", figure(r["median"]), ", ".join(f"{p['keys']['phase']} {figure(p['median'])}" for p in phases)])
    return rows


@table("machines")
def machines(s):
    rows = s.read("machines")
    return [["name", "processor", "cores", "memory, GB", "GPU", "remark"]] + [
        [r["name"], r["processor"], r["cores"], r["memory_gb"], r["gpu"] or "–", r["note"]] for r in rows]
