"""Banerjee, Kothapalli, HiPC 2011, section IV: components on cores and a GPU together, over the share of the vertices that the cores have.

Theirs: depth-first searches on the cores, Soman's on the GPU, and for the edges between Algorithm 4, here hybrid.dfs.none.soman with
--cross min_label. It alone is judged. With --cross unite the same super-edges are united by union-find, and with --cross keep the edges
between stay in the GPU's rows; both are ours, and told beside it. Its graphs have 0.5 to 4.5 M vertices; larger ones have lines of their own.
"""

import re

from .claims import Claim, Figure, present, quotient
from .plot import Chart

JOINING = "splitting the rows and joining the sides takes about as long as a share saves"
ROUNDS = ("a round of Algorithm 4 is a launch and a look of the host whether a label changed, and before it all cross arcs go through a table; the "
          "rest of a solve is 1.5 to 4 times as fast as theirs")
RESIDENT = "the cores alone take 5 to 23 times as long as the GPU alone there, and the copy of their labels and the joining come on top"
FEWER_COPIES = "the cores copy the GPU's rows before they search, and fewer of them where they have a share"
FLAT = "the curve is flat about its best: where neither side waits the time is at most 9 % more"
WITHIN_SAMPLES = "from 5 to 20 % the medians differ by less than the samples of one share do"
SAME_RATE = "from 5 M vertices on the cores alone take 11 to 14 times as long as the GPU alone, whatever the size; below that 3 to 9 times"
LATER = "this way is timed at other sizes"
PAIR = "hybrid.dfs.none.soman"
RULES = {"hybrid_min_label": "Algorithm 4", "hybrid_unite": "union-find", "hybrid": "edges kept"}
MOST_VERTICES = 4_500_000
PAPERS, LARGER = "the paper's sizes", "larger graphs"
LOW_SHARE = "5"


def count(rows, graph, letter):
    """Vertices (n) or edges (m): of a generated graph as its spec says, of a file as it was measured."""
    if found := re.search(rf"\b{letter}=(\d+)", graph):
        return int(found[1])
    size = rows.size(graph)
    return size["vertices"] if letter == "n" else size["arcs"] // 2


def graphs(rows, run, sizes):
    found = [g for g in rows.graphs(run) if (count(rows, g, "n") <= MOST_VERTICES) == (sizes == PAPERS)]
    return sorted(found, key=lambda g: (count(rows, g, "n"), count(rows, g, "m")))


def point(rows, run, g, name, measure="solve", form="host", **more):
    return rows.best(run, g, (PAIR,), measure, form=form, point=name, **more)


def over_gpu(run, sizes, form="host", name="best"):
    """Time of a share over that of the GPU alone."""
    return lambda rows: present({g: quotient(point(rows, run, g, name, form=form), point(rows, run, g, "gpu", form=form))
                                 for g in graphs(rows, run, sizes)})


def share_of(rows, run, g, name):
    found = [r for r in rows.known.get((run, g, "solve"), []) if r["variant"] == PAIR and r["keys"].get("form") == "host"
             and r["keys"].get("point") == name]
    return float(found[0]["keys"]["share"]) if found else None


def best_shares(rows, run, sizes, name="best"):
    """Per cent of the vertices that the cores have where the time is least."""
    return present({g: share_of(rows, run, g, name) for g in graphs(rows, run, sizes)})


def best_share_at(vertices):
    return lambda rows: {g: s for g, s in best_shares(rows, "hybrid_min_label", PAPERS).items() if count(rows, g, "n") == vertices}


def trend(run, sizes, name):
    """Share of the larger half of the graphs over that of the smaller half."""
    def each(rows):
        found = list(best_shares(rows, run, sizes, name).values())
        half = len(found) // 2
        return {"halves": sum(found[-half:]) / sum(found[:half])} if half else {}

    return each


def waits(name):
    """The longer of the two waits, per cent of the time that both sides have in common."""
    def each(rows):
        of = lambda g, side: point(rows, "hybrid_min_label", g, name, side)
        return {g: max(of(g, "cpu_idle"), of(g, "gpu_idle")) for g in graphs(rows, "hybrid_min_label", PAPERS) if of(g, "cpu_idle") is not None}

    return each


def cross(rows):
    """What comes after both sides, of the solve, per cent."""
    of = lambda g, what: point(rows, "hybrid_min_label", g, "best", what)
    return {g: 100 * of(g, "cross") / of(g, "solve") for g in graphs(rows, "hybrid_min_label", PAPERS) if of(g, "cross")}


def curve(rows, run, g, measure="solve", form="host"):
    """Pairs of a share and what was measured there, in order."""
    found = [(float(r["keys"]["share"]), float(r["median"])) for r in rows.known.get((run, g, measure), [])
             if r["variant"] == PAIR and r["keys"].get("form") == form and r["keys"].get("point") == "curve"]
    return sorted(found)


def gains(rows, run, g):
    """Per cent ahead of the GPU alone, by share."""
    gpu = point(rows, run, g, "gpu")
    return [(share, 100 * (gpu / ms - 1)) for share, ms in curve(rows, run, g)]


