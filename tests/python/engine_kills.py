#!/usr/bin/env python3
"""Kills (-9) workers of Ray and executors of Spark at random moments while components are found: the answer is that of one process.

Usage: engine_kills.py [--ray N] [--spark N] [--one-job] [--seed S]    (copse, pyarrow and the engines on the path of this Python)

Runs one job after the other until so many were killed, or with --one-job a single one of many parts in which all are killed, and prints a
line of figures for each engine. Ray: processes that run a task. Spark:
executors of a local cluster, with the outputs of tasks that they held. Some of each job are killed in the first round and some while
forests are merged. Exit status 1 when an answer was wrong, or kills did not come about. The short form is in test_engines.py, whose
sessions these are; figures of a long one are in docs/measurements/reliability.md.
"""
import argparse
import collections
import contextlib
import os
import pathlib
import random
import signal
import sys
import tempfile
import threading
import time

import numpy as np
import pyarrow as pa

import copse

PARTS = 12  # more than there are workers
KILLS_IN_A_ROUND = 2  # of one job, so that each job comes to its merges
PARTS_OF_ONE_JOB = 3  # for each kill, so that there is something to kill until the last one
MERGES_OF_ONE_JOB = 5  # of so many kills one is of a merge


@contextlib.contextmanager
def ray_session(folder):
    """What the files in the folder say happens in workers: `slow`: each task takes a while; `armed`: each of the first round dies once."""
    import ray

    folder = str(folder)

    def in_every_worker():
        import os
        import time

        from copse import _stars

        whole_forest, whole_merged = _stars.forest, _stars.merged

        def is_there(name):
            return os.path.exists(os.path.join(folder, name))

        def forest(batches, *rest, **options):
            batches = list(batches)
            mark = os.path.join(folder, "_".join(str(batches[0].column(i)[0]) for i in (0, 1)) if batches else "empty")
            if is_there("armed") and not os.path.exists(mark):
                open(mark, "w").close()
                os._exit(1)
            time.sleep(0.3 * is_there("slow"))
            return whole_forest(iter(batches), *rest, **options)

        def merged(*arguments, **options):
            time.sleep(0.8 * is_there("slow"))
            return whole_merged(*arguments, **options)

        _stars.forest, _stars.merged = forest, merged

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200_000_000,
             runtime_env={"worker_process_setup_hook": in_every_worker})
    ray.data.DataContext.get_current().enable_progress_bars = False
    try:
        yield ray
    finally:
        ray.shutdown()


