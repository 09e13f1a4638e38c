"""The tables of docs/measurements/cpu.md and text.md."""

from table_kit import label, fastest_cell, figure, geometric_mean, millions, name_of, ratio, rule_of, sampler_of, table, times

NINE = ["rmat", "er", "ba", "web", "grid2d", "osm", "clusters", "path", "star"]
CHOOSERS = {"auto", "gconn_tree", "gconn_default"}
FAST = {f"{loops}.{sampler}.fast" for loops in ("serial", "omp") for sampler in ("hb", "none")}


def others(name):
    return name not in CHOOSERS


def outside_fast(name):
    return name not in CHOOSERS and name not in FAST


def serial(name):
    return name.startswith("serial.")


@table("text_input")
def text_input(s):
    rows = [["file", "machine", "threads", "parse, MB/s", "parse and unite, MB/s", "least to most", "samples"]]
    runs = ["", "2", "3", "4"]
    for row in s.text_input.all(measure="parse_unite", run=runs):
        parse = s.text_input.row(
            graph=row["graph"], measure="parse", machine=row["machine"], threads=row["threads"], run=row["keys"].get("run", "")
        )
        rows.append(
            [
                f"`{row['graph']}.el`, {row['keys']['megabytes']} MB",
                row["machine"],
                row["threads"],
                figure(parse["median"], 4),
                figure(row["median"], 4),
                f"{figure(row['min'], 4)} to {figure(row['max'], 4)}",
                row["n"],
            ]
        )
    return rows


@table("text_end_to_end")
def text_end_to_end(s):
    rows = [["program", "seconds", "least to most", "samples"]]
    for row in s.text_input.all(measure="file_to_labels"):
        who = {"copse": "`copse components`", "pandas_scipy": "`pandas.read_csv`, SciPy, `numpy.save`"}[row["variant"]]
        low, middle, high = (figure(float(row[k]) / 1e3) for k in ("min", "median", "max"))
        rows.append([who, middle, f"{low} to {high}", row["n"]])
    return rows


@table("cpu_graphs")
def cpu_graphs(s):
    facts = s.graph_facts()
    return [["name", "spec", "vertices", "arcs", "arcs per vertex", "components"]] + [
        [
            g,
            f"`{facts[g]['spec']}`",
            millions(facts[g]["vertices"]),
            millions(facts[g]["arcs"]),
            f"{int(facts[g]['arcs']) / int(facts[g]['vertices']):.1f}",
            f"{int(facts[g]['components']):,}",
        ]
        for g in NINE
    ]


@table("cpu_auto_16")
def cpu_auto_16(s):
    rows = [
        [
            "graph",
            "auto",
            "best other variant",
            "best outside the fast path",
            "`omp.kout.afforest`",
            "`gconn_tree`",
            "`gconn_default`",
            "`serial.none.rem`",
            "best serial variant",
        ]
    ]
    for g in NINE:
        c = lambda **wanted: s.cpu_auto.fastest(graph=g, **wanted)
        rows.append(
            [
                g,
                figure(s.cpu_auto.time(graph=g, variant="auto")),
                fastest_cell(c(variant=others)),
                fastest_cell(c(variant=outside_fast)),
                *(
                    figure(s.cpu_auto.time(graph=g, variant=v))
                    for v in ("omp.kout.afforest", "gconn_tree", "gconn_default", "serial.none.rem")
                ),
                fastest_cell(c(variant=serial), "serial."),
            ]
        )
    return rows


def spread(values):
    values = [v for v in values if v is not None]
    return [times(geometric_mean(values)), times(min(values)), times(max(values)), str(len(values))] if values else ["–"] * 3 + ["0"]


@table("cpu_auto_ratios")
def cpu_auto_ratios(s):
    rows = [["measurement", "time of", "over `auto`, geometric mean", "least", "most", "graphs"]]
    compared = [
        ("the fastest other variant", dict(variant=others)),
        ("the fastest outside the fast path", dict(variant=outside_fast)),
        ("`omp.kout.afforest`", dict(variant="omp.kout.afforest")),
        ("`gconn_tree`", dict(variant="gconn_tree")),
        ("`gconn_default`", dict(variant="gconn_default")),
        ("`serial.none.rem`", dict(variant="serial.none.rem")),
        ("the fastest serial variant", dict(variant=serial)),
    ]
    seeds = [
        g for g in s.cpu_auto.graphs(variant="auto") if g not in NINE and "shuffle" not in g and s.cpu_auto.time(graph=g, variant="auto")
    ]
    seeds += [g for g in s.cpu_auto.graphs(variant="auto") if g not in NINE and g not in seeds and not g.startswith(("grid2d", "mesh"))]
    for title, graphs, run, input_of in (
        ("16 threads", NINE, "", ""),
        ("16 threads, other sizes and seeds", seeds, "", ""),
        ("16 threads, edge lists", NINE, "", "coo"),
        ("one thread", NINE, "one_thread", ""),
    ):
        for what, wanted in compared:
            pairs = []
            for g in graphs:
                auto = s.cpu_auto.time(graph=g, variant="auto", run=run, input=input_of)
                other = s.cpu_auto.fastest(graph=g, run=run, input=input_of, **wanted)
                pairs.append(ratio(other and other["median"], auto))
            if None not in pairs:
                rows.append([title, what, *spread(pairs)])
    return rows


