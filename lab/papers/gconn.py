"""GConn: Hong, Dhulipala, Shun, PACT 2020. Its averages are arithmetic means; ours are geometric. All of it is measured on GPUs, but for Figure 11."""

from .claims import (
    DENSE,
    LONG,
    ROADS,
    Chart,
    Figure,
    claim,
    counted,
    distance,
    missing,
    over,
    phase_share,
    present,
    rate_ratio,
    share_of_graphs,
    time_ratio,
    words,
)
from ..values import median
from .runs import FAMILIES

UNION_FIND = ("async", "hooks", "early", "ecl", "jtb", "rem_cas", "rem_lock")
MIN_BASED = ("liu_tarjan", "shiloach_vishkin", "stergiou", "label_propagation")
FASTEST = ("async", "rem_cas", "ecl")  # their text: behind a sampler the best finish is always one of these
ELSEWHERE = "that code is not part of copse"
NO_COUNT = "on a GPU copse counts what k-out and HB inspect, and no search"
OTHER_GPU = "needs a second kind of GPU"


def of(sampler, finishes):
    return ",".join(f"{sampler}.{f}" for f in finishes)


NONE, KOUT = of("none", UNION_FIND), of("kout", UNION_FIND)
HB, BFS = of("hb", FASTEST), of("bfs", FASTEST)
BEST = ",".join((NONE, KOUT, HB))
CODES = "none.ecl_cc,kout.afforest"


def ratio(what, a, b, paper, **more):
    return time_ratio(what, "gpu", a, b, paper, **more)


def technique(loop, paper):
    """Loops over rows with one idea of section 3.4 more, against the base, k-out sampling and Union-Async."""
    time = lambda rows, g, how: rows.best("techniques", g, ("kout.async.halve",), gpu_rows=how)
    return claim(
        f"base : {loop}",
        "gpu",
        paper,
        lambda rows: present({g: over(time(rows, g, "base"), time(rows, g, loop)) for g in rows.graphs("techniques")}),
        (("techniques", words("kout.async.halve")),),
    )


def sampled(what, a, b, paper, text):
    """Arcs inspected while sampling, per graph."""
    count = lambda rows, g, v: rows.best("counts", g, (v,), "sampled_arcs")
    return claim(
        what,
        "gpu",
        paper,
        lambda rows: present({g: over(count(rows, g, a), count(rows, g, b)) for g in rows.graphs("counts")}),
        (("counts", (a, b)),),
        text=text,
    )


def insert_ratio(what, a, b, paper, text=""):
    """Time of all edges in one batch, by the best of a over the best of b."""
    return rate_ratio(what, "gpu", b, {"batch": "all", "mixing": ""}, {"batch": "all", "mixing": ""}, paper, run="gpu_rules", other=a, text=text)


SV, LIU_TARJAN = "way.whole_batch.shiloach_vishkin", "way.whole_batch.liu_tarjan"  # all edges of a batch in every round


def inspected_ratio(what, variant):
    """Edges that rounds inspect with all edges in one batch over those with 10^5 in each, by the variant that inspects the fewest."""
    count = lambda rows, g, batch: rows.best("gpu_rules", g, (variant,), "inspected_edges", batch=batch)
    each = lambda rows: present({g: over(count(rows, g, "all"), count(rows, g, "100000")) for g in rows.graphs("gpu_rules")})
    return claim(what, "gpu", "above", each, (("gpu_rules", ()),), text="rises above 10^7")


def streams_on_cores(rows):
    """Inserts of all edges in one batch: the best on the GPU over the best on all cores, per second."""
    rate = lambda run, g, patterns: rows.fastest(run, g, patterns, batch="all", mixing="")
    return present({g: over(rate("gpu_rules", g, ("none.async", "none.rem_cas")), rate("core_rules", g, ("threads.*",))) for g in rows.graphs("gpu_rules")})


def batches(what, variant, first, second, side):
    return rate_ratio(what, "gpu", variant, {"batch": first, "mixing": ""}, {"batch": second, "mixing": ""}, side, run="gpu_rules", of=("er", "rmat"))


def queries(rows, g, each):
    return rows.fastest("gpu_queries", g, ("cuda.none.async",), queries_per_insert=each, mixing="phased")


