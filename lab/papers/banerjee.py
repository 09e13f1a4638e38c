"""Banerjee, Kothapalli, HiPC 2011: list ranking by fractional independent sets, and components on cores and a GPU together, over the share of the
vertices that the cores have (depth-first searches on the cores, Soman's on the GPU, Algorithm 4 for the edges between)."""

import re

from .claims import Chart, Figure, claim, missing, over, present
from ..values import Value, constant, median

PAIR, RUN = "hybrid.pieces.none.soman", "hybrid_min_label"
MOST_VERTICES = 4_500_000
HYBRID_RANKS = (("hybrid_ranks", ("hybrid.fis", "cuda.helman_jaja_cpu")),)
ROUNDS = range(1, 10)
LARGEST_LIST = lambda rows: sorted(rows.graphs("hybrid_ranks"), key=lambda g: int(g.rpartition("=")[2]))[-1:]


def ranks(rows, run, a, b, keys_a, keys_b):
    time = lambda g, v, keys: rows.best(run, g, (v,), "rank", **keys)
    return present({g: over(time(g, a, keys_a), time(g, b, keys_b)) for g in rows.graphs(run)})


def phase(rows, g, name):
    return rows.best("hybrid_ranks", g, ("hybrid.fis",), "phase", phase=name)


def phase_of_all(name):
    """The shares of phases I to III, in per cent."""

    def each(rows):
        took = {g: [phase(rows, g, p) for p in ("reduce", "rank", "reinsert")] for g in rows.graphs("hybrid_ranks")}
        return {g: phase(rows, g, name) / Value.of("sum", *parts) * constant(100) for g, parts in took.items() if None not in parts}

    return each


def bits_over_removal(rows):
    """Making and sending the bits of a round over the removal of the round before, which the GPU does at the same time; for the longest list."""
    values = {}
    for g in LARGEST_LIST(rows):
        made, sent, removed = ({k: phase(rows, g, f"round_{k}_{what}") for k in ROUNDS} for what in ("generate", "transfer", "remove"))
        pairs = [k for k in ROUNDS[:-1] if None not in (made[k + 1], sent[k + 1], removed[k])]
        if pairs:
            values[g] = Value.of("sum", *(v for k in pairs for v in (made[k + 1], sent[k + 1]))) / Value.of("sum", *(removed[k] for k in pairs))
    return values


def by_size(rows):
    names = {"hybrid.fis": "independent sets, both", "cuda.helman_jaja_cpu": "Wei and JaJa's way"}
    at = lambda v: [(int(g.rpartition("=")[2]) / 1e6, rows.best("hybrid_ranks", g, (v,), "rank")) for g in rows.graphs("hybrid_ranks")]
    return {name: sorted(((x, y) for x, y in at(v) if y is not None), key=lambda p: p[0]) for v, name in names.items()}


def over_rounds(rows):
    """Time over the rounds of independent sets."""
    curves = {}
    for g in rows.graphs("rank_rounds"):
        found = [(int(s.keys["rounds"]), median(s)) for s in rows.all("rank_rounds", g, ("fis",), "rank")]
        curves[f"{int(g.rpartition('=')[2]) / 1e6:g} M elements"] = found
    return curves


def phases_by_size(rows):
    names = {"reduce": "phase I", "rank": "phase II", "reinsert": "phase III"}
    at = lambda p: [(int(g.rpartition("=")[2]) / 1e6, phase(rows, g, p)) for g in rows.graphs("hybrid_ranks")]
    return {name: [(x, y) for x, y in at(p) if y is not None] for p, name in names.items()}


def parts_by_round(rows):
    names = {"generate": "bits made by the cores", "transfer": "bits sent", "remove": "removal on the GPU"}
    at = lambda g, part: [(k, phase(rows, g, f"round_{k}_{part}")) for k in ROUNDS]
    return {name: [(k, y) for g in LARGEST_LIST(rows) for k, y in at(g, part) if y is not None] for part, name in names.items()}


def count(graph, letter):
    return int(re.search(rf"\b{letter}=(\d+)", graph)[1])


def graphs(rows, run):
    """The paper's sizes, in order."""
    found = [g for g in rows.graphs(run) if re.search(r"\bn=\d+", g) and count(g, "n") <= MOST_VERTICES]
    return sorted(found, key=lambda g: (count(g, "n"), count(g, "m")))


