"""The tables of docs/measurements: at most two per page."""

from .render import table
from .values import Printed, Value, cell, constant, leaf, least, mean, median, over, shown, spread


def code(name):
    return f"`{name}`" if ":" in name else name


def ratio(value):
    return shown(value, "times")


def millions(value):
    return shown(value, "millions")


def facts(store, column):
    return {g["name"]: cell("graphs.csv", g["name"], (column, g[column])) for g in store.table("graphs") if g[column]}


def rival(store, graph, name):
    """The median of another code, as it was written down."""
    found = [r for r in store.table("rivals") if (r["graph"], r["code"]) == (graph, name)]
    return cell("rivals.csv", f"{graph} {name}", ("median", found[0]["median"])) if found else None


@table
def machines(store):
    return [["name", "processor", "cores", "memory, GB", "GPU", "remark"]] + [
        [m["name"], m["processor"], m["cores"], m["memory_gb"], m["gpu"] or "–", m["note"]] for m in store.table("machines")
    ]


CPU_GRAPHS = ("rmat", "er", "ba", "web", "grid2d", "osm", "clusters", "path", "star")


@table
def cpu_auto(store):
    time = lambda g, v: median(store["cpu"].one(graph=g, variant=v, machine="xeon16", threads=16, input="", measure="solve"))
    serial = lambda g: median(store["cpu"].one(graph=g, variant="serial.none.rem", machine="xeon16", threads=1, measure="solve"))
    others = ("threads.kout.afforest", "gconn_tree", "gconn_default")
    rows = [["graph", "arcs per vertex", "auto", "least to most", *(f"`{o}`" for o in others), "`serial.none.rem`, one thread", "that / auto"]]
    arcs, vertices = facts(store, "arcs"), facts(store, "vertices")
    for g in CPU_GRAPHS:
        auto = store["cpu"].one(graph=g, variant="auto", machine="xeon16", threads=16, input="", measure="solve")
        rows.append(
            [
                g,
                shown(arcs[g] / vertices[g]),
                shown(median(auto)),
                spread(auto),
                *(shown(time(g, o)) for o in others),
                shown(serial(g)),
                ratio(over(serial(g), median(auto))),
            ]
        )
    return rows


SAMPLERS = ("hb", "kout", "kout_mixed", "kout_random", "kout_maxdeg", "bfs", "ldd", "none")


@table
def cpu_samplers(store):
    """The fastest variant after each sampler, over the fastest of all."""

    def best(graph, sampler):
        fits = lambda v: v.startswith(f"threads.{sampler}.") and not v.endswith(".fast")
        return least(median(s) for s in store["cpu_variants"].all(graph=graph, machine="xeon16", threads=16, input="", measure="solve", variant=fits))

    rows = [["sampler", *CPU_GRAPHS]]
    fastest = {g: least(best(g, s) for s in SAMPLERS) for g in CPU_GRAPHS}
    return rows + [[f"`{s}`", *(ratio(over(best(g, s), fastest[g])) for g in CPU_GRAPHS)] for s in SAMPLERS]


GPU_GRAPHS = ("rmat22", "kron21", "er23", "mesh24", "osm44M", "web18M", "bits16M", "ba24", "rmat25")


@table
def gpu_auto(store):
    auto = {g: store["gpu"].one(graph=g, variant="cuda.auto", commit=lambda c: c.startswith("ebba1d0"), measure="solve") for g in GPU_GRAPHS}
    ahead = {g: over(rival(store, g, "gconn.best"), median(auto[g])) for g in GPU_GRAPHS}
    rows = [["graph", "arcs", "auto", "least to most", "its variant", "GConn's best", "ECL-CC", "Afforest", "GConn / auto"]]
    arcs = facts(store, "arcs")
    for g in GPU_GRAPHS:
        rows.append(
            [
                g,
                millions(arcs[g]),
                shown(median(auto[g])),
                spread(auto[g]),
                f"`{auto[g].keys['ran']}`",
                *(shown(rival(store, g, name)) for name in ("gconn.best", "ecl_cc", "afforest")),
                ratio(ahead[g]),
            ]
        )
    return rows + [["geometric mean", *[""] * 7, ratio(mean(ahead.values()))]]


