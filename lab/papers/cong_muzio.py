"""Cong, Muzio, Euro-Par 2014: lists of edges in random order. CC, CC-updt and Stages are measured as they print them, as variants of `copse_printed`."""

from .claims import Chart, Figure, claim, missing, over, phase_share, present, time_ratio
from ..values import Value, constant, median

ANY = ("serial.*", "threads.*")
RANDOM, SCALE_FREE, TWITTER = ("er",), ("rmat",), "a=.57"
BOTH = RANDOM + SCALE_FREE
CC, UPDT, STAGES, REM = "none.cc_printed", "none.cc_updt_printed", "stages.cc_printed", "none.rem_verify"
SWITCHED = ("none.rem_verify.prefetch_switched", "none.rem_verify")  # with prefetches on a GPU, without them on a CPU: the usual is the other


def scale_free(rows, run):
    """The paper's scale-free graphs; what stands for its Twitter sample is in Figure 7 alone."""
    return [g for g in rows.graphs(run, SCALE_FREE) if TWITTER not in g]


def printed(what, a, b, paper, graphs):
    """Claims about the algorithms as the paper prints them, on cores."""
    chosen = scale_free if graphs == SCALE_FREE else lambda rows, run: rows.graphs(run, graphs)
    each = lambda rows: present({g: over(rows.best("as_printed", g, (a,)), rows.best("as_printed", g, (b,))) for g in chosen(rows, "as_printed")})
    return claim(what, "cpu", paper, each, (("as_printed", (a, b)),))


def on_gpu(what, a, b, paper, graphs, text="", a_run="printed_variants"):
    """Claims about the algorithms as printed, on a GPU unless the name says otherwise; `a_run` measures a."""

    def each(rows):
        random, few = rows.graphs("printed_variants", RANDOM), scale_free(rows, "printed_variants")
        chosen = {RANDOM: random, SCALE_FREE: few, TWITTER: [g for g in rows.graphs("printed_variants") if TWITTER in g], BOTH: random + few}[graphs]
        return present({g: over(rows.best(a_run, g, (a,)), rows.best("printed_variants", g, (b,))) for g in chosen})

    return claim(what, "gpu", paper, each, ((a_run, (a,)), ("printed_variants", (b,))), text=text)


def edges(rows, graph, variant):
    """How many edges the algorithm as printed inspects in all rounds."""
    parts = [rows.best("printed_counts", graph, (variant,), m) for m in ("sampled_arcs", "finish_arcs")]
    return None if None in parts else Value.of("sum", *parts)


def giant(rows):
    found = {g: over(rows.best("giant", g, ANY, "giant_vertices"), rows.best("giant", g, ANY, "vertices")) for g in rows.graphs("giant")}
    return {g: share * constant(100) for g, share in found.items() if share is not None}


def over_threads(title, names, graphs):
    """Time of algorithms as printed, over the number of threads."""

    def curves(rows):
        found = {}
        for g in rows.graphs("printed_threads", graphs):
            for s in rows.all("printed_threads", g, names):
                found.setdefault(f"{s.variant.split('.', 1)[1]}, {g.split(':')[0]}", []).append((s.threads, median(s)))
        return found

    return Chart(f"{title} over threads, as printed", "threads", "milliseconds", curves, (("printed_threads", names),), "cpu")


