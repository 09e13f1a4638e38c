"""How a run is measured: the commands, and what their output becomes. A document is what bench/summarise.py reads."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .claims import full, matches
from .runs import GRAPHS, RUNS


def expect_built(argv):
    """Says what to build, and ends, where the program of a command is not there."""
    if not os.path.exists(argv[0]):
        print(f"figures: {argv[0]}: no such file, build it with tools/build.sh release copse_cli benchmarks (--build says where)", file=sys.stderr)
        raise SystemExit(2)


@dataclass
class Setup:
    build: Path
    edges: int
    trials: int
    threads: int
    backend: str = "threads"
    dry: bool = False  # show commands instead of running them
    given: tuple = ()  # graphs that take the place of those of the runs
    known: dict = field(default_factory=dict)  # variants by problem

    def copse(self):
        return str(self.build / "cli" / "copse")

    def bench(self, name):
        return str(self.build / "bench" / f"copse_bench_{name}")

    def output(self, argv, file=False):
        """Text that a command prints, or that it writes to the file JSON."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "result.json")
            argv = [path if word == "JSON" else word for word in argv]
            expect_built(argv)
            done = subprocess.run(argv, stdout=subprocess.PIPE, text=True)
            if done.returncode:
                raise SystemExit(f"{' '.join(argv)}: exit status {done.returncode}")
            return Path(path).read_text(encoding="utf-8") if file else done.stdout

    def variants(self, problem="components"):
        if problem not in self.known:
            self.known[problem] = json.loads(self.output([self.copse(), "variants", "--problem", problem, "--json"]))
        return self.known[problem]

    def names(self, patterns, problem="components", held="csr"):
        """What the patterns of claims stand for here; choosers are no variants, and stay."""
        names = {}
        for pattern in patterns:
            asked = full(pattern, self.backend)
            if "gconn_" in asked or asked == "auto":
                found = [asked]
            else:
                found = [v["name"] for v in self.variants(problem)
                         if matches(v["name"], asked) and (problem != "components" or held in v["inputs"])]
            if not found:
                raise ValueError(f"no variant of {problem} is {asked} ({held})")
            names |= dict.fromkeys(found)
        return list(names)

    def specs(self, run):
        return list(self.given) or [GRAPHS[name](self.edges) for name in run.graphs]

    def machine(self):
        """The machine's facts, as copse bench tells them."""
        return json.loads(self.output([self.copse(), "bench", "karate", "--variants", "auto", "--trials", "1", "--json", "-"]))["machine"]


def bench(setup, run, patterns):
    held = "coo" if "coo" in run.arguments else "csr"
    argv = [setup.copse(), "bench", *setup.specs(run), "--variants", ",".join(setup.names(patterns, held=held)),
            "--threads", str(setup.threads), "--trials", str(setup.trials), *run.arguments, "--json", "JSON"]
    yield argv, lambda: json.loads(setup.output(argv, file=True))


def finalists(setup, graph, patterns):
    """The fastest of every pattern on a graph: all that a claim asks for."""
    names = {}
    for pattern in patterns:
        asked = full(pattern, setup.backend)
        found = [(min(r["seconds"]["samples"]), r["variant"]) for r in graph["rows"]
                 if matches(r["variant"], asked) and r.get("seconds", {}).get("samples")]
        names |= dict.fromkeys([min(found)[1]] if found else [])
    return list(names)


def tournament(setup, run, patterns):
    """Every variant once, then the fastest of every pattern in all trials: of hundreds of variants most are in no claim in the end."""
    def argv(specs, names, trials):
        return [setup.copse(), "bench", *specs, "--variants", ",".join(names), "--threads", str(setup.threads), "--trials", str(trials),
                *run.arguments, "--json", "JSON"]

    first = argv(setup.specs(run), setup.names(patterns), 1)

    def document():
        result = json.loads(setup.output(first, file=True))
        finals = [json.loads(setup.output(argv([g["graph"]], finalists(setup, g, patterns), setup.trials), file=True)) for g in result["graphs"]]
        return {**finals[0], "graphs": [g for f in finals for g in f["graphs"]]}
    yield first, document


def phases(setup, run, patterns):
    """copse components --json of every graph and variant."""
    for spec in setup.specs(run):
        for name in setup.names(patterns):
            argv = [setup.copse(), "components", spec, "--variant", name, "--threads", str(setup.threads), "--trials", str(setup.trials),
                    "--json"]
            yield argv, lambda argv=argv, spec=spec: {"benchmark": "components", "machine": setup.machine(),
                                                      "runs": [{"graph": spec, **json.loads(setup.output(argv))}]}


