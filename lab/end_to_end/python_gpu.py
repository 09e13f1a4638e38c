"""The prepared solve of the Python package on a GPU: python3 -m lab.end_to_end.python_gpu OUT.json [--trials N] [SPEC...], with copse-graph-cuda13 and torch.

The graph's rows are in Torch's memory on the GPU. `call` is the whole call from Python by the wall clock, `solve` the same solve of the library
by the GPU's clock, as its report says; what lies between is the cost of the call. Each answer is compared with the CPU's.
"""

import argparse
import time

import numpy as np
import torch

import copse

from .kit import Recorder

GRAPHS = ("rmat:scale=22,edges=8,a=.45,b=.15,c=.15", "er:n=65536,m=500000")  # 67 M arcs, and one that is little more than a launch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--trials", type=int, default=100)
    arguments = parser.parse_args()
    out = Recorder("python", gpu=torch.cuda.get_device_name(), version=copse.__version__)
    for spec in arguments.graphs:
        graph = copse.generate(spec)
        on_device = lambda array: torch.as_tensor(np.asarray(array).astype(np.int32)).to("cuda")
        rows = torch.sparse_csr_tensor(
            on_device(graph.offsets),
            on_device(graph.targets),
            torch.ones(graph.stored, dtype=torch.int8, device="cuda"),
            size=(graph.vertices, graph.vertices),
            check_invariants=False,
        )
        prepared = copse.prepare(rows)
        if not np.array_equal(prepared.solve(rows).cpu().numpy(), copse.components(graph).labels):
            raise SystemExit(f"{spec}: another answer than the CPU's")
        calls, solves = [], []
        for _ in range(arguments.trials):
            torch.cuda.synchronize()
            start = time.perf_counter()
            prepared.solve(rows)
            torch.cuda.synchronize()
            calls.append((time.perf_counter() - start) * 1e6)
            solves.append(prepared.report.solve_seconds * 1e6)
        for measure, samples in (("call", calls), ("solve", solves)):
            out.add(spec, "prepared", measure, "us", 1, samples, library="torch")
    out.write(arguments.out)


if __name__ == "__main__":
    main()