def two_of(rows, sizes):
    """Figure 9's: a third and two thirds of the way to the largest."""
    found = graphs(rows, "hybrid_min_label", sizes)
    return [found[k * len(found) // 3 - 1] for k in (1, 2)] if len(found) > 2 else found


def low_share(rows):
    """The time where the cores have little over that of the GPU alone, of Figure 9's graphs."""
    run = "hybrid_min_label"
    return present({g: quotient(point(rows, run, g, "curve", share=LOW_SHARE), point(rows, run, g, "gpu"))
                    for g in two_of(rows, PAPERS)})


def millions(rows, g, letter):
    return count(rows, g, letter) / 1e6


def sizes_of(rows, run="hybrid_min_label"):
    """The paper's, unless larger graphs alone were measured."""
    return PAPERS if graphs(rows, run, PAPERS) else LARGER


def figure8(rows):
    sizes = sizes_of(rows)
    curves = {"GPU alone": [(millions(rows, g, "n"), point(rows, "hybrid_min_label", g, "gpu")) for g in graphs(rows, "hybrid_min_label", sizes)]}
    for run, name in RULES.items():
        curves[f"both, {name}"] = [(millions(rows, g, "n"), point(rows, run, g, "best")) for g in graphs(rows, run, sizes)]
    return Chart("Figure 8: cores and GPU together at the best share", "million vertices; m = 2 n", "milliseconds, from host memory",
                 {name: of for name, of in curves.items() if of})


def figure9(rows):
    sizes = sizes_of(rows)
    curves = {f"{millions(rows, g, 'n'):.3g} M vertices": gains(rows, "hybrid_min_label", g) for g in two_of(rows, sizes)}
    return Chart("Figure 9: gain over the share of the cores, Algorithms 3 and 4", "share of the cores, % of the vertices",
                 "ahead of the GPU alone, %", curves, ((25, 0), (17, 0)) if sizes == PAPERS else ())


def table3(rows):
    curves = {f"{side}, {millions(rows, g, 'n'):.3g} M": curve(rows, "hybrid_min_label", g, what) for g in two_of(rows, sizes_of(rows))
              for what, side in (("cpu_idle", "cores"), ("gpu_idle", "GPU"))}
    return Chart("Table III: who waits, Algorithms 3 and 4", "share of the cores, % of the vertices", "idle, % of the time of both sides",
                 curves, most=100)


def best_chart(title, run, letter, x):
    def chart(rows):
        at = lambda name: [(millions(rows, g, letter), s) for g, s in best_shares(rows, run, sizes_of(rows, run), name).items()]
        return Chart(title, x, "share of the cores, % of the vertices", {"fastest": at("best"), "neither waits": at("even")})

    return chart


figure10 = best_chart("Figure 10: best share over vertices, Algorithms 3 and 4", "hybrid_min_label", "n", "million vertices; m = 2 n")
figure11 = best_chart("Figure 11: best share over edges, Algorithms 3 and 4", "hybrid_edges", "m", "million edges")


def judged(what, paper, text, each, unit="x", mean="geometric", reason="", run="hybrid_min_label", ceiling=False):
    return Claim(what, text, each, paper, ((run, ()),), reason, mean, unit, ceiling=ceiling)


def ours(what, each, run, unit="x", mean="geometric", reason=""):
    return Claim(f"ours: {what}", "not printed", each, needs=((run, ()),), unit=unit, mean=mean, reason=reason)


def both_sizes(make):
    return tuple(make(sizes) for sizes in (PAPERS, LARGER))


def trends(run, larger):
    """Of the fastest share, and of the one where neither side waits, which is what the paper takes for the best (Table III)."""
    return tuple(judged(f"{what}, larger half : smaller half, {sizes}", .7, "falls", trend(run, sizes, name), run=run,
                        reason=larger if sizes == LARGER else FLAT)
                 for sizes in (PAPERS, LARGER) for what, name in (("fastest", "best"), ("neither waits", "even")))


FIGURES = [
    Figure("bk.figure8", "components on both over the GPU alone", (
        *both_sizes(lambda sizes: judged(f"Algorithms 3 and 4 at their best share : GPU alone, {sizes}", .8, "25 % faster",
                                         over_gpu("hybrid_min_label", sizes), reason=JOINING)),
        judged("the same, graph on the GPU already", .8, "25 % faster", over_gpu("hybrid_min_label", PAPERS, "gpu"), reason=RESIDENT),
        ours(f"super-edges by union-find, {PAPERS}", over_gpu("hybrid_unite", PAPERS), "hybrid_unite", reason=LATER),
        *both_sizes(lambda sizes: ours(f"cross edges kept, {sizes}", over_gpu("hybrid", sizes), "hybrid", reason=LATER))),
           note="0.5 to 4.5 M vertices there (`--edges 9000000`). Soman's takes a list here, which is made of the GPU's rows within the time. "
                "Curves, and the fast path on both: [hybrid](../measurements/hybrid.md)", chart=figure8),
    Figure("bk.figure9", "gain over the share of the cores", (
        judged("best share, 1.5 M vertices", 25, "25 %", best_share_at(1_500_000), "%", "arithmetic"),
        judged("best share, 3 M vertices", 17, "17 %", best_share_at(3_000_000), "%", "arithmetic", WITHIN_SAMPLES),
        judged("a share of 5 % : GPU alone", 1.2, "above 1", low_share, reason=FEWER_COPIES)), chart=figure9),
    Figure("bk.table3", "both sides at the best share", (
        judged("wait of one side at the best share", 3, "within 3 %", waits("best"), "%", "median", FLAT, ceiling=True),
        judged("the same at the most even share", 3, "within 3 %", waits("even"), "%", "median", ceiling=True),
        judged("Algorithm 4, of the solve", .24, "0.01 to 0.06 ms", cross, "%", "median", ROUNDS)), chart=table3),
    Figure("bk.figure10", "best share over vertices", trends("hybrid_min_label", larger=SAME_RATE), chart=figure10),
    Figure("bk.figure11", "best share over edges, 2.5 M vertices", trends("hybrid_edges", larger=FLAT), chart=figure11),
]
