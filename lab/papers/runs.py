"""What is measured for the figures: graphs by about how many edges they are to have, and the commands of every run."""

import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .. import store
from .claims import full, matches


def bits(vertices):
    return max(4, math.ceil(math.log2(max(1, vertices))))


def side(vertices):
    return max(8, math.ceil(math.sqrt(vertices)))


GRAPHS = {
    "rmat": lambda m: f"rmat:scale={bits(m / 16)},edges=16,a=.57,b=.19,c=.19,shuffle=1",
    "kron": lambda m: f"rmat:scale={bits(m / 48)},edges=48,a=.57,b=.19,c=.19,shuffle=1",
    "rmat22": lambda m: f"rmat:scale={bits(m / 8)},edges=8,a=.45,b=.15,c=.15",
    "scale_free": lambda m: f"rmat:scale={bits(m / 10)},edges=10,a=.45,b=.15,c=.15,shuffle=1",
    "twitter": lambda m: f"rmat:scale={bits(m / 6)},edges=6,a=.57,b=.19,c=.19,shuffle=1",
    "er": lambda m: f"er:n={math.ceil(m / 4)},m={m}",
    "er2": lambda m: f"er:n={math.ceil(m / 2)},m={m}",
    "er1": lambda m: f"er:n={m},m={m}",
    "ba": lambda m: f"ba:n={math.ceil(m / 10)},k=10",
    "web": lambda m: f"web:n={math.ceil(m / 14)},degree=32",
    "osm": lambda m: f"osm:side={side(m / 3.55)},keep=.6",
    "mesh": lambda m: f"mesh:side={side(m / 2.95)}",
    "grid": lambda m: f"grid2d:side={side(m / 1.98)}",
    "torus": lambda m: f"torus2d:side={side(m / 2)}",
}
# Banerjee and Kothapalli's: m is that of the largest graph of Figures 8 to 10, 9 M edges in the paper, where Figure 11 has 2.5 M vertices.
BK_SIZES = {f"bk{k}": (lambda m, k=k: f"er:n={max(8, m * k // 18)},m={max(16, m * k // 9)}") for k in range(1, 10)}
BK_EDGES = {f"bk_edges{k}": (lambda m, k=k: f"er:n={max(8, m * 10 // 36)},m={max(16, m * k // 9)}") for k in range(3, 9)}
LISTS = {f"list{k}": (lambda m, k=k: f"list:n={max(16, m >> k)}") for k in range(8)}  # 1 to 128 M where m is 128 M
GRAPHS |= BK_SIZES | BK_EDGES | LISTS

PAPER = ("--preset", "paper")  # GConn's numbers: four rounds of hooks, gathered rows, ...
RANDOM = ("--input", "coo", "--order", "random")
MIXED = ("rmat", "er", "ba", "web", "osm")
CM = ("er", "er2", "scale_free", "torus")
MIN_LABEL = ("--variants", "hybrid.dfs.none.soman", "--cross", "min_label", "--shares", "0,5,10,15,20,25,30,40,50,100")
RULES = "cuda.none.*"
FORESTS = ",".join(f"cuda.{s}.{f}" for s in ("none", "kout", "hb") for f in ("async.halve", "rem_cas.naive.halve_one", "ecl.halve"))


@dataclass(frozen=True)
class Run:
    form: str  # bench, tournament, repeated, phases, giant, or a problem of copse_lab
    graphs: tuple
    arguments: tuple = ()
    device: str = ""  # cpu or gpu, where it runs there only
    pairs: tuple = ()  # settings that samples of it must have to be judged
    program: str = ""  # copse_printed: copse with algorithms as the papers print them, whose variants are given by name


