"""The tables of docs/measurements/papers.md, and that of the machines."""

from table_kit import figure, grid, label, ratio, table, times


@table("papers_coverage")
def papers_coverage(s):
    facts = s.graph_facts()
    rows = [["graph", "variant", "giant in the sample, % of vertices", "arcs read while sampling, per vertex", "arcs left to the finish, %",
             "between components, %"]]
    for g in s.papers.graphs(run="counts", machine="xeon16", measure="giant_vertices"):
        n, m = int(facts[g]["vertices"]), int(facts[g]["arcs"])
        for v in (f"threads.{sampler}.async.compress" for sampler in ("kout", "hb", "bfs")):
            of = lambda what: s.papers.time(graph=g, variant=v, run="counts", machine="xeon16", measure=what)
            rows.append([label(g), f"`{v}`", f"{100 * of('giant_vertices') / n:.1f}", times(of("sampled_arcs") / n),
                         times(100 * of("finish_arcs") / m), times(100 * of("crossing_arcs") / m)])
    return rows


def over(base, **wanted):
    def rows_of(s):
        names = [n for n in s.papers.variants(measure="solve", **wanted) if n != base]
        rows = [["graph", f"`{base}`, ms", *(f"`{n}`" for n in names)]]
        for g in s.papers.graphs(variant=base, measure="solve", **wanted):
            least, *others = (s.papers.time(graph=g, variant=n, **wanted) for n in [base, *names])
            rows.append([label(g), figure(least), *(times(ratio(o, least)) for o in others)])
        return rows
    return rows_of


def all_of(s, **wanted):
    names, graphs = s.papers.variants(measure="solve", **wanted), s.papers.graphs(measure="solve", **wanted)
    return grid(s.papers, "variant", names, graphs, by=("variant", "graph"), **wanted)


table("papers_ecl")(over("threads.none.ecl_cc", run="ecl"))
table("papers_edge_lists")(over("threads.none.rem_lock.naive.split_one", run="ecl", input="coo"))
table("papers_slow")(lambda s: all_of(s, run="slow"))
table("papers_stages")(lambda s: all_of(s, run="stages", input="coo"))


@table("papers_stages_cpu")
def papers_stages_cpu(s):
    names = ["none.cc", "none.cc_updt", "none.cc_sort", "none.sv", "none.sv_updt", "stages.cc", "stages.cc_updt", "stages.sv",
             "stages.sv_updt", "none.rem_verify"]
    return grid(s.cpu_variants, "variant", [f"threads.{n}" for n in names], ["er", "rmat", "grid2d", "path"],
                by=("variant", "graph"), threads=16, input="coo")


@table("papers_order")
def papers_order(s):
    """What updates and stages gain on lists in random order, beside copies that are compacted, and in place."""
    pairs = [("none.cc", "none.cc_updt"), ("none.cc", "stages.cc"), ("none.sv", "stages.sv"), ("none.sv_updt", "stages.sv_updt")]
    rows = [["on", "graph", "CC, ms", *(f"`{a}` : `{b}`{how}" for a, b in pairs for how in ("", ", in place"))]]
    for where, backend, machine, threads in (("H200", "cuda", "h200", 1), ("16 cores", "threads", "xeon16", 16), ("one core", "serial", "xeon16", 1)):
        of = lambda g, v, how: s.papers.time(graph=g, variant=f"{backend}.{v}", run="order", input="coo", order="random", in_place=how,
                                             machine=machine, threads=threads, code="")
        for g in s.papers.graphs(variant=f"{backend}.none.cc", run="order", input="coo", order="random", machine=machine, code=""):
            cells = [times(ratio(of(g, a, "" if of(g, a, "yes") is None else how), of(g, b, how))) for a, b in pairs for how in ("", "yes")]
            rows.append([where, label(g), figure(of(g, "none.cc", "") or of(g, "none.cc", "yes")), *cells])
    return rows


