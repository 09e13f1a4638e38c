"""The tables of docs/measurements/cpu.md and text.md."""

import statistics

from table_kit import (best_of_parts, facts_table, fastest_cell, figure, geometric_mean, grid, label, low_to_high, ratio, rule_of, sampler_of, table,
                       times)

NINE = ["rmat", "er", "ba", "web", "grid2d", "osm", "clusters", "path", "star"]
CHOOSERS = {"auto", "gconn_tree", "gconn_default"}
FAST = {f"{loops}.{sampler}.fast" for loops in ("serial", "threads") for sampler in ("hb", "none")}

others = lambda name: name not in CHOOSERS
outside_fast = lambda name: name not in CHOOSERS | FAST
serial = lambda name: name.startswith("serial.")


@table("text_input")
def text_input(s):
    rows = [["file", "machine", "threads", "parse, MB/s", "parse and unite, MB/s", "least to most", "samples"]]
    for row in s.text_input.all(measure="parse_unite", run=["", "2", "3", "4"]):
        same = {k: row[k] for k in ("graph", "machine", "threads")}
        parse = s.text_input.time(measure="parse", run=row["keys"].get("run", ""), **same)
        rows.append([f"`{row['graph']}.el`, {row['keys']['megabytes']} MB", row["machine"], row["threads"], figure(parse, 4),
                     figure(row["median"], 4), low_to_high(row, 4), row["n"]])
    return rows


@table("text_end_to_end")
def text_end_to_end(s):
    rows = [["program", "seconds", "least to most", "samples"]]
    for row in s.text_input.all(measure="file_to_labels"):
        who = {"copse": "`copse components`", "pandas_scipy": "`pandas.read_csv`, SciPy, `numpy.save`"}[row["variant"]]
        low, middle, high = (figure(float(row[k]) / 1e3) for k in ("min", "median", "max"))
        rows.append([who, middle, f"{low} to {high}", row["n"]])
    return rows


FORMS = {"plain": "plain text", "gz": "`.gz`", "gz_blocks": "`.gz` of BGZF blocks", "zst": "`.zst`", "zst_frames": "`.zst` of many frames"}


@table("text_compressed")
def text_compressed(s):
    rows = [["machine", "threads", "file", "MB", "ms", "least to most", "MB of text a second", "samples"]]
    found = s.text_input.all(measure="compressed_to_labels")
    for row in sorted(found, key=lambda row: (row["machine"], int(row["threads"]), list(FORMS).index(row["variant"]))):
        speed = 1e3 * float(row["keys"]["megabytes"]) / float(row["median"])
        rows.append([row["machine"], row["threads"], FORMS[row["variant"]], row["keys"]["packed_megabytes"], figure(row["median"]),
                     low_to_high(row), figure(speed), row["n"]])
    return rows


@table("text_to_labels")
def text_to_labels(s):
    rows = [["threads", "3fc4550, ms", "least to most", "ed6b5a2, ms", "least to most", "GB of text a second", "samples"]]
    for old in s.text_ab.all(run="groups", code="old"):
        new = s.text_ab.row(run="groups", code="new", threads=old["threads"])
        speed = float(new["keys"]["megabytes"]) / float(new["median"])
        rows.append([old["threads"], figure(old["median"]), low_to_high(old), figure(new["median"]), low_to_high(new), figure(speed), new["n"]])
    return rows


table("cpu_graphs")(lambda s: facts_table(s, NINE, "spec"))


@table("cpu_auto_16")
def cpu_auto_16(s):
    named = ["threads.kout.afforest", "gconn_tree", "gconn_default", "serial.none.rem"]
    rows = [["graph", "auto", "best other variant", "best outside the fast path", *(f"`{n}`" for n in named), "best serial variant"]]
    for g in NINE:
        time = lambda v: figure(s.cpu_auto.time(graph=g, variant=v))
        best, plain, alone = (s.cpu_auto.fastest(graph=g, variant=v) for v in (others, outside_fast, serial))
        rows.append([g, time("auto"), fastest_cell(best), fastest_cell(plain), *map(time, named), fastest_cell(alone, "serial.")])
    return rows


def other_sizes(s):
    return [g for g in s.cpu_auto.graphs(variant="auto") if g not in NINE and not ("shuffle=1" in g and g.startswith(("grid2d", "mesh")))]


