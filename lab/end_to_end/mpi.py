"""copse-mpi on one host, compared with one process of as many threads on the same file; in turns.

  python3 -m lab.end_to_end.mpi RESULT.json FILE --ranks N --mpi NAME=copse-mpi... [--copse copse] [--trials T] [--oversubscribe]

Of copse-mpi `read`, `merge` and `total` are milliseconds after MPI_Init, of one process `total` those from its first option to its last
label. `processor` is the processor time of all processes, less what the same program takes for a file of one edge, which is the start of
MPI. Several --mpi compare builds. All answers must have one checksum. The file is read once before, so that it is in the page cache.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile

from .kit import Recorder

ROOT = ["--allow-run-as-root"] if os.geteuid() == 0 else []


def timed(command, environment=None):
    """The output of the command, and its processor time in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(out), 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("result", type=pathlib.Path)
    arguments.add_argument("file", type=pathlib.Path)
    arguments.add_argument("--ranks", type=int, required=True)
    arguments.add_argument("--mpi", action="append", required=True, metavar="NAME=PROGRAM")
    arguments.add_argument("--copse", default="build/release/cli/copse")
    arguments.add_argument("--trials", type=int, default=5)
    arguments.add_argument("--oversubscribe", action="store_true", help="there are fewer cores than ranks")
    asked = arguments.parse_args()

    place = ["--oversubscribe", "--bind-to", "none"] if asked.oversubscribe else ["--bind-to", "core"]
    launch = ["mpirun", *ROOT, *place, "-n", str(asked.ranks)]
    environment = os.environ | {"OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    with asked.file.open("rb") as file:
        while file.read(1 << 24):
            pass
    megabytes = asked.file.stat().st_size // 1_000_000
    found, checksums = {}, set()

    def note(variant, code, measure, milliseconds):
        found.setdefault((variant, code, measure), []).append(milliseconds)

    with tempfile.TemporaryDirectory() as folder:
        small = pathlib.Path(folder) / "one.el"
        small.write_text("0 1\n")
        for _ in range(asked.trials):
            for name, program in (each.split("=", 1) for each in asked.mpi):
                _, start = timed([*launch, program, "components", small, "--json"], environment)
                answer, spent = timed([*launch, program, "components", asked.file, "--json"], environment)
                for what in ("read", "merge", "total"):
                    note("copse-mpi", name, what, 1e3 * answer["seconds"][what])
                note("copse-mpi", name, "processor", spent - start)
                checksums.add(answer["checksum"])
            answer, spent = timed([asked.copse, "components", asked.file, "--json", "--threads", str(asked.ranks)])
            note("one process", "", "total", 1e3 * answer["seconds"]["total"])
            note("one process", "", "processor", spent)
            checksums.add(answer["checksum"])
    if len(checksums) != 1:
        raise SystemExit(f"answers differ: {checksums}")

    out = Recorder("mpi")
    for (variant, code, measure), samples in found.items():
        out.add(asked.file.stem, variant, measure, "ms", asked.ranks, samples, megabytes=megabytes, **({"code": code} if code else {}))
    out.write(asked.result)


if __name__ == "__main__":
    main()
