"""What the programs in Python write: series of samples, as bench/summarise.py reads them."""

import datetime
import json
import os
import subprocess

NAMES = ("graph", "variant", "setting", "measure", "unit", "samples")


def write_series(path, rows, threads, load=None, **machine):
    """Rows of NAMES. `load`: of the machine, by default now's; `machine`: more facts about it."""
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    result = {
        "benchmark": "series",
        "machine": {
            "cores": os.cpu_count(), "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            "load": os.getloadavg()[0] if load is None else load, **machine,
            "commit": commit, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        },
        "series": [{**dict(zip(NAMES, row)), "threads": threads} for row in rows],
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file)
