#!/usr/bin/env python3
"""Counts test cases: test_report.py FOLDER [CASES], after tools/test.sh ran ctest.

FOLDER holds ctest.xml (what ctest wrote of its entries) and, for each entry that is a process of GoogleTest, ENTRY.xml with its cases.
Prints the slowest cases (20, or CASES), the seconds of each executable, why cases were skipped, what failed, and as the last line
`N passed, N failed, N skipped`. An entry without a file of cases is one case; one that ended before it wrote its file has failed, and the
case that it was in is named. Exit status 1 when a case failed or there is none."""
import re
import sys
import xml.etree.ElementTree as xml
from collections import Counter, defaultdict, namedtuple
from pathlib import Path

Case = namedtuple("Case", "name seconds state text")  # state: passed, failed, skipped


def executable_of(entry):
    """sweep.3_of_8 -> sweep; docs.README stays, and what is one case of an executable does too."""
    return re.sub(r"\.\d+_of_\d+$", "", entry)


def cases_of_process(entry, file):
    for case in xml.parse(file).getroot().iter("testcase"):
        if case.get("status") == "notrun":
            continue
        name = f"{case.get('classname')}.{case.get('name')}"
        name = f"{executable_of(entry).removesuffix('.' + name)} {name}"
        failure, skipped = case.find("failure"), case.find("skipped")
        state = "failed" if failure is not None else "skipped" if skipped is not None else "passed"
        found = failure if failure is not None else skipped
        yield Case(name, float(case.get("time")), state, "" if found is None else found.get("message") or found.text or "")


def case_of_entry(entry, test, is_process):
    seconds = float(test.get("time") or 0)
    if test.get("status") == "run":
        return Case(entry, seconds, "passed", "")
    if test.find("skipped") is not None and test.get("status") == "notrun":
        message = test.find("skipped").get("message") or ""
        if message.startswith("SKIP_"):  # it ran, and said by its exit status or its output that it needs what is not here
            return Case(entry, seconds, "skipped", "it needs what this machine or build has not")
        return Case(entry, seconds, "failed", "it did not run: " + message)
    output = test.findtext("system-out") or ""
    if test.get("status") == "disabled":
        return Case(entry, seconds, "skipped", "disabled")
    text = test.find("failure").get("message") if test.find("failure") is not None else "it failed"
    if is_process:
        running = re.findall(r"^\[ RUN      \] (.*)", output, re.M)
        text = f"the process ended in {running[-1]}, and what follows there did not run" if running else "the process ended before its first case"
    return Case(entry, seconds, "failed", text or "it failed")


def read(folder):
    cases = []
    for test in xml.parse(folder / "ctest.xml").getroot().iter("testcase"):
        entry = test.get("name")
        file = folder / f"{entry}.xml"
        found = []
        if file.exists():
            try:
                found = list(cases_of_process(entry, file))
            except xml.ParseError:
                pass
        cases += found
        has_failed = any(case.state == "failed" for case in found)
        if test.get("status") == "run":
            # A process that succeeded without a file of cases is a script, or all of its cases are in other processes.
            if not file.exists():
                cases.append(case_of_entry(entry, test, False))
        elif not has_failed:
            cases.append(case_of_entry(entry, test, re.search(r"\.\d+_of_\d+$", entry) or "[ RUN " in (test.findtext("system-out") or "")))
    return cases


def reason(text):
    """Why a case was skipped, without the place in the source and without names of files, so that like reasons are counted together."""
    text = re.sub(r"^\S+:\d+\n", "", text.strip()).strip().splitlines()
    first = text[0] if text else "no reason given"
    first = re.sub(r"^Skipped\s*", "", first) or (text[1] if len(text) > 1 else first)
    return re.sub(r"(?<!\S)/\S+|\b[\w.-]+\.(gz|zst|gr|txt|csv|mtx|graph|dat|el)\b", "FILE", first)


def main():
    folder, most = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    cases = read(folder)
    print("\nSlowest cases, in seconds:")
    for case in sorted(cases, key=lambda case: -case.seconds)[:most]:
        print(f"{case.seconds:8.1f}  {case.name}")
    seconds, counts = defaultdict(float), Counter()
    for case in cases:
        seconds[case.name.split()[0]] += case.seconds
        counts[case.name.split()[0]] += 1
    print("\nExecutables, in seconds:")
    for name in sorted(seconds, key=lambda name: -seconds[name])[:most]:
        print(f"{seconds[name]:8.1f}  {name} ({counts[name]} cases)")
    reasons = Counter(reason(case.text) for case in cases if case.state == "skipped")
    if reasons:
        print("\nSkipped:")
        for text, count in reasons.most_common():
            print(f"{count:8}  {text}")
    failed = [case for case in cases if case.state == "failed"]
    if failed:
        print("\nFailed:")
        for case in failed:
            print(f"  {case.name}: {' '.join(case.text.split())[:300]}")
    states = Counter(case.state for case in cases)
    print(f"\n{states['passed']} passed, {states['failed']} failed, {states['skipped']} skipped")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
