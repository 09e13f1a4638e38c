"""Checksums of what every variant of the CPU answers on a zoo of small graphs, on one thread, where all of them are deterministic."""
import hashlib
import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ZOO = {"rmat": "rmat:scale=9,edges=3,seed=5", "er": "er:n=700,m=600,seed=5", "grid": "grid2d:side=19", "osm": "osm:side=12,seed=5",
       "clusters": "clusters:n=600,size=9,seed=5", "path": "path:n=333,shuffle=1,seed=5", "star": "star:n=200", "karate": "karate"}
# Per problem of `copse variants`: the file of the input, and the command that writes OUT from it.
PROBLEMS = {"components": "components IN --variant NAME --threads 1 -o OUT", "forest": "forest IN --variant NAME --threads 1 -o OUT",
            "weighted": "forest IN --weight 3 --minimum --variant NAME --threads 1 -o OUT", "incremental": "stream IN --variant NAME --threads 1 --batch 64 -o OUT"}
# New names of backends, so that a build before stage S2 can be compared with one after it.
RENAMED = {"omp": "threads"}


def names(copse, problem):
    shown = subprocess.run([copse, "variants", "--problem", problem, "--json"], capture_output=True, text=True, check=True).stdout
    found = [entry["name"] for entry in json.loads(shown)]
    return [name for name in found if name.split(".")[0] not in ("cuda", "hybrid")]


def stable(name):
    backend, _, rest = name.partition(".")
    return f"{RENAMED.get(backend, backend)}.{rest}" if rest else name


def zoo(copse, folder):
    """The graphs as files: edges in text, those with a third column of weights, and the numbers of vertices."""
    for name, spec in ZOO.items():
        subprocess.run([copse, "generate", spec, "-o", folder / f"{name}.el"], check=True, capture_output=True)
        lines = [line for line in (folder / f"{name}.el").read_text().splitlines() if line and line[0] not in "#%"]
        weights = [hashlib.md5(line.encode()).digest()[0] for line in lines]
        (folder / f"{name}.weighted.el").write_text("".join(f"{line} {weight}\n" for line, weight in zip(lines, weights)))


def checksum(copse, command, graph, name, folder):
    out = folder / f"{graph.name}.{name}.txt"
    words = command.replace("IN", str(graph)).replace("NAME", name).replace("OUT", str(out)).split()
    done = subprocess.run([copse, *words], capture_output=True, text=True)
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.strip().replace(str(folder), '')}"
    found = hashlib.sha256(out.read_bytes()).hexdigest()[:16]
    out.unlink()
    return found


def checksums(copse, workers):
    """{problem: {graph: {variant: checksum}}}"""
    found = {}
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(workers) as pool:
        folder = Path(name)
        zoo(copse, folder)
        for problem, command in PROBLEMS.items():
            variants = names(copse, problem)
            for graph in ZOO:
                file = folder / (f"{graph}.weighted.el" if problem == "weighted" else f"{graph}.el")
                answers = pool.map(lambda variant: checksum(copse, command, file, variant, folder), variants)
                found.setdefault(problem, {})[graph] = {stable(variant): answer for variant, answer in zip(variants, answers)}
    return found


def differences(before, after):
    for problem, graphs in before.items():
        for graph, answers in graphs.items():
            now = after[problem][graph]
            yield from (f"{problem} {graph}: variant {name} is gone" for name in answers.keys() - now.keys())
            yield from (f"{problem} {graph}: variant {name}: {answers[name]}, now {now[name]}" for name in answers.keys() & now.keys()
                        if answers[name] != now[name])