@table
def gpu_small(store):
    """Microseconds."""
    area = store["gpu"]
    rows = [["graph", "whole solve, us", "prepared, us", "least to most", "whole / prepared"]]
    for g in area.graphs(run="small"):
        whole, again = (area.one(graph=g, run="small", variant="cuda.hb.fast", measure=m) for m in ("solve", "again"))
        thousand = lambda v: Value.of("times", constant(1000), v)
        rows.append(
            [
                code(g),
                shown(thousand(median(whole))),
                shown(thousand(median(again))),
                Printed("{} to {}", thousand(leaf("min", again)), thousand(leaf("max", again))),
                ratio(over(median(whole), median(again))),
            ]
        )
    return rows


@table
def text_speed(store):
    area = store["text"]
    rows = [["what", "threads", "median", "least to most", "unit"]]
    for measure, what in (
        ("parse", "parse `e22.el`"),
        ("parse_unite", "parse and unite `e22.el`"),
        ("file_to_labels", "`e22.el` to a file of labels, whole process"),
    ):
        for threads in (16, 1):
            # the later of two programs, where both were measured
            found = area.all(graph=("e22", "rmat"), measure=measure, threads=threads, machine="xeon16")
            s = max(found, key=lambda s: len(s.samples))
            rows.append([what, str(threads), shown(median(s)), spread(s), s.unit])
    for variant, what in (("copse", "`e20.el` to labels, whole process"), ("pandas_scipy", "the same by pandas and SciPy")):
        s = area.one(measure="file_to_labels", variant=variant, machine="two-core")
        rows.append([what, "1", shown(median(s)), spread(s), s.unit])
    return rows


@table
def text_compressed(store):
    area = store["text"]
    names = {"plain": "plain text", "gz": "`.gz`", "gz_blocks": "`.gz` of BGZF blocks", "zst": "`.zst`", "zst_frames": "`.zst` of many frames"}
    rows = [["file", "one thread, ms", "least to most", "16 threads, ms", "least to most"]]
    for s in area.all(measure="compressed_to_labels", threads=1, run=None):
        many = area.one(measure="compressed_to_labels", threads=16, variant=s.variant, run=None)
        rows.append([names.get(s.variant, s.variant), shown(median(s)), spread(s), shown(median(many)), spread(many)])
    return rows


@table
def incremental_cpu(store):
    area, batches = store["lists"], ("all", "1000000", "100000", "10000", "1000")
    rows = [["graph", "`components()`", "one batch", *(f"batches of {int(b):,}" for b in batches[1:])]]
    for g in (g for g in CPU_GRAPHS if g in area.graphs(threads=16)):
        call = median(area.one(graph=g, threads=16, measure="call", batch="static"))
        rows.append([code(g), shown(call), *(shown(median(area.one(graph=g, threads=16, measure="insert", batch=b))) for b in batches)])
    return rows


@table
def incremental_gpu(store):
    area, batches = store["incremental"], ("1000", "10000", "100000", "1000000", "10000000", "all")
    rows = [["graph", *(f"10^{len(b) - 1}" if b != "all" else "all" for b in batches), "pinned, all", "pageable, all", "GConn", "all / GConn"]]
    billions = lambda s: None if s is None else Value.of("times", constant(0.001), median(s))
    ahead = []
    for g in area.graphs(machine="h200", source="pinned"):
        rate = lambda batch, source="resident": billions(
            area.one(graph=g, machine="h200", measure="rate", batch=batch, source=source, variant="cuda.none.fast", mixing="", queries_per_insert="")
        )
        gconn = rival(store, g, "gconn.async_split")
        ahead.append(over(rate("all"), gconn))
        rows.append(
            [
                code(g),
                *(shown(rate(b)) for b in batches),
                shown(rate("all", "pinned")),
                shown(rate("all", "pageable")),
                shown(gconn),
                ratio(ahead[-1]),
            ]
        )
    return rows + [["geometric mean", *[""] * (len(batches) + 3), ratio(mean(ahead))]]


@table
def forests_gpu(store):
    area = store["forests"]
    rows = [["graph", "components", "joined", "collected", "forest, in all", "forest and labels", "GConn", "GConn / joined"]]
    for g in area.graphs(machine="h200"):
        time = lambda measure: median(area.one(graph=g, machine="h200", measure=measure))
        gconn = rival(store, g, "gconn.forest")
        rows.append(
            [
                g,
                *(shown(time(m)) for m in ("components", "join", "collect", "forest", "forest_and_labels")),
                shown(gconn),
                ratio(over(gconn, time("join"))),
            ]
        )
    return rows