def auto_beside_best(s, graphs, **wanted):
    rows = [["graph", "auto", "its samples", "best other variant", "auto / best"]]
    for g in graphs:
        auto, best = s.cpu_auto.row(graph=g, variant="auto", measure="solve", **wanted), s.cpu_auto.fastest(
            graph=g, variant=others, **wanted
        )
        if auto:
            rows.append(
                [
                    label(g),
                    figure(auto["median"]),
                    f"{figure(auto['min'])} to {figure(auto['max'])}",
                    fastest_cell(best),
                    times(ratio(auto["median"], best["median"])),
                ]
            )
    return rows


@table("cpu_auto_1")
def cpu_auto_1(s):
    return auto_beside_best(s, NINE, run="one_thread")


@table("cpu_auto_1_ba")
def cpu_auto_1_ba(s):
    return auto_beside_best(s, ["ba"], run="alone")


@table("cpu_auto_1_side_by_side")
def cpu_auto_1_side_by_side(s):
    return auto_beside_best(s, s.cpu_auto.graphs(run="side_by_side"), run="side_by_side")


@table("cpu_auto_edge_lists")
def cpu_auto_edge_lists(s):
    return auto_beside_best(s, NINE, input="coo")


@table("cpu_auto_other_sizes")
def cpu_auto_other_sizes(s):
    return auto_beside_best(
        s, [g for g in s.cpu_auto.graphs(variant="auto") if g not in NINE and "shuffle=1" not in g or g.startswith(("rmat:", "path:"))]
    )


@table("cpu_auto_shuffled")
def cpu_auto_shuffled(s):
    graphs = [g for g in s.cpu_auto.graphs(variant="auto") if "shuffle=1" in g and g.startswith(("grid2d", "mesh"))]
    names = ["omp.none.fast", "omp.hb.fast", "omp.kout.afforest"]
    rows = [["graph", "auto", *(f"`{n}`" for n in names), "best other `omp.none.*`"]]
    for g in graphs:
        rest = s.cpu_auto.fastest(graph=g, variant=lambda v: v.startswith("omp.none.") and v not in names)
        rows.append(
            [
                f"`{g}`",
                figure(s.cpu_auto.time(graph=g, variant="auto")),
                *(figure(s.cpu_auto.time(graph=g, variant=n)) for n in names),
                fastest_cell(rest, "omp.none."),
            ]
        )
    return rows


@table("cpu_ten_line_loop")
def cpu_ten_line_loop(s):
    names = [
        "ten_line_c_loop",
        "serial.none.rem",
        "omp.none.rem_cas.naive.halve_one",
        "omp.kout.rem_cas.naive.split_one",
        "omp.kout.afforest",
    ]
    rows = [["graph", "ten-line loop", *(f"`{n}`" for n in names[1:])]]
    for g in NINE:
        rows.append([g, *(figure(s.cpu_ten_line_loop.time(graph=g, variant=n, threads="16")) for n in names)])
    return rows


@table("cpu_ten_line_loop_1")
def cpu_ten_line_loop_1(s):
    rows = [
        ["graph", "`serial.none.rem`", "the loop, labels in new pages", "the loop, labels in touched pages", "ours / the loop in new pages"]
    ]
    c = s.cpu_ten_line_loop
    for g in c.graphs(machine="two-core"):
        ours, new, touched = (
            c.time(graph=g, variant=v, machine="two-core")
            for v in ("serial.none.rem", "ten_line_c_loop", "ten_line_c_loop_on_touched_memory")
        )
        rows.append([label(g), figure(ours), figure(new), figure(touched), times(ratio(ours, new))])
    return rows


