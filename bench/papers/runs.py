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
BK_SIZES = {f"bk{k}": (lambda m, k=k: f"er:n={max(8, m * k // 18)},m={max(16, m * k // 9)}") for k in range(1, 10)}
GRAPHS |= BK_SIZES


@dataclass(frozen=True)
class Run:
    graphs: tuple
    program: str = "bench"  # a form of FORMS in measuring.py
    arguments: tuple = ()
    gpu_only: bool = False
    stored: tuple = ()  # (column of the page, backend, campaign, columns and keys that its rows have)


def stored(where, campaign, backend="omp", **wanted):
    return where, backend, campaign, wanted


TWO, SIXTEEN, H200 = "two cores", "16 cores", "H200"
LISTS = ("--input", "coo", "--order", "sorted")
SHUFFLED = ("--input", "coo", "--order", "random", "--in-place")


def here(name):
    """What bench/figures.py --store has left, from the development machine."""
    return stored(TWO, "figures", run=name, machine="two-core")


RUNS = {
    "rows": Run(("rmat", "er", "ba", "web", "osm", "mesh"), "bench", ("--within", "4", "--give-up", "30"), False,
                (here("rows"), stored(SIXTEEN, "cpu_variants", threads=("16", "1"), input="", run="", machine="xeon16"),
                 stored(H200, "gpu_variants", "cuda", input="", run="", machine="h200"))),
    "techniques": Run(("rmat22", "er", "mesh", "web"), "techniques", (), True,
                      (stored(H200, "gpu_techniques", "cuda", machine="h200"),)),
    "counts": Run(("rmat", "kron", "er", "ba", "web", "osm", "mesh"), "bench", ("--count",), False,
                  (here("counts"), stored(SIXTEEN, "papers", run="counts", input="", machine="xeon16"))),
    "list_counts": Run(("er", "er2", "scale_free", "torus", "twitter"), "bench", (*LISTS, "--count"), False,
                       (here("list_counts"), stored(SIXTEEN, "papers", run="counts", input="coo", machine="two-core"))),
    "ecl": Run(("grid", "er", "rmat22", "kron", "ba", "web", "osm", "mesh"), "bench", ("--give-up", "100"), False,
               (here("ecl"), stored(SIXTEEN, "papers", run="ecl", input="", machine="xeon16"),
                stored(H200, "gpu_variants", "cuda", input="", run="", machine="h200"))),
    "ecl_lists": Run(("grid", "er", "rmat22", "kron", "ba", "osm"), "bench", (*LISTS, "--give-up", "100"), False,
                     (here("ecl_lists"), stored(SIXTEEN, "papers", run="ecl", input="coo", machine="xeon16"))),
    "sorted": Run(("er", "er2", "scale_free", "torus", "twitter"), "bench", LISTS, False,
                  (here("sorted"), stored(SIXTEEN, "cpu_variants", threads="16", input="coo", run="", machine="xeon16"),
                   stored(H200, "papers", "cuda", run="order", input="coo", order="", in_place="", code="", machine="h200"))),
    "order": Run(("er", "er2", "scale_free", "torus", "twitter"), "bench", SHUFFLED, False,
                 (here("order"), stored(SIXTEEN, "papers", run="order", order="random", in_place="yes", threads="16", machine="xeon16"),
                  stored(H200, "papers", "cuda", run="order", order="random", in_place="yes", code="", machine="h200"))),
    "order_copies": Run(("er", "scale_free", "torus", "twitter"), "bench", SHUFFLED[:-1], False,
                        (here("order_copies"), stored(H200, "papers", "cuda", run="order", order="random", in_place="", code="",
                                                      machine="h200"))),
    "phases": Run(("rmat", "er", "ba", "web", "osm", "mesh"), "phases", (), False,
                  (here("phases"), stored(SIXTEEN, "papers", run="phases", machine="xeon16"))),
    "list_phases": Run(("er", "er2", "scale_free", "torus", "twitter"), "phases", (), False,
                       (here("list_phases"), stored(SIXTEEN, "papers", run="phases", machine="xeon16"))),
    "inserts": Run(("rmat", "osm"), "incremental", (), False,
                   (here("inserts"), stored(SIXTEEN, "incremental", threads="16", machine="xeon16"))),
    "gpu_inserts": Run(("rmat22", "er", "osm", "ba"), "incremental_gpu", (), True,
                       (stored(H200, "incremental", "cuda", run="", machine="h200"),)),
    "first_touch": Run(("rmat", "er"), "first_touch", (), False, (here("first_touch"),)),
    "forest": Run(("rmat", "er", "ba", "web", "osm", "mesh"), "forest", (), False,
                  (here("forest"), stored(SIXTEEN, "forests", run="3", machine="xeon16"), stored(H200, "forests", "cuda", run="", machine="h200"))),
    "bits": Run((), "random_bits", (), False, (here("bits"),)),
    "giant": Run(("er1",), "giant", (), False, (here("giant"),)),
    "ranks": Run((), "list_ranking", (), False,
                 (here("ranks"), stored(SIXTEEN, "list_ranking", run="sizes", machine="xeon16"),
                  stored(H200, "list_ranking", "cuda", run=("sizes", "fis_sizes"), machine="h200"))),
    "rank_rounds": Run((), "list_rounds", (), False,
                       (here("rank_rounds"), stored(SIXTEEN, "list_ranking", run="rounds", machine="xeon16"),
                        stored(H200, "list_ranking", "cuda", run="rounds", machine="h200"))),
    "hybrid": Run(tuple(BK_SIZES), "hybrid", (), True,
                  (stored(H200, "hybrid", "", run="sizes", machine="h200"),)),
    "anchors": Run(("rmat22", "er", "mesh", "web", "osm", "ba"), "hybrid", ("--shares", "0,100"), True,
                   (stored(H200, "hybrid", "", run="anchors", machine="h200"),)),
}
