"""Shared by the programs: the facts of a machine, and the document of series that `python3 -m lab add` reads."""

import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def commit_here():
    """The commit of this repository; "unknown" without a repository or git."""
    try:
        said = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=pathlib.Path(__file__).parent, capture_output=True, text=True
        )
    except FileNotFoundError:
        return "unknown"
    return said.stdout.strip() or "unknown"


class Recorder:
    """Series of samples, told as they are found. The machine's load is the highest that was seen when one was added."""

    def __init__(self, problem, **facts):
        self.problem, self.series = problem, []
        self.facts = {
            "processor": processor(),
            "cores": os.cpu_count(),
            "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            "load": os.getloadavg()[0],
            "commit": commit_here(),
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            **facts,
        }

    def add(self, graph, variant, measure, unit, threads, samples, **setting):
        self.facts["load"] = max(self.facts["load"], os.getloadavg()[0])
        self.series.append(
            {
                "graph": graph,
                "variant": variant,
                "setting": {k: str(v) for k, v in setting.items()},
                "measure": measure,
                "unit": unit,
                "threads": threads,
                "samples": list(samples),
            }
        )
        print(f"{graph}: {threads:3} threads  {variant:14} {measure:20} {statistics.median(samples):14,.4g} {unit}", flush=True)

    def write(self, path):
        if path:
            result = {"problem": self.problem, "command": " ".join(sys.argv), "machine": self.facts, "series": self.series}
            pathlib.Path(path).write_text(json.dumps(result) + "\n", encoding="utf-8")