def switches(s, route, machine, threads):
    c, graphs = s.cpu_fast_path, NINE
    found = dict.fromkeys(r["variant"] for r in c.all(machine=machine, threads=threads) if r["variant"].startswith(f"{route}.without."))
    rows = [["switch", *graphs]]
    for variant in found:
        cells = [
            times(
                ratio(
                    c.time(graph=g, variant=variant, machine=machine, threads=threads),
                    c.time(graph=g, variant=f"fast.{route}", machine=machine, threads=threads),
                )
            )
            for g in graphs
        ]
        rows.append([f"`{variant.rsplit('.', 1)[-1]}`", *cells])
    base = [
        times(
            ratio(
                c.time(graph=g, variant=f"{route}.base", machine=machine, threads=threads),
                c.time(graph=g, variant=f"fast.{route}", machine=machine, threads=threads),
            )
        )
        for g in graphs
    ]
    return rows + [["all of them", *base]]


for _route in ("sampled", "unsampled"):
    table(f"cpu_switches_16_{_route}")(lambda s, r=_route: switches(s, r, "xeon16", "16"))
    table(f"cpu_switches_1_{_route}")(lambda s, r=_route: switches(s, r, "two-core", "1"))


@table("cpu_when_to_sample")
def cpu_when_to_sample(s):
    facts, c = s.graph_facts(), s.cpu_fast_path
    per_vertex = lambda g: int(facts[g]["arcs"]) / int(facts[g]["vertices"])
    rows = [["graph", "arcs per vertex", "sampled", "unsampled", "unsampled / sampled", "auto"]]
    for g in sorted(c.graphs(run="routes"), key=per_vertex):
        sampled, unsampled, auto = (c.time(graph=g, variant=v, run="routes") for v in ("fast.sampled", "fast.unsampled", "fast"))
        rows.append([f"`{g}`", f"{per_vertex(g):.2f}", figure(sampled), figure(unsampled), times(ratio(unsampled, sampled)), figure(auto)])
    return rows


def variants_of(s, graph, threads, **wanted):
    chosen = lambda row: row["threads"] == threads or threads == "16" and row["variant"].startswith("serial.")
    return [r for r in s.cpu_variants.all(graph=graph, measure="solve", variant=others, **wanted) if chosen(r)]


@table("cpu_every_variant")
def cpu_every_variant(s):
    rows = [["input, threads", "graph", "variants", "given up", "fastest", "fastest outside the fast path"]]
    for title, threads, wanted in (
        ("CSR, 16", "16", {}),
        ("edge list, 16", "16", {"input": "coo"}),
        ("CSR, one", "1", {"run": "one_thread"}),
    ):
        for g in NINE:
            counts = {
                m: sum(int(r["median"]) for r in s.cpu_variants.all(graph=g, measure=m, variant="*", **wanted))
                for m in ("variants", "given_up")
            }
            found = sorted(variants_of(s, g, threads, **wanted), key=lambda r: float(r["median"]))
            plain = [r for r in found if r["variant"] not in FAST]
            if counts["variants"]:
                rows.append([title, g, str(counts["variants"]), str(counts["given_up"]), fastest_cell(found[0]), fastest_cell(plain[0])])
    return rows


def matrix(s, part_of, keep, title):
    """The fastest variant of each part of a name, over the fastest of the graph."""
    parts, cells = {}, {}
    for g in NINE:
        found = [r for r in variants_of(s, g, "16") if r["variant"].startswith("omp.") and r["variant"] not in FAST and keep(r)]
        least = min(float(r["median"]) for r in found)
        for r in found:
            key = (part_of(r), g)
            cells[key] = min(cells.get(key, float("inf")), float(r["median"]) / least)
            parts[part_of(r)] = True
    order = sorted(parts, key=lambda p: geometric_mean([cells[p, g] for g in NINE if (p, g) in cells]))
    return [[title, *NINE]] + [[f"`{p}`", *(times(cells.get((p, g))) for g in NINE)] for p in order]


@table("cpu_samplers")
def cpu_samplers(s):
    return matrix(s, sampler_of, lambda r: True, "sampler")


@table("cpu_rules")
def cpu_rules(s):
    return matrix(s, rule_of, lambda r: sampler_of(r) == "none", "rule")


@table("cpu_rules_kout")
def cpu_rules_kout(s):
    return matrix(s, rule_of, lambda r: sampler_of(r) == "kout", "rule")


@table("cpu_choice")
def cpu_choice(s):
    """The sampled variants that were compared before auto had a fast path."""
    c = s.cpu_ten_line_loop
    graphs = c.graphs(run="choice", variant=lambda v: v.startswith("omp.kout"))
    names = [
        n for n in dict.fromkeys(r["variant"] for r in c.all(run="choice")) if all(c.time(graph=g, variant=n, run="choice") for g in graphs)
    ]
    rows = [["variant", *(label(g) for g in graphs)]]
    return rows + [[name_of({"variant": n}), *(figure(c.time(graph=g, variant=n, run="choice")) for g in graphs)] for n in names]
