"""Transcripts of the command line: what a call was given (arguments, standard input, files) and what came of it (standard output, standard
error, exit code, files written). `replay` runs one again, `differences` compares two after normalising what may differ from run to run."""
import base64
import difflib
import hashlib
import os
import re
import subprocess
import tempfile
from pathlib import Path

LONG_INPUT = 60_000    # calls with more input than this many bytes are not recorded
LONG_OUTPUT = 20_000   # outputs with more bytes are kept as their hash
SECONDS = 60           # a call that takes longer is stopped, and its transcript says so

# Commands and options that stage S1 of the design cuts on purpose: a pattern that is found in the arguments, joined by blanks.
CUT = re.compile(r"^bench\b|--share\b|--gpu-(rows|edges|search|rounds)\b")

# What may differ between two runs of one program, and between machines.
NUMBER = r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?"
NORMALISERS = [(re.compile(pattern, re.M), replacement) for pattern, replacement in [
    (r"\b(?:serial|omp|threads|cuda|hybrid)\.[a-z0-9_]+\.[a-z0-9_]+(?:\.[a-z0-9_]+)*", "<variant>"),
    (r"/tmp/[\w.\-]+", "<folder>"),
    (rf'("\w*(?:seconds|bytes_per_second|rate|threads|cores|memory|peak|free|available)\w*":\s*)(?:\[[^\]]*\]|{NUMBER}|"[^"]*")', r"\1<measured>"),
    (r'("(?:phases|seconds)":\s*)\{[^}]*\}', r"\1<measured>"),
    (r'("(?:copse|version|commit|compiler|processor|host|date|cpu|kernel)":\s*)"[^"]*"', r"\1<machine>"),
    (rf"^(seconds|threads|rate|read|peak|solve|memory)\b(?!\.).*$", r"\1 <measured>"),
    (r"\b\d{10,} allowed\b", "<measured> allowed"),  # the memory of the machine, not a limit that the command was given
    (rf"\b{NUMBER} ?(?:records/s|ns|us|ms|s|seconds|minutes|KB/s|MB/s|GB/s|edges/s|MiB|GiB|KiB|MB|GB|KB|kB|threads?|cores?)\b", "<measured>"),
]]


def as_text(content, longest=LONG_OUTPUT):
    """Bytes as JSON holds them: text where they are UTF-8, base64 elsewhere, and a hash where they are long."""
    if len(content) > longest:
        return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def as_bytes(stored):
    return base64.b64decode(stored["base64"]) if isinstance(stored, dict) else stored.encode("utf-8")


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def replay(copse, case, prefix=()):
    """The case with what `copse` does now. `prefix` goes before the command, for example to pin it to a processor."""
    with tempfile.TemporaryDirectory(prefix="copse_behaviour_") as name:
        folder = Path(name)
        for path, content in case["files"].items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(as_bytes(content))
        before = files_in(folder)
        settings = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LANG": "C.UTF-8", "CUDA_VISIBLE_DEVICES": ""}
        try:
            done = subprocess.run([*prefix, str(copse), *case["arguments"]], cwd=folder, env=settings, input=as_bytes(case["input"]),
                                  capture_output=True, timeout=SECONDS)
            status, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            status, out, err = "stopped", b"", b""
        written = {path: content for path, content in files_in(folder).items() if before.get(path) != content}
        shown = lambda content: as_text(content.replace(name.encode(), b"<folder>"))
        return case | {"exit": status, "out": shown(out), "err": shown(err),
                       "written": {path: as_text(content) for path, content in written.items()}}


def normalised(stored):
    if isinstance(stored, dict):
        return stored
    for pattern, replacement in NORMALISERS:
        stored = pattern.sub(replacement, stored)
    return stored


def differences(before, after):
    """Lines that show how the results of two transcripts of one case differ; none when they agree."""
    lines = []
    if before["exit"] != after["exit"]:
        lines.append(f"exit code {before['exit']}, now {after['exit']}")
    outputs = [("standard output", before["out"], after["out"]), ("standard error", before["err"], after["err"])]
    for path in sorted(before["written"].keys() | after["written"].keys()):
        outputs.append((path, before["written"].get(path, "<not written>"), after["written"].get(path, "<not written>")))
    for title, old, new in outputs:
        old, new = normalised(old), normalised(new)
        if old == new:
            continue
        if isinstance(old, dict) or isinstance(new, dict):
            lines.append(f"{title}: other bytes")
        else:
            lines += [f"{title}:", *list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0))[2:]]
    return lines


def title(case):
    return "copse " + " ".join(case["arguments"])
