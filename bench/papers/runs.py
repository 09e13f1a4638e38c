"""What is measured for the figures: graphs by about how many edges they are to have, the programs, and where stored results of each run are."""

import math
from dataclasses import dataclass


def bits(vertices):
    return max(4, math.ceil(math.log2(max(1, vertices))))


def side(vertices):
    return max(8, math.ceil(math.sqrt(vertices)))


GRAPHS = {
    "rmat": lambda m: f"rmat:scale={bits(m / 16)},edges=16,a=.57,b=.19,c=.19,shuffle=1",
    "kron": lambda m: f"rmat:scale={bits(m / 48)},edges=48,a=.57,b=.19,c=.19,shuffle=1",
    "rmat22": lambda m: f"rmat:scale={bits(m / 8)},edges=8,a=.45,b=.15,c=.15",
    "scale_free": lambda m: f"rmat:scale={bits(m / 10)},edges=10,a=.45,b=.15,c=.15,shuffle=1",
    "twitter": lambda m: f"rmat:scale={bits(m / 6)},edges=6,a=.57,b=.19,c=.19,shuffle=1",
    "er": lambda m: f"er:n={math.ceil(m / 4)},m={m}",
    "er2": lambda m: f"er:n={math.ceil(m / 2)},m={m}",
    "er1": lambda m: f"er:n={m},m={m}",
    "ba": lambda m: f"ba:n={math.ceil(m / 10)},k=10",
    "web": lambda m: f"web:n={math.ceil(m / 14)},degree=32",
    "osm": lambda m: f"osm:side={side(m / 3.55)},keep=.6",
    "mesh": lambda m: f"mesh:side={side(m / 2.95)}",
    "grid": lambda m: f"grid2d:side={side(m / 1.98)}",
    "torus": lambda m: f"torus2d:side={side(m / 2)}",
}
# Banerjee and Kothapalli's: m is that of the largest graph of Figures 8 to 10, 9 M edges in the paper, where Figure 11 has 2.5 M vertices.
BK_SIZES = {f"bk{k}": (lambda m, k=k: f"er:n={max(8, m * k // 18)},m={max(16, m * k // 9)}") for k in range(1, 10)}
BK_EDGES = {f"bk_edges{k}": (lambda m, k=k: f"er:n={max(8, m * 10 // 36)},m={max(16, m * k // 9)}") for k in range(3, 9)}
GRAPHS |= BK_SIZES | BK_EDGES


@dataclass(frozen=True)
class Run:
    program: str  # a form of FORMS in measuring.py
    graphs: tuple = ()
    arguments: tuple = ()
    stored: tuple = ()  # where there are samples of it from before bench/figures.py, whose own take their place (kept, below)
    device: str = ""  # cpu or cuda, where it runs there only


TWO, SIXTEEN, H200 = "two cores", "16 cores", "H200"
BACKENDS = {TWO: "threads", SIXTEEN: "threads", H200: "cuda"}  # columns of the page
MACHINES = {TWO: "two-core", SIXTEEN: "xeon16", H200: "h200"}


def stored(column, campaign, **wanted):
    """Rows of a campaign: with these columns, and keys of the setting."""
    return column, campaign, wanted


def on_16(campaign, **wanted):
    return stored(SIXTEEN, campaign, machine="xeon16", **wanted)


def on_gpu(campaign, **wanted):
    return stored(H200, campaign, machine="h200", **wanted)


LISTS = ("--input", "coo", "--order", "sorted")
RANDOM = ("--input", "coo", "--order", "random")
UNMOVED = ("cuda.none.cc", "cuda.none.sv", "cuda.none.rem_verify")  # they rewrite no list, in place or not
REM = ("threads.none.rem_verify", "threads.none.rem_verify.prefetch_switched")
SOMAN = ("--variants", "hybrid.dfs.none.soman")
CURVE = ("--shares", "0,5,10,15,20,25,30,40,50,100")
BY_MIN_LABEL = (*SOMAN, "--cross", "min_label", *CURVE)
IN_ORDER = dict(run="order", input="coo", code="")

MIXED = ("rmat", "er", "ba", "web", "osm")
STAGES = ("er", "er2", "scale_free", "torus", "twitter")

