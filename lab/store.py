"""Samples in lab/results: an archive AREA.jsonl.xz per area, a JSON document a line, as lab/README.md describes it."""

import csv
import json
import lzma
import re
import statistics
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "lab" / "results"
CLEAN = re.compile(r"[0-9a-f]{7,40}")
COLUMNS = ("graph", "variant", "measure", "threads", "machine", "commit", "unit")


@dataclass(frozen=True)
class Series:
    """Samples of one measure of one variant on one graph. `load`: of the machine, per core, when they were taken; None if unknown."""

    area: str
    machine: str
    commit: str
    load: float | None
    preset: str
    graph: str
    variant: str
    setting: tuple  # pairs of a key and a value, both texts
    measure: str
    unit: str
    threads: int
    samples: tuple
    keys: dict = field(init=False, compare=False)  # the setting by key
    key: tuple = field(init=False, compare=False)  # what tells it from all others in its area; the reference in expressions

    def __post_init__(self):
        object.__setattr__(self, "keys", dict(self.setting))
        object.__setattr__(self, "key", (self.area, self.machine, self.commit, self.graph, self.variant, self.setting, self.measure, self.threads))

    @property
    def median(self):
        return statistics.median(self.samples)


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def documents(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def series_of(area, document):
    facts = document["facts"]
    cores = facts.get("cores")
    load = facts["load"] / cores if cores and facts.get("load") is not None else None
    for s in document["series"]:
        yield Series(
            area,
            document["machine"],
            facts["commit"],
            load,
            document.get("preset", ""),
            s["graph"],
            s["variant"],
            tuple(sorted(s["setting"].items())),
            s["measure"],
            s["unit"],
            int(s["threads"]),
            tuple(s["samples"]),
        )


class Area:
    """The series of one area. Keywords are columns or keys of the setting; `run` must be absent unless it is asked for."""

    def __init__(self, series):
        self.series, self.by_graph = list(series), {}
        for one in self.series:
            self.by_graph.setdefault(one.graph, []).append(one)

    def all(self, **wanted):
        wanted = {"run": ""} | wanted

        def fits(one, key, want):
            found = str(getattr(one, key)) if key in COLUMNS else one.keys.get(key, "")
            return want is None or (found in want if isinstance(want, (tuple, list, set)) else want(found) if callable(want) else found == str(want))

        graph = wanted.get("graph")
        among = self.by_graph.get(graph, []) if isinstance(graph, str) else self.series
        return [one for one in among if all(fits(one, key, want) for key, want in wanted.items())]

    def one(self, **wanted):
        found = self.all(**wanted)
        if len(found) > 1:
            raise ValueError(f"{len(found)} series for {wanted}")
        return found[0] if found else None

    def graphs(self, **wanted):
        return list(dict.fromkeys(one.graph for one in self.all(**wanted)))


class Store:
    """All areas of a folder, read when they are first asked for, and the tables in the same folder."""

    def __init__(self, folder=RESULTS):
        self.folder, self.read = Path(folder), {}

    def areas(self):
        return sorted(p.name.removesuffix(".jsonl.xz") for p in self.folder.glob("*.jsonl.xz"))

    def __getitem__(self, area):
        if area not in self.read:
            file = self.folder / f"{area}.jsonl.xz"
            found = documents(file) if file.exists() else []
            self.read[area] = Area(s for document in found for s in series_of(area, document))
        return self.read[area]

    def table(self, name):
        return read_csv(self.folder / f"{name}.csv")


def faults(store):
    """Faults of the archives: series that occur twice, have no samples, or belong to commits that cannot be checked out."""
    for area in store.areas():
        seen = set()
        for s in store[area].series:
            where = f"{area}: {s.graph}, {s.variant}, {s.measure}"
            if not CLEAN.fullmatch(s.commit):
                yield f"{where}: found commit '{s.commit}', expected one without changes"
            if not s.samples:
                yield f"{where}: found no samples"
            if s.key in seen:
                yield f"{where}: found two series that nothing tells apart, expected another run=NAME"
            seen.add(s.key)
    for row in store.table("rivals"):
        if not all(row[k] for k in ("commit", "command", "machine")):
            yield f"rivals.csv: {row['graph']}, {row['code']}: found no commit, command or machine"


# What programs write becomes documents of the archives.

USUAL = {"gpu_edges": "words", "gpu_search": "claimed", "gpu_rounds": "all", "kout_rounds": 2, "hb_arcs": 2, "ldd_beta": 0.2, "stages_q": 1}
COUNTS = ("sampled_arcs", "finish_arcs", "giant_vertices", "outside_arcs", "crossing_arcs", "loads")


def graph_name(path):
    """A file is called what stands before its suffix; specs stay as they are."""
    return re.sub(r"\.(gr\.gz|egr|el|mtx)$", "", Path(path).name) if path.startswith("/") or re.search(r"\.(gr\.gz|egr|el|mtx)$", path) else path


def series_of_bench(result):
    """Series of what `copse bench --json` writes. The setting names the options of a solve that differ from the defaults."""
    unusual = {k: str(result[k]) for k, usual in USUAL.items() if result.get(k, usual) != usual}
    if result.get("input") == "coo":
        unusual |= {"input": "coo", "order": result.get("order", "sorted")} | ({"in_place": "yes"} if result.get("in_place") else {})
    for graph in result["graphs"]:
        for row in graph["rows"]:
            setting = dict(unusual)
            if row["variant"].startswith("cuda.") and result.get("input") != "coo" and result.get("gpu_rows"):
                setting["gpu_rows"] = result["gpu_rows"]
            if row.get("ran", row["variant"]) != row["variant"]:
                setting["ran"] = row["ran"]
            one = lambda measure, unit, samples: {
                "graph": graph_name(graph["graph"]),
                "variant": row["variant"],
                "setting": setting,
                "measure": measure,
                "unit": unit,
                "threads": row["threads"],
                "samples": samples,
            }
            if samples := row.get("seconds", {}).get("samples"):
                yield one("solve", "ms", [1e3 * s for s in samples])
            if "work" in row:
                counts = {"vertices": graph["vertices"], "arcs": graph["arcs"]} | {c: row["work"][c] for c in COUNTS if c in row["work"]}
                for count, number in counts.items():
                    yield one(count, "count", [number])


def rounded(samples):
    return [float(f"{s:.6g}") for s in samples]


def document_of(result, machine, **setting):
    """A document of the archives from what `copse bench`, copse_lab or a script of lab/end_to_end wrote."""
    series = result["series"] if "series" in result else list(series_of_bench(result))
    facts = result.get("facts") or result["machine"] | ({"gpu": result["gpus"][0]["name"]} if result.get("gpus") else {})
    kept = {k: result[k] for k in ("problem", "command", "preset") if result.get(k)}
    return {
        "machine": machine,
        "facts": facts,
        **kept,
        "series": [s | {"setting": setting | s.get("setting", {}), "samples": rounded(s["samples"])} for s in series],
    }


def results_in(path):
    """The JSON documents of a file, one after the other."""
    text, decoder, at = Path(path).read_text(encoding="utf-8").strip(), json.JSONDecoder(), 0
    while at < len(text):
        document, at = decoder.raw_decode(text, at)
        yield document
        while at < len(text) and text[at].isspace():
            at += 1


def in_history(commit):
    done = subprocess.run(["git", "merge-base", "--is-ancestor", commit, "HEAD"], cwd=ROOT, capture_output=True)
    return done.returncode == 0


def packed(found):
    text = "".join(json.dumps(d, separators=(",", ":"), ensure_ascii=False) + "\n" for d in found)
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def runs_in(document):
    return {s["setting"].get("run", "") for s in document["series"]}


def add(area, files, machine, run="", instead=False, folder=RESULTS):
    """Appends to an area, with run=NAME in every setting if it is given; `instead` drops what that machine measured for the same runs before."""
    file = Path(folder) / f"{area}.jsonl.xz"
    known = documents(file) if file.exists() else []
    setting = {"run": run} if run else {}
    new = [document_of(result, machine, **setting) for path in files for result in results_in(path)]
    if instead:
        again = set().union(*map(runs_in, new))
        known = [d for d in known if d["machine"] != machine or not runs_in(d) & again]
    for document in new:
        commit = document["facts"].get("commit", "")
        if not CLEAN.fullmatch(commit) or not in_history(commit):
            raise SystemExit(f"lab: found samples of commit '{commit}', expected a commit of this history without changes")
    before = file.read_bytes() if file.exists() else None
    file.write_bytes(packed(known + new))
    if found := list(faults(Store(folder))):
        file.write_bytes(before) if before else file.unlink()
        raise SystemExit("lab: " + "\n".join(found))
