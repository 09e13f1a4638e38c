"""Ray and Spark on this machine compared with one process: python3 -m lab.end_to_end.engines OUT.json, with copse, pandas, SciPy, pyarrow, Ray and PySpark (Java).

Random pairs of 64-bit ids in eight Parquet files become a Parquet table (id, component): by pandas and SciPy, by copse in one process, by
copse.ray and by copse.spark, each in a process of its own, the engines with two workers of one core. Measured: seconds from the files to the
table, the engine up already; how long it took to come up; peak memory of the driver (Python, and of Spark its Java process). All answers are
compared. Fewer pairs over the same vertices tell what the driver's memory depends on.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq

from .kit import Recorder

FILES = 8


def write_pairs(folder, pairs, vertices):
    dice = np.random.default_rng(7)
    folder.mkdir()
    for i in range(FILES):
        left, right = dice.integers(0, vertices, (2, pairs // FILES)) * 1_000_003
        pq.write_table(pa.table({"l": left, "r": right}), folder / f"{i}.parquet")


def by_pandas(pairs, out):
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    frame = pd.read_parquet(pairs)
    codes, ids = pd.factorize(pd.concat([frame["l"], frame["r"]], ignore_index=True))
    half = len(frame)
    graph = sparse.coo_array((np.ones(half, np.int8), (codes[:half], codes[half:])), shape=(len(ids), len(ids)))
    labels = connected_components(graph, directed=False)[1]
    pd.DataFrame({"id": ids, "component": labels}).to_parquet(out)


def by_copse(pairs, out):
    import copse

    reader = pa.dataset.dataset(pairs).scanner().to_reader()
    pq.write_table(copse.cluster(reader, columns=("l", "r"), output_cluster="component", threads=2), out)


def by_ray(pairs, out):
    import ray

    from copse.ray import connected_components

    connected_components(ray.data.read_parquet(pairs), columns=("l", "r")).write_parquet(out)


def by_spark(pairs, out):
    from pyspark.sql import SparkSession

    from copse.spark import connected_components

    connected_components(SparkSession.getActiveSession().read.parquet(pairs), columns=("l", "r")).write.parquet(out)


def start_ray():
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=2_000_000_000)
    ray.data.DataContext.get_current().enable_progress_bars = False


def start_spark():
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        SparkSession.builder.master("local-cluster[2,1,2048]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "2g")
        .config("spark.executor.memory", "2g")
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    session.range(10).repartition(2).mapInArrow(lambda batches: batches, "id long").collect()  # the workers are up


WAYS = {"pandas_scipy": (None, by_pandas), "copse": (None, by_copse), "ray": (start_ray, by_ray), "spark": (start_spark, by_spark)}


def peak_bytes(process):
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) * 1024


def driver_peak():
    """The peak memory of this process and of the Java process that it has started."""
    peak = peak_bytes(os.getpid())
    for child in pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        if b"SparkSubmit" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes():
            peak += peak_bytes(child)
    return peak


def measure(way, pairs, out):
    """In a process of its own: what the parent reads from standard output."""
    start, solve = WAYS[way]
    began = time.perf_counter()
    if start is not None:
        start()
    up = time.perf_counter()
    solve(pairs, out)
    print("MEASURED", json.dumps({"start": up - began, "time": time.perf_counter() - up, "memory": driver_peak()}))


def answer_in(path):
    """Ids in order, and for each the smallest id of its component."""
    found = pa.dataset.dataset(path, format="parquet").to_table().to_pandas()
    found["component"] = found.groupby("component")["id"].transform("min")
    found = found.sort_values("id")
    return found["id"].to_numpy(), found["component"].to_numpy()


def measure_all(folder, pairs, vertices, ways, out):
    graph = f"pairs_{pairs // 1_000_000}M_int64"
    data = folder / graph
    write_pairs(data, pairs, vertices)
    expected = None
    for way in ways:
        answer_file = folder / "answer"
        command = [sys.executable, "-m", "lab.end_to_end.engines", "--measure", way, str(data), str(answer_file)]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        found = json.loads(next(line for line in said.splitlines() if line.startswith("MEASURED")).partition(" ")[2])
        answer = answer_in(answer_file)
        expected = expected or answer
        assert all(np.array_equal(a, b) for a, b in zip(answer, expected)), f"{way}: another answer"
        shutil.rmtree(answer_file) if answer_file.is_dir() else answer_file.unlink()
        out.add(graph, way, "time", "s", 2, [found["time"]])
        out.add(graph, way, "memory", "MiB", 2, [found["memory"] / 2**20])
        if WAYS[way][0] is not None:
            out.add(graph, way, "start", "s", 2, [found["start"]])
    out.add(graph, "copse", "vertices", "count", 2, [len(expected[0])])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?")
    parser.add_argument("--pairs", type=int, default=20_000_000)
    parser.add_argument("--vertices", type=int, default=8_000_000)
    parser.add_argument("--measure", nargs=3, metavar=("WAY", "PAIRS", "OUT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        return measure(*arguments.measure)
    out = Recorder("engines")
    with tempfile.TemporaryDirectory() as name:
        for pairs, ways in ((arguments.pairs, list(WAYS)), (arguments.pairs // 4, ["copse", "ray", "spark"])):
            measure_all(pathlib.Path(name), pairs, arguments.vertices, ways, out)
    out.write(arguments.out)


if __name__ == "__main__":
    main()
