"""Splink's `cluster_using_single_best_links` with and without copse inside, on DuckDB: python3 -m lab.end_to_end.splink_links OUT.json, with copse
and splink.

Records of four datasets with composite ids, as many of each entity. Three quarters of the pairs are all those of an entity, the others join two random
records. Each run is a process of its own, which makes its tables before the clock starts. Splink's own runs once as it is, and once with DuckDB's
choice of the order of joins switched off; it is stopped when it has used --stop-after seconds of processor time.
"""

import argparse
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

import copse

from .kit import Recorder

MAKE = """
import sys, time
import duckdb, splink, splink.comparison_library
import copse.splink
pairs, contender = int(sys.argv[1]), sys.argv[2]
entities, strays = pairs // 8, pairs - pairs // 8 * 6
connection = duckdb.connect()
connection.execute(f"set enable_progress_bar = false; set temp_directory = '{sys.argv[3]}'")
connection.execute("set memory_limit = '10GB'; set max_temp_directory_size = '20GB'")
if contender == "splink in order":
    connection.execute("set disabled_optimizers = 'join_order'")
connection.execute(f'''create table predictions as
    with ends as (
        select e as l, e as r, x.i as dl, y.i as dr, .8 + .2 * (hash(e, x.i, y.i) % 65536) / 65536 as match_probability
        from range({entities}) as s(e), range(4) as x(i), range(4) as y(i) where x.i < y.i
        union all
        select hash(i, 1) % {entities}, hash(i, 2) % {entities}, hash(i, 3) % 3, hash(i, 3) % 3 + 1, .5 + .45 * (hash(i, 4) % 65536) / 65536
        from range({strays}) as s(i)
    )
    select chr(97 + cast(dl as integer)) as source_dataset_l, cast(l as bigint) as unique_id_l, chr(97 + cast(dr as integer)) as source_dataset_r,
        cast(r as bigint) as unique_id_r, cast(match_probability as double) as match_probability from ends''')
api = splink.DuckDBAPI(connection=connection)
records = []
for name in "abcd":
    connection.execute(f"create table dataset_{name} as select e as unique_id, e as entity from range({entities}) as s(e)")
    records.append(api.register(f"dataset_{name}", dataset_display_name=name))
settings = splink.SettingsCreator(link_type="link_only", comparisons=[splink.comparison_library.ExactMatch("entity")])
linker, predictions = splink.Linker(records, settings), api.register("predictions")
if contender == "copse":
    copse.splink.replace()
print("ready", flush=True)
start, cpu = time.perf_counter(), time.process_time()
found = linker.clustering.cluster_using_single_best_links(predictions, list("abcd"), threshold_match_probability=.5)
times = time.perf_counter() - start, time.process_time() - cpu
answer = connection.execute(f"select count(distinct cluster_id), sum(hash(source_dataset, unique_id, cluster_id)::hugeint) from {found.physical_name}")
print(*times, *answer.fetchone(), flush=True)
"""


def processor_seconds(process):
    """The resources that a running process has used."""
    words = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def run(pairs, contender, stop_after):
    """The seconds that a call took by the clock and by the processor, and what it found: None if it was stopped, or if it failed for want of memory
    and disk, as Splink's cross join may.
    """
    command = [sys.executable, "-c", MAKE, str(pairs), contender]
    with tempfile.TemporaryDirectory() as spill, subprocess.Popen([*command, spill], stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline() != "ready\n":
            raise SystemExit(f"{contender}: exit status {process.wait()}")
        start, cpu, taken = time.perf_counter(), processor_seconds(process), (0.0, 0.0)
        while not select.select([process.stdout], [], [], 1)[0]:
            taken = time.perf_counter() - start, processor_seconds(process) - cpu
            if taken[1] > stop_after:
                process.kill()
                return taken, None
        line = process.stdout.readline().split()
        if process.wait() and contender == "splink":
            return taken, None
        if process.returncode:
            raise SystemExit(f"{contender}: exit status {process.returncode}")
        return (float(line[0]), float(line[1])), tuple(line[2:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--contenders", default="copse,splink in order,splink")
    parser.add_argument("--rounds", type=int, default=3, help="of copse")
    parser.add_argument("--stop-after", type=float, default=500)
    arguments = parser.parse_args()
    out, answers = Recorder("splink_links", version=copse.__version__), set()
    for contender in arguments.contenders.split(","):
        rounds = arguments.rounds if contender == "copse" else 1
        times, found = zip(*(run(arguments.pairs, contender, arguments.stop_after) for _ in range(rounds)))
        setting = {"ended": "no"} if None in found else {}
        for measure, values in zip(("time", "cpu"), zip(*times)):
            out.add(f"predictions_{arguments.pairs}", contender, measure, "s", os.cpu_count(), values, **setting)
        out.write(arguments.out)  # after each: the next may take long
        answers |= {answer for answer in found if answer is not None}
    if len(answers) > 1:
        raise SystemExit(f"different answers: {answers}")


if __name__ == "__main__":
    main()
