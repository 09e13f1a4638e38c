#!/usr/bin/env python3
"""gpu_bars.py FILE.json...: what `copse bench --json` and `copse_bench_fast_gpu` wrote on a GPU, against what others take there.

cuda.auto against the fastest of GConn's 62 variants on each graph (milliseconds on one H200, measured once) and in geometric mean, against
the floor with gathers, and against the plain rows of the same file; prepared solves of rmat16 against 30 us. Exit status 1: a bar is missed.
"""
import json
import math
import statistics
import sys

GCONN = {"rmat22": 0.346, "kron21": 0.233, "er23": 0.523, "mesh24": 0.749, "osm44M": 3.27, "web18M": 0.688, "bits16M": 1.359,
         "ba24": 0.557, "rmat25": 2.515}
UNSAMPLED = {"osm44M", "bits16M"}


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def short(name):
    return name.rsplit("/", 1)[-1].removesuffix(".egr")


def main(paths):
    told = missed = 0

    def tell(what, found, bar, smaller=True):
        nonlocal told, missed
        told += 1
        met = found <= bar if smaller else found >= bar
        missed += not met
        print(f"{what:64} {found:8.3f}  bar {bar:7.3f}  {'met' if met else 'MISSED'}")

    for path in paths:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        gains, floors = [], []
        for graph in result["graphs"]:
            name = short(graph["graph"])
            if result["benchmark"] == "fast_gpu":
                if name == "rmat16":
                    tell("rmat16, prepared, us", 1e6 * statistics.median(graph["rows"][0]["again"]), 30)
                continue
            seconds = {row["variant"]: row["seconds"]["median"] for row in graph["rows"] if "seconds" in row}
            auto = seconds.get("cuda.auto")
            if auto is None:
                continue
            if name in GCONN:
                tell(f"{name}: auto against GConn's best, ms", 1e3 * auto, GCONN[name])
                gains.append(GCONN[name] / (1e3 * auto))
                if name not in UNSAMPLED:
                    floors.append(auto / graph["memory_floor"]["seconds_with_gathers"])
            plain = {row: time for row, time in seconds.items() if row != "cuda.auto" and not row.endswith(".own")}
            if plain:
                best = min(plain, key=plain.get)
                tell(f"{name}: auto against {best.removeprefix('cuda.')}, ms", 1e3 * auto, 1e3 * plain[best])
        if gains:
            tell(f"GConn's best / auto, geometric mean of {len(gains)}", mean(gains), 2, smaller=False)
        if floors:
            tell(f"auto / floor with gathers, geometric mean of {len(floors)}", mean(floors), 2.5)
    if not told:
        print("no row here has a bar")
    return 1 if missed or not told else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