@table("papers_gathering")
def papers_gathering(s):
    """Lists compacted by an atomic for a block, and before by one for a warp."""
    wanted = dict(run="order", input="coo", order="", in_place="", machine="h200")
    names = [f"cuda.{v}" for v in ("none.cc_updt", "none.sv_updt", "stages.cc", "stages.cc_updt", "stages.sv", "stages.sv_updt")]
    rows = [["graph", *(f"`{v}`" for v in names)]]
    for g in s.papers.graphs(variant=names[0], code="", **wanted):
        pairs = [(s.papers.time(graph=g, variant=v, code="old", **wanted), s.papers.time(graph=g, variant=v, code="", **wanted)) for v in names]
        rows.append([label(g), *(f"{figure(was)}, {figure(now)}" for was, now in pairs)])
    return rows


@table("papers_inspected")
def papers_inspected(s):
    facts, wanted = s.graph_facts(), dict(run="counts", machine="two-core", input="coo")
    graphs = s.papers.graphs(measure="finish_arcs", **wanted)
    rows = [["variant", *(f"{label(g)}: {what}" for g in graphs for what in ("arcs per edge", "loads per vertex"))]]
    for v in s.papers.variants(measure="loads", **wanted):
        cells = []
        for g in graphs:
            of = lambda what: s.papers.time(graph=g, variant=v, measure=what, **wanted)
            arcs = of("sampled_arcs") + of("finish_arcs")
            cells += [times(2 * arcs / int(facts[g]["arcs"])), f"{of('loads') / int(facts[g]['vertices']):.1f}"]
        rows.append([f"`{v}`", *cells])
    return rows


@table("papers_phases")
def papers_phases(s):
    rows = [["graph", "variant", "solve, ms", "phases of the last solve, ms"]]
    for r in s.papers.all(run="phases", measure="solve"):
        phases = s.papers.all(run="phases", graph=r["graph"], variant=r["variant"], measure="phase")
        rows.append([label(r["graph"]), f"`{r['variant']}`", figure(r["median"]),
                     ", ".join(f"{p['keys']['phase']} {figure(p['median'])}" for p in phases)])
    return rows


@table("machines")
def machines(s):
    return [["name", "processor", "cores", "memory, GB", "GPU", "remark"]] + [
        [r["name"], r["processor"], r["cores"], r["memory_gb"], r["gpu"] or "–", r["note"]] for r in s.read("machines")]


@table("papers_as_printed")
def papers_as_printed(s):
    """CC, CC-updt and Stages with grafts that only store, and with a look before each store."""
    kept = dict(run="as_printed", machine="two-core")
    ways = ("cc", "cc_updt", "stages")
    rows = [["graph", *(f"{w}, ms (rounds)" for w in ways), *(f"{w} with a look" for w in ways), "CC : CC-updt", "with a look"]]
    for g in s.figures.graphs(variant="way.cc", measure="solve", **kept):
        of = lambda w, what="solve": s.figures.time(graph=g, variant=f"way.{w}", measure=what, **kept)
        cell = lambda w: f"{figure(of(w))} ({of(w, 'rounds'):.0f})"
        rows.append([label(g), *map(cell, ways), *(cell(f"{w}_looking") for w in ways), times(ratio(of("cc"), of("cc_updt"))),
                     times(ratio(of("cc_looking"), of("cc_updt_looking")))])
    return rows


@table("papers_stream_inspected")
def papers_stream_inspected(s):
    """Millions of edges."""
    sizes = ["1000", "10000", "100000", "1000000", "10000000", "all"]
    kept = dict(run="insert_counts", measure="inspected_edges", machine="two-core")
    rows = [["graph", "rule", "rounds over", *(f"batches of {size}" if size != "all" else "one batch" for size in sizes)]]
    for g in s.figures.graphs(**kept):
        for v in s.figures.variants(graph=g, **kept):
            for over_what, name in (("whole", "the whole batch"), ("roots", "edges between roots")):
                cells = (s.figures.time(graph=g, variant=v, batch=size, rounds=over_what, **kept) for size in sizes)
                rows.append([label(g), f"`{v}`", name, *("–" if c is None else f"{c / 1e6:.1f}" for c in cells)])
    return rows
