"""The laboratory.

  python3 -m lab list                           the figures of the papers
  python3 -m lab figure gconn.figure3           measures a figure and judges it: at 10^7 edges on all cores
  python3 -m lab figure 'cm.*' --device gpu --out DIR   ... at 10^8 edges on a GPU; text, CSV, SVG and samples into DIR
  python3 -m lab stored 'bk.*' --out DIR        the same of the stored samples
  python3 -m lab add AREA FILE... --machine NAME [--run RUN] [--instead]   adds what copse bench, copse_lab or lab/end_to_end wrote
  python3 -m lab pages [--check]                writes the tables of docs/measurements and the reproduction page, or says which are stale
  python3 -m lab check                          says what is wrong with the archives
  python3 -m lab csv AREA                       prints a row for every series: samples, median, least, most
  python3 -m lab printed                        prints a JSON line for every printed figure and judged claim: what it is made of

Exit status: 0 done (reproduced or not, which the text says), 1 a check or a measurement failed, 2 misuse or a program that is not built, 77 the
figure needs the other class of device.
"""

import argparse
import csv
import fnmatch
import json
import os
import sys
import time
from pathlib import Path

from . import cluster_tables, dynamic_tables, pages, render, store  # noqa: F401  (the first three register tables)
from .papers import FIGURES, page
from .papers.claims import Rows
from .papers.judge import chart_csv_of, chart_text_of, csv_of, judged, text_of
from .papers.plot import bars_svg, chart_svg
from .papers.runs import RUNS, Setup, commands_of, measure

OTHER_DEVICE = 77
BYTES_PER_EDGE = 80  # rows of both directions, the list they are made of, labels; twice, with room


def chosen(patterns, parser):
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(f.name, pattern) for f in FIGURES):
            parser.error(f"found {pattern}, expected a name of `python3 -m lab list`")
    return [f for f in FIGURES if any(fnmatch.fnmatchcase(f.name, p) for p in patterns)]


def list_figures(_, __):
    for figure in FIGURES:
        print(f"{figure.name:22} {figure.shows}{': ' + figure.nothing if figure.nothing else ''}")
    return 0


def tell(figure, rows, device, out):
    """Prints and writes what a figure has on one class of device: its claims, and its chart."""
    of_device = [judged(c, rows) for c in figure.claims if c.device == device]
    texts = {}
    if of_device:
        print(text_of(figure, of_device))
        texts |= {"csv": csv_of(figure, of_device), "svg": bars_svg(figure, of_device)}
    if figure.chart and figure.chart.device in ("", device) and (text := chart_text_of(figure.chart, rows)):
        print(text)
        texts |= {"chart.csv": chart_csv_of(figure, rows), "chart.svg": chart_svg(figure.chart, rows)}
    for suffix, text in texts.items():
        if out and text:
            out.mkdir(parents=True, exist_ok=True)
            (out / f"{figure.name}.{device}.{suffix}").write_text(text, encoding="utf-8")


def on_device(figure, device):
    """Whether anything of a figure is measured on this class of device."""
    return any(c.device == device for c in figure.claims) or bool(chart_needs(figure, device))


def chart_needs(figure, device):
    """The runs and patterns of its chart that are measured on this class of device."""
    if not figure.chart or figure.chart.device not in ("", device):
        return ()
    return [(run, patterns) for run, patterns in figure.chart.needs if RUNS[run].device in ("", device)]


def needs_of(figures, device):
    """Runs, and the patterns of variants that these figures need of each, so that figures which share a run are measured together."""
    needed = {}
    for claim in (c for f in figures for c in f.claims if c.device == device):
        for run, patterns in claim.needs:
            if RUNS[run].device in ("", device):
                needed.setdefault(run, {}).update(dict.fromkeys(patterns))
    for run, patterns in (n for f in figures for n in chart_needs(f, device)):
        needed.setdefault(run, {}).update(dict.fromkeys(patterns))
    return {run: list(needed[run]) for run in RUNS if run in needed}


