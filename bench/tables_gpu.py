"""The tables of docs/measurements/gpu.md and small.md."""

import statistics

from table_kit import (best_of_parts, facts_table, fastest_cell, figure, geometric_mean, grid, label, ratio, rule_of, sampler_of, table,
                       times)

NINE = ["rmat22", "kron21", "er23", "mesh24", "osm44M", "web18M", "bits16M", "ba24", "rmat25"]
UNSAMPLED = {"osm44M", "bits16M"}
FAST = {"cuda.auto", "cuda.hb.fast", "cuda.none.fast"}
whole_us = lambda ms: "–" if ms is None else f"{1e3 * ms:,.0f}"

table("gpu_graphs")(lambda s: facts_table(s, NINE, "made by"))


@table("gpu_auto")
def gpu_auto(s):
    rows, gains = [["graph", "auto", "least to most", "its variant", "launches", "GConn's best", "GConn / auto"]], []
    for g in NINE:
        auto, launches = (s.gpu_auto.row(graph=g, variant="cuda.auto", measure=m) for m in ("solve", "launches"))
        gconn = s.rivals.time(graph=g, variant="gconn.best")
        gains.append(ratio(gconn, auto["median"]))
        rows.append([g, figure(auto["median"]), f"{figure(auto['min'])} to {figure(auto['max'])}", f"`{auto['keys']['ran']}`",
                     launches["median"], figure(gconn), times(gains[-1])])
    return rows + [["geometric mean", *[""] * 5, times(geometric_mean(gains))]]


@table("gpu_floor")
def gpu_floor(s):
    rows, ratios = [["graph", "auto", "ideal floor", "auto / ideal", "floor with gathers", "auto / that"]], []
    for g in NINE:
        auto = s.gpu_auto.time(graph=g, variant="cuda.auto")
        ideal, gathers = (s.gpu_auto.time(graph=g, variant="memory_floor", measure=m) for m in ("ideal", "with_gathers"))
        rows.append([g, figure(auto), figure(ideal), times(auto / ideal), figure(gathers), times(auto / gathers)])
        ratios += [] if g in UNSAMPLED else [(auto / ideal, auto / gathers)]
    ideal, gathers = (times(geometric_mean(r)) for r in zip(*ratios))
    return rows + [["geometric mean of the sampled seven", "", "", ideal, "", gathers]]


@table("gpu_memory")
def gpu_memory(s):
    columns = {"gather, G/s": "gather", "atomic minimum, G/s": "atomic_minimum", "compare and swap, G/s": "swap"}
    sizes = {g.removesuffix(" of labels"): g for g in s.gpu_auto.graphs(run="memory", variant="gather")}
    return grid(s.gpu_auto, "labels", sizes, columns, run="memory", measure="rate")


def gconn_methods(s):
    """The 64 variants that stand for GConn's 62."""
    return set(s.gpu_auto.variants(graph="er22", measure="solve")) - FAST


def starred(row, cell):
    """A star marks a single solve."""
    return cell + ("" if int(row["n"]) > 1 else "\\*")


@table("gpu_like_for_like")
def gpu_like_for_like(s):
    methods, gains = gconn_methods(s), []
    asked = [methods, {m for m in methods if m.startswith("cuda.none.")}, "cuda.none.ecl", "cuda.kout.afforest"]
    rows = [["graph", "fastest of our 64", "GConn / ours", "fastest unsampled", "GConn's", "`none.ecl`", "ECL-CC", "`kout.afforest`",
             "Afforest"]]
    for g in NINE:
        best, plain, ecl, afforest = (s.gpu_variants.fastest(graph=g, variant=v) for v in asked)
        if g == "osm44M":
            afforest = s.gpu_variants.fastest(graph=g, variant="cuda.kout.afforest", run="ordered_flattening")
        rival = lambda v: s.rivals.time(graph=g, variant=v)
        gains.append(rival("gconn.best") / float(best["median"]))
        rows.append([g, starred(best, fastest_cell(best, "cuda.")), times(gains[-1]), starred(plain, fastest_cell(plain, "cuda.none.")),
                     figure(rival("gconn.best_unsampled")), starred(ecl, figure(ecl["median"])), figure(rival("ecl_cc")),
                     starred(afforest, figure(afforest["median"])), figure(rival("afforest"))])
    return rows + [["geometric mean", "", times(geometric_mean(gains)), *[""] * 6]]


def outside_fast(s, graph, sampler=None):
    found = [r for r in s.gpu_variants.all(graph=graph, measure="solve") if r["variant"] not in FAST]
    return sorted((r for r in found if sampler in (None, sampler_of(r))), key=lambda r: float(r["median"]))


