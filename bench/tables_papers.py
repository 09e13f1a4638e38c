"""The tables of docs/measurements/papers.md and of its README.md."""

from table_kit import figure, label, ratio, table, times


@table("papers_coverage")
def papers_coverage(s):
    facts, c = s.graph_facts(), s.papers
    rows = [
        [
            "graph",
            "variant",
            "giant in the sample, % of vertices",
            "arcs read while sampling, per vertex",
            "arcs left to the finish, %",
            "between components, %",
        ]
    ]
    for g in c.graphs(run="counts", machine="xeon16", measure="giant_vertices"):
        n, m = int(facts[g]["vertices"]), int(facts[g]["arcs"])
        for v in (f"omp.{sampler}.async.compress" for sampler in ("kout", "hb", "bfs")):
            of = lambda what: float(c.time(graph=g, variant=v, run="counts", machine="xeon16", measure=what))
            rows.append(
                [
                    label(g),
                    f"`{v}`",
                    f"{100 * of('giant_vertices') / n:.1f}",
                    f"{of('sampled_arcs') / n:.2f}",
                    f"{100 * of('finish_arcs') / m:.2f}",
                    f"{100 * of('crossing_arcs') / m:.2f}",
                ]
            )
    return rows


def over(s, base, run, **wanted):
    c = s.papers
    graphs = c.graphs(run=run, variant=base, measure="solve", **wanted)
    names = list(dict.fromkeys(r["variant"] for r in c.all(run=run, measure="solve", **wanted)))
    rows = [["graph", f"`{base}`, ms", *(f"`{n}`" for n in names if n != base)]]
    for g in graphs:
        least = c.time(graph=g, run=run, variant=base, **wanted)
        rows.append(
            [label(g), figure(least), *(times(ratio(c.time(graph=g, run=run, variant=n, **wanted), least)) for n in names if n != base)]
        )
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
    names = [
        "omp.none.cc",
        "omp.none.cc_updt",
        "omp.none.cc_sort",
        "omp.none.sv",
        "omp.none.sv_updt",
        "omp.stages.cc",
        "omp.stages.cc_updt",
        "omp.stages.sv",
        "omp.stages.sv_updt",
        "omp.none.rem_verify",
    ]
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
        rows.append(
            [
                label(r["graph"]),
                f"`{r['variant']}`",
                figure(r["median"]),
                ", ".join(f"{p['keys']['phase']} {figure(p['median'])}" for p in phases),
            ]
        )
    return rows


@table("machines")
def machines(s):
    rows = s.read("machines")
    return [["name", "processor", "cores", "memory, GB", "GPU", "remark"]] + [
        [r["name"], r["processor"], r["cores"], r["memory_gb"], r["gpu"] or "–", r["note"]] for r in rows
    ]