FIGURES = [
    Figure(
        "cm.algorithm1",
        "CC: graft and shortcut; what a GPU spends where",
        (phase_share("graft of the rounds", "gpu", "none.cc", ("graft",), ("graft", "shortcut"), (90, 95), "90 to 95 %", run="list_phases"),),
    ),
    Figure("cm.algorithms2_3", "Algorithms 2 and 3", nothing="nothing is measured"),
    Figure(
        "cm.figure1",
        "CC on an S2050 against a Power7, over threads and multiprocessors",
        (
            on_gpu("CC on cores : CC on the GPU", f"threads.{CC}", CC, (2.5, 4), RANDOM, a_run="printed_cores"),
            missing("CC over the number of multiprocessors", "gpu", "a chart", "a GPU has no such option"),
            missing("CC over the number of threads", "cpu", "a chart", "a time is of its machine; `cm.figure2` draws ours"),
        ),
        chart=over_threads("Figure 1: CC", (CC,), RANDOM),
    ),
    Figure(
        "cm.figure2",
        "CC with update over CC, labels in every edge",
        (
            printed("CC : CC-updt, random", CC, UPDT, (1.66, 3.0), RANDOM),
            on_gpu("CC : CC-updt, scale-free", CC, UPDT, (1.75, 1.83), SCALE_FREE),
        ),
        chart=over_threads("Figure 2: CC and CC-updt", (CC, UPDT), BOTH),
    ),
    Figure(
        "cm.theorem1",
        "sorting for coalescing pays only for a width above 73",
        (time_ratio("CC-sort : CC", "gpu", "none.cc_sort", "none.cc", "above", run="sorted"),),
    ),
    Figure(
        "cm.theorem2",
        "update saves random accesses in every round",
        (missing("random accesses, CC-updt : CC", "gpu", "below 1", "the theorem counts what a warp does not coalesce, which copse does not"),),
    ),
    Figure(
        "cm.theorem3",
        "the giant of a random graph with m = n, vertices",
        (claim("giant, % of the vertices", "cpu", 79.7, giant, (("giant", ()),), "arithmetic", "%", "79.7 %"),),
    ),
    Figure(
        "cm.lemma1",
        "Stages inspects fewer edges",
        (
            claim(
                "edges inspected, Stages : CC",
                "cpu",
                "below",
                lambda rows: present({g: over(edges(rows, g, STAGES), edges(rows, g, CC)) for g in rows.graphs("printed_counts")}),
                (("printed_counts", (CC, STAGES)),),
            ),
        ),
    ),
    Figure(
        "cm.figure3",
        "Stages over CC",
        (
            printed("CC : Stages, scale-free", CC, STAGES, (2.4, 4.5), SCALE_FREE),
            printed("CC : Stages, random", CC, STAGES, (2.4, 4.5), RANDOM),
            on_gpu("CC : Stages", CC, STAGES, (1.7, 2.3), BOTH),
            missing("CC : Schd", "gpu", "a chart", "the paper cites Schd without pseudo-code"),
        ),
    ),
    Figure("cm.figure4", "Stages over SV", (on_gpu("SV : Stages with SV", "none.sv", "stages.sv", (1.07, 2.6), BOTH),)),
    Figure(
        "cm.figure5",
        "ranking on a random graph: Stages, CC-updt, CC; Rem like CC-updt",
        (
            on_gpu("CC-updt : Stages", UPDT, STAGES, "above", RANDOM),
            on_gpu("CC : CC-updt", CC, UPDT, "above", RANDOM),
            on_gpu("CC : Rem", CC, REM, "above", RANDOM),
        ),
        chart=over_threads("Figure 5: a random graph", (CC, UPDT, STAGES), RANDOM),
    ),
    Figure(
        "cm.figure6",
        "ranking on a scale-free graph: Stages first, Rem behind CC-updt",
        (on_gpu("CC-updt : Stages", UPDT, STAGES, "above", SCALE_FREE), on_gpu("Rem : CC-updt", REM, UPDT, "above", SCALE_FREE)),
        chart=over_threads("Figure 6: a scale-free graph", (CC, UPDT, STAGES), SCALE_FREE),
    ),
    Figure("cm.figure7", "Stages on the GPU against Rem on the CPU", (on_gpu("Rem on cores : Stages on the GPU", f"threads.{REM}", STAGES, "above", TWITTER, a_run="printed_twitter"),)),
    Figure(
        "cm.section3",
        "software prefetching in Rem",
        (
            time_ratio("without : with", "gpu", *reversed(SWITCHED), "below", run="prefetches"),
            time_ratio("without : with", "cpu", *SWITCHED, "above", run="order_copies"),
        ),
    ),
]
