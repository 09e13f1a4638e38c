#!/usr/bin/env python3
"""Measures a figure, table or claim of one of the four papers and prints the paper's number beside ours.

  bench/figures.py gconn.figure3                 at 10^7 edges on all cores (10^8 with --device cuda)
  bench/figures.py 'cm.*' --edges 2000000        smaller graphs; --quick: 10^5 edges, one trial
  bench/figures.py gconn.table2 --graphs a.mtx b.egr   these graphs instead of generated ones
  bench/figures.py --list                        all figures
  bench/figures.py gconn.table2 --out results    writes gconn.table2.csv, .svg and the samples, .json; curves, where it has some, .chart.svg
  bench/figures.py gconn.table2 --dry-run        the commands alone

Graphs are generated; each has about as many edges as asked, and fewer where memory would not hold them. Every answer is compared by copse
bench. One trial is too noisy to judge by: then there are no verdicts. Exit status: 0 measured (reproduced or not, which the text says), 1 a
measurement failed, 2 misuse or a program that is not built, 77 it needs a GPU and none is here.
bench/summarise.py figures FILE.json --setting run=NAME keeps the samples; bench/tables.py then writes the page.
"""

import argparse
import fnmatch
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import summarise  # noqa: E402
from papers import FIGURES  # noqa: E402
from papers.claims import Rows  # noqa: E402
from papers.judging import csv_of, text_of  # noqa: E402
from papers.measuring import Setup, commands, expect_built  # noqa: E402
from papers.plot import chart_svg, svg_of  # noqa: E402
from papers.runs import RUNS  # noqa: E402
from samples_of import graph_name  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
OTHER_DEVICE = 77
BYTES_PER_EDGE = 40  # rows of both directions, the list they are made of, labels; twice, with room


def memory_bytes():
    with open("/proc/meminfo", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))


def chosen(patterns, parser):
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(f.name, pattern) for f in FIGURES):
            parser.error(f"found {pattern}, expected a name of --list")
    return [f for f in FIGURES if any(fnmatch.fnmatchcase(f.name, p) for p in patterns)]


def runs_on(claim, device):
    return all(RUNS[r].device in ("", device) for r in claim.runs)


def is_measured_on(pattern, run, device):
    """A run of both devices measures the CPU's own variants on the CPU: beside a GPU's they would only be given up."""
    return device == "cpu" or RUNS[run].device == "cuda" or not pattern.startswith(("serial.", "threads."))


def patterns_by_run(figures, device):
    """What these figures need: runs, and the variants of each, so that figures which share a run are measured together."""
    needed = {}
    for claim in (c for f in figures for c in f.claims if runs_on(c, device)):
        for run, patterns in claim.needs:
            wanted = [p for p in patterns if is_measured_on(p, run, device)]
            if wanted or not patterns:
                needed.setdefault(run, {}).update(dict.fromkeys(wanted))
    return {run: list(patterns) for run, patterns in needed.items()}


def rows_of(document, run):
    entry = {"file": "", "machine": "here", "setting": f"run={run}", "result": summarise.rounded(document)}
    for row in summarise.rows_of(entry, {}):
        row["keys"] = dict(part.split("=", 1) for part in row["setting"].split(" ") if "=" in part)
        yield row


def facts_of(documents):
    """Vertices and arcs of what copse bench measured."""
    return {graph_name(g["graph"]): {"vertices": g["vertices"], "arcs": g["arcs"]} for d in documents for g in d.get("graphs", []) if "arcs" in g}


def measure(figures, setup, device, out):
    """Samples of a run are written when it is done, so that a later one which fails takes none of them along."""
    documents, by_run = {}, {}
    needed = {run: commands(setup, run, patterns) for run, patterns in patterns_by_run(figures, device).items()}
    for argv, _ in (command for all_of_run in needed.values() for command in all_of_run):
        if not setup.dry:
            expect_built(argv)
    for run, of_run in needed.items():
        for argv, document in of_run:
            print(" ".join(argv), file=sys.stderr, flush=True)
            if not setup.dry:
                documents.setdefault(run, []).append(document())
        if out and run in documents:
            (out / f"{run}.json").write_text("".join(json.dumps(d) + "\n" for d in documents[run]), encoding="utf-8")
        by_run[run] = [row for d in documents.get(run, []) for row in rows_of(d, run)]
    return Rows(by_run, setup.backend, facts_of([d for all in documents.values() for d in all]))


def tell(figure, rows, out, device, machine, judged):
    """Prints the figure, with verdicts if judged; False if it needs the other device."""
    if figure.cannot:
        print(f"{figure.name}: {figure.shows}\n{figure.cannot}\n")
        return True
    if not any(runs_on(c, device) for c in figure.claims):
        print(f"{figure.name}: {'needs a GPU (--device cuda)' if device == 'cpu' else 'is measured on a CPU (--device cpu)'}")
        return False
    print(text_of(figure, rows, judged))
    if out:
        (out / f"{figure.name}.csv").write_text(csv_of(figure, rows, judged), encoding="utf-8")
        (out / f"{figure.name}.svg").write_text(svg_of(figure, rows, machine), encoding="utf-8")
        if figure.chart:
            (out / f"{figure.name}.chart.svg").write_text(chart_svg(figure.chart(rows)), encoding="utf-8")
    return True


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", nargs="*", help="names of --list, with * and ?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--edges", type=int, help="of each graph, about")
    parser.add_argument("--graphs", nargs="+", default=(), metavar="FILE", help="files or specs that take the place of the generated graphs")
    parser.add_argument("--trials", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="10^5 edges, one trial, no verdicts")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="where cli/copse and bench/copse_bench_* are")
    parser.add_argument("--out", type=Path, help="folder for CSV, SVG and samples")
    parser.add_argument("--dry-run", action="store_true")
    return parser


def main():
    parser = arguments()
    given = parser.parse_args()
    if given.list:
        for figure in FIGURES:
            print(f"{figure.name:22} {figure.shows}{': ' + figure.cannot if figure.cannot else ''}")
        return 0
    if not given.figure:
        parser.error("a figure is needed; --list tells which there are")
    gpu = given.device == "cuda"
    edges = given.edges or (100_000 if given.quick else 100_000_000 if gpu else 10_000_000)
    fitting = memory_bytes() // (2 * BYTES_PER_EDGE)
    if edges > fitting:
        print(f"figures: {fitting:,} edges instead of {edges:,}, for memory", file=sys.stderr)
        edges = fitting
    trials = 1 if given.quick else given.trials
    setup = Setup(given.build, edges, trials, given.threads, "cuda" if gpu else "threads", given.dry_run,
                  tuple(given.graphs))
    figures = chosen(given.figure, parser)
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
    rows = measure(figures, setup, given.device, None if given.dry_run else given.out)
    if given.dry_run:
        return 0
    machine = f"{given.threads} threads" if not gpu else "this GPU"
    told = [tell(figure, rows, given.out, given.device, machine, trials > 1) for figure in figures]
    return 0 if any(told) else OTHER_DEVICE


if __name__ == "__main__":
    sys.exit(main())
