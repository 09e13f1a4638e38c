#!/usr/bin/env python3
"""copse-mpi components on 1, 2, 3 and 5 ranks: the file that one process writes, for integer, sparse and string ids; the bytes that ranks
send; plain refusals; and nothing left behind by ranks that were killed.

Usage: components_test.py MPIEXEC COPSE_MPI COPSE
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MPIEXEC, COPSE_MPI, COPSE = sys.argv[1:4]
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}


def command(count, *arguments):
    return [MPIEXEC, "-n", str(count), COPSE_MPI, "components", *map(str, arguments)]


def ranks(count, *arguments):
    return subprocess.run(command(count, *arguments), env=ENVIRONMENT, capture_output=True, text=True, timeout=120)


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def write_graphs(folder):
    dice = random.Random(5)
    pairs = [(dice.randrange(3000), dice.randrange(3000)) for _ in range(2000)]
    graphs = []
    for name, called in [("dense.el", str), ("sparse.el", lambda v: str(v * 1000003)), ("strings.csv", lambda v: f"user,{v}")]:
        quote = '"{}"' if name.endswith(".csv") else "{}"
        separator = "," if name.endswith(".csv") else " "
        lines = [quote.format(called(u)) + separator + quote.format(called(v)) for u, v in pairs]
        (folder / name).write_text("\n".join(lines) + "\n")
        graphs.append(folder / name)
    return graphs


def write_mixed_graphs(folder):
    """Graphs whose ids are dense in one part only, or reach from small to the largest: (name, ids of the vertices)."""
    dice = random.Random(7)
    kinds = {
        "thin.el": [*range(500), *range(500, 4000, 7)],  # a third of all ids, all of them at the beginning
        "beyond.el": [*range(1000), *range(10**12, 10**12 + 500)],
        "last.el": [*range(300), 2**32 - 2, 2**32 - 1, 2**32, 2**64 - 2],
    }
    for name, ids in kinds.items():
        (folder / name).write_text("".join(f"{dice.choice(ids)} {dice.choice(ids)}\n" for _ in range(3 * len(ids))))
    return [folder / name for name in kinds]


def one_process(graph, labels, *options):
    ended = subprocess.run([COPSE, "components", graph, "-o", labels, "--json", *options], capture_output=True, text=True, check=True)
    return json.loads(ended.stdout)["checksum"]


def expect_same(graph, whole, checksum, count, *options):
    labels = whole.with_stem("labels")
    ended = ranks(count, graph, "-o", labels, "--json", *options)
    run = f"{graph.name} on {count} ranks {options}"
    expect(ended.returncode == 0, f"{run}: {ended.stderr}")
    expect(labels.read_bytes() == whole.read_bytes(), f"{run}: other labels")
    found = json.loads(ended.stdout)
    expect(found["checksum"] == checksum, f"{run}: another checksum")
    expect(found["ranks"] == count and found["verified"] == ("--verify" in options), ended.stdout)
    return found


def check_answers(folder):
    for graph in write_graphs(folder):
        header = ["--header", "no"] if graph.suffix == ".csv" else []
        for suffix in (".csv", ".txt"):
            whole = folder / f"whole{suffix}"
            checksum = one_process(graph, whole, *header)
            for count, proved in ((1, False), (2, True), (3, False), (5, True)) if suffix == ".csv" else ((5, False),):
                found = expect_same(graph, whole, checksum, count, *header, *(["--verify"] if proved else []))
                expect((found["sent_bytes"] > 0) == (count > 1), "bytes are sent by all ranks but the first")


def check_mixed_ids(folder):
    for graph in write_mixed_graphs(folder):
        checksum = one_process(graph, folder / "whole.csv")
        for options in ([], ["--threads", "2"]):
            expect_same(graph, folder / "whole.csv", checksum, 3, *options)


def check_giant(folder):
    """Enough ids and edges that the threads of a rank look for a giant, and pass over edges inside it."""
    graph = folder / "giant.el"
    subprocess.run([COPSE, "generate", "rmat:scale=17,edges=8,shuffle=1", "-o", graph], capture_output=True, check=True)
    checksum = one_process(graph, folder / "whole.csv")
    for options in (["--threads", "1"], ["--threads", "2"]):
        expect_same(graph, folder / "whole.csv", checksum, 3, *options)


def check_declared_vertices(folder):
    (folder / "table.csv").write_text("id\n7000\n7001\n")
    (folder / "ones.mtx").write_text("%%MatrixMarket matrix coordinate pattern symmetric\n9 9 2\n2 1\n9 4\n")
    for graph, options in [(folder / "dense.el", ["--vertices", "4000"]), (folder / "dense.el", ["--vertex-file", folder / "table.csv"]),
                           (folder / "ones.mtx", [])]:
        checksum = one_process(graph, folder / "whole.csv", *options)
        expect_same(graph, folder / "whole.csv", checksum, 3, *options)


def check_sent_bytes(folder):
    graph = folder / "dense.el"
    checksum = one_process(graph, folder / "whole.csv")
    forest_bytes = 4 * 3000
    found = expect_same(graph, folder / "whole.csv", checksum, 3)
    expect(2 * forest_bytes * 0.6 <= found["sent_bytes"] < 2 * forest_bytes * 1.1 + 1, f"each rank but the first sends a forest: {found}")


def check_killed_rank(folder):
    """One rank waits for a pipe that nobody writes to, the others for that rank; then it is killed."""
    pipe = folder / "pipe.el"
    os.mkfifo(pipe)
    job = subprocess.Popen(command(3, folder / "dense.el", pipe, "-o", folder / "none.csv"), env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    held = os.open(pipe, os.O_RDWR)
    children = []
    while len(children) < 3 and job.poll() is None:
        children = [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and is_child(entry, job.pid)]
        time.sleep(0.05)
    time.sleep(0.5)
    expect(job.poll() is None, "no rank ends before the pipe does")
    os.kill(children[-1], signal.SIGKILL)
    expect(job.wait(30) != 0, "a job fails that lost a rank")
    os.close(held)
    ending = time.monotonic() + 10
    while any(is_running(child) for child in children) and time.monotonic() < ending:
        time.sleep(0.05)
    expect(not any(is_running(child) for child in children), "no rank outlives the job for long")
    expect(not list(folder.glob("none*")), "nothing is left behind")


def is_running(process):
    try:
        return (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def is_child(process, parent):
    try:
        return int((Path("/proc") / process / "stat").read_text().rpartition(")")[2].split()[1]) == parent
    except OSError:
        return False  # gone meanwhile


def check_forest_and_several_files(folder):
    (folder / "a.el").write_text("0 1\n5 6\n")
    (folder / "b.el").write_text("1 2\n")
    (folder / "empty.el").write_text("")
    ended = ranks(3, folder / "a.el", folder / "b.el", folder / "empty.el", "-o", folder / "all.forest")
    expect(ended.returncode == 0 and "components  2\n" in ended.stdout, ended.stdout + ended.stderr)
    merged = subprocess.run([COPSE, "merge", folder / "all.forest", "-o", "-"], capture_output=True, text=True, check=True)
    expect(merged.stdout == "0\t0\n1\t0\n2\t0\n5\t5\n6\t5\n", merged.stdout)


def check_refusals(folder):
    (folder / "bad.el").write_text("0 1\n2 3\n4 5\n6 seven\n")
    ended = ranks(3, folder / "bad.el", "-o", folder / "none.csv")
    expect(ended.returncode == 2 and ended.stderr.count("bad.el:4: ") == 1, f"told once, with the line: {ended.stderr}")
    (folder / "named.el").write_text("a b\nc d\n" * 50)
    ended = ranks(3, folder / "named.el")
    expect(ended.returncode == 0 and ended.stderr.count("note:") <= 1, f"notes are told once: {ended.stderr}")
    ended = ranks(2, folder / "missing.el", "-o", folder / "none.csv")
    expect(ended.returncode == 2 and "missing.el" in ended.stderr, ended.stderr)
    ended = ranks(2, folder / "a.el", "-o", folder / "none.npy")
    expect(ended.returncode == 2 and "expected .csv or .txt" in ended.stderr, ended.stderr)
    ended = ranks(2, folder / "a.el", "-o", folder / "no_folder" / "none.csv")
    expect(ended.returncode == 2, ended.stderr)
    ended = ranks(2, folder / "a.el", "--no-such-option")
    expect(ended.returncode == 2 and ended.stderr.count("copse-mpi: ") == 1, ended.stderr)
    expect(not list(folder.glob("none*")), "nothing is left half written")


with tempfile.TemporaryDirectory() as name:
    check_answers(Path(name))
    check_mixed_ids(Path(name))
    check_giant(Path(name))
    check_declared_vertices(Path(name))
    check_sent_bytes(Path(name))
    check_killed_rank(Path(name))
    check_forest_and_several_files(Path(name))
    check_refusals(Path(name))
print("copse-mpi: all answers are those of one process")
