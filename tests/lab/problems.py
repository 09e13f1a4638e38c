#!/usr/bin/env python3
"""Runs every problem of copse_lab on small inputs: tests/lab/problems.py build/release/lab/copse_lab [--gpu]

Each must end well, check its answers, and write a document per input with so many samples for each series as there are trials. With --gpu the problems
of a GPU run as well.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

GRAPH, TRIALS = "er:n=6000,m=20000", 3
ON_CORES = {
    "forest": ["--variants", "auto,serial.none.rem", GRAPH],
    "weighted": ["--variants", "plain.kruskal,auto,threads.boruvka", "--threads", "2", GRAPH],
    "hierarchy": ["--batch", "700", "pairs:n=1000,m=5000"],
    "clusters": ["--threads", "2", "small:n=1000,m=5000", "giant:n=1000,m=5000"],
    "compare": ["--threads", "2", "labels:n=10000"],
    "incremental": ["--batches", "1000,all", "--queries", "1,10", "--mixed-batch", "5000", "--threads", "2", GRAPH],
    "inspected": ["--batches", "1000,all", "--threads", "2", GRAPH],
    "first_touch": ["--threads", "2", GRAPH],
    "dynamic": ["--batches", "100,all", "--keep", ".5", GRAPH],
    "lists": ["--variants", "serial.walk,serial.fis,threads.helman_jaja", "--rounds", "auto,3", "--threads", "2", "list:n=100000"],
    "bits": ["--n", "1000000"],
    "tours": ["rmat:scale=10", "path:n=1000,shuffle=1"],
}
ON_A_GPU = {
    "components": ["--variants", "auto,prepared auto,cuda.gconn_tree,cuda.kout.async.*", "--gpu-rows", "fused,gathered", "--give-up", "100", GRAPH],
    "forest": ["--device", "cuda", "--variants", "auto,cuda.none.async.halve", GRAPH],
    "weighted": ["--resident", "yes", "--variants", "cuda.filter_boruvka,cuda.ecl_mst", GRAPH],
    "hierarchy": ["--device", "cuda", "pairs:n=10000,m=50000"],
    "lists": ["--variants", "cuda.helman_jaja,cuda.helman_jaja_cpu,cuda.fis,hybrid.fis", "--threads", "4", "list:n=1000000"],
    "tours": ["--device", "cuda", "--threads", "4", "rmat:scale=12"],
    "hybrid": ["--cross", "min_label,keep", GRAPH],
    "incremental_gpu": ["--variants", "cuda.none.*", "--printed", "1", "--batches", "1000,all", "--queries", "1,10", "--copies", "yes", GRAPH],
    "streaming": ["--rows", "yes", "--folder", tempfile.gettempdir(), GRAPH],
}


def fault_of(lab, problem, words, folder):
    out = Path(folder) / f"{problem}.jsonl"
    out.unlink(missing_ok=True)
    command = [lab, problem, *words, "--trials", str(TRIALS), "--json", str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"{' '.join(command)}: exit status {done.returncode}: {done.stderr[-400:]}"
    documents = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    inputs = max(1, sum(":" in word for word in words))
    if len(documents) != inputs:
        return f"{problem}: found {len(documents)} documents, expected {inputs}"
    for document in documents:
        if document["problem"] != problem or not document["machine"]["commit"] or not document["series"]:
            return f"{problem}: found a document without its problem, commit or series"
        for s in document["series"]:
            if len(s["samples"]) != TRIALS or not all(sample >= 0 for sample in s["samples"]):
                return f"{problem}: {s['variant']}, {s['measure']}: found samples {s['samples']}, expected {TRIALS}"
    return ""


def main():
    lab, *rest = sys.argv[1:] or sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "pairs.el"
        text.write_text("".join(f"{i} {i * 7 % 1000}\n" for i in range(1000)), encoding="utf-8")
        runs = [*ON_CORES.items(), ("text", [str(text)]), *(ON_A_GPU.items() if "--gpu" in rest else ())]
        wrong = [fault for problem, words in runs if (fault := fault_of(lab, problem, words, folder))]
    print("\n".join(wrong) if wrong else f"{len(runs)} problems ran")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
