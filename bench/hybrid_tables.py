#!/usr/bin/env python3
"""The tables of docs/hybrid.md, and what the bars ask, from files of copse_bench_hybrid: bench/hybrid_tables.py FOLDER.

FOLDER holds random.json, edges.json, random_resident.json and large.json. Times are milliseconds, medians of the finals' samples.
"""
import json
import re
import statistics
import sys
from pathlib import Path


def middle(result, what="seconds"):
    return 1e3 * statistics.median(result[what])


def idle(result):
    """Percent of the common time in which the cores and the GPU wait: median over the samples."""
    sides = []
    for cpu, gpu in zip(result["cpu_seconds"], result["gpu_seconds"]):
        both = max(cpu, gpu)
        sides.append((100 * (1 - cpu / both), 100 * (1 - gpu / both)))
    return tuple(statistics.median(side) for side in zip(*sides))


def figure(value):
    return f"{value:.3g}"


def percent(value):
    return f"{value:+.0f} %"


class Case:
    def __init__(self, graph, form):
        judged = form["judged"]
        self.graph, self.form, self.variant = graph["graph"], form["form"], form["variant"]
        self.alone = {side: middle(judged[side]) for side in ("gpu", "cpu")}
        self.best, self.auto = judged["best"], judged["auto"]
        self.crosses = [middle(judged[k], "cross_seconds") for k in ("best", "best_by_unite", "best_by_min_label")]
        self.even = min(judged["finals"], key=lambda r: max(idle(r)))
        self.capped = form["capped"]

    def size(self):
        found = dict(re.findall(r"([nm])=(\d+)", self.graph))
        return {k: int(v) / 1e6 for k, v in found.items()}

    def ahead_of(self, side):
        return 100 * (self.alone[side] / middle(self.best) - 1)

    def auto_over_better(self):
        return middle(self.auto) / min(self.alone.values())


def cases_of(path):
    return [Case(graph, form) for graph in json.loads(path.read_text())["graphs"] for form in graph["forms"]]


def row(*cells):
    print("| " + " | ".join(cells) + " |")


def head(*names):
    row(*names)
    print("|" + "---|" * len(names))


def waits(result):
    return "{:.0f}, {:.0f} %".format(*(abs(side) for side in idle(result)))


def full_table(cases, first, name):
    head(first, "GPU alone", "CPU alone", "best share", "its ms", "ahead of GPU", "ahead of CPU", "idle CPU, GPU",
         "cross: keep, unite, min_label", "most even share: idle", "its ms")
    for case in cases:
        row(name(case), figure(case.alone["gpu"]), figure(case.alone["cpu"]), f"{case.best['share']:.2g} %", figure(middle(case.best)),
            percent(case.ahead_of("gpu")), percent(case.ahead_of("cpu")), waits(case.best),
            ", ".join(f"{t:.2f}" for t in case.crosses), f"{case.even['share']:.2g} %: {waits(case.even)}", figure(middle(case.even)))
    print()


def capped_table(cases):
    percents = [f"{c['percent']:.0f} %" for c in cases[0].capped]
    head("graph", "GPU alone", "CPU alone", "best share", "its ms", "auto", *percents)
    for case in cases:
        caps = [f"{figure(middle(c['solved']))} ({c['solved']['share']:.0f} %, {c['solved']['cross']})" for c in case.capped]
        row(case.graph, figure(case.alone["gpu"]), figure(case.alone["cpu"]), f"{case.best['share']:.2g} %", figure(middle(case.best)),
            f"{figure(middle(case.auto))} ({case.auto['share']:.0f} %)", *caps)
    print()


def tell_bars(name, cases):
    best = [max(idle(c.best)) for c in cases]
    even = [max(idle(c.even)) for c in cases]
    autos = [c.auto_over_better() for c in cases]
    gains = [c.ahead_of("gpu") for c in cases]
    even_costs = [100 * (middle(c.even) / middle(c.best) - 1) for c in cases]
    print(f"{name}: idle at most 10 % at the best share {sum(i <= 10 for i in best)} of {len(best)} (others "
          f"{', '.join(f'{i:.0f}' for i in sorted(best) if i > 10)}), at the most even {sum(i <= 10 for i in even)}, which takes up to "
          f"{max(even_costs):.0f} % longer; auto within 1.1 {sum(a <= 1.1 for a in autos)} (at most {max(autos):.2f}); the best is "
          f"{min(gains):+.0f} to {max(gains):+.0f} % ahead of the GPU, in the middle {statistics.median(gains):+.0f}")
    perfect = [100 * c.alone["gpu"] / (c.alone["gpu"] + c.alone["cpu"]) for c in cases]
    print(f"  the share at which both would end together at their speeds alone: {min(perfect):.1f} to {max(perfect):.1f} %")


def main():
    folder = Path(sys.argv[1])
    vertices = lambda case: f"{case.size()['n']:.1f} M"
    edges = lambda case: f"{case.size()['m']:.0f} M"
    for file, first, name in (("random", "vertices", vertices), ("edges", "edges", edges), ("random_resident", "vertices", vertices)):
        cases = cases_of(folder / f"{file}.json")
        for variant in dict.fromkeys(c.variant for c in cases):
            print(f"{file}, {variant}\n")
            full_table([c for c in cases if c.variant == variant], first, name)
        tell_bars(file, cases)
        print()
    large = cases_of(folder / "large.json")
    capped_table(large)
    tell_bars("large", large)


if __name__ == "__main__":
    main()
