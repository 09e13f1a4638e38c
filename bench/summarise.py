#!/usr/bin/env python3
"""Adds measurements to bench/results, or checks what is there.

  bench/summarise.py CAMPAIGN FILE... [--machine NAME] [--setting "key=value ..."] [--instead-of OLDFILE...]
  bench/summarise.py --check
  bench/summarise.py --anew

FILE is what `copse bench --json` or a copse_bench_* program wrote. Its whole content goes, compressed, to CAMPAIGN.jsonl.xz, one JSON
document a line, and a row for each series of samples to CAMPAIGN.csv. The machine is the one of machines.csv with the same GPU and number
of cores, unless it is named. --setting tells apart results that are otherwise alike, for instance "run=2". --instead-of drops what
files of these names brought from the same machine, which the new ones measured again. Afterwards run bench/tables.py.
--check computes every summary from its archive anew and exits with 1 where the two differ; --anew writes those.
"""

import argparse
import csv
import io
import json
import lzma
import re
import statistics
import sys
from pathlib import Path

from samples_of import series_of

RESULTS = Path(__file__).parent / "results"
COLUMNS = ["graph", "variant", "setting", "measure", "unit", "threads", "n", "median", "min", "max", "machine", "commit"]
KEY = ["graph", "variant", "setting", "measure", "threads", "machine"]
TABLES = {"graphs", "machines", "message_counts", "rivals", "tree_of_forests"}  # what is no campaign


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def text_of(rows, columns):
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def campaigns(results=RESULTS):
    return sorted(p.stem for p in results.glob("*.csv") if p.stem not in TABLES)


def read_archive(path):
    if not path.exists():
        return []
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [current(json.loads(line)) for line in file]


def write_archive(path, entries):
    text = "".join(json.dumps(e, separators=(",", ":"), ensure_ascii=False) + "\n" for e in entries)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def figure(value):
    """Four significant digits; whole numbers in full."""
    if value == "" or isinstance(value, str):
        return value
    return str(round(value)) if value == round(value) or abs(value) >= 1e4 else f"{value:.4g}"


def rounded(content):
    """Samples to six significant digits."""
    if isinstance(content, float):
        return int(content) if content.is_integer() and abs(content) < 1e15 else float(f"{content:.6g}")
    if isinstance(content, list):
        return [rounded(c) for c in content]
    if isinstance(content, dict):
        return {k: rounded(c) for k, c in content.items()}
    return content


def current(content):
    """Names of today in results that were stored before the backend of host threads was called `threads`."""
    if isinstance(content, str):
        return re.sub(r"\bomp\b", "threads", content)
    if isinstance(content, list):
        return [current(c) for c in content]
    if isinstance(content, dict):
        return {current(k): current(c) for k, c in content.items()}
    return content


def documents(path):
    """The JSON documents of a file, one or several; a list counts as several."""
    text, decoder, at = path.read_text(encoding="utf-8").strip(), json.JSONDecoder(), 0
    while at < len(text):
        document, at = decoder.raw_decode(text, at)
        yield from document if isinstance(document, list) else [document]
        while at < len(text) and text[at].isspace():
            at += 1


def machine_of(result, machines):
    """The name of the first machine with this GPU and this number of cores."""
    gpus = result.get("gpus") or [{"name": result.get("gpu") or result.get("device") or ""}]
    gpu, cores = gpus[0]["name"], str(result.get("machine", {}).get("cores", ""))
    for machine in machines:
        if machine["gpu"] == gpu and machine["cores"] == cores:
            return machine["name"]
    sys.exit(f"bench/results/machines.csv has no machine with {cores or '?'} cores and {gpu or 'no GPU'}: add it, or give --machine")


def rows_of(entry, names):
    """Rows of the summary for one line of the archive."""
    if "result" not in entry:
        return
    commit = re.sub(r"^([0-9a-f]{7})[0-9a-f]+", r"\1", entry["result"].get("machine", {}).get("commit", ""))
    for s in series_of(entry["result"]):
        if "samples" in s:
            found = s["samples"]
            spread = (min(found), max(found)) if len(found) > 1 else ("", "")
            numbers = (len(found), statistics.median(found) if found else "", *spread)
        else:
            numbers = tuple(s[k] for k in ("n", "median", "min", "max"))
        setting = " ".join(filter(None, (entry.get("setting", ""), s["setting"])))
        yield dict(
            zip(
                COLUMNS,
                (
                    names.get(s["graph"], s["graph"]),
                    s["variant"],
                    setting,
                    s["measure"],
                    s["unit"],
                    str(s["threads"]),
                    *map(figure, numbers),
                    entry["machine"],
                    commit,
                ),
            )
        )


def summary_of(entries, names):
    rows = [row for entry in entries for row in rows_of(entry, names)]
    seen = {}
    for row in rows:
        key = tuple(row[k] for k in KEY)
        if key in seen:
            sys.exit(f"two lines for {', '.join(filter(None, key))}: tell them apart by --setting")
        seen[key] = row
    return text_of(rows, COLUMNS)


def short_names(results):
    return {g["spec"]: g["name"] for g in read_csv(results / "graphs.csv")}


def add(campaign, files, machine, setting, instead_of=(), results=RESULTS):
    machines, names = read_csv(results / "machines.csv"), short_names(results)
    archive = results / f"{campaign}.jsonl.xz"
    entries = read_archive(archive)
    if unknown := set(instead_of) - {e["file"] for e in entries}:
        sys.exit(f"{campaign} holds no file {', '.join(sorted(unknown))}")
    measured = []
    for file in map(Path, files):
        for document in documents(file):
            result = rounded(document)
            measured.append({"file": file.name, "machine": machine or machine_of(result, machines), "setting": setting, "result": result})
    again_on = {e["machine"] for e in measured}
    entries = [e for e in entries if e["file"] not in instead_of or e["machine"] not in again_on] + measured
    summary = summary_of(entries, names)
    write_archive(archive, entries)
    (results / f"{campaign}.csv").write_text(summary, encoding="utf-8")


def stale(results):
    """Summaries that are not what their archives say: pairs of a file and its right text."""
    names = short_names(results)
    for campaign in campaigns(results):
        file, text = results / f"{campaign}.csv", summary_of(read_archive(results / f"{campaign}.jsonl.xz"), names)
        if file.read_text(encoding="utf-8") != text:
            yield file, text


def check(results=RESULTS):
    differ = 0
    for file, _ in stale(results):
        print(f"bench/results/{file.name} is not what its archive says")
        differ = 1
    return differ


def write_anew(results=RESULTS):
    for file, text in stale(results):
        file.write_text(text, encoding="utf-8")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("campaign", nargs="?")
    arguments.add_argument("files", nargs="*")
    arguments.add_argument("--machine", default="")
    arguments.add_argument("--setting", default="")
    arguments.add_argument("--instead-of", nargs="+", default=(), metavar="OLDFILE")
    arguments.add_argument("--results", type=Path, default=RESULTS)
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--anew", action="store_true")
    given = arguments.parse_args()
    if given.check:
        return check(given.results)
    if given.anew:
        write_anew(given.results)
        return 0
    if not given.files:
        arguments.error("a campaign and at least one file are needed")
    add(given.campaign, given.files, given.machine, given.setting, given.instead_of, given.results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