@table("cpu_auto_ratios")
def cpu_auto_ratios(s):
    rows = [["measurement", "time of", "over `auto`, geometric mean", "least", "most", "graphs"]]
    compared = {"the fastest other variant": others, "the fastest outside the fast path": outside_fast}
    compared |= {f"`{v}`": v for v in ("threads.kout.afforest", "gconn_tree", "gconn_default", "serial.none.rem")}
    compared["the fastest serial variant"] = serial
    for title, graphs, run in (("16 threads", NINE, {}), ("16 threads, other sizes and seeds", other_sizes(s), {}),
                               ("16 threads, edge lists", NINE, {"input": "coo"}), ("one thread", NINE, {"run": "one_thread"})):
        for what, variant in compared.items():
            found = [s.cpu_auto.fastest(graph=g, variant=variant, **run) for g in graphs]
            if None not in found:
                ratios = [ratio(row["median"], s.cpu_auto.time(graph=g, variant="auto", **run)) for g, row in zip(graphs, found)]
                rows.append([title, what, times(geometric_mean(ratios)), times(min(ratios)), times(max(ratios)), str(len(ratios))])
    return rows


def auto_beside_best(graphs_of, **wanted):
    def rows_of(s):
        rows = [["graph", "auto", "its samples", "best other variant", "auto / best"]]
        for g in graphs_of(s):
            auto, best = (s.cpu_auto.fastest(graph=g, variant=v, **wanted) for v in ("auto", others))
            over = times(ratio(auto["median"], best["median"]))
            rows.append([label(g), figure(auto["median"]), low_to_high(auto), fastest_cell(best), over])
        return rows
    return rows_of


table("cpu_auto_1")(auto_beside_best(lambda s: NINE, run="one_thread"))
table("cpu_auto_1_ba")(auto_beside_best(lambda s: ["ba"], run="alone"))
table("cpu_auto_1_side_by_side")(auto_beside_best(lambda s: s.cpu_auto.graphs(run="side_by_side"), run="side_by_side"))
table("cpu_auto_edge_lists")(auto_beside_best(lambda s: NINE, input="coo"))
table("cpu_auto_other_sizes")(auto_beside_best(other_sizes))


@table("cpu_auto_shuffled")
def cpu_auto_shuffled(s):
    graphs = [g for g in s.cpu_auto.graphs(variant="auto") if g not in NINE and g not in other_sizes(s)]
    names = ["threads.none.fast", "threads.hb.fast", "threads.kout.afforest"]
    header, *rows = grid(s.cpu_auto, "graph", graphs, {"auto": "auto"} | {f"`{n}`": n for n in names})
    rest = [s.cpu_auto.fastest(graph=g, variant=lambda v: v.startswith("threads.none.") and v not in names) for g in graphs]
    return [[*header, "best other `threads.none.*`"]] + [[*row, fastest_cell(r, "threads.none.")] for row, r in zip(rows, rest)]


@table("cpu_ten_line_loop")
def cpu_ten_line_loop(s):
    names = ["serial.none.rem", "threads.none.rem_cas.naive.halve_one", "threads.kout.rem_cas.naive.split_one", "threads.kout.afforest"]
    return grid(s.cpu_ten_line_loop, "graph", NINE, {"ten-line loop": "ten_line_c_loop"} | {f"`{n}`": n for n in names}, threads=16)


@table("cpu_ten_line_loop_1")
def cpu_ten_line_loop_1(s):
    rows = [["graph", "`serial.none.rem`", "the loop, labels in new pages", "the loop, labels in touched pages",
             "ours / the loop in new pages"]]
    names = ["serial.none.rem", "ten_line_c_loop", "ten_line_c_loop_on_touched_memory"]
    for g in s.cpu_ten_line_loop.graphs(machine="two-core"):
        found = [s.cpu_ten_line_loop.time(graph=g, variant=v, machine="two-core") for v in names]
        rows.append([label(g), *map(figure, found), times(ratio(*found[:2]))])
    return rows


