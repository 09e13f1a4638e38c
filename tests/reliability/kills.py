#!/usr/bin/env python3
"""Kills copse at random moments, and looks at what it leaves behind.

Usage: kills.py COPSE [--kills N] [--seed S] [--only NAME,...] [--json FILE]

Each file kills_*.py beside this one has one or more classes derived from Victim: how to make the inputs, the command, and what must hold
after a kill. `--kills` is per victim: a few dozen in CI, hundreds in the long form. Exit status 1, and
the seed to reproduce it, when anything was found wrong.
"""
import argparse
import importlib.util
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# Those that a process can answer leave no temporary behind. SIGKILL cannot be answered: there the output must be the old or the new one.
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL)


class Victim:
    """One command to be killed. A fresh `folder` for each victim, the same for all of its kills."""
    name = ""
    signals = SIGNALS

    def __init__(self, copse, folder):
        self.copse, self.folder = copse, folder

    def prepare(self):
        """Makes the inputs."""

    def command(self):
        """The arguments of copse."""
        raise NotImplementedError

    def before_kill(self):
        """Sets the folder back before each run."""

    def fault(self, number, ended):
        """What is wrong after signal `number`, as text, or None. `ended`: the exit status, negative when the signal ended the process."""
        raise NotImplementedError

    def run(self, *arguments, **more):
        return subprocess.run([self.copse, *arguments], cwd=self.folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


class WritesFiles(Victim):
    """A command that writes whole files or none: `outputs`, each with the bytes that an undisturbed run writes."""
    outputs = ()
    OLD = b"what was there before\n"

    def prepare_outputs(self):
        subprocess.run([self.copse, *self.command()], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        self.right = {name: (self.folder / name).read_bytes() for name in self.outputs}
        self.files = {path.name for path in self.folder.iterdir()}

    def before_kill(self):
        for path in self.folder.iterdir():
            if path.name not in self.files:
                path.unlink()
        for name in self.outputs:
            (self.folder / name).write_bytes(self.OLD)

    def fault(self, number, ended):
        for name in self.outputs:
            path = self.folder / name
            if not path.exists():
                return f"{name} is gone"
            if path.read_bytes() not in (self.OLD, self.right[name]):
                return f"{name} is half written"
        left = {path.name for path in self.folder.iterdir()} - self.files
        if left and number != signal.SIGKILL:
            return f"left behind: {', '.join(sorted(left))}"
        if ended not in (0, -number):
            return f"ended with {ended}"
        return None


def victims():
    """The classes of all files beside this one."""
    sys.modules["kills"] = sys.modules[__name__]
    for path in sorted(pathlib.Path(__file__).resolve().parent.glob("kills_*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield from (v for v in vars(module).values() if isinstance(v, type) and issubclass(v, Victim) and v.name)


def kill_once(victim, number, delay):
    """Starts, waits, kills; returns the fault, and whether the signal came in time."""
    victim.before_kill()
    child = subprocess.Popen([victim.copse, *victim.command()], cwd=victim.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    time.sleep(delay)
    in_time = child.poll() is None
    child.send_signal(number)
    ended = child.wait(timeout=120)
    return victim.fault(number, ended), in_time


def kill_often(victim, kills, random_numbers):
    """Half of the kills over the whole run, half in its first milliseconds, where temporaries are made."""
    start = time.monotonic()
    victim.run(*victim.command())
    whole = time.monotonic() - start
    counts = {"kills": 0, "in_time": 0, "faults": []}
    for kill in range(kills):
        number = victim.signals[kill % len(victim.signals)]
        delay = random_numbers.uniform(0, whole if kill % 8 < 4 else min(whole, 0.02))
        fault, in_time = kill_once(victim, number, delay)
        counts["kills"] += 1
        counts["in_time"] += in_time
        if fault:
            counts["faults"].append(f"{signal.Signals(number).name} after {1000 * delay:.1f} ms: {fault}")
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("copse")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", default="")
    asked = parser.parse_args()
    copse = str(pathlib.Path(asked.copse).resolve())
    found, chosen = {}, set(filter(None, asked.only.split(",")))
    for kind in victims():
        if chosen and kind.name not in chosen:
            continue
        folder = pathlib.Path(tempfile.mkdtemp(prefix="copse-kills-"))
        try:
            victim = kind(copse, folder)
            victim.prepare()
            found[kind.name] = kill_often(victim, asked.kills, random.Random(f"{asked.seed} {kind.name}"))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        counts = found[kind.name]
        print(f"{kind.name}: {counts['kills']} kills, {counts['in_time']} in time, {len(counts['faults'])} faults", flush=True)
        for fault in counts["faults"]:
            print(f"  {fault} (--seed {asked.seed} --only {kind.name})")
    if asked.json:
        pathlib.Path(asked.json).write_text(json.dumps({"seed": asked.seed, "victims": found}, indent=1) + "\n")
    if not found:
        sys.exit("kills.py: found nothing to kill")
    if any(counts["in_time"] == 0 for counts in found.values()):
        sys.exit("kills.py: no kill came in time")
    sys.exit(1 if any(counts["faults"] for counts in found.values()) else 0)


if __name__ == "__main__":
    main()
