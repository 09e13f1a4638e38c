#!/usr/bin/env python3
""".ci/run watches its clock: rehearsals, in which a command runs in the place of each section, with the clock set forward."""
import os
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONG = ["sanitizers on changes", "spark ray and mpi"]


def rehearse(cache, seconds, command="true", status=0):
    """The sections that would run, in their order, and the last line of the log."""
    settings = os.environ | {"CI_REHEARSAL": command, "CI_CLOCK": str(seconds), "XDG_CACHE_HOME": cache}
    done = subprocess.run([ROOT / ".ci" / "run"], env=settings, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    sections = [line.removeprefix("==== ") for line in lines if line.startswith("==== ") and "all sections" not in line]
    return sections, lines[-1]


def main():
    with tempfile.TemporaryDirectory() as cache:
        early, last = rehearse(cache, 54 * 60)
        assert last == "skipped for want of time: nothing", last
        assert [name for name in early if name in LONG] == LONG, early

        late, last = rehearse(cache, 56 * 60)
        assert last == "skipped for want of time: " + ", ".join(LONG), last
        assert late == [name for name in early if name not in LONG], late

        # What was skipped comes before `make test` in the next run, however late, and is owed no longer after it.
        owed, last = rehearse(cache, 56 * 60)
        assert last == "skipped for want of time: nothing", last
        assert sorted(owed) == sorted(early), owed
        start = owed.index(LONG[0])
        assert owed[start:start + 3] == LONG + ["make test"], owed

        after, last = rehearse(cache, 56 * 60)
        assert after == late, after

        # Whatever a section does, it is stopped at minute 85 and the run has failed: what leads a group of its own, and one that ignores its end.
        for command in ("setsid sleep 600", "env --ignore-signal=TERM sleep 600"):
            start = time.monotonic()
            named, last = rehearse(cache, 85 * 60 - 2, command, status=1)
            assert named == late, named
            assert last == "skipped for want of time: " + ", ".join(LONG), last
            assert time.monotonic() - start < 60, command
    print("the clock decides what runs")


if __name__ == "__main__":
    main()
