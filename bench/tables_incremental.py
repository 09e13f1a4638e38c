"""The tables of docs/measurements/incremental.md."""

from table_kit import figure, geometric_mean, grid, label, ratio, table, times

STREAMS = ["rmat:scale=22,edges=8,a=.45,b=.15,c=.15", "er:n=8388608,m=33554432", "ba:n=16777216,k=10", "osm:side=1000,keep=.6"]
BATCHES = {"10^3": 1000, "10^4": 10000, "10^5": 100000, "10^6": 1000000, "10^7": 10000000, "10^8": 100000000,
           "10^9": 1000000000, "all": "all"}
ON_GPU = dict(variant="gpu_incremental", measure="rate", queries_per_insert="")


def batches(*titles, prefix="", **ask):
    return {prefix + title: ask | dict(batch=BATCHES[title]) for title in titles}


SIX = batches("10^3", "10^4", "10^5", "10^6", "10^7", "all")


@table("incremental_cpu")
def incremental_cpu(s):
    machines = [("two-core", 1), ("xeon16", 1), ("xeon16", 16)]
    lines = {f"{machine}, {threads}": dict(machine=machine, threads=threads) for machine, threads in machines}
    columns = {"sequential Rem": dict(variant="serial.none.rem", batch="static")} | {t: b | dict(variant="auto") for t, b in SIX.items()}
    return grid(s.incremental, "machine, threads", lines, columns, graph="rmat", measure="insert", queries_per_insert="")


@table("incremental_rules")
def incremental_rules(s):
    columns = batches("10^4", "10^6", "all")
    rows = [["graph", "machine, threads", "variant", *columns]]
    for graph, machine, threads in (("rmat", "xeon16", "16"), ("osm:side=1024,keep=.6", "two-core", "1")):
        wanted = dict(graph=graph, machine=machine, threads=threads, measure="insert", queries_per_insert="")
        first = [label(graph), f"{machine}, {threads}"]
        static = s.incremental.time(**wanted, batch="static", variant="serial.none.rem")
        rows.append([*first, "`serial.none.rem`, all at once", "", "", figure(static)])
        names = s.incremental.variants(batch=lambda b: b != "static", **wanted)
        rows += [first + row for row in grid(s.incremental, "", names, columns, by=("variant", ""), **wanted)[1:]]
    return rows


@table("incremental_queries")
def incremental_queries(s):
    columns = {f"{m}, M operations/s": dict(mixing=m) for m in ("phased", "concurrent")}
    return grid(s.incremental, "queries per insert", {q: q for q in ("1", "10", "100")}, columns, by=("queries_per_insert", ""),
                graph="osm:side=1024,keep=.6", measure="rate")


@table("incremental_gpu")
def incremental_gpu(s):
    header, *rows = grid(s.incremental, "graph", STREAMS, SIX, source="resident", **ON_GPU)
    ours = [s.incremental.time(graph=g, source="resident", batch="all", **ON_GPU) for g in STREAMS]
    means = ["geometric mean", *[""] * (len(header) - 1)]
    for title, wanted in {"GConn": dict(variant="gconn.async_split"), "GConn, later": dict(variant="gconn.best", run="later")}.items():
        gconn = [s.rivals.time(graph=g, measure="rate", **wanted) for g in STREAMS]
        gains = [o / r for o, r in zip(ours, gconn)]
        header += [title, f"ours / {title}"]
        rows = [[*row, figure(r), times(gain)] for row, r, gain in zip(rows, gconn, gains)]
        means += ["", times(geometric_mean(gains))]
    return [header, *rows, means]


@table("incremental_gpu_copies")
def incremental_gpu_copies(s):
    columns = batches("10^5", "10^6", "10^7", "all", prefix="pinned, ", source="pinned")
    columns |= {"the copy alone": dict(source="copy_alone_pinned", batch="all")}
    columns |= batches("10^6", "10^7", "all", prefix="pageable, ", source="pageable")
    return grid(s.incremental, "graph", STREAMS, columns, **ON_GPU)


@table("incremental_gpu_queries")
def incremental_gpu_queries(s):
    """Beside the rates with one query per insert: over the rate of inserts alone, in batches of as many operations, where all edges are inserted."""
    sizes = {"10^6": 1000000, "one batch": "all"}
    rate = lambda g, source, **ask: s.incremental.row(**(ON_GPU | dict(graph=g, source=source) | ask))
    titles = [f"{q} per insert, {t}" for q in (1, 10, 100) for t in sizes]
    rows = [["graph", *titles[:2], *(f"{t}, over inserts alone" for t in sizes), *titles[2:]]]
    for g in STREAMS:
        mixed = [rate(g, "mixed_resident", queries_per_insert=q, batch=b) for q in (1, 10, 100) for b in sizes.values()]
        alone = [rate(g, "resident", batch=b) for b in sizes.values()]
        over = [ratio(m["median"], a["median"]) if "inserts" not in m["keys"] else None for m, a in zip(mixed, alone)]
        cells = [figure(m["median"]) for m in mixed]
        rows.append([label(g), *cells[:2], *map(times, over), *cells[2:]])
    return rows


@table("incremental_gpu_rules")
def incremental_gpu_rules(s):
    ask = dict(graph="er:n=8388608,m=33554432", source="rules", measure="rate")
    names = s.incremental.variants(**ask)
    columns = {"inserts of 10^7": dict(queries_per_insert="", batch="10000000"), "inserts, all": dict(queries_per_insert="", batch="all")} | {
        f"with queries, {m}": dict(mixing=m, batch="all") for m in ("phased", "concurrent")}
    return grid(s.incremental, "variant", names, columns, by=("variant", ""), **ask)


@table("incremental_streams")
def incremental_streams(s):
    graphs = s.incremental.graphs(run="streams")
    header, *rows = grid(s.incremental, "stream", graphs, batches("10^5", "10^6", "10^7", "10^8", "10^9", "all"), run="streams", **ON_GPU)
    published = [figure(s.rivals.time(graph=g, measure="rate", batch="all")) for g in graphs]
    return [[*header, "GConn on a V100 (its paper), G arcs/s"]] + [[*row, p] for row, p in zip(rows, published)]


@table("incremental_ways")
def incremental_ways(s):
    ways = {"parents, all of them flat": "flat_then_all_rem_split", "one bit per vertex": "marked_then_all_by_fine",
            "groups of vertices, in shared memory": "marked_then_all_by_groups"}
    return grid(s.incremental, "all edges a second time, by", ways, STREAMS, by=("variant", "graph"), measure="second_rate", run="ways")