def switches(route, machine, threads):
    """Time without each idea over the time with all."""
    def rows_of(s):
        c, where = s.cpu_fast_path, dict(machine=machine, threads=threads)
        without = [r["variant"] for r in c.all(graph="rmat", **where) if r["variant"].startswith(f"{route}.without.")]
        lines = {f"`{v.rsplit('.', 1)[-1]}`": v for v in without} | {"all of them": f"{route}.base"}
        over = lambda g, v: times(ratio(c.time(graph=g, variant=v, **where), c.time(graph=g, variant=f"fast.{route}", **where)))
        return [["switch", *NINE]] + [[title, *(over(g, v) for g in NINE)] for title, v in lines.items()]
    return rows_of


for _route in ("sampled", "unsampled"):
    table(f"cpu_switches_16_{_route}")(switches(_route, "xeon16", 16))
    table(f"cpu_switches_1_{_route}")(switches(_route, "two-core", 1))


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
    chosen = lambda row: row["threads"] == threads or threads == "16" and serial(row["variant"])
    return [r for r in s.cpu_variants.all(graph=graph, measure="solve", variant=others, **wanted) if chosen(r)]


@table("cpu_every_variant")
def cpu_every_variant(s):
    rows = [["input, threads", "graph", "variants", "given up", "fastest", "fastest outside the fast path"]]
    for title, threads, wanted in (("CSR, 16", "16", {}), ("edge list, 16", "16", {"input": "coo"}),
                                   ("CSR, one", "1", {"run": "one_thread"})):
        for g in NINE:
            count = lambda what: str(sum(int(r["median"]) for r in s.cpu_variants.all(graph=g, measure=what, variant="*", **wanted)))
            found = sorted(variants_of(s, g, threads, **wanted), key=lambda r: float(r["median"]))
            plain = [r for r in found if r["variant"] not in FAST]
            rows.append([title, g, count("variants"), count("given_up"), fastest_cell(found[0]), fastest_cell(plain[0])])
    return rows


def parts_table(part_of, title, sampler=None):
    def rows_of(s, graph):
        found = [r for r in variants_of(s, graph, "16") if r["variant"].startswith("threads.") and r["variant"] not in FAST]
        return [r for r in found if sampler in (None, sampler_of(r))]
    return lambda s: best_of_parts(lambda g: rows_of(s, g), NINE, part_of, title)


table("cpu_samplers")(parts_table(sampler_of, "sampler"))
table("cpu_rules")(parts_table(rule_of, "rule", "none"))
table("cpu_rules_kout")(parts_table(rule_of, "rule", "kout"))


@table("cpu_choice")
def cpu_choice(s):
    """The sampled variants that were compared before auto had a fast path."""
    c = s.cpu_ten_line_loop
    graphs = c.graphs(run="choice", variant=lambda v: v.startswith("threads.kout"))
    names = [n for n in c.variants(run="choice") if all(c.time(graph=g, variant=n, run="choice") for g in graphs)]
    return grid(c, "variant", names, graphs, by=("variant", "graph"), run="choice")


@table("cpu_quarter_1")
def cpu_quarter_1(s):
    """Every graph of the run at a quarter of the usual size: what `auto` takes on one thread beside sequential Rem."""
    rows = [["graph", "the fast path", "`serial.none.rem`", "fast / Rem"]]
    for r in s.cpu_fast_path.all(variant="fast", run="quarter", measure="solve"):
        rem = s.cpu_fast_path.row(graph=r["graph"], variant="serial.none.rem", run="quarter", measure="solve")
        rows.append([f"`{r['graph']}`", figure(r["median"]), figure(rem["median"]), times(ratio(r["median"], rem["median"]))])
    return rows


@table("cpu_loop_bodies")
def cpu_loop_bodies(s):
    """Variants before and since a loop's body is a function of its own: medians of the turns' medians."""
    rows = [["threads", "variant", "now / before, time, geometric mean", "least to most of the graphs", "graphs"]]
    for threads in ("1", "16"):
        these = dict(run="loop_bodies", threads=threads)
        for variant in s.before_after.variants(**these):
            time = lambda graph, code: statistics.median(
                float(row["median"]) for row in s.before_after.all(graph=graph, variant=variant, code=code, **these))
            ratios = [ratio(time(g, "new"), time(g, "old")) for g in s.before_after.graphs(variant=variant, **these)]
            spread = f"{times(min(ratios))} to {times(max(ratios))}"
            rows.append([threads, f"`{variant}`", times(geometric_mean(ratios)), spread, str(len(ratios))])
    return rows
