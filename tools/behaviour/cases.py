"""Calls that are made up: what most commands do with each file of tests/corpus and with small generated graphs."""
from pathlib import Path

from transcripts import LONG_INPUT, as_text

CORPUS = Path(__file__).resolve().parents[2] / "tests" / "corpus"
GRAPHS = ["rmat:scale=7,edges=2", "er:n=60,m=40", "grid2d:side=6", "clusters:n=80", "path:n=40", "star:n=20", "karate"]
ON_A_GRAPH = ["components {} -o - --threads 2", "components {} --json --top 3 --verify", "components {} -o labels.npy --sizes sizes.csv --labels dense",
              "forest {} -o - --threads 1 --variant serial.none.rem --verify", "bridges {} --json", "info {} --json", "convert {} out.mtx",
              "convert {} - --output-format el", "extract {} --largest -o largest.el", "reduce {} -o part.forest --json", "stream {} -o labels.txt"]
ON_A_SPEC = ["generate {} -o graph.el", "generate {} -o graph.sg", "bridges {} -o bridges.csv --labels parts.csv --verify",
             "forest {} --rooted parents.csv --tour --threads 1 --variant serial.none.rem", "components {} --threads 2 --explain --seed 7",
             "dendrogram {} --json", "thresholds {} --json"]
ON_A_BAD_GRAPH = ["components {} -o labels.txt", "stream {} -o labels.txt", "forest {} -o forest.el", "convert {} graph.sg"]
TEXT_OPTIONS = ["thresholds {} --weight 3", "components {} --columns 2,1 -o -", "components {} --ids string -o -", "components {} --header yes -o -",
                "components {} --format csv -o -", "components {} --append appended.txt", "components {} --prefix-left l --prefix-right r -o -",
                "group {} --by 2 -o -", "group {} --by-line -o -", "components {} --comment # --na 1, -o -", "components {} --vertices 50 -o -",
                "components {0} --vertex-file {0} -o -", "stream {} --ids string --checkpoint state.ck"]
WITH_WEIGHTS = ["forest {} --maximum -o forest.csv --threads 1", "thresholds {}", "dendrogram {} -o linkage.npy --json",
                "components {} --min-weight 2 -o -", "explain {} 1 2", "bridges {} --giant --json"]


def made_up():
    for path in sorted(CORPUS.glob("text/*")) + sorted(CORPUS.glob("binary/*")):
        content = path.read_bytes()
        if len(content) > LONG_INPUT:
            continue
        if path.name.startswith("bad_"):
            yield from ({"arguments": command.format(path.name).split(), "input": "", "files": {path.name: as_text(content, LONG_INPUT)}}
                        for command in ON_A_BAD_GRAPH)
            continue
        commands = list(ON_A_GRAPH)
        weighted = "weight" in path.name or path.suffix in (".mtx", ".gr", ".graph", ".adj")
        commands += WITH_WEIGHTS if weighted else TEXT_OPTIONS
        name = path.name
        if path.parent.name == "binary":  # files without a suffix, named for their format
            commands = [f"{command} --format {name.split('_')[0]}" for command in commands if not command.startswith("stream")]
        for command in commands:
            yield {"arguments": command.format(name).split(), "input": "", "files": {name: as_text(content, LONG_INPUT)}}
    for spec in GRAPHS:
        for command in ON_A_GRAPH + ON_A_SPEC:
            yield {"arguments": command.format(spec).split(), "input": "", "files": {}}
    for arguments in (["--help"], ["--version"], ["nonsense"], [], ["man"], ["completions", "bash"], ["variants", "--problem", "weighted"]):
        yield {"arguments": arguments, "input": "", "files": {}}
    for command in ("components group forest thresholds dendrogram explain bridges report generate convert info plan extract rank verify "
                    "variants reduce merge stream").split():
        yield {"arguments": [command, "--help"], "input": "", "files": {}}
        yield {"arguments": [command, "missing.el"], "input": "", "files": {}}
        yield {"arguments": [command, "--no-such-option"], "input": "", "files": {}}