def giant(setup, run, _):
    for spec in setup.specs(run):
        argv = [setup.copse(), "components", spec, "--json"]

        def document(argv=argv, spec=spec):
            found = json.loads(setup.output(argv))
            return {"benchmark": "series", "machine": setup.machine(), "series": [
                {"graph": spec, "variant": found["variant"], "setting": f"vertices={found['vertices']}", "measure": "giant_vertices",
                 "unit": "count", "samples": [found["largest"]["size"]]}]}
        yield argv, document


def per_graph(name):
    """A program that takes one graph and --threads, --trials and --json."""
    def form(setup, run, patterns):
        for spec in setup.specs(run):
            asked = [n for n in setup.names(patterns, "incremental") if n != "auto"]  # which the program measures by itself
            named = ["--variants", ",".join(asked)] if asked else []
            argv = [setup.bench(name), spec, "--threads", str(setup.threads), "--trials", str(setup.trials), *named, "--json", "JSON"]
            yield argv, lambda argv=argv: json.loads(setup.output(argv, file=True))
    return form


def printed(setup, run, _):
    argv = [setup.bench("as_printed"), *setup.specs(run), "--threads", str(setup.threads), "--trials", str(setup.trials), "--json", "JSON"]
    yield argv, lambda: json.loads(setup.output(argv, file=True))


def insert_counts(setup, run, patterns):
    """Counts do not change from trial to trial."""
    for spec in setup.specs(run):
        argv = [setup.bench("incremental_counts"), spec, "--threads", str(setup.threads), "--variants",
                ",".join(setup.names(patterns, "incremental")), "--json", "JSON"]
        yield argv, lambda argv=argv: json.loads(setup.output(argv, file=True))


def on_gpu(name, *arguments):
    """TRIALS OUT.json ARGUMENTS GRAPH..."""
    def form(setup, run, _):
        argv = [setup.bench(name), str(setup.trials), "JSON", *arguments, *setup.specs(run)]
        yield argv, lambda: json.loads(setup.output(argv, file=True))
    return form


def forest(setup, run, _):
    gpu = setup.backend == "cuda"
    argv = [setup.bench("forest_gpu" if gpu else "forest"), f"trials={setup.trials}", *(["--json", "JSON"] if gpu else []), *setup.specs(run)]
    yield argv, lambda: json.loads(setup.output(argv, file=gpu))


def ranks(*reduce):
    """Lists of as many elements as the graphs have edges."""
    def form(setup, run, patterns):
        gpu = setup.backend == "cuda"
        size = ["--sizes", str(max(1, setup.edges // 1_000_000))] if gpu else ["--n", str(setup.edges)]
        argv = [setup.bench("list_ranking_gpu" if gpu else "list_ranking"), *size, "--rounds", str(setup.trials), "--threads",
                str(setup.threads), "--variants", ",".join(full(p, setup.backend) for p in patterns), *reduce, "--json", "JSON"]
        yield argv, lambda: json.loads(setup.output(argv, file=True))
    return form


def bits(setup, *_):
    argv = [setup.bench("random_bits"), "--n", str(setup.edges), "--threads", str(setup.threads), "--trials", str(setup.trials),
            "--json", "JSON"]
    yield argv, lambda: json.loads(setup.output(argv, file=True))


def hybrid(setup, run, _):
    argv = [setup.bench("hybrid"), "--trials", str(setup.trials), *run.arguments, "--json", "JSON", *setup.specs(run)]
    yield argv, lambda: json.loads(setup.output(argv, file=True))


def techniques(setup, run, patterns):
    for loop in ("base", "coalesced", "reorganised", "gathered"):
        argv = [setup.copse(), "bench", *setup.specs(run), "--variants", ",".join(setup.names(patterns)), "--trials", str(setup.trials),
                "--gpu-rows", loop, "--json", "JSON"]
        yield argv, lambda argv=argv: json.loads(setup.output(argv, file=True))


FORMS = {"as_printed": printed, "bench": bench, "tournament": tournament, "phases": phases, "giant": giant, "incremental": per_graph("incremental"),
         "incremental_counts": insert_counts, "first_touch": per_graph("first_touch"), "random_bits": bits, "incremental_gpu": on_gpu("incremental_gpu"),
         "incremental_rules_gpu": on_gpu("incremental_rules_gpu", "cuda.none.*", "10000000,all"),
         "forest": forest, "list_ranking": ranks(),
         "list_rounds": ranks("--reduce", "0,4,8,12,18"), "hybrid": hybrid, "techniques": techniques}


def commands(setup, name, patterns):
    """Pairs of a command and of what makes a document of it."""
    return list(FORMS[RUNS[name].program](setup, RUNS[name], patterns))