RUNS = {
    "rows": Run("tournament", MIXED, (*PAPER, "--give-up", "30"), pairs=(("hb_arcs", "4"),)),
    "techniques": Run("techniques", ("rmat22", "er", "mesh", "web"), device="gpu"),
    "counts": Run("repeated", (*MIXED, "kron", "mesh"), (*PAPER, "--count"), pairs=(("hb_arcs", "4"),)),
    "ecl": Run("bench", ("grid", "er", "rmat22", "kron", "ba", "web", "osm", "mesh"), ("--give-up", "100")),
    "ecl_lists": Run("bench", ("grid", "er", "rmat22", "kron", "ba", "osm"), ("--input", "coo", "--order", "sorted", "--give-up", "100")),
    "sorted": Run("bench", (*CM, "twitter"), ("--input", "coo", "--order", "sorted")),
    "order_copies": Run("bench", (*CM, "twitter"), RANDOM),
    "as_printed": Run("printed", (*CM, "twitter"), device="cpu"),
    "printed_variants": Run("bench", (*CM, "twitter"), ("--input", "coo", *PAPER), "gpu", program="copse_printed"),
    "printed_counts": Run("repeated", CM, ("--input", "coo", *PAPER, "--count"), "cpu", program="copse_printed"),
    "printed_threads": Run("printed_threads", ("er", "scale_free"), device="cpu"),
    "phases": Run("phases", (*MIXED, "mesh")),
    "list_phases": Run("phases", CM),
    "giant": Run("giant", ("er1",), device="cpu"),
    "gpu_rules": Run("incremental_gpu", ("rmat22", "er"), ("--variants", RULES, "--batches", "1000,10000,100000,1000000,10000000,all"), "gpu"),
    "gpu_queries": Run("incremental_gpu", ("osm",), ("--variants", "cuda.none.async.*", "--batches", "all", "--queries", "1,10,100"), "gpu"),
    "inspected": Run("inspected", ("rmat22", "er"), ("--batches", "10000,100000,1000000,10000000"), "cpu"),
    "forest": Run("forest", (*MIXED, "mesh"), ("--device", "cuda", "--variants", FORESTS), "gpu"),
    "hybrid_ranks": Run("lists", tuple(LISTS), ("--variants", "hybrid.fis,cuda.helman_jaja_cpu"), "gpu"),
    "rank_rounds": Run("lists", ("list0",), ("--variants", "cuda.fis", "--rounds", "0,4,8,12,18"), "gpu"),
    "hybrid_min_label": Run("hybrid", tuple(BK_SIZES), MIN_LABEL, "gpu"),
    "hybrid_edges": Run("hybrid", tuple(BK_EDGES), (*MIN_LABEL, "--forms", "host"), "gpu"),
    "anchors": Run("tournament", ("rmat22", "er", "mesh", "web", "osm", "ba"), (*PAPER, "--give-up", "30"), "gpu", (("hb_arcs", "4"),)),
}