@table
def tours(store):
    area, ways = store["forests"], ("levels", "tour", "depth_first", "root_forest_from_edges", "euler_tour_from_edges")
    titles = ("levels", "tour", "depth first, one thread", "`root_forest`", "`euler_tour`")
    return [["forest of", *titles]] + [
        [code(g), *(shown(median(area.one(graph=g, run="tours", variant=w, measure="tour"))) for w in ways)] for g in area.graphs(run="tours")
    ]


@table
def bridges(store):
    area = store["bridges"]
    rows = [["graph", "blocks", "1 thread", "low points", "low points / copse", "16 threads", "before / copse, 1 thread", "before / copse, 16"]]
    for g in area.graphs():
        for blocks in ("no", "yes"):
            time = lambda name, threads: median(area.one(graph=g, variant=name, threads=threads, blocks=blocks, measure="solve"))
            ours, many, low = time("copse", 1), time("copse", 16), time("low_points", 1)
            earlier = [ratio(over(time("before", t), time("copse", t))) for t in (1, 16)]
            rows.append([code(g), blocks, shown(ours), shown(low), ratio(over(low, ours)), shown(many), *earlier])
    return rows


WEIGHTED = {
    "rmat:scale=22,edges=8,a=.45,b=.15,c=.15": "rmat22",
    "rmat:scale=21,edges=48,a=.57,b=.19,c=.19": "kron21",
    "er:n=8388608,m=33554432": "er23",
    "mesh:side=4096": "mesh24",
    "osm:side=3600,keep=.6": "osm44M",
    "web:n=18520486,degree=32": "web18M",
    "ba:n=16777216,k=10": "ba24",
    "rmat:scale=25,edges=28,a=.57,b=.19,c=.19": "rmat25",
}


@table
def weighted_gpu(store):
    area, ahead = store["weighted"], []
    rows = [["graph", "`cuda.filter_boruvka`", "least to most", "`cuda.ecl_mst`", "ECL-MST", "ECL-MST / `cuda.filter_boruvka`"]]
    for g in area.graphs(run="ecl_mst"):
        ours, ecl = (area.one(graph=g, run="ecl_mst", measure="solve", variant=v, light="") for v in ("cuda.filter_boruvka", "cuda.ecl_mst"))
        theirs = rival(store, WEIGHTED[g], "ecl_mst")
        ahead.append(over(theirs, median(ours)))
        rows.append([code(g), shown(median(ours)), spread(ours), shown(median(ecl)), shown(theirs), ratio(ahead[-1])])
    return rows + [["geometric mean", *[""] * 4, ratio(mean(ahead))]]


@table
def weighted_pairs(store):
    area, names = (
        store["weighted"],
        {
            "forest": "the forest",
            "thresholds": "1,000 thresholds of it",
            "dendrogram": "its dendrogram",
            "stream": "the forest, in batches of 4,000,000",
        },
    )
    time = lambda v: area.one(machine="xeon16", run="two_loops", measure="solve", variant=v)
    return [["what", "ms", "least to most", "of the forest alone"]] + [
        [what, shown(median(time(v))), spread(time(v)), ratio(over(median(time(v)), median(time("forest"))))] for v, what in names.items()
    ]


def shares(store, form):
    """Cores and GPU together, the share chosen on every other sample and judged on the others."""
    area = store["figures"]
    rows = [["vertices", "GPU alone", "cores alone", "best share of the cores", "both, at that share", "GPU alone / both"]]
    wanted = dict(run="hybrid", machine="h200", form=form, cross="keep", measure="solve", variant="hybrid.dfs.none.soman")
    for g in sorted(area.graphs(**wanted), key=lambda g: int(g.split("n=")[1].split(",")[0])):
        alone = {share: median(area.one(graph=g, **wanted, share=share)) for share in ("0", "100")}
        both = [s for s in area.all(graph=g, **wanted) if s.keys["share"] not in ("0", "100", "auto") and len(s.samples) > 9]
        candidates = [[s.keys["share"], s.key] for s in both]
        series = {s.key: s for s in both}
        time, share = Value(["held_out", *candidates], series), Value(["chosen", *candidates], series)
        rows.append(
            [
                f"{int(g.split('n=')[1].split(',')[0]):,}",
                shown(alone["0"]),
                shown(alone["100"]),
                Printed("{} %", share),
                shown(time),
                ratio(over(alone["0"], time)),
            ]
        )
    return rows


@table
def hybrid_host(store):
    return shares(store, "host")


