#!/usr/bin/env python3
"""tools/test_report.py counts what ctest ran: passed, failed and skipped cases, processes that end early, and programs that are not there."""
import subprocess
import sys
import tempfile
from pathlib import Path

REPORT = Path(__file__).resolve().parents[2] / "tools" / "test_report.py"


def case(name, inside=""):
    return f'<testcase name="{name}" status="run" time="0.5" classname="suite">{inside}</testcase>'


def skip(text):
    return f'<skipped message="/source/some_test.cpp:12&#x0A;{text}"/>'


def wrong(text):
    return f'<failure message="{text}"></failure>'


# Entry of ctest: cases in its file or None, what it prints, exit status.
ENTRIES = {
    "program.1_of_2": ([case("passes"), case("has/no_graph", skip("no real graphs: set COPSE_GRAPHS to a folder that has wing.graph"))], "", 0),
    "program.2_of_2": ([case("other_graph", skip("no real graphs: set COPSE_GRAPHS to a folder that has a.mtx")),
                        case("is_wrong", wrong("found 1, expected 2"))], "", 1),
    "crashes.1_of_2": (None, "[ RUN      ] suite.works\n[       OK ] suite.works\n[ RUN      ] suite.dies\n", 1),
    "crashes.2_of_2": ([], "", 0),
    "docs.works": (None, "", 0),
    "docs.fails": (None, "line 3 is wrong", 1),
}


def report(entries, missing=False):
    """Runs ctest over `entries` and the report over what that wrote."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = []
        for entry, (cases, output, status) in entries.items():
            script = folder / f"{entry}.sh"
            text = f"cat <<'END'\n{output}\nEND\n"
            if cases is not None:
                (folder / f"{entry}.ready").write_text(f'<testsuites><testsuite name="suite">{"".join(cases)}</testsuite></testsuites>')
                text += f"cp {folder}/{entry}.ready {folder}/{entry}.xml\n"
            script.write_text(f"{text}exit {status}\n")
            lines.append(f'add_test({entry} "bash" "{script}")')
        if missing:
            lines.append(f'add_test(absent "{folder}/absent")')
        (folder / "CTestTestfile.cmake").write_text("\n".join(lines) + "\n")
        subprocess.run(["ctest", "--output-junit", folder / "ctest.xml"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        done = subprocess.run([sys.executable, "-B", REPORT, folder], stdout=subprocess.PIPE, text=True)
        return done.returncode, done.stdout


def expect(text, *parts):
    for part in parts:
        assert part in text, f"no `{part}` in\n{text}"


def main():
    status, text = report(ENTRIES, missing=True)
    assert status == 1
    expect(text, "       2  no real graphs: set COPSE_GRAPHS to a folder that has FILE\n", "  program suite.is_wrong: found 1, expected 2\n",
           "  crashes.1_of_2: the process ended in suite.dies, and what follows there did not run\n", "  docs.fails: ", "  absent: it did not run",
           "     0.5  program suite.passes\n", "     2.0  program (4 cases)\n")
    assert text.splitlines()[-1] == "2 passed, 4 failed, 2 skipped", text
    status, text = report({name: entry for name, entry in ENTRIES.items() if entry[2] == 0})
    assert status == 0 and text.splitlines()[-1] == "2 passed, 0 failed, 1 skipped", text
    assert report({})[0] == 1, "no case at all is no success"


if __name__ == "__main__":
    main()