@contextlib.contextmanager
def spark_session():
    """A cluster of two executors, processes of their own, which may die as often as they like."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false").config("spark.driver.memory", "1g")
        .config("spark.ui.showConsoleProgress", "false").config("spark.executor.memory", "1g").config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.adaptive.enabled", "false").config("spark.task.maxFailures", "1000")
        .config("spark.stage.maxConsecutiveAttempts", "1000").config("spark.deploy.maxExecutorRetries", "-1").getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield spark
    finally:
        spark.stop()


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
        if above == os.getpid() and mark in command:
            own.append(process)
    return own


class Killer(threading.Thread):
    """Until it is stopped: waits for a while, then kills one of the processes of the round that `find` tells, so many of each round."""

    def __init__(self, find, dice, pause, most, of_round):
        super().__init__(daemon=True)
        self._find, self._dice, self._pause, self._most, self._of_round = find, dice, pause, most, of_round
        self._stopped = threading.Event()
        self.kills = collections.Counter()

    def run(self):
        while self.kills.total() < self._most and not self._stopped.wait(self._dice.uniform(*self._pause)):
            round_, targets = self._find()
            if targets and self.kills[round_] < self._of_round[round_]:
                try:
                    os.kill(self._dice.choice(targets), signal.SIGKILL)
                    self.kills[round_] += 1
                except ProcessLookupError:
                    pass  # it had just ended

    def stop(self):
        self._stopped.set()
        self.join()
        return self.kills


def jobs_under_fire(engine, wanted, find, pause, solve, dice, one_job=False):
    """Jobs until so many processes were killed. Gives how many were in each round; asserts that answers are right."""
    merges = wanted // MERGES_OF_ONE_JOB
    of_round = {"first": wanted - merges, "merge": merges} if one_job else dict.fromkeys(("first", "merge"), KILLS_IN_A_ROUND)
    started, jobs, kills = time.monotonic(), 0, collections.Counter()
    while kills.total() < wanted:
        assert jobs < (1 if one_job else wanted + 3), f"{engine}: {dict(kills)} kills in {jobs} jobs, expected {wanted}"
        pairs = pairs_of(dice)
        killer = Killer(find, dice, pause, wanted - kills.total(), of_round)
        killer.start()
        try:
            found = answer_of(solve(pairs))
        finally:
            kills += killer.stop()
        jobs += 1
        expected = answer_of(copse.cluster(pairs, columns=("l", "r"), output_cluster="component"))
        assert all(np.array_equal(a, b) for a, b in zip(found, expected)), f"{engine}: job {jobs} has another answer than one process"
    print(f"{engine}: {kills.total()} kills, {kills['merge']} of them of merges, {jobs} jobs, {time.monotonic() - started:.0f} s", flush=True)
    return kills


def parts_for(wanted, one_job):
    return PARTS_OF_ONE_JOB * wanted if one_job else PARTS


def ray_under_fire(ray, folder, wanted, dice, one_job=False):
    """In a ray_session of this folder."""
    from copse.ray import connected_components

    def find():
        merges = own_processes("ray::_merge")
        return ("merge", merges) if merges else ("first", own_processes("ray::_reduce"))

    def solve(pairs):
        step = -(-pairs.num_rows // parts_for(wanted, one_job))
        blocks = [pairs.slice(at, step) for at in range(0, pairs.num_rows, step)]
        found = connected_components(ray.data.from_arrow(blocks), columns=("l", "r"), remote_options={"max_retries": -1})
        return pa.concat_tables(ray.get(found.to_arrow_refs()))

    slow = pathlib.Path(folder, "slow")
    slow.touch()
    try:
        return jobs_under_fire("ray", wanted, find, (0.2, 0.6), solve, dice, one_job)
    finally:
        slow.unlink()


def spark_under_fire(spark, folder, wanted, dice, one_job=False):
    """In a spark_session. The folder is for a file that tells that merging has begun."""
    import copse.spark

    whole, merging = copse.spark._merger, pathlib.Path(folder, "merging")
    mark = str(merging)

    def slow(batches):
        import time

        time.sleep(0.4)
        yield from batches

    def slow_merger(ids, options):
        merge = whole(ids, options)

        def slow_merge(batches):
            import time

            open(mark, "w").close()
            time.sleep(2)
            yield from merge(batches)

        return slow_merge

    def find():
        return "merge" if merging.exists() else "first", own_processes("CoarseGrainedExecutorBackend")

    def solve(pairs):
        merging.unlink(missing_ok=True)
        frame = spark.createDataFrame(pairs.to_pandas()).repartition(parts_for(wanted, one_job))
        return copse.spark.connected_components(frame.mapInArrow(slow, frame.schema), columns=("l", "r")).toArrow()

    copse.spark._merger = slow_merger
    try:
        return jobs_under_fire("spark", wanted, find, (0.5, 1.5), solve, dice, one_job)
    finally:
        copse.spark._merger = whole


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--ray", type=int, default=0, help="workers to kill")
    arguments.add_argument("--spark", type=int, default=0, help="executors to kill")
    arguments.add_argument("--one-job", action="store_true", help="kill them all in one job of each engine")
    arguments.add_argument("--seed", type=int, default=1)
    asked = arguments.parse_args()
    dice = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        if asked.ray:
            with ray_session(folder) as ray:
                ray_under_fire(ray, folder, asked.ray, dice, asked.one_job)
        if asked.spark:
            with spark_session() as spark:
                spark_under_fire(spark, folder, asked.spark, dice, asked.one_job)


if __name__ == "__main__":
    main()