def at_share(rows, run, g, share, form="host", measure="solve"):
    found = [s for s in rows.all(run, g, (PAIR,), measure, form=form, share=share, cross="min_label") if len(s.samples) > 9 or share in ("0", "100")]
    return found[0] if found else None


def sharing(rows, run, g, form="host"):
    """Series of all shares between 0 and 100 % that have been measured as often as either side alone."""
    found = rows.all(run, g, (PAIR,), form=form, cross="min_label")
    return [s for s in found if s.keys["share"] not in ("0", "100", "auto") and len(s.samples) > 9]


def best(rows, run, g, operator, form="host"):
    """The time ("held_out") or the share ("chosen") of the best share: chosen on every other sample, judged on the others."""
    series = sharing(rows, run, g, form)
    return Value([operator, *([s.keys["share"], s.key] for s in series)], {s.key: s for s in series}) if series else None


def alone(rows, run, g, form="host"):
    gpu = at_share(rows, run, g, "0", form)
    return median(gpu) if gpu else None


def over_gpu(form="host"):
    return lambda rows: present({g: over(best(rows, RUN, g, "held_out", form), alone(rows, RUN, g, form)) for g in graphs(rows, RUN)})


def best_share_at(vertices):
    return lambda rows: present({g: best(rows, RUN, g, "chosen") for g in graphs(rows, RUN) if count(g, "n") == vertices})


def trend(run):
    """The best shares of the larger half of the graphs over those of the smaller half."""

    def each(rows):
        found = [v for g in graphs(rows, run) if (v := best(rows, run, g, "chosen")) is not None]
        half = len(found) // 2
        return {"halves": Value.of("sum", *found[-half:]) / Value.of("sum", *found[:half])} if half else {}

    return each


def low_share(rows):
    at = lambda g: at_share(rows, RUN, g, "5")
    return present({g: over(median(at(g)), alone(rows, RUN, g)) for g in graphs(rows, RUN) if at(g) is not None})


def side_at_best(rows, g, measure):
    """The time of a side at the fastest share."""
    share = best(rows, RUN, g, "chosen")
    found = share and [
        s for s in rows.all(RUN, g, (PAIR,), measure, form="host", cross="min_label") if float(s.keys["share"].replace("auto", "-1")) == share.number
    ]
    return median(found[0]) if found else None


def wait(rows):
    """How much less the shorter side takes than the longer one at the best share, per cent."""
    values = {}
    for g in graphs(rows, RUN):
        cores, gpu = side_at_best(rows, g, "cores"), side_at_best(rows, g, "gpu")
        if cores and gpu:
            values[g] = (constant(1) - Value.of("least", cores, gpu) / Value.of("most", cores, gpu)) * constant(100)
    return values


def millions(g, letter):
    return count(g, letter) / 1e6


def times_by_size(rows):
    at = lambda value: [(millions(g, "n"), v) for g in graphs(rows, RUN) if (v := value(g)) is not None]
    return {"GPU alone": at(lambda g: alone(rows, RUN, g)), "both, at the best share": at(lambda g: best(rows, RUN, g, "held_out"))}


def times_by_share(rows):
    curves = {}
    for g in graphs(rows, RUN)[2::3]:
        found = [s for s in rows.all(RUN, g, (PAIR,), form="host", cross="min_label") if s.keys["share"] not in ("auto", "100")]
        curves[f"{millions(g, 'n'):g} M vertices"] = sorted(((float(s.keys["share"]), median(s)) for s in found), key=lambda p: p[0])
    return curves


def idle_by_share(rows):
    curves = {}
    for g in graphs(rows, RUN)[2::3]:
        for measure, name in (("cores", "cores"), ("gpu", "GPU")):
            found = [s for s in rows.all(RUN, g, (PAIR,), measure, form="host", cross="min_label") if s.keys["share"] not in ("auto", "0", "100")]
            curves[f"{name}, {millions(g, 'n'):g} M"] = sorted(((float(s.keys["share"]), median(s)) for s in found), key=lambda p: p[0])
    return curves


def shares_over(run, letter):
    return lambda rows: {"best share": [(millions(g, letter), v) for g in graphs(rows, run) if (v := best(rows, run, g, "chosen")) is not None]}


def of_hybrid(what, paper, each, run=RUN, **more):
    return claim(what, "gpu", paper, each, ((run, ()),), **more)


