"""The tables of docs/measurements/gpu.md."""

from table_kit import label, fastest_cell, figure, geometric_mean, millions, ratio, rule_of, sampler_of, table, times

NINE = ["rmat22", "kron21", "er23", "mesh24", "osm44M", "web18M", "bits16M", "ba24", "rmat25"]
UNSAMPLED = {"osm44M", "bits16M"}
FAST = {"cuda.auto", "cuda.hb.fast", "cuda.none.fast"}


def mean_row(cells, *columns):
    """A last row of geometric means of the columns given as lists."""
    return ["geometric mean", *cells, *(times(geometric_mean(c)) for c in columns)]


@table("gpu_graphs")
def gpu_graphs(s):
    facts = s.graph_facts()
    return [["name", "made by", "vertices", "arcs", "arcs per vertex", "components"]] + [
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


@table("gpu_auto")
def gpu_auto(s):
    rows, gains = [["graph", "auto", "least to most", "its variant", "launches", "GConn's best", "GConn / auto"]], []
    for g in NINE:
        auto, launches = (s.gpu_auto.row(graph=g, variant="cuda.auto", measure=m) for m in ("solve", "launches"))
        gconn = s.rivals.time(graph=g, variant="gconn.best")
        gains.append(ratio(gconn, auto["median"]))
        rows.append(
            [
                g,
                figure(auto["median"]),
                f"{figure(auto['min'])} to {figure(auto['max'])}",
                f"`{auto['keys']['ran']}`",
                launches["median"],
                figure(gconn),
                times(gains[-1]),
            ]
        )
    return rows + [mean_row([""] * 5, gains)]


@table("gpu_floor")
def gpu_floor(s):
    rows, ideal_ratios, gather_ratios = [["graph", "auto", "ideal floor", "auto / ideal", "floor with gathers", "auto / that"]], [], []
    for g in NINE:
        auto = s.gpu_auto.time(graph=g, variant="cuda.auto")
        ideal, gathers = (s.gpu_auto.time(graph=g, variant="memory_floor", measure=m) for m in ("ideal", "with_gathers"))
        if g not in UNSAMPLED:
            ideal_ratios.append(auto / ideal)
            gather_ratios.append(auto / gathers)
        rows.append([g, figure(auto), figure(ideal), times(auto / ideal), figure(gathers), times(auto / gathers)])
    return rows + [
        ["geometric mean of the sampled seven", "", "", times(geometric_mean(ideal_ratios)), "", times(geometric_mean(gather_ratios))]
    ]


@table("gpu_memory")
def gpu_memory(s):
    rows = [["labels", "gather, G/s", "atomic minimum, G/s", "compare and swap, G/s"]]
    for g in s.gpu_auto.graphs(run="memory", variant="gather"):
        rows.append(
            [
                g.removesuffix(" of labels"),
                *(figure(s.gpu_auto.time(graph=g, run="memory", variant=v, measure="rate")) for v in ("gather", "atomic_minimum", "swap")),
            ]
        )
    return rows


def gconn_methods(s):
    """The 64 variants that stand for GConn's 62: those of other_seeds."""
    return {r["variant"] for r in s.gpu_auto.all(graph="er22", measure="solve")} - FAST


def gpu_variant(s, graph, **wanted):
    chosen = s.gpu_variants.fastest(graph=graph, **wanted)
    return chosen and chosen | {"star": "" if int(chosen["n"]) > 1 else "*"}


def starred(row, *prefixes):
    return "–" if row is None else fastest_cell(row, "cuda.", *prefixes) + ("\\*" if row["star"] else "")


@table("gpu_like_for_like")
def gpu_like_for_like(s):
    methods = gconn_methods(s)
    unsampled = {m for m in methods if m.startswith("cuda.none.")}
    rows = [
        [
            "graph",
            "fastest of our 64",
            "GConn / ours",
            "fastest unsampled",
            "GConn's",
            "`none.ecl`",
            "ECL-CC",
            "`kout.afforest`",
            "Afforest",
        ]
    ]
    gains = []
    for g in NINE:
        best, plain, ecl, afforest = (gpu_variant(s, g, variant=v) for v in (methods, unsampled, "cuda.none.ecl", "cuda.kout.afforest"))
        if g == "osm44M":
            afforest = gpu_variant(s, g, variant="cuda.kout.afforest", run="ordered_flattening")
        rival = lambda v: s.rivals.time(graph=g, variant=v)
        gains.append(rival("gconn.best") / float(best["median"]))
        alone = lambda r: "–" if r is None else figure(r["median"]) + ("\\*" if r["star"] else "")
        rows.append(
            [
                g,
                starred(best),
                times(gains[-1]),
                starred(plain, "none."),
                figure(rival("gconn.best_unsampled")),
                alone(ecl),
                figure(rival("ecl_cc")),
                alone(afforest),
                figure(rival("afforest")),
            ]
        )
    return rows + [["geometric mean", "", times(geometric_mean(gains)), *[""] * 6]]


@table("gpu_every_variant")
def gpu_every_variant(s):
    rows = [["graph", "variants", "given up", "fastest", "fastest outside the fast path", "slowest sampler's best"]]
    for g in NINE:
        counts = [int(s.gpu_variants.time(graph=g, variant="*", measure=m)) for m in ("variants", "given_up")]
        found = [r for r in s.gpu_variants.all(graph=g, measure="solve") if r["variant"] not in FAST]
        samplers = {sampler_of(r) for r in found} - {""}
        slowest = max(
            (min((r for r in found if sampler_of(r) == p), key=lambda r: float(r["median"])) for p in samplers),
            key=lambda r: float(r["median"]),
        )
        rows.append(
            [
                g,
                *map(str, counts),
                fastest_cell(s.gpu_variants.fastest(graph=g), "cuda."),
                fastest_cell(s.gpu_variants.fastest(graph=g, variant=lambda v: v not in FAST), "cuda."),
                fastest_cell(slowest, "cuda."),
            ]
        )
    return rows


def matrix(s, part_of, keep, title):
    cells = {}
    for g in NINE:
        found = [r for r in s.gpu_variants.all(graph=g, measure="solve") if r["variant"] not in FAST and keep(r)]
        least = min(float(r["median"]) for r in found)
        for r in found:
            cells[part_of(r), g] = min(cells.get((part_of(r), g), float("inf")), float(r["median"]) / least)
    parts = sorted({p for p, _ in cells}, key=lambda p: geometric_mean([cells[p, g] for g in NINE if (p, g) in cells]))
    return [[title, *NINE]] + [[f"`{p}`", *(times(cells.get((p, g))) for g in NINE)] for p in parts]


@table("gpu_samplers")
def gpu_samplers(s):
    return matrix(s, sampler_of, lambda r: True, "sampler")


@table("gpu_rules")
def gpu_rules(s):
    return matrix(s, rule_of, lambda r: sampler_of(r) == "none", "rule")


@table("gpu_rules_kout")
def gpu_rules_kout(s):
    return matrix(s, rule_of, lambda r: sampler_of(r) == "kout", "rule")


@table("gpu_slow")
def gpu_slow(s):
    rows = [["graph", "variant", "seconds"]]
    for r in s.gpu_variants.all(run="slow", measure="solve"):
        if float(r["median"]) > 500:
            rows.append([r["graph"], f"`{r['variant']}`", figure(float(r["median"]) / 1e3)])
    return rows


@table("gpu_other_seeds")
def gpu_other_seeds(s):
    facts, methods = s.graph_facts(), gconn_methods(s)
    rows, gains = [["graph", "made by", "auto", "fastest of our 64", "that / auto"]], []
    for g in ("rmat23", "kron22", "er22", "mesh23", "osm20M", "web9M", "bits9M", "ba23", "rmat24"):
        auto, best = s.gpu_auto.time(graph=g, variant="cuda.auto"), s.gpu_auto.fastest(graph=g, variant=methods)
        gains.append(ratio(best["median"], auto))
        star = "" if int(best["n"]) > 1 else "\\*"
        rows.append([g, f"`{facts[g]['spec']}`", figure(auto), fastest_cell(best, "cuda.") + star, times(gains[-1])])
    return rows + [mean_row(["", "", ""], gains)]


@table("gpu_shuffled")
def gpu_shuffled(s):
    names = [
        "cuda.hb.fast",
        "cuda.none.fast",
        "cuda.kout.afforest",
        "cuda.none.afforest",
        "cuda.none.rem_cas.naive.halve_one",
        "cuda.none.rem_cas.naive.splice_atomic",
    ]
    rows = [["graph", "auto", *(f"`{n.removeprefix('cuda.')}`" for n in names)]]
    for g in s.gpu_auto.graphs(run="shuffled", variant="cuda.auto"):
        rows.append([label(g), *(figure(s.gpu_auto.time(graph=g, run="shuffled", variant=n)) for n in ["cuda.auto", *names])])
    return rows


@table("gpu_row_loops")
def gpu_row_loops(s):
    steps = ["base", "coalesced", "reorganised", "gathered"]
    rows = [["variant", "graph", *steps]]
    for variant in ("cuda.kout.async.halve", "cuda.hb.async.halve", "cuda.kout.afforest", "cuda.hb.afforest"):
        for g in ("rmat22", "er23", "mesh24", "web18M"):
            found = [s.gpu_techniques.time(graph=g, variant=variant, gpu_rows=k) for k in steps]
            if any(found):
                rows.append([f"`{variant}`", g, *map(figure, found)])
    return rows


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
    facts, c = s.graph_facts(), s.gpu_fast_path
    rows = [["graph", "vertices", "solve", "prepared", "prepared, other arrays each time", "in one launch", "in several launches"]]
    for g in sorted(c.graphs(run="small"), key=lambda g: int(facts[g]["vertices"])):
        us = [
            c.time(graph=g, variant="cuda.hb.fast", run="small", measure=m)
            for m in ("solve", "again", "again_other_arrays", "again_in_one_launch", "again_in_several")
        ]
        rows.append([label(g), f"{int(facts[g]['vertices']):,}", *("–" if v is None else f"{1e3 * v:.1f}" for v in us)])
    return rows


@table("gpu_kernels")
def gpu_kernels(s):
    c, kernels = s.gpu_fast_path, ["first_hook", "second_hook", "finish", "rest", "labels"]
    rows = [["graph", "solve", "first hook", "second hook", "finish", "rest", "labels"]]
    us = lambda v: "–" if v is None else f"{1e3 * v:,.0f}"
    first = c.graphs(variant="cuda.hb.fast", measure="kernel", kernel="finish")
    for g, run in [(g, "") for g in first] + [(g, "later") for g in NINE if g not in first]:
        of = lambda **wanted: us(c.time(graph=g, run=run, variant="cuda.hb.fast", **wanted))
        rows.append([label(g) + ("\\*" if run else ""), of(), *(of(measure="kernel", kernel=k) for k in kernels)])
    return rows


@table("gpu_kernels_unsampled")
def gpu_kernels_unsampled(s):
    c, kernels = s.gpu_fast_path, ["first_hook", "flatten_tops", "unite", "flatten"]
    rows = [["graph", "solve", "first hook", "flatten the tops", "unite", "flatten"]]
    us = lambda v: "–" if v is None else f"{1e3 * v:,.0f}"
    for g in c.graphs(variant="cuda.none.fast", measure="kernel", kernel="unite"):
        rows.append(
            [
                label(g),
                us(c.time(graph=g, variant="cuda.none.fast")),
                *(us(c.time(graph=g, variant="cuda.none.fast", measure="kernel", kernel=k)) for k in kernels),
            ]
        )
    return rows


@table("gpu_steps")
def gpu_steps(s):
    graphs = ["rmat22", "kron21", "er23", "mesh24", "web18M", "ba24", "rmat25"]
    named = {
        "base": "before",
        "A": "neighbours asked side by side, leftovers collected; a walk ends at the giant",
        "F1": "chunks of 1,024 vertices instead of 4,096 in the finish",
        "N1": "memory in one piece, the vote by the last block of the second hook",
    }
    rows = [["with", *graphs]]
    for step, what in named.items():
        rows.append([what, *(f"{1e3 * s.gpu_fast_path.time(graph=g, run='steps', step=step):,.0f}" for g in graphs)])
    return rows


def experiment(s, title, cases, graphs):
    """A table of an experiment: (what, run, variant, switches) a row, and a column a graph."""
    rows = [[title, *(f"`{g}`" if ":" in g else g for g in graphs)]]
    for what, run, variant, switches in cases:
        found = [s.gpu_fast_path.time(graph=g, run=run, variant=variant, switches=switches, repeat="") for g in graphs]
        if any(found):
            rows.append([what, *map(figure, found)])
    return rows


@table("gpu_lattices")
def gpu_lattices(s):
    case = lambda what, run, first: (what, run, "cuda.hb.fast", first if isinstance(first, str) else f"{first}-0-0-0-0-0")
    return experiment(
        s,
        "where the first vote finds no giant",
        [
            case("all second arcs, by finds of both roots", "lattices_1", 0),
            case("the same by Rem's walk that halves", "lattices_1", 1),
            case("the last arcs of a quarter, by finds", "lattices_1", 3),
            case("the same after flattening, in a kernel of its own", "lattices_1", "3-0-1-0-0-0"),
            case("the same after flattening each chunk", "lattices_1", 4),
            case("the last arcs of a quarter, both paths side by side, without stores", "lattices_2", 12),
            case("the last arcs of an eighth, likewise", "lattices_2", 13),
        ],
        ["mesh:side=4096,shuffle=1", "grid2d:side=3000,shuffle=1"],
    )


@table("gpu_unsampled_unites")
def gpu_unsampled_unites(s):
    case = lambda what, switch: (what, "unsampled_3", "cuda.none.fast", f"0-0-0-{switch}-0-0")
    return experiment(
        s,
        "unites where the ends are near; where they are far",
        [
            case("finds that halve; the same", 3),
            case("finds that store nothing; the same", 5),
            case("finds that store nothing; side by side, no stores", 0),
            case("finds that store nothing; side by side, halving after 6 steps", 1),
            case("finds that store nothing; side by side, halving from the first", 4),
        ],
        ["osm:side=3600,keep=.6,shuffle=1", "osm44M", "bits16M", "er:n=8000000,m=13000000"],
    )
