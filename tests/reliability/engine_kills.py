#!/usr/bin/env python3
"""Kills (-9) workers of Ray and executors of Spark at random moments while components are found: the answer is that of one process.

Usage: engine_kills.py [--ray N] [--spark N] [--seed S]    (copse, pyarrow and the engines on the path of this Python)

Runs one job after the other until so many were killed, and prints a line of figures for each engine. Ray: processes that run a task, of the
first round or of a merge. Spark: executors of a local cluster, with the outputs of tasks that they held. Exit status 1 when an answer was
wrong. The short form is in tools/scale_checks.sh, figures of a long one in docs/measurements/reliability.md.
"""
import argparse
import os
import pathlib
import random
import signal
import sys
import threading
import time

import numpy as np
import pyarrow as pa

import copse

PARTS = 12  # more than there are workers, and few enough for one round of merging


def pairs_of(dice):
    """Edges of 20,000 vertices: one large component and many small ones."""
    left, right = np.random.default_rng(dice.randrange(1 << 30)).integers(0, 20_000, (2, 16_000))
    return pa.table({"l": left, "r": right})


def answer_of(table):
    order = np.argsort(table.column("id").to_numpy())
    return [table.column(name).to_numpy()[order] for name in ("id", "component")]


def parents():
    """The parent of every process, and its command line."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                found[int(entry.name)] = int(fields[1]), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                pass  # gone meanwhile
    return found


def own_processes(mark):
    """Processes below this one whose command line has the mark."""
    known, own = parents(), []
    for process, (_, command) in known.items():
        above = process
        while above in known and above != os.getpid():
            above = known[above][0]
        if above == os.getpid() and any(m in command for m in mark):
            own.append(process)
    return own


class Killer(threading.Thread):
    """Until it is stopped: waits for a while, then kills one of the processes that `mark` tells of."""

    def __init__(self, mark, dice, pause, most):
        super().__init__(daemon=True)
        self._mark, self._dice, self._pause, self._most = mark, dice, pause, most
        self._stopped = threading.Event()
        self.kills = 0

    def run(self):
        while self.kills < self._most and not self._stopped.wait(self._dice.uniform(*self._pause)):
            targets = own_processes(self._mark)
            if targets:
                try:
                    os.kill(self._dice.choice(targets), signal.SIGKILL)
                    self.kills += 1
                except ProcessLookupError:
                    pass  # it had just ended

    def stop(self):
        self._stopped.set()
        self.join()
        return self.kills


def jobs_under_fire(engine, wanted, mark, pause, solve, dice):
    """Jobs until so many processes were killed; False when an answer was wrong."""
    started, jobs, kills, hit, wrong = time.monotonic(), 0, 0, 0, 0
    while kills < wanted:
        pairs = pairs_of(dice)
        killer = Killer(mark, dice, pause, wanted - kills)
        killer.start()
        try:
            found = answer_of(solve(pairs))
        finally:
            killed = killer.stop()
        expected = answer_of(copse.cluster(pairs, "l", "r", output_cluster="component"))
        jobs, kills, hit = jobs + 1, kills + killed, hit + (killed > 0)
        wrong += not all(np.array_equal(a, b) for a, b in zip(found, expected))
    print(f"{engine}: {kills} kills, {jobs} jobs, {hit} of them hit, {wrong} wrong answers, {time.monotonic() - started:.0f} s", flush=True)
    return wrong == 0


def ray_under_fire(wanted, dice):
    import ray

    from copse.ray import connected_components

    def in_every_worker():
        import time

        from copse import _stars

        whole = _stars.forest

        def slow(*arguments, **options):
            time.sleep(0.3)  # a task is to be at work when it is killed
            return whole(*arguments, **options)

        _stars.forest = slow

    def solve(pairs):
        step = -(-pairs.num_rows // PARTS)
        blocks = [pairs.slice(at, step) for at in range(0, pairs.num_rows, step)]
        found = connected_components(ray.data.from_arrow(blocks), "l", "r", remote_options={"max_retries": -1})
        return pa.concat_tables(ray.get(found.to_arrow_refs()))

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200_000_000,
             runtime_env={"worker_process_setup_hook": in_every_worker})
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        return jobs_under_fire("ray", wanted, ["ray::_reduce", "ray::_merge"], (0.5, 2.0), solve, dice)
    finally:
        ray.shutdown()


def spark_under_fire(wanted, dice):
    from pyspark.sql import SparkSession

    from copse.spark import connected_components

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false").config("spark.driver.memory", "1g")
        .config("spark.executor.memory", "1g").config("spark.sql.shuffle.partitions", "4").config("spark.sql.adaptive.enabled", "false")
        .config("spark.task.maxFailures", "1000").config("spark.stage.maxConsecutiveAttempts", "1000")
        .config("spark.deploy.maxExecutorRetries", "-1").getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")

    def slow(batches):
        import time

        time.sleep(1)
        yield from batches

    def solve(pairs):
        frame = spark.createDataFrame(pairs.to_pandas()).repartition(PARTS)
        return connected_components(frame.mapInArrow(slow, frame.schema), "l", "r").toArrow()

    try:
        solve(pairs_of(dice))  # the executors are up
        return jobs_under_fire("spark", wanted, ["CoarseGrainedExecutorBackend"], (1.0, 5.0), solve, dice)
    finally:
        spark.stop()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--ray", type=int, default=0, help="workers to kill")
    arguments.add_argument("--spark", type=int, default=0, help="executors to kill")
    arguments.add_argument("--seed", type=int, default=1)
    asked = arguments.parse_args()
    dice = random.Random(asked.seed)
    good = [under_fire(wanted, dice) for under_fire, wanted in ((ray_under_fire, asked.ray), (spark_under_fire, asked.spark)) if wanted]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
