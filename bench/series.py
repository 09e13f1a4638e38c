"""What the programs in Python share: the facts of a machine, and series of samples as bench/summarise.py reads them."""

import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess

NAMES = ("graph", "variant", "setting", "measure", "unit", "samples")


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def commit_here():
    """Of this repository; where there is none, or no git, it must be told."""
    try:
        said = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=pathlib.Path(__file__).parent, capture_output=True, text=True)
    except FileNotFoundError:
        return "unknown"
    return said.stdout.strip() or "unknown"


def machine_facts(load=None, **more):
    """`load`: by default now's."""
    return {
        "processor": processor(), "cores": os.cpu_count(), "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "load": os.getloadavg()[0] if load is None else load, "commit": commit_here(),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), **more,
    }


def write_json(path, result):
    pathlib.Path(path).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


def write_series(path, rows, threads, load=None, **machine):
    """Rows of NAMES, and a number of threads where it differs. `machine`: more facts about it."""
    series = [{"threads": threads, **dict(zip((*NAMES, "threads"), row))} for row in rows]
    write_json(path, {"benchmark": "series", "machine": machine_facts(load, **machine), "series": series})


class Series:
    """Series of different numbers of threads: told as they are found, and written at the end where a path is given."""

    def __init__(self):
        self.found = []

    def add(self, graph, variant, measure, unit, threads, samples):
        self.found.append({"graph": graph, "variant": variant, "measure": measure, "unit": unit, "threads": threads, "samples": samples})
        print(f"{graph}: {threads:3} threads  {variant:10} {measure:20} {statistics.median(samples):14,.1f} {unit}", flush=True)

    def write(self, path):
        if path:
            write_json(path, {"benchmark": "series", "machine": machine_facts(), "series": self.found})