SHARE = "share of the cores, % of the vertices"
FIGURES = [
    Figure("bk.drawings", "Figures 1 to 3, 7, Algorithms 1 to 4", nothing="nothing is measured"),
    Figure(
        "bk.figure4",
        "list ranking, independent sets over Wei and JaJa",
        (
            claim(
                "fis on both : Helman and JaJa with splitters ranked by the CPU",
                "gpu",
                0.5,
                lambda rows: ranks(rows, "hybrid_ranks", "hybrid.fis", "cuda.helman_jaja_cpu", {}, {}),
                HYBRID_RANKS,
            ),
            missing(
                "with bits by MD5, by Mersenne Twister on the GPU",
                "gpu",
                "a chart",
                "copse makes its bits by a counter; `copse_lab bits` has the generators on cores",
            ),
        ),
        chart=Chart("Figure 4: list ranking over the size of the list", "million elements", "milliseconds", by_size),
    ),
    Figure(
        "bk.figure5",
        "rounds r: best total at r = 4 log log n",
        (
            claim(
                "18 rounds : none",
                "gpu",
                "below",
                lambda rows: ranks(rows, "rank_rounds", "fis", "fis", {"rounds": "18"}, {"rounds": "0"}),
                (("rank_rounds", ("fis",)),),
            ),
        ),
        chart=Chart("Figure 5: list ranking over the rounds", "rounds", "milliseconds", over_rounds),
    ),
    Figure(
        "bk.tables1_2",
        "Tables I and II, phases over sizes, and the first rounds",
        (
            claim("phase I of all", "gpu", 70, phase_of_all("reduce"), HYBRID_RANKS, "arithmetic", "%"),
            claim("phase II of all", "gpu", 29, phase_of_all("rank"), HYBRID_RANKS, "arithmetic", "%"),
            claim("phase III of all", "gpu", (0.04, 4), phase_of_all("reinsert"), HYBRID_RANKS, "arithmetic", "%"),
            claim("making and sending bits : removal, rounds 2 to 9", "gpu", 0.86, bits_over_removal, HYBRID_RANKS),
        ),
        chart=Chart("Table I: phases over the size of the list", "million elements", "milliseconds", phases_by_size),
    ),
    Figure(
        "bk.figure6",
        "overlap in the first rounds",
        (missing("the GPU waits for bits, rounds 2 to 9", "gpu", "less than 5 %", "the waits of a round are not recorded"),),
        chart=Chart("Figure 6: the parts of a round", "round", "milliseconds, on the longest list", parts_by_round, HYBRID_RANKS),
    ),
    Figure(
        "bk.figure8",
        "components on both over the GPU alone",
        (
            of_hybrid("Algorithms 3 and 4 at their best share : GPU alone", 0.8, over_gpu(), text="25 % faster"),
            of_hybrid("the same, the graph on the GPU already", 0.8, over_gpu("gpu"), text="25 % faster"),
        ),
        chart=Chart(
            "Figure 8: cores and GPU together at the best share", "million vertices; m = 2 n", "milliseconds, from host memory", times_by_size
        ),
    ),
    Figure(
        "bk.figure9",
        "gain over the share of the cores",
        (
            of_hybrid("best share, 1.5 M vertices", 25, best_share_at(1_500_000), unit="%", mean="arithmetic"),
            of_hybrid("best share, 3 M vertices", 17, best_share_at(3_000_000), unit="%", mean="arithmetic"),
            of_hybrid("a share of 5 % : GPU alone", "above", low_share),
        ),
        chart=Chart("Figure 9: time over the share of the cores", SHARE, "milliseconds", times_by_share),
    ),
    Figure(
        "bk.table3",
        "both sides at the best share",
        (
            of_hybrid("wait of the shorter side, of the longer, at most", 3, wait, unit="%", mean="most"),
            missing("Algorithm 4", "gpu", "0.01 to 0.06 ms", "a time is of its machine, a C1060"),
        ),
        chart=Chart("Table III: what each side takes", SHARE, "milliseconds", idle_by_share),
    ),
    Figure(
        "bk.figure10",
        "best share over vertices",
        (of_hybrid("larger half : smaller half", "below", trend(RUN), text="falls"),),
        chart=Chart("Figure 10: best share over vertices", "million vertices; m = 2 n", SHARE, shares_over(RUN, "n")),
    ),
    Figure(
        "bk.figure11",
        "best share over edges, 2.5 M vertices",
        (of_hybrid("larger half : smaller half", "below", trend("hybrid_edges"), run="hybrid_edges", text="falls"),),
        chart=Chart("Figure 11: best share over edges", "million edges", SHARE, shares_over("hybrid_edges", "m")),
    ),
]