@table("gpu_every_variant")
def gpu_every_variant(s):
    rows = [["graph", "variants", "given up", "fastest", "fastest outside the fast path", "slowest sampler's best"]]
    for g in NINE:
        counts = [f"{s.gpu_variants.time(graph=g, variant='*', measure=m):.0f}" for m in ("variants", "given_up")]
        plain = outside_fast(s, g)
        best_of = {sampler_of(r): r for r in reversed(plain)}
        slowest = max(best_of.values(), key=lambda r: float(r["median"]))
        rows.append([g, *counts, *(fastest_cell(r, "cuda.") for r in (s.gpu_variants.fastest(graph=g), plain[0], slowest))])
    return rows


table("gpu_samplers")(lambda s: best_of_parts(lambda g: outside_fast(s, g), NINE, sampler_of, "sampler"))
table("gpu_rules")(lambda s: best_of_parts(lambda g: outside_fast(s, g, "none"), NINE, rule_of, "rule"))
table("gpu_rules_kout")(lambda s: best_of_parts(lambda g: outside_fast(s, g, "kout"), NINE, rule_of, "rule"))


@table("gpu_slow")
def gpu_slow(s):
    found = [r for r in s.gpu_variants.all(run="slow", measure="solve") if float(r["median"]) > 500]
    return [["graph", "variant", "seconds"]] + [[r["graph"], f"`{r['variant']}`", figure(float(r["median"]) / 1e3)] for r in found]


@table("gpu_other_seeds")
def gpu_other_seeds(s):
    facts, methods = s.graph_facts(), gconn_methods(s)
    rows, gains = [["graph", "made by", "auto", "fastest of our 64", "that / auto"]], []
    for g in ("rmat23", "kron22", "er22", "mesh23", "osm20M", "web9M", "bits9M", "ba23", "rmat24"):
        auto, best = s.gpu_auto.time(graph=g, variant="cuda.auto"), s.gpu_auto.fastest(graph=g, variant=methods)
        gains.append(ratio(best["median"], auto))
        rows.append([g, f"`{facts[g]['spec']}`", figure(auto), starred(best, fastest_cell(best, "cuda.")), times(gains[-1])])
    return rows + [["geometric mean", "", "", "", times(geometric_mean(gains))]]


@table("gpu_shuffled")
def gpu_shuffled(s):
    names = ["hb.fast", "none.fast", "kout.afforest", "none.afforest", "none.rem_cas.naive.halve_one", "none.rem_cas.naive.splice_atomic"]
    columns = {"auto": "cuda.auto"} | {f"`{n}`": f"cuda.{n}" for n in names}
    shuffled = [g for g in s.gpu_auto.graphs(run="shuffled") if "shuffle=1" in g]
    return grid(s.gpu_auto, "graph", shuffled, columns, run="shuffled")


@table("gpu_sparse")
def gpu_sparse(s):
    names = ["none.fast", "hb.fast", "none.afforest", "none.rem_cas.naive.halve_one", "none.rem_cas.naive.splice_atomic", "kout.afforest"]
    columns = {"auto": "auto"} | {f"`{n}`": f"cuda.{n}" for n in names}
    return grid(s.gpu_sparse, "graph", s.gpu_sparse.graphs(run="sparse"), columns, run="sparse", measure="solve")


@table("gpu_before_after")
def gpu_before_after(s):
    rows, ratios = [["graph", "81b8f81", "now", "now / 81b8f81", "least to most of now"]], []
    these = dict(run="gpu", variant="cuda.auto", measure="solve")
    for g in NINE:
        old, new = (s.before_after.all(graph=g, code=code, **these) for code in ("old", "new"))
        before, after = (statistics.median(float(r["median"]) for r in turns) for turns in (old, new))
        ratios.append(ratio(after, before))
        least, most = min(float(r["min"]) for r in new), max(float(r["max"]) for r in new)
        rows.append([g, figure(before), figure(after), f"{ratios[-1]:.3f}", f"{figure(least)} to {figure(most)}"])
    return rows + [["geometric mean", "", "", f"{geometric_mean(ratios):.3f}", ""]]


@table("gpu_row_loops")
def gpu_row_loops(s):
    steps, graphs = ["base", "coalesced", "reorganised", "gathered"], ["rmat22", "er23", "mesh24", "web18M"]
    variants = ["cuda.kout.async.halve", "cuda.hb.async.halve", "cuda.kout.afforest"]
    lines = {(v, g): dict(variant=v, graph=g) for v in variants for g in graphs}
    _, *rows = grid(s.gpu_techniques, "", lines, {k: dict(gpu_rows=k) for k in steps})
    return [["variant", "graph", *steps]] + [[f"`{v}`", g, *cells] for (v, g), *cells in rows]


