#!/usr/bin/env python3
"""tools/behaviour tells a change from what differs from run to run: transcripts of scripts that stand in for copse, checksums and times."""
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools" / "behaviour"))
import roads
import transcripts
import variants

CASE = {"arguments": ["components", "in.el"], "input": "1 2\n", "files": {"in.el": "3 4\n"}}


def program(folder, name, text):
    path = Path(folder) / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def lines_between(before, after):
    """What differs between the two scripts in the place of copse."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = (program(folder, name, text) for name, text in (("before", before), ("after", after)))
        return transcripts.differences(transcripts.replay(first, CASE), transcripts.replay(second, CASE))


SAME = [("cat; cat in.el", "cat; cat in.el"),
        ("echo solved by threads.none.fast in 0.25 s", "echo solved by threads.kout.rem in 1.5e-3 s"),
        ("echo '{\"phases\": {\"read\": 0.5}, \"peak_bytes\": 12}'", "echo '{\"phases\": {\"read\": 7}, \"peak_bytes\": 99}'"),
        ("pwd", "pwd")]
OTHER = [("echo 3", "echo 4"), ("echo 3 >&2", "true"), ("exit 2", "exit 3"), ("echo a >out", "echo b >out"), ("true", "echo new >out"),
         ("echo x >>in.el", "true"), ("head -c 30000 /dev/zero", "head -c 30001 /dev/zero"), ("echo largest 5", "echo largest 6")]


def main():
    for before, after in SAME:
        assert not lines_between(before, after), (before, after, lines_between(before, after))
    for before, after in OTHER:
        assert lines_between(before, after), (before, after)

    answers = {"components": {"path": {"threads.none.rem": "aa", "serial.none.rem": "aa"}}}
    changed = {"components": {"path": {"threads.none.rem": "bb"}}}
    assert len(list(variants.differences(answers, changed))) == 2 and not list(variants.differences(answers, answers))
    assert variants.stable("threads.none.rem") == "threads.none.rem" and variants.stable("auto") == "auto"

    even = [1.0, 1.01, 0.99, 1.02, 0.98] * 6
    equal, slower = (even, even[::-1]), (even, [1.2 * value for value in even])
    assert roads.report({"rows": {"same": equal, "builds": equal}})
    assert not roads.report({"rows": {"same": equal, "builds": slower}, "text": {"same": equal, "builds": equal}})
    print("changes are seen, noise is not")


if __name__ == "__main__":
    main()