def memory_bytes():
    with open("/proc/meminfo", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable"))


def measure_figures(given, parser):
    figures = chosen(given.figure, parser)
    edges = min(given.edges or (100_000_000 if given.device == "gpu" else 10_000_000), memory_bytes() // BYTES_PER_EDGE)
    setup = Setup(given.build, edges, given.trials, given.threads, given.device, given.dry_run, tuple(given.graphs))
    if not any(on_device(f, given.device) for f in figures):
        print(
            f"nothing here is measured on a {given.device.upper()}; the other class of device is --device {'cpu' if given.device == 'gpu' else 'gpu'}"
        )
        return OTHER_DEVICE
    if given.seconds:
        setup.until = time.monotonic() + given.seconds
    series = []
    for run, patterns in needs_of(figures, given.device).items():
        if given.dry_run:
            print("\n".join(" ".join(argv) for argv in commands_of(setup, RUNS[run], patterns)))
            continue
        kept = []
        for document in measure(setup, run, patterns):
            series += store.series_of("here", document)
            kept.append(json.dumps(document) + "\n")
            if given.out:  # after each: a later run may end the campaign
                given.out.mkdir(parents=True, exist_ok=True)
                (given.out / f"{run}.json").write_text("".join(kept), encoding="utf-8")
    if not given.dry_run:
        rows = Rows(page.allowed_series(series), given.device)
        for figure in figures:
            tell(figure, rows, given.device, given.out)
    for line in setup.failed:
        print(f"lab: {line}", file=sys.stderr)
    return 1 if setup.failed else 0


def stored_figures(given, parser):
    for device, rows in page.rows_of(store.Store()).items():
        for figure in chosen(given.figure, parser):
            tell(figure, rows, device, given.out)
    return 0


def add(given, _):
    known = {m["name"] for m in store.Store().table("machines")}
    if given.machine not in known:
        print(f"lab: found machine {given.machine}, expected one of lab/results/machines.csv: {', '.join(sorted(known))}", file=sys.stderr)
        return 2
    store.add(given.area, given.files, given.machine, given.run, given.instead)
    return 0


def write_pages(given, _):
    try:
        stale = render.stale(store.Store(given.root / "lab" / "results"), given.root)
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    for file, text in stale.items():
        if given.check:
            print(f"{file.relative_to(given.root)} is stale: run python3 -m lab pages")
        else:
            file.write_text(text, encoding="utf-8")
    return 1 if given.check and stale else 0


def check(given, _):
    found = list(store.faults(store.Store(given.root / "lab" / "results")))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


def print_csv(given, _):
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["graph", "variant", "setting", "measure", "unit", "threads", "n", "median", "least", "most", "load", "machine", "commit"])
    for s in store.Store()[given.area].series:
        setting = " ".join(f"{k}={v}" for k, v in s.setting)
        writer.writerow(
            [
                s.graph,
                s.variant,
                setting,
                s.measure,
                s.unit,
                s.threads,
                len(s.samples),
                f"{s.median:.6g}",
                min(s.samples),
                max(s.samples),
                "" if s.load is None else f"{s.load:.2f}",
                s.machine,
                s.commit,
            ]
        )
    return 0


def print_expressions(given, _):
    samples = store.Store(given.root / "lab" / "results")
    for line in render.printed(samples, given.root):
        print(json.dumps(line))
    for name, judgements in page.all_judged(samples).items():
        for j in judgements:
            if j.value is not None:
                print(
                    json.dumps(
                        {
                            "figure": name,
                            "claim": j.claim.what,
                            "unit": j.claim.unit,
                            "paper": j.claim.number,
                            "side": j.claim.side,
                            "verdict": j.verdict,
                            "shown": page.ours(j),
                            "expressions": [j.value.expression],
                        }
                    )
                )
    return 0


def main():
    parser = argparse.ArgumentParser(prog="python3 -m lab", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name, run):
        one = commands.add_parser(name)
        one.set_defaults(command=run)
        one.add_argument("--root", type=Path, default=store.ROOT, help=argparse.SUPPRESS)
        return one

    command("list", list_figures)
    for name, run in (("figure", measure_figures), ("stored", stored_figures)):
        one = command(name, run)
        one.add_argument("figure", nargs="+", help="names of list, with * and ?")
        one.add_argument("--out", type=Path, help="folder for CSV, SVG and samples")
        if name == "figure":
            one.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
            one.add_argument("--edges", type=int, help="of each graph, about")
            one.add_argument("--graphs", nargs="+", default=(), metavar="FILE", help="files or specs that take the place of the generated graphs")
            one.add_argument("--trials", type=int, default=11)
            one.add_argument("--seconds", type=float, help="end after so long, with the samples that are there")
            one.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
            one.add_argument("--build", type=Path, default=store.ROOT / "build" / "release", help="where cli/copse and lab/copse_lab are")
            one.add_argument("--dry-run", action="store_true", help="print the commands")
    one = command("add", add)
    one.add_argument("area")
    one.add_argument("files", nargs="+", type=Path)
    one.add_argument("--machine", required=True)
    one.add_argument("--run", default="")
    one.add_argument("--instead", action="store_true", help="in the place of what this machine measured for this run before")
    command("pages", write_pages).add_argument("--check", action="store_true")
    command("check", check)
    command("csv", print_csv).add_argument("area")
    command("printed", print_expressions)
    given = parser.parse_args()
    return given.command(given, parser)


if __name__ == "__main__":
    sys.exit(main())