@table("gpu_techniques")
def gpu_techniques(s):
    graphs = ["rmat22", "er23", "web18M", "mesh24", "osm44M"]
    rows = [["technique", "variant", *graphs]]
    found = s.gpu_techniques.all(used="without", measure="solve")
    for technique, variant in dict.fromkeys((r["keys"]["technique"], r["variant"]) for r in found):
        pair = lambda g: [s.gpu_techniques.time(graph=g, variant=variant, technique=technique, used=u) for u in ("without", "with")]
        rows.append([technique, f"`{variant}`", *("–" if None in pair(g) else ", ".join(map(figure, pair(g))) for g in graphs)])
    return rows


@table("gpu_small")
def gpu_small(s):
    vertices = {g: int(f["vertices"]) for g, f in s.graph_facts().items()}
    columns = {"solve": "solve", "prepared": "again", "prepared, other arrays each time": "again_other_arrays",
               "in one launch": "again_in_one_launch", "in several launches": "again_in_several"}
    graphs = sorted(s.gpu_fast_path.graphs(run="small"), key=vertices.get)
    header, *rows = grid(s.gpu_fast_path, "graph", graphs, columns, lambda ms: "–" if ms is None else f"{1e3 * ms:.1f}",
                         by=("graph", "measure"), run="small", variant="cuda.hb.fast")
    return [["graph", "vertices", *header[1:]]] + [[row[0], f"{vertices[g]:,}", *row[1:]] for g, row in zip(graphs, rows)]


def kernels(s, variant, names, later=()):
    columns = {"solve": dict(measure="solve")} | {n.replace("_", " "): dict(measure="kernel", kernel=n) for n in names}
    lines = {label(g): dict(graph=g) for g in s.gpu_fast_path.graphs(variant=variant, measure="kernel", kernel=names[2])}
    lines |= {f"{g}\\*": dict(graph=g, run="later") for g in later}
    return grid(s.gpu_fast_path, "graph", lines, columns, whole_us, variant=variant)


table("gpu_kernels")(lambda s: kernels(s, "cuda.hb.fast", ["first_hook", "second_hook", "finish", "rest", "labels"], ["web18M", "rmat25"]))
table("gpu_kernels_unsampled")(lambda s: kernels(s, "cuda.none.fast", ["first_hook", "flatten_tops", "unite", "flatten"]))


@table("gpu_steps")
def gpu_steps(s):
    named = {"base": "before", "A": "neighbours asked side by side, leftovers collected; a walk ends at the giant",
             "F1": "chunks of 1,024 vertices instead of 4,096 in the finish",
             "N1": "memory in one piece, the vote by the last block of the second hook"}
    graphs = ["rmat22", "kron21", "er23", "mesh24", "web18M", "ba24", "rmat25"]
    lines = {what: dict(step=step) for step, what in named.items()}
    return grid(s.gpu_fast_path, "with", lines, graphs, whole_us, by=("step", "graph"), run="steps", variant="cuda.hb.fast")


@table("gpu_lattices")
def gpu_lattices(s):
    case = lambda run, *first: dict(run=f"lattices_{run}", switches="-".join(map(str, [*first, 0, 0, 0, 0, 0, 0][:6])))
    lines = {"all second arcs, by finds of both roots": case(1, 0), "the same by Rem's walk that halves": case(1, 1),
             "the last arcs of a quarter, by finds": case(1, 3), "the same after flattening, in a kernel of its own": case(1, 3, 0, 1),
             "the same after flattening each chunk": case(1, 4),
             "the last arcs of a quarter, both paths side by side, without stores": case(2, 12),
             "the last arcs of an eighth, likewise": case(2, 13)}
    return grid(s.gpu_fast_path, "where the first vote finds no giant", lines, ["mesh:side=4096,shuffle=1", "grid2d:side=3000,shuffle=1"],
                by=("", "graph"), variant="cuda.hb.fast", repeat="")


@table("gpu_unsampled_unites")
def gpu_unsampled_unites(s):
    cases = {"finds that halve; the same": 3, "finds that store nothing; the same": 5,
             "finds that store nothing; side by side, no stores": 0, "finds that store nothing; side by side, halving after 6 steps": 1,
             "finds that store nothing; side by side, halving from the first": 4}
    lines = {what: dict(switches=f"0-0-0-{switch}-0-0") for what, switch in cases.items()}
    return grid(s.gpu_fast_path, "unites where the ends are near; where they are far", lines,
                ["osm:side=3600,keep=.6,shuffle=1", "osm44M", "bits16M", "er:n=8000000,m=13000000"], by=("", "graph"),
                run="unsampled_3", variant="cuda.none.fast", repeat="")
