#!/usr/bin/env -S python3 -B
"""Stands in the place of copse while tests run, and keeps the calls that they make as cases for transcripts.

  cd build/release/cli && mv copse copse.real
  printf '#!/bin/sh\\nexec %s/tools/behaviour/capture.py "$0.real" "$@"\\n' "$OLDPWD" >copse && chmod +x copse && cd -
  COPSE_CAPTURE=/tmp/calls build/release/tests/cli/cli_test; COPSE_CAPTURE=/tmp/calls ctest --preset release -L docs
  mv build/release/cli/copse.real build/release/cli/copse
  tools/behaviour/behaviour.py record build/release/cli/copse --calls /tmp/calls

Each call leaves one file with its arguments, its standard input and the files of its folder. Calls with much input, with inputs elsewhere,
or with a standard input that is a terminal or a socket run, but are not kept."""
import json
import os
import stat
import subprocess
import sys
import uuid
from pathlib import Path

from transcripts import LONG_INPUT, as_text

REAL, *ARGUMENTS = sys.argv[1:]


def files(folder):
    """The files of the folder, but for those of the test's harness; None when they are long."""
    found, size = {}, 0
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith(".harness."):
            size += path.stat().st_size
            if size > LONG_INPUT:
                return None
            found[str(path.relative_to(folder))] = as_text(path.read_bytes(), LONG_INPUT)
    return found


def main():
    folder = os.environ.get("COPSE_CAPTURE")
    kind = os.fstat(0).st_mode
    readable = stat.S_ISREG(kind) or stat.S_ISFIFO(kind) or os.path.samefile("/dev/stdin", os.devnull)
    elsewhere = any(word.startswith("/") or "/dev/" in word for word in ARGUMENTS)
    if not folder or elsewhere or not readable:
        os.execv(REAL, [REAL, *ARGUMENTS])
    before = files(Path.cwd())
    content = sys.stdin.buffer.read()
    done = subprocess.run([REAL, *ARGUMENTS], input=content)
    if before is not None and len(content) <= LONG_INPUT and done.returncode >= 0:
        Path(folder).mkdir(parents=True, exist_ok=True)
        case = {"arguments": ARGUMENTS, "input": as_text(content, LONG_INPUT), "files": before}
        (Path(folder) / f"{uuid.uuid4()}.json").write_text(json.dumps(case))
    sys.exit(done.returncode if done.returncode >= 0 else 128 - done.returncode)


if __name__ == "__main__":
    main()
