#!/usr/bin/env python3
"""copse-mpi components on 1, 2, 3 and 5 ranks: the file that one process writes, for integer, sparse and string ids, forests merged in shared
memory or sent up a tree, and plain refusals.

Usage: components_test.py MPIEXEC COPSE_MPI COPSE
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

MPIEXEC, COPSE_MPI, COPSE = sys.argv[1:4]
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}


def ranks(count, *arguments):
    return subprocess.run([MPIEXEC, "-n", str(count), COPSE_MPI, "components", *map(str, arguments)], env=ENVIRONMENT,
                          capture_output=True, text=True, timeout=120)


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


def check_answers(folder):
    for graph in write_graphs(folder):
        header = ["--header", "no"] if graph.suffix == ".csv" else []
        for suffix in (".csv", ".txt"):
            whole, labels = folder / f"whole{suffix}", folder / f"labels{suffix}"
            one = subprocess.run([COPSE, "components", graph, "-o", whole, "--json", *header], capture_output=True, text=True, check=True)
            for count, proved in ((1, False), (2, True), (3, False), (5, True)) if suffix == ".csv" else ((5, False),):
                proof = ["--verify"] if proved else []
                ended = ranks(count, graph, "-o", labels, "--json", *header, *proof)
                expect(ended.returncode == 0, f"{graph.name} on {count} ranks: {ended.stderr}")
                expect(labels.read_bytes() == whole.read_bytes(), f"{graph.name} on {count} ranks: other labels")
                found = json.loads(ended.stdout)
                expect(found["checksum"] == json.loads(one.stdout)["checksum"], f"{graph.name} on {count} ranks: another checksum")
                expect(found["ranks"] == count and found["verified"] == proved, ended.stdout)
                in_shared_memory = graph.name == "dense.el" and not proved
                expect((found["sent_bytes"] > 0) == (count > 1 and not in_shared_memory), "bytes are sent by all ranks but the first")


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
    check_forest_and_several_files(Path(name))
    check_refusals(Path(name))
print("copse-mpi: all answers are those of one process")
