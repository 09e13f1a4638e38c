#!/usr/bin/env -S python3 -B
"""Holds that copse does what it did before it was rearranged.

  behaviour.py compare BEFORE AFTER    transcripts and checksums of AFTER against the archive, then the times of both
  behaviour.py transcripts COPSE       the transcripts alone (what CI runs)
  behaviour.py times BEFORE AFTER      the times alone
  behaviour.py record COPSE            writes the archive anew, after its differences were reviewed; --calls adds those of capture.py

BEFORE, AFTER and COPSE are programs, such as build/release/cli/copse, or build folders. The archive, behaviour.jsonl.xz, holds transcripts of the command line
(transcripts.py) and checksums of every variant of the CPU on small graphs (variants.py). Exit status 1 when something differs, or AFTER is
slower than BEFORE by more than 2 % in the geometric mean and by more than equal programs differ, or 5 % on one road.
This folder goes when the rearrangement of the design is done."""
import argparse
import json
import lzma
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cases
import roads
import transcripts
import variants

ARCHIVE = Path(__file__).resolve().with_name("behaviour.jsonl.xz")
WORKERS = os.cpu_count() or 1


def program(path):
    path = Path(path).resolve()
    return path / "cli" / "copse" if path.is_dir() else path


def replayed(copse, listed, prefix=()):
    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(lambda case: transcripts.replay(copse, case, prefix), listed))


def read_archive():
    with lzma.open(ARCHIVE, "rt") as file:
        checksums, *listed = map(json.loads, file)
    return checksums, listed


def same_transcripts(copse):
    """Prints what differs from the archive; returns whether nothing does."""
    listed = read_archive()[1]
    differing = 0
    for before, after in zip(listed, replayed(copse, listed)):
        lines = transcripts.differences(before, after)
        if lines:
            differing += 1
            print(f"\n$ {transcripts.title(before)}", *lines, sep="\n  ")
    print(f"{len(listed)} transcripts, {differing} differ")
    return not differing


def same_checksums(copse):
    checksums = read_archive()[0]
    other = list(variants.differences(checksums, variants.checksums(copse, WORKERS)))
    print(*other[:40], sep="\n", end="\n" if other else "")
    print(f"{sum(len(answers) for graphs in checksums.values() for answers in graphs.values())} checksums of variants, {len(other)} differ")
    return not other


def record(copse, calls):
    """Keeps the cases of the archive, of --calls and those made up; each once, and only those that answer alike whatever the threads."""
    listed = [dict(case) for case in read_archive()[1]] if ARCHIVE.exists() else []
    listed += [json.loads(path.read_text()) for path in sorted(Path(calls).glob("*.json"))] if calls else []
    listed += cases.made_up()
    unique = {json.dumps([case["arguments"], case["input"], case["files"]], sort_keys=True): case for case in listed
              if not transcripts.CUT.search(" ".join(case["arguments"]))}
    listed = [{key: case[key] for key in ("arguments", "input", "files")} for case in unique.values()]
    pinned = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    runs = [replayed(copse, listed), replayed(copse, listed, pinned), replayed(copse, listed)]
    kept = [first for first, *others in zip(*runs) if first["exit"] != "stopped" and not any(transcripts.differences(first, other) for other in others)]
    checksums = variants.checksums(copse, WORKERS)
    with lzma.open(ARCHIVE, "wt", preset=9 | lzma.PRESET_EXTREME) as file:
        for entry in [checksums, *sorted(kept, key=lambda case: (case["arguments"], str(case["input"]), str(case["files"])))]:
            file.write(json.dumps(entry, sort_keys=True) + "\n")
    print(f"{len(kept)} transcripts recorded, {len(listed) - len(kept)} left out, as they differ from run to run")
    return True


def times(before, after, wanted, pairs, samples_file):
    samples = roads.compare(before, after, wanted, pairs)
    if samples_file:
        Path(samples_file).write_text(json.dumps({"before": str(before), "after": str(after), "roads": samples}, indent=1) + "\n")
    return roads.report(samples)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = arguments.add_subparsers(dest="command", required=True)
    for name in ("compare", "times"):
        command = commands.add_parser(name)
        command.add_argument("before", type=program)
        command.add_argument("after", type=program)
        command.add_argument("--pairs", type=int, default=roads.PAIRS)
        command.add_argument("--roads", default=",".join(road for road in roads.ROADS if road not in roads.GPU),
                             help=f"those to time (default: all that need no GPU), of {','.join(roads.ROADS)}")
        command.add_argument("--samples", help="write all samples here")
    for name in ("transcripts", "record"):
        command = commands.add_parser(name)
        command.add_argument("copse", type=program)
    command.add_argument("--calls", help="a folder that capture.py filled")
    asked = arguments.parse_args()
    if asked.command == "record":
        good = record(asked.copse, asked.calls)
    elif asked.command == "transcripts":
        good = same_transcripts(asked.copse)
    else:
        parts = [] if asked.command == "times" else [same_transcripts(asked.after), same_checksums(asked.after)]
        good = all([*parts, times(asked.before, asked.after, asked.roads.split(","), asked.pairs, asked.samples)])
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