@dataclass
class Setup:
    build: Path
    edges: int
    trials: int
    threads: int
    device: str = "cpu"
    dry: bool = False  # show commands instead of running them
    given: tuple = ()  # graphs that take the place of those of the runs
    known: dict = field(default_factory=dict)  # variants by problem

    @property
    def backend(self):
        return {"cpu": "threads", "gpu": "cuda"}[self.device]

    @property
    def copse(self):
        return str(self.build / "cli" / "copse")

    @property
    def lab(self):
        return str(self.build / "lab" / "copse_lab")

    def output(self, argv):
        """The JSON documents that a command writes to the file JSON, or prints."""
        if not os.path.exists(argv[0]):
            print(f"lab: {argv[0]}: no such file, build it with tools/build.sh release copse_cli benchmarks (--build says where)", file=sys.stderr)
            raise SystemExit(2)
        print(" ".join(argv), file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "result.json"
            done = subprocess.run([str(path) if word == "JSON" else word for word in argv], stdout=subprocess.PIPE, text=True)
            if done.returncode:
                raise SystemExit(f"lab: {' '.join(argv)}: exit status {done.returncode}")
            if not path.exists():
                path.write_text(done.stdout, encoding="utf-8")
            return list(store.results_in(path))

    def names(self, patterns, held="csr"):
        """The variants of components that patterns of claims stand for; choosers are no variants, and stay."""
        if not self.known:
            self.known = {v["name"]: v for v in self.output([self.copse, "variants", "--json"])[0]}
        names = {}
        for pattern in patterns:
            asked = full(pattern, self.backend)
            found = [asked] if "gconn_" in asked else [n for n, v in self.known.items() if matches(n, asked) and held in v["inputs"]]
            if not found:
                raise ValueError(f"no variant of components is {asked} ({held})")
            names |= dict.fromkeys(found)
        return list(names)

    def specs(self, run):
        return list(self.given) or [GRAPHS[name](self.edges) for name in run.graphs]

    def bench(self, run, specs, names, trials):
        return [
            str(self.build / "lab" / run.program) if run.program else self.copse,
            "bench",
            *specs,
            "--variants",
            ",".join(names),
            "--threads",
            str(self.threads),
            "--trials",
            str(trials),
            *run.arguments,
            "--json",
            "JSON",
        ]

    def solve(self, run, *operands):
        return [self.lab, *operands, "--trials", str(self.trials), "--threads", str(self.threads), *run.arguments, "--json", "JSON"]


def merged(documents):
    """One document of several by the same command: samples of the same series side by side."""
    first, known = documents[0], {}
    for document in documents:
        for s in document["series"]:
            key = (s["graph"], s["variant"], s["measure"], s["threads"], *sorted(s["setting"].items()))
            known.setdefault(key, {**s, "samples": []})["samples"].extend(s["samples"])
    return {**first, "series": list(known.values())}


def finalists(setup, graph, patterns):
    """The fastest of every pattern on a graph: all that a claim asks for."""
    names = {}
    for pattern in patterns:
        asked = full(pattern, setup.backend)
        found = [
            (min(r["seconds"]["samples"]), r["variant"])
            for r in graph["rows"]
            if matches(r["variant"], asked) and r.get("seconds", {}).get("samples")
        ]
        names |= dict.fromkeys([min(found)[1]] if found else [])
    return list(names)


def commands_of(setup, run, patterns):
    """The commands of a run; of a tournament its first round."""
    held = "coo" if "coo" in run.arguments else "csr"
    specs = setup.specs(run)
    if run.form in ("bench", "tournament", "repeated"):
        names = [full(p, setup.backend) for p in patterns] if run.program else setup.names(patterns, held)
        return [setup.bench(run, specs, names, 1 if run.form != "bench" else setup.trials)]
    if run.form == "techniques":
        return [
            setup.bench(run, specs, setup.names(patterns), setup.trials)[:-2] + ["--gpu-rows", loop, "--json", "JSON"]
            for loop in ("base", "coalesced", "reorganised", "gathered")
        ]
    if run.form == "phases":
        return [
            [setup.copse, "components", spec, "--variant", name, "--threads", str(setup.threads), "--json"]
            for spec in specs
            for name in setup.names(patterns)
        ]
    if run.form == "giant":
        return [[setup.copse, "components", spec, "--json"] for spec in specs]
    if run.form == "printed_threads":
        counts = sorted({2**k for k in range(setup.threads.bit_length()) if 2**k <= setup.threads} | {setup.threads})
        return [[setup.lab, "printed", *specs, "--trials", str(setup.trials), "--threads", str(count), "--json", "JSON"] for count in counts]
    return [setup.solve(run, run.form, *specs)]


def of_components(setup, argv):
    """A series per phase, and of the solve and the giant, of what `copse components --json` printed."""
    found = setup.output(argv)[0]
    one = lambda measure, unit, sample, setting: {
        "graph": argv[2],
        "variant": found["variant"],
        "setting": setting,
        "measure": measure,
        "unit": unit,
        "threads": found["threads"],
        "samples": [sample],
    }
    series = [
        one("solve", "ms", 1e3 * found["solve_seconds_all"][0], {}),
        one("vertices", "count", found["vertices"], {}),
        one("giant_vertices", "count", found["largest"]["size"], {}),
    ]
    series += [one("phase", "ms", 1e3 * seconds, {"phase": phase.replace(" ", "_")}) for phase, seconds in found["phases"].items()]
    facts = setup.output([setup.copse, "bench", "karate", "--variants", "auto", "--trials", "1", "--json", "JSON"])[0]["machine"]
    return {"command": " ".join(argv), "machine": facts, "series": series}


def measure(setup, name, patterns):
    """Yields the documents of a run, ready for the archives."""
    run = RUNS[name]
    document = lambda result: store.document_of(result, "here", run=name)
    for argv in commands_of(setup, run, patterns):
        if run.form == "tournament":  # most of hundreds of variants are in no claim in the end
            for graph in setup.output(argv)[0]["graphs"]:
                for result in setup.output(setup.bench(run, [graph["graph"]], finalists(setup, graph, patterns), setup.trials)):
                    yield document(result)
        elif run.form == "repeated":
            yield merged([document(setup.output(argv)[0]) for _ in range(setup.trials)])
        elif run.form in ("phases", "giant"):
            yield merged([document(of_components(setup, argv)) for _ in range(setup.trials)])
        else:
            for result in setup.output(argv):
                yield document(result)
