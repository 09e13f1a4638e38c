#!/usr/bin/env python3
"""Groups by key beside components of pairs that say the same: `copse group TABLE` and `copse components PAIRS`, one after the other in every
round. The pairs, of records that a sort by a column puts next to each other with equal keys, are made before the clock starts.

  python3 bench/group_by_key.py build/release/cli/copse build/release/bench/copse_bench_group_input [--records 10000000]
    [--values 2000000] [--threads 2] [--rounds 3] [--folder /tmp] [--json OUT]

Needs 84 bytes of disk per record for the table and about 100 for the pairs. A string look-up is an id or a key of a line. Both must find
the same groups of two and more, and the same largest one.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from end_to_end import commit, processor

COLUMNS = 3


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def measured(command):
    """What `copse ... --json` says, and the most memory that the process held."""
    with tempfile.NamedTemporaryFile() as out:
        started = os.posix_spawn(command[0], [str(word) for word in command], os.environ,
                                 file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
        _, status, used = os.wait4(started, 0)
        if status != 0:
            sys.exit(f"{' '.join(map(str, command))}: status {status}")
        out.seek(0)
        return json.load(out) | {"resident_bytes": used.ru_maxrss * 1024}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("copse")
    arguments.add_argument("generator")
    arguments.add_argument("--records", type=int, default=10000000)
    arguments.add_argument("--values", type=int, default=2000000)
    arguments.add_argument("--threads", type=int, nargs="+", default=[os.cpu_count()])
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()))
    arguments.add_argument("--json", type=pathlib.Path)
    given = arguments.parse_args()
    graph = f"records={given.records},values={given.values},columns={COLUMNS}"
    found = []

    def note(variant, measure, unit, threads, samples):
        found.append({"graph": graph, "variant": variant, "measure": measure, "unit": unit, "threads": threads, "samples": samples})
        print(f"{threads:3} threads  {variant:10} {measure:20} {statistics.median(samples):14,.1f} {unit}", flush=True)

    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        table, pairs = pathlib.Path(folder) / "table.csv", pathlib.Path(folder) / "pairs.csv"
        print(run([given.generator, given.records, given.values, table, pairs]), end="", flush=True)
        for threads in given.threads:
            commands = {
                "group": [given.copse, "group", table, "--id", "record", "--by", "email,phone,address"],
                "components": [given.copse, "components", pairs, "--ids", "string", "--header", "yes"]}
            answers = {name: [] for name in commands}
            for _ in range(given.rounds):
                for name, command in commands.items():
                    answers[name].append(measured([*command, "--threads", threads, "--json"]))
            group, components = answers["group"][0], answers["components"][0]
            if group["groups"] - group["alone"] != components["components"] or group["largest"]["size"] != components["largest"]["size"]:
                sys.exit(f"found {group['groups']} groups, {group['alone']} of one record, expected {components['components']} others")
            for name, seconds_of, lookups in (
                    ("group", lambda answer: answer["seconds"]["group"], group["rows"] + group["keys"]),
                    ("components", lambda answer: answer["seconds"]["solve"], 2 * components["edges"])):
                seconds = [seconds_of(answer) for answer in answers[name]]
                note(name, "solve", "ms", threads, [1e3 * s for s in seconds])
                note(name, "lookups_per_core", "M/s", threads, [lookups / s / threads / 1e6 for s in seconds])
                note(name, "resident", "MB", threads, [answer["resident_bytes"] / 1e6 for answer in answers[name]])
    if given.json:
        machine = {"processor": processor(), "cores": os.cpu_count(), "commit": commit()}
        given.json.write_text(json.dumps({"benchmark": "series", "machine": machine, "series": found}, indent=2))


if __name__ == "__main__":
    main()
