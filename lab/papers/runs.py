"""The runs behind the figures: graphs by their approximate number of edges, and the commands of every run."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
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



def vertices_of(graph):
    """The value for a spec; None for a file."""
    if found := re.search(r"\bn=(\d+)", graph):
        return int(found[1])
    if found := re.search(r"\bside=(\d+)", graph):
        return int(found[1]) ** 2
    found = re.search(r"\bscale=(\d+)", graph)
    return 2 ** int(found[1]) if found else None


PAPER = ("--preset", "paper")  # GConn's numbers: four rounds of hooks, gathered rows, ...
MADE_AS_PAPER = ("--hb-arcs", "4", "--gpu-rows", "gathered")  # the same, of graphs that are made on a GPU
GIVE_UP = ("--give-up", "30")
PATIENT = ("--give-up", "1000")  # searches of roads take a hundred times as long as the best variant
MIXED = ("rmat", "er", "ba", "web", "osm")
CM = ("er", "er2", "scale_free", "torus")
MIN_LABEL = ("--variants", "hybrid.pieces.none.soman", "--cross", "min_label", "--shares", "0,5,10,15,20,25,30,40,50,100")
FAMILIES = ("async.halve", "rem_cas.naive.halve_one", "ecl.halve")  # the fastest of a hundred variants and more
STREAMED = ("async.*", "hooks.halve", "early.halve", "jtb.two_try_split", "rem_cas.naive.*_one", "rem_lock.naive.halve_one")
RULES = ",".join(f"cuda.none.{rule}" for rule in STREAMED)
FORESTS = ",".join(f"cuda.{s}.{f}" for s in ("none", "kout", "hb") for f in FAMILIES[:2])
STREAMS = ("rmat22", "er")


@dataclass(frozen=True)
class Run:
    form: str  # bench, tournament, repeated, made, made_tournament, giant, or a problem of copse_lab
    graphs: tuple
    arguments: tuple = ()
    device: str = ""  # cpu or gpu, where it runs there only
    pairs: tuple = ()  # settings that samples of it must have to be judged
    program: str = ""  # copse_printed: copse with algorithms as the papers print them, whose variants are given by name
    share: float = 1  # part of the edges of a campaign: what is slow, or about no times, is measured on smaller graphs
    trials: int = 0  # where only a chart shows it
    all_threads: bool = False  # 1, 2, 4, ... up to those of the campaign


def listed(order, *more):
    return ("--input", "coo", "--order", order, *more)


HB_4 = (("hb_arcs", "4"),)
RUNS = {  # in the order in which a campaign measures them: its time may end
    "rows": Run("made_tournament", MIXED, (*MADE_AS_PAPER, *PATIENT), "gpu", HB_4),
    "counts": Run("made", (*MIXED, "kron", "mesh"), (*MADE_AS_PAPER, "--count", "yes"), "gpu", HB_4, share=0.3),
    "techniques": Run("made", ("rmat22", "er", "mesh", "web"), ("--gpu-rows", "base,coalesced,reorganised,gathered"), "gpu"),
    "phases": Run("made", (*MIXED, "mesh"), ("--phases", "yes"), "gpu"),
    "printed_variants": Run("bench", (*CM, "twitter"), ("--input", "coo", *PAPER), "gpu", program="copse_printed", share=0.55),
    "printed_cores": Run("bench", ("er",), ("--input", "coo", *PAPER), "gpu", program="copse_printed", share=0.55),
    "printed_twitter": Run("bench", ("twitter",), ("--input", "coo", *PAPER), "gpu", program="copse_printed", share=0.55),
    "list_phases": Run("made", ("er", "scale_free"), ("--list", "random", "--phases", "yes"), "gpu", share=0.3),
    "prefetches": Run("made", ("er", "scale_free", "twitter"), ("--list", "random"), "gpu", share=0.3),
    "sorted": Run("made", ("er", "scale_free", "torus"), ("--list", "sorted"), "gpu", share=0.3),
    "gpu_rules": Run(
        "incremental_gpu", STREAMS, ("--variants", RULES, "--printed", "100000", "--batches", "10000,100000,1000000,10000000,all"), "gpu", share=0.3
    ),
    "gpu_queries": Run(
        "incremental_gpu", ("osm",), ("--variants", "cuda.none.async.*", "--batches", "all", "--queries", "1,10,100"), "gpu", share=0.1
    ),
    "made_rows": Run("made", ("grid", "er", "rmat22", "kron", "osm"), GIVE_UP, "gpu", share=0.3),
    "ecl_lists": Run("bench", ("grid", "er", "rmat22", "kron", "osm"), listed("sorted", *GIVE_UP), "gpu", program="copse_printed", share=0.3),
    "hybrid_ranks": Run("lists", tuple(LISTS), ("--variants", "hybrid.fis,cuda.helman_jaja_cpu"), "gpu", share=1.28),
    "forest": Run("forest", (*MIXED, "mesh"), ("--device", "cuda", "--variants", FORESTS), "gpu", share=0.1),
    "core_rules": Run(
        "incremental",
        STREAMS,
        ("--variants", ",".join(f"threads.none.{f}" for f in FAMILIES[:2]), "--static", "", "--batches", "all"),
        "gpu",
        share=0.3,
    ),
    "rank_rounds": Run("lists", ("list0",), ("--variants", "cuda.fis", "--rounds", "0,4,8,12,18"), "gpu", share=1.28),
    "anchors": Run("bench", ("rmat22", "er", "osm", "ba"), (*PAPER, *GIVE_UP), "gpu", HB_4, share=0.2),
    "hybrid_min_label": Run("hybrid", tuple(BK_SIZES), MIN_LABEL, "gpu", share=0.09),
    "hybrid_edges": Run("hybrid", tuple(BK_EDGES), (*MIN_LABEL, "--forms", "host"), "gpu", share=0.09),
    "as_printed": Run("bench", CM[:3], ("--input", "coo", *PAPER), "cpu", program="copse_printed"),
    "printed_counts": Run("repeated", CM, ("--input", "coo", *PAPER, "--count"), "cpu", program="copse_printed", share=0.1),
    "ecl": Run("bench", ("grid", "er", "rmat22", "kron", "ba", "web", "osm", "mesh"), ("--give-up", "100"), "cpu", share=0.3),
    "ligra": Run("bench", ("grid", "er", "rmat22", "kron", "ba", "web", "osm", "mesh"), (), "cpu", share=0.03),  # slow on long paths
    "order_copies": Run("bench", ("er", "scale_free", "twitter"), listed("random"), "cpu"),
    "giant": Run("giant", ("er1",), device="cpu", share=0.1),
    "printed_threads": Run(
        "bench", ("er", "scale_free"), ("--input", "coo", *PAPER), "cpu", program="copse_printed", share=0.3, trials=3, all_threads=True
    ),
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
    until: float = None  # by the monotonic clock: no program runs longer
    known: dict = field(default_factory=dict)  # variants by name
    failed: list = field(default_factory=list)  # what did not end well, in words

    @property
    def backend(self):
        return {"cpu": "threads", "gpu": "cuda"}[self.device]

    @property
    def copse(self):
        return str(self.build / "cli" / "copse")

    @property
    def lab(self):
        return str(self.build / "lab" / "copse_lab")

    def left(self):
        """Seconds until the campaign has to end; none: it may take its time."""
        return None if self.until is None else max(0.0, self.until - time.monotonic())

    def output(self, argv):
        """The JSON documents that a command writes to the file JSON, or prints; of one that failed or ran out of time, those that are whole."""
        if not os.path.exists(argv[0]):
            print(f"lab: {argv[0]}: no such file, build it with tools/build.sh release copse_cli benchmarks (--build says where)", file=sys.stderr)
            raise SystemExit(2)
        if self.left() == 0:
            self.failed.append(f"no time for {' '.join(argv)}")
            return []
        print(" ".join(argv), file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            path, began = Path(folder) / "result.json", time.monotonic()
            words = [str(path) if word == "JSON" else word for word in argv]
            try:
                done = subprocess.run(words, stdout=subprocess.PIPE, text=True, timeout=self.left())
                if done.returncode:
                    self.failed.append(f"{' '.join(argv)}: exit status {done.returncode}")
                elif "JSON" not in argv:
                    path.write_text(done.stdout, encoding="utf-8")
            except subprocess.TimeoutExpired:
                self.failed.append(f"out of time: {' '.join(argv)}")
            print(f"  {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)
            return self.whole(path) if path.exists() else []

    def whole(self, path):
        found = []
        try:
            found.extend(store.results_in(path))
        except json.JSONDecodeError:
            self.failed.append(f"{path.name}: the last of {len(found) + 1} documents is cut off")
        return found

    def names(self, patterns, held="csr"):
        """The variants of components that patterns of claims stand for; choosers are no variants, and stay."""
        if not self.known:
            done = subprocess.run([self.copse, "variants", "--json"], stdout=subprocess.PIPE, text=True, check=True)
            self.known = {v["name"]: v for v in json.loads(done.stdout)}
        names = {}
        for pattern in patterns:
            asked = full(pattern, self.backend)
            found = [asked] if is_chooser(asked) else [n for n, v in self.known.items() if matches(n, asked) and held in v["inputs"]]
            if not found:
                raise ValueError(f"no variant of components is {asked} ({held})")
            names |= dict.fromkeys(found)
        return list(names)

    def specs(self, run):
        return list(self.given) or [GRAPHS[name](max(16, round(run.share * self.edges))) for name in run.graphs]

    def times(self, run):
        return run.trials or self.trials

    def bench(self, run, specs, names, trials):
        """`copse bench`, or the same over graphs that are made on the GPU; later arguments count."""
        if run.form.startswith("made"):
            words = [self.lab, "components", *specs]
        else:
            words = [str(self.build / "lab" / run.program) if run.program else self.copse, "bench", *specs]
        counts = sorted({2**k for k in range(self.threads.bit_length())} | {self.threads}) if run.all_threads else [self.threads]
        threads = ",".join(str(c) for c in counts if c <= self.threads)
        return [*words, "--variants", ",".join(names), "--threads", threads, "--trials", str(trials), *run.arguments, "--json", "JSON"]

    def solve(self, run, *operands):
        return [self.lab, *operands, "--trials", str(self.times(run)), "--threads", str(self.threads), *run.arguments, "--json", "JSON"]


def merged(documents):
    """One document of several by the same command: samples of the same series side by side."""
    first, known = documents[0], {}
    for document in documents:
        for s in document["series"]:
            key = (s["graph"], s["variant"], s["measure"], s["threads"], *sorted(s["setting"].items()))
            known.setdefault(key, {**s, "samples": []})["samples"].extend(s["samples"])
    return {**first, "series": list(known.values())}


def finalists(setup, series, patterns):
    """The fastest of every pattern on a graph, which is all that a claim asks for, and all choosers."""
    names = {}
    for pattern in patterns:
        asked = full(pattern, setup.backend)
        found = [(min(s["samples"]), s["variant"]) for s in series if s["measure"] == "solve" and s["samples"] and matches(s["variant"], asked)]
        names |= dict.fromkeys([asked] if is_chooser(asked) else [min(found)[1]] if found else [])
    return list(names)


def is_chooser(name):
    return "gconn_" in name


def commands_of(setup, run, patterns):
    """The commands of a run; of a tournament its first round."""
    specs = setup.specs(run)
    if run.form in ("bench", "repeated", "made", "made_tournament"):
        held = "coo" if {"coo", "--list"} & set(run.arguments) else "csr"
        names = [full(p, setup.backend) for p in patterns] if run.program else setup.names(patterns, held)
        if run.form == "made_tournament":
            names = [n for n in names if not is_chooser(n)]
        return [setup.bench(run, specs, names, setup.times(run) if run.form in ("bench", "made") else 1)]
    if run.form == "giant":
        return [[setup.copse, "components", spec, "--json"] for spec in specs]
    return [setup.solve(run, run.form, *specs)]


def giant_of(setup, argv):
    """Series of what `copse components --json` printed, on the machine that `copse bench` describes."""
    facts = setup.output([setup.copse, "bench", "karate", "--variants", "auto", "--trials", "1", "--json", "JSON"])
    found = setup.output(argv)
    if not facts or not found:
        return None
    one = lambda measure, sample: {
        "graph": argv[2],
        "variant": found[0]["variant"],
        "setting": {},
        "measure": measure,
        "unit": "count",
        "threads": found[0]["threads"],
        "samples": [sample],
    }
    series = [one("vertices", found[0]["vertices"]), one("giant_vertices", found[0]["largest"]["size"])]
    return {"command": " ".join(argv), "machine": facts[0]["machine"], "series": series}


def measure(setup, name, patterns):
    """Yields the documents of a run, ready for the archives."""
    run = RUNS[name]
    document = lambda result: store.document_of(result, "here", run=name)
    whole = lambda results: [merged([document(r) for r in results if r])] if any(results) else []
    for argv in commands_of(setup, run, patterns):
        if run.form == "made_tournament":  # most of hundreds of variants are in no claim in the end
            for first in setup.output(argv):
                graph = first["series"][0]["graph"]
                yield from map(document, setup.output(setup.bench(run, [graph], finalists(setup, first["series"], patterns), setup.trials)))
        elif run.form == "repeated":
            yield from whole([result for _ in range(setup.trials) for result in setup.output(argv)])
        elif run.form == "giant":
            yield from whole([giant_of(setup, argv) for _ in range(setup.trials)])
        else:
            yield from map(document, setup.output(argv))