RUNS = {
    "rows": Run("tournament", MIXED, ("--give-up", "30"),
                (on_16("cpu_variants", threads=("16", "1")), on_gpu("gpu_variants"))),
    "techniques": Run("techniques", ("rmat22", "er", "mesh", "web"), (), (on_gpu("gpu_techniques"),), "cuda"),
    "counts": Run("bench", (*MIXED, "kron", "mesh"), ("--count",), (on_16("papers", run="counts"),)),
    "list_counts": Run("bench", STAGES, (*LISTS, "--count")),
    "ecl": Run("bench", ("grid", "er", "rmat22", "kron", "ba", "web", "osm", "mesh"), ("--give-up", "100"),
               (on_16("papers", run="ecl"), on_gpu("gpu_variants"))),
    "ecl_lists": Run("bench", ("grid", "er", "rmat22", "kron", "ba", "osm"), (*LISTS, "--give-up", "100"),
                     (on_16("papers", run="ecl", input="coo"),
                      on_gpu("gpu_techniques", technique="pairs", used="without"))),
    "sorted": Run("bench", STAGES, LISTS,
                  (on_16("cpu_variants", threads="16", input="coo"), on_gpu("papers", **IN_ORDER, order="", in_place=""))),
    "order": Run("bench", STAGES, (*RANDOM, "--in-place"),
                 (on_16("papers", **IN_ORDER, order="random", in_place="yes", threads="16"),
                  on_gpu("papers", **IN_ORDER, order="random", in_place="yes"),
                  on_gpu("papers", **IN_ORDER, order="random", in_place="", variant=UNMOVED))),
    "cores_and_gpu": Run("bench", STAGES, (*RANDOM, "--in-place"),
                         (stored(H200, "papers", **IN_ORDER, order="random", in_place="yes", machine="xeon16", threads="16"),
                          on_gpu("papers", **IN_ORDER, order="random", in_place="yes"),
                          on_gpu("papers", **IN_ORDER, order="random", in_place="", variant=UNMOVED)), "cuda"),
    "as_printed": Run("as_printed", STAGES, (), (), "cpu"),
    "order_copies": Run("bench", STAGES, RANDOM,
                        (on_16("papers", **IN_ORDER, order="random", threads="16", variant=REM),
                         on_gpu("papers", **IN_ORDER, order="random", in_place=""))),
    "phases": Run("phases", (*MIXED, "mesh"), (), (on_16("papers", run="phases"),)),
    "list_phases": Run("phases", STAGES, (), (on_16("papers", run="phases"),)),
    "inserts": Run("incremental", ("osm",), (), (on_16("incremental", threads="16"),), "cpu"),
    "insert_counts": Run("incremental_counts", ("rmat", "er"), (), (), "cpu"),
    "gpu_inserts": Run("incremental_gpu", ("rmat22", "er", "osm", "ba"), (), (on_gpu("incremental"),), "cuda"),
    "gpu_rules": Run("incremental_rules_gpu", ("rmat22", "er"), (), (on_gpu("incremental", source="rules"),), "cuda"),
    "first_touch": Run("first_touch", ("rmat", "er"), (), (), "cpu"),
    "forest": Run("forest", (*MIXED, "mesh"), (), (on_16("forests", run="3"), on_gpu("forests"))),
    "giant": Run("giant", ("er1",)),
    "ranks": Run("list_ranking", (), (),
                 (on_16("list_ranking", run="sizes"), on_gpu("list_ranking", run=("sizes", "fis_sizes")))),
    "hybrid_ranks": Run("list_ranking", (), (), (on_gpu("list_ranking", run=("sizes", "fis_sizes")),), "cuda"),
    "rank_rounds": Run("list_rounds", (), (),
                       (on_16("list_ranking", run="rounds"), on_gpu("list_ranking", run="rounds"))),
    "bits": Run("random_bits", (), (), (), "cpu"),
    "hybrid": Run("hybrid", tuple(BK_SIZES), SOMAN, (on_gpu("hybrid", run="soman_sizes"),), "cuda"),
    "hybrid_edges": Run("hybrid", tuple(BK_EDGES), (*BY_MIN_LABEL, "--forms", "host"), (on_gpu("hybrid", run="soman_edges"),), "cuda"),
    "hybrid_min_label": Run("hybrid", tuple(BK_SIZES), BY_MIN_LABEL, (on_gpu("hybrid", run="soman_min_label"),), "cuda"),
    "hybrid_unite": Run("hybrid", tuple(BK_SIZES), (*SOMAN, "--cross", "unite", *CURVE, "--forms", "host"), (), "cuda"),
    "anchors": Run("hybrid", ("rmat22", "er", "mesh", "web", "osm", "ba"), ("--shares", "0,100"), (on_gpu("hybrid", run="anchors"),), "cuda"),
}


def kept(summaries, name, column):
    """Summary rows of a run: what bench/figures.py gave on that machine, or else what older campaigns did."""
    own = summaries.figures.all(run=name, input=("", "coo"), machine=MACHINES[column])
    return own or [row for of, campaign, wanted in RUNS[name].stored if of == column for row in getattr(summaries, campaign).all(**wanted)]