@table
def hybrid_resident(store):
    return shares(store, "gpu")


@table
def streaming(store):
    area = store["streaming"]
    names = {
        "list": "a list",
        "columns": "two columns",
        "rows": "symmetric rows",
        "coo_file": "`.coo` in the page cache",
        "sg_file": "`.sg` in the page cache",
    }
    rows = [["graph", "edges come from", "GPU memory", "GB/s", "least to most", "of the link"]]
    for s in area.all(measure="rate", variant=lambda v: v != "link", run=None):
        link = median(area.one(variant="link", run=s.keys["run"], measure="rate"))
        limit = s.keys.get("memory_mb")
        rows.append([code(s.graph), names[s.variant], f"{limit} MB" if limit else "all", shown(median(s)), spread(s), ratio(over(median(s), link))])
    return rows


@table
def list_ranks(store):
    area = store["figures"]
    rows = [["machine", "threads", "list", "variant", "ms", "least to most"]]
    for machine, threads in (("h200", None), ("xeon16", 16)):
        for s in area.all(run=("ranks", "hybrid_ranks"), machine=machine, measure="rank"):
            rows.append([machine, str(s.threads) if threads else "–", code(s.graph), f"`{s.variant}`", shown(median(s)), spread(s)])
    return rows


@table
def python_strings(store):
    area = store["python"]
    time = lambda variant, threads: area.one(variant=variant, threads=threads, measure="time", machine="xeon16", run=None, parts=None)
    pandas = time("pandas_scipy", 16)
    rows = [["threads", "pandas and SciPy, s", "copse, s", "least to most", "pandas and SciPy / copse", "bytes per vertex in addition to its string"]]
    for threads in (1, 8, 16):
        s = time("copse", threads)
        memory = median(area.one(variant="copse", threads=threads, measure="bytes_beside_string", run=None))
        rows.append([str(threads), shown(median(pandas)), shown(median(s)), spread(s), ratio(over(median(pandas), median(s))), shown(memory)])
    return rows


@table
def parquet_command(store):
    area = store["python"]
    rows = [["input", "machine", "threads", "with", "s", "least to most", "peak, MiB"]]
    named = {"command": "`copse components`", "package": "`copse.components` in Python, imports included", "pyarrow_scipy": "pyarrow and SciPy, imports included"}
    for graph, text in (
        ("parquet_10M_strings_to_file", "10 M scored pairs of strings, to a Parquet file of labels"), ("parquet_100M_integers", "100 M pairs of int64, labels in memory")
    ):
        for variant, what in named.items():
            for s in area.all(graph=graph, variant=variant, measure="time"):
                memory = area.one(graph=graph, variant=variant, measure="memory", machine=s.machine, threads=s.threads)
                rows.append([text, s.machine, str(s.threads), what, shown(median(s)), spread(s), shown(median(memory))])
    return rows


@table
def engines(store):
    area = store["engines"]
    names = {
        "pandas_scipy": "pandas and SciPy",
        "copse": "copse, one process of two threads",
        "ray": "copse on Ray, two workers",
        "spark": "copse on Spark, two executors",
    }
    rows = [["pairs", "with", "seconds", "to come up, s", "driver, MiB"]]
    for graph in area.graphs(measure="time"):
        for variant, what in names.items():
            one = lambda measure: median(area.one(graph=graph, variant=variant, measure=measure))
            if one("time") is not None:
                rows.append([graph.split("_")[1], what, *(shown(one(m)) for m in ("time", "start", "memory"))])
    return rows


@table
def groups(store):
    area = store["groups"]
    rows = [["records", "machine", "threads", "`copse group`, s", "least to most", "`components` of pairs, s", "pairs / group", "group, GB"]]
    thousandth = lambda v: None if v is None else Value.of("times", constant(0.001), v)
    for g in area.graphs(run=None):
        one = lambda variant, measure: area.one(graph=g, variant=variant, measure=measure, run=None)
        group, pairs, memory = one("group", "solve"), one("components", "solve"), one("group", "resident")
        rows.append(
            [
                f"{int(g.split('records=')[1].split(',')[0]):,}",
                group.machine,
                str(group.threads),
                shown(thousandth(median(group))),
                Printed("{} to {}", thousandth(leaf("min", group)), thousandth(leaf("max", group))),
                shown(thousandth(median(pairs))),
                ratio(over(median(pairs), median(group))),
                shown(thousandth(median(memory))),
            ]
        )
    return rows