def forest_cost(rows):
    """Forest over components by the median variant of each graph."""
    costs = {}
    for g in rows.graphs("forest"):
        found = sorted(
            (over(median(s), rows.best("forest", g, (s.variant,), "components")) for s in rows.all("forest", g, ("*",), "join")),
            key=lambda v: v.number,
        )
        if found:
            costs[g] = found[len(found) // 2]
    return costs


def anchors(rows):
    """The best variant on all cores over the best on the GPU."""
    return present({g: over(rows.best("anchors", g, ("threads.*",)), rows.best("anchors", g, ("cuda.*",))) for g in rows.graphs("anchors")})


def points(pairs):
    return [(x, v) for x, v in pairs if v is not None]


def over_batches(rows):
    sizes = ("10000", "100000", "1000000", "10000000")
    curves = {}
    for rule in ("none.async", "none.rem_cas", SV, LIU_TARJAN):
        for g in rows.graphs("gpu_rules"):
            curves[f"{rule.rpartition('.')[2]}, {g.split(':')[0]}"] = points(
                [(float(b), rows.fastest("gpu_rules", g, (rule,), batch=b, mixing="")) for b in sizes]
            )
    return {name: found for name, found in curves.items() if found}


def gain_by_degree(rows):
    """The speed-up of each sampler over no sampler, by arcs per vertex."""
    curves = {}
    for sampler, patterns in (("k-out", KOUT), ("HB", HB), ("BFS", BFS)):
        for g in rows.graphs("rows"):
            size = [rows.best("counts", g, ("kout.async.compress",), m) for m in ("arcs", "vertices")]
            gain = over(rows.best("rows", g, words(NONE)), rows.best("rows", g, words(patterns)))
            if gain and None not in size:
                curves.setdefault(sampler, []).append((size[0].number / size[1].number, gain))
    return curves


def inspected(rows):
    """Edges that rules in rounds inspect, over the size of the batch."""
    curves = {}
    for g in rows.graphs("gpu_rules"):
        for s in rows.all("gpu_rules", g, (SV, LIU_TARJAN), "inspected_edges"):
            if s.keys["batch"] != "all":
                name = s.variant.removeprefix("way.whole_batch.")
                curves.setdefault(f"{name}, {g.split(':')[0]}", []).append((float(s.keys["batch"]), median(s)))
    return curves


FIGURES = [
    Figure(
        "gconn.algorithms",
        "Algorithms 1 to 3, drivers, and §1, their 339 implementations",
        nothing="nothing is measured; the 339 are among the variants of `serial`, `threads` and `cuda`, which a test holds",
    ),
    Figure(
        "gconn.figure1", "best variant over the fastest of four codes", (ratio("ECL-CC, Afforest : best of GConn's variants", CODES, BEST, 2.48),)
    ),
    Figure(
        "gconn.figure2",
        "coalescing, reorganising, gathering, each with the ones before, over a base",
        (technique("coalesced", 1.207), technique("reorganised", 1.288), technique("gathered", 1.416)),
    ),
    Figure("gconn.table1", "the inputs", nothing='nothing is measured: see "The graphs"'),
    Figure(
        "gconn.figure3",
        "unions without sampling",
        (
            ratio("rem_cas : async", "none.rem_cas", "none.async", 1.02),
            ratio("hooks : async", "none.hooks", "none.async", 1.44),
            ratio("jtb : async", "none.jtb", "none.async", 1.26),
            ratio("rem_lock : rem_cas", "none.rem_lock", "none.rem_cas", 3.81),
        ),
    ),
    Figure(
        "gconn.figure4",
        "other min-based rules without sampling",
        (
            ratio("Liu-Tarjan : async", "none.liu_tarjan", "none.async", 3.72),
            ratio("Shiloach-Vishkin : async", "none.shiloach_vishkin", "none.async", 5.19),
            ratio("label propagation : async, small diameter", "none.label_propagation", "none.async", 7.76, of=DENSE),
            ratio("Stergiou : best Liu-Tarjan, at most", "none.stergiou", "none.liu_tarjan", 66, mean="most"),
        ),
    ),
    Figure(
        "gconn.table2",
        "which variant is the best",
        (
            share_of_graphs("no sampling: async or rem_cas is best", "gpu", "none.async,none.rem_cas", NONE + ",none.afforest", 100, "14 of 14"),
            share_of_graphs(
                "k-out: async, rem_cas or G_ECL-CC is best", "gpu", "kout.async,kout.rem_cas,kout.ecl", KOUT + ",kout.afforest", 93, "13 of 14"
            ),
            share_of_graphs("HB is best overall, small diameter", "gpu", HB, f"{BEST},{BFS}", 45, "5 of 11", of=DENSE),
            share_of_graphs("HB is best overall, roads", "gpu", HB, f"{BEST},{BFS}", 0, "0 of 2", of=ROADS),
            share_of_graphs("BFS sampling is best overall", "gpu", BFS, f"{BEST},{BFS}", 0, "0 of 14"),
            share_of_graphs(
                "Afforest is the fastest of the existing codes", "gpu", "kout.afforest", "kout.afforest,none.ecl_cc,none.bfs_cc", 86, "12 of 14"
            ),
        ),
    ),
    Figure(
        "gconn.figure5",
        "gain of each sampler over none",
        (
            ratio("none : k-out, union-find, small diameter", NONE, KOUT, 6.16, of=DENSE),
            ratio("none : k-out, other rules, small diameter", of("none", MIN_BASED), of("kout", MIN_BASED), 4.61, of=DENSE),
            ratio("none : k-out, roads", NONE, KOUT, "below", of=ROADS),
            ratio("none : BFS, least of all graphs", NONE, BFS, 0.07, mean="least"),
            ratio("none : BFS, most of all graphs", NONE, BFS, 174.87, mean="most"),
            ratio("none : BFS, long diameter", NONE, BFS, round(1 / 24.6, 3), of=LONG),
        ),
        chart=Chart(
            "Figure 5: none over each sampler",
            "arcs per vertex",
            "ratio of times",
            gain_by_degree,
            (("rows", words(",".join((NONE, KOUT, HB, BFS)))), ("counts", ("kout.async.compress",))),
            "gpu",
        ),
    ),
    Figure(
        "gconn.table3",
        "what samplers cover and leave, and their time",
        (
            counted("k-out leaves, % of arcs, at most", "gpu", "kout.async.compress", "finish_arcs", "arcs", 7.4, "7.4 %", mean="most"),
            missing("BFS leaves, % of arcs, at most", "gpu", "1.3 %", NO_COUNT),
            counted("HB covers, % of vertices, at least", "gpu", "hb.async.compress", "giant_vertices", "vertices", 0, "0 %", mean="least"),
            counted("HB covers, % of vertices, at most", "gpu", "hb.async.compress", "giant_vertices", "vertices", 100, "100 %", mean="most"),
            missing("the columns Time", "gpu", "14 graphs", "a time is of its machine, a V100"),
        ),
    ),
    Figure(
        "gconn.figure6",
        "edges inspected while sampling",
        (
            sampled("HB : k-out", "hb.async.compress", "kout.async.compress", "below", "least where it wins"),
            missing("BFS : k-out", "gpu", "most on nearly all", NO_COUNT),
        ),
    ),
    Figure(
        "gconn.section3_5",
        "share of sampling in Afforest's time",
        (phase_share("sample of solve", "gpu", "kout.afforest", ("sample",), ("solve",), 89, "median 89 %", run="phases"),),
    ),
    Figure(
        "gconn.figure7",
        "best variants over the codes",
        (
            ratio("ECL-CC : best without sampling", "none.ecl_cc", NONE, 2.78),
            ratio("ECL-CC : best of all", "none.ecl_cc", BEST, 10.2),
            ratio("Afforest : best without sampling", "kout.afforest", NONE, 0.99),
            ratio("Afforest : best of all", "kout.afforest", BEST, 2.51),
            missing("GPU-CC : best without sampling, of all", "gpu", "7.06x, 26.68x", ELSEWHERE),
            missing("GSWITCH : best of all", "gpu", "a chart", ELSEWHERE),
        ),
    ),
    Figure(
        "gconn.section4_3",
        "finishes taken from ECL and Afforest",
        (
            ratio("G_ECL-CC : best, no sampling", "none.ecl", NONE, 1.19),
            ratio("G_ECL-CC : best, k-out", "kout.ecl", KOUT, 1.04),
            ratio("ECL-CC : G_ECL-CC", "none.ecl_cc", "none.ecl", 2.30),
            ratio("G_Afforest : best, no sampling", "none.afforest", NONE, 12.6),
        ),
    ),
    Figure(
        "gconn.table4",
        "insert throughput, all edges in one batch",
        (
            insert_ratio("async : best rule", "none.async", "none.async,none.hooks,none.early,none.jtb,none.rem_cas,none.rem_lock", 1.0),
            insert_ratio("Rem-CAS : async", "none.rem_cas", "none.async", 3.41),
            insert_ratio("Liu-Tarjan : async", LIU_TARJAN, "none.async", 2.86),
            insert_ratio("Shiloach-Vishkin : async", SV, "none.async", 4.87),
            missing("arcs per second", "gpu", "46.6 G", "a rate is of its machine, a V100"),
        ),
    ),
    Figure(
        "gconn.figure8",
        "throughput over the batch's size",
        (
            batches("10^4 : all edges, Union-Async", "none.async", "10000", "all", "below"),
            batches("10^7 : all edges, Shiloach-Vishkin", SV, "10000000", "all", "above"),
            batches("10^7 : all edges, Liu-Tarjan", LIU_TARJAN, "10000000", "all", "above"),
        ),
        chart=Chart("Figure 8: inserts by the size of the batch", "edges in a batch", "million edges per second", over_batches),
    ),
    Figure(
        "gconn.figure9",
        "edges inspected over the batch's size",
        (inspected_ratio("all edges : 10^5, Shiloach-Vishkin", SV), inspected_ratio("all edges : 10^5, Liu-Tarjan", LIU_TARJAN)),
        chart=Chart("Figure 9: edges inspected by the size of the batch", "edges in a batch", "edges", inspected, (), "gpu"),
    ),
    Figure(
        "gconn.figure10",
        "throughput over queries per insert, europe_osm",
        (
            claim(
                "100 : 1 queries per insert, Union-Async",
                "gpu",
                "above",
                lambda rows: present({g: over(queries(rows, g, "100"), queries(rows, g, "1")) for g in rows.graphs("gpu_queries")}),
                (("gpu_queries", words("cuda.none.async")),),
            ),
        ),
        chart=Chart(
            "Figure 10: operations by queries per insert",
            "queries per insert",
            "million operations per second",
            lambda rows: {g.split(":")[0]: points([(float(q), queries(rows, g, q)) for q in ("1", "10", "100")]) for g in rows.graphs("gpu_queries")},
        ),
    ),
    Figure(
        "gconn.section4_4",
        "cost of lazy initialisation",
        (insert_ratio("checked at every access : written beforehand", "way.first_touch.async", "none.async.halve", 1.73),),
    ),
    Figure(
        "gconn.section4_incremental",
        "incremental connectivity, GPU over CPU",
        (claim("cores : GPU, the best rule of each", "gpu", (1.85, 13.36), streams_on_cores, (("gpu_rules", ()), ("core_rules", ()))),),
    ),
    Figure(
        "gconn.section4_forest",
        "spanning forest over components",
        (claim("forest, joined : components", "gpu", 0.94, forest_cost, (("forest", ()),)),),
    ),
    Figure("gconn.table5", "Titan Xp against V100", (missing("static, forest, incremental", "gpu", "1.62x, 1.59x, 1.79x", OTHER_GPU),)),
    Figure(
        "gconn.figure11",
        "72 cores against a V100",
        (
            claim(
                "cores : GPU, the best variant of each",
                "gpu",
                (8.26, 14.5),
                anchors,
                (("anchors", tuple(f"{b}.{s}.{f}" for b in ("threads", "cuda") for s in ("none", "kout", "hb") for f in FAMILIES)),),
            ),
            missing("memory traffic", "gpu", "a chart", "no counter of traffic is read"),
        ),
    ),
    Figure("gconn.figure12", "decision tree", (distance("gconn_tree, above the best", "gpu", "gconn_tree", BEST, 9.4),)),
    Figure(
        "gconn.section4_7",
        "the simple choice, k-out with Union-Async",
        (
            distance("k-out with Union-Async or Rem-CAS and the best find, above the best", "gpu", "kout.async,kout.rem_cas", BEST, 20.8),
            distance("gconn_default, whose find is fixed, above the best", "gpu", "gconn_default", BEST, 20.8),
            ratio("gconn_default : gconn_tree", "gconn_default", "gconn_tree", 1.10),
        ),
    ),
]
