"""The tables of docs/measurements/incremental.md."""

from table_kit import figure, geometric_mean, label, table, times

STREAMS = {
    "rmat": "rmat:scale=22,edges=8,a=.45,b=.15,c=.15",
    "er": "er:n=8388608,m=33554432",
    "ba": "ba:n=16777216,k=10",
    "osm": "osm:side=1000,keep=.6",
}

BATCHES = ["1000", "10000", "100000", "1000000", "10000000", "all"]
POWERS = ["10^3", "10^4", "10^5", "10^6", "10^7", "all"]


@table("incremental_cpu")
def incremental_cpu(s):
    c, graph = s.incremental, "rmat"
    rows = [["machine, threads", "sequential Rem", *POWERS]]
    for machine, threads in (("two-core", "1"), ("xeon16", "1"), ("xeon16", "16")):
        of = lambda **w: c.time(graph=graph, measure="insert", machine=machine, threads=threads, queries_per_insert="", **w)
        rows.append(
            [
                f"{machine}, {threads}",
                figure(of(variant="serial.none.rem", batch="static")),
                *(figure(of(variant="auto", batch=b)) for b in BATCHES),
            ]
        )
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
            rows.append(
                [
                    label(graph),
                    f"{machine}, {threads}",
                    f"`{v}`",
                    *(figure(c.time(**wanted, batch=b, variant=v)) for b in ("10000", "1000000", "all")),
                ]
            )
    return rows


@table("incremental_queries")
def incremental_queries(s):
    rows = [["queries per insert", "phased, M operations/s", "concurrent, M operations/s"]]
    for q in ("1", "10", "100"):
        rows.append(
            [
                q,
                *(
                    figure(s.incremental.time(graph="osm:side=1024,keep=.6", measure="rate", queries_per_insert=q, mixing=m))
                    for m in ("phased", "concurrent")
                ),
            ]
        )
    return rows


def gpu_rate(s, graph, source, batch, run="", queries=""):
    return s.incremental.time(
        graph=graph, variant="gpu_incremental", measure="rate", source=source, batch=batch, run=run, queries_per_insert=queries
    )


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
        pageable = [
            gpu_rate(s, copied, "pageable", b, "several_copying_cores")
            for b in ("1000000", "10000000", "all")
            for copied in [pageable_name(s, graph)]
        ]
        rows.append(
            [
                label(graph),
                *(figure(gpu_rate(s, graph, "pinned", b)) for b in ("100000", "1000000", "10000000", "all")),
                figure(gpu_rate(s, graph, "copy_alone_pinned", "all")),
                *map(figure, pageable),
            ]
        )
    return rows


def pageable_name(s, graph):
    """That run read the same laws from files of a generator."""
    names = s.incremental.graphs(run="several_copying_cores")
    return next(n for n in names if n == graph or n.startswith(graph.split(":")[0]))


@table("incremental_gpu_queries")
def incremental_gpu_queries(s):
    rows = [["graph", *(f"{q} per insert, {b}" for q in (1, 10, 100) for b in ("10^6", "one batch"))]]
    for graph in STREAMS.values():
        rows.append(
            [
                label(graph),
                *(figure(gpu_rate(s, graph, "mixed_resident", b, queries=q)) for q in ("1", "10", "100") for b in ("1000000", "all")),
            ]
        )
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
    named = {
        "flat_then_all_rem_split": "parents, all of them flat",
        "marked_then_all_by_fine": "one bit per vertex",
        "marked_then_all_by_groups": "groups of vertices, in shared memory",
    }
    graphs = list(STREAMS.values())
    rows = [["all edges a second time, by", *map(label, graphs)]]
    return rows + [
        [what, *(figure(s.incremental.time(graph=g, variant=v, measure="second_rate", run="ways")) for g in graphs)]
        for v, what in named.items()
    ]
