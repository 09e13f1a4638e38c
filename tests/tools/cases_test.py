#!/usr/bin/env python3
"""No test case is lost: cases_test.py BUILD compares the cases of a build with cases_81b8f81.txt, those of commit 81b8f81.

A case's name here is `executable suite.case`, or `script docs.README`. cases_81b8f81.txt has the beginning that several share on a line,
then how each goes on, on lines that begin with a space. cases_gone.txt says what became of those that are not there any more; its lines are
applied in order, each to what the ones before made of a name:
  old -> new     renamed; each * of `old` stands for any text, which takes the place of the same * of `new`
  old -- reason  gone, and why
A line that fits no case is refused, and so are two old cases that would be the same new one.
`cases_test.py BUILD --write` prints the cases of the build in the format of cases_81b8f81.txt; `--test` tries this comparison itself."""
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPTS = ("docs", "install", "tools")


def listed_by_googletest(text):
    """(suite, case) of each line that --gtest_list_tests prints."""
    suite = ""
    for line in text.splitlines():
        name = line.split("#")[0].rstrip()
        if name.endswith(".") and not name.startswith(" "):
            suite = name[:-1]
        elif name.startswith("  ") and suite:
            yield suite, name.strip()


def cases_of(build):
    """What `build` has: a set of names, and the executables that were asked. SCRIPTS are labels of ctest."""
    cases, executables = set(), []
    for line in (build / "test_programs.txt").read_text().splitlines():
        name, _, program = line.partition(" ")
        if not program:
            continue
        text = subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout
        cases.update(f"{name} {suite}.{case}" for suite, case in listed_by_googletest(text))
        executables.append(name)
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, capture_output=True, text=True).stdout
    for test in json.loads(shown)["tests"]:
        if test["name"].split(".")[0] in SCRIPTS:
            cases.add(f"script {test['name']}")
    return cases, executables


def written(cases):
    """The format of cases_81b8f81.txt."""
    groups = {}
    for name in cases:
        groups.setdefault(name[:end_of_head(name)], []).append(name[end_of_head(name):])
    lines = []
    for head in sorted(groups):
        lines += [head] + textwrap.wrap(" ".join(sorted(groups[head])), 140, initial_indent=" ", subsequent_indent=" ",
                                        break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def end_of_head(name):
    return max(name.rfind("/"), name.rfind(".")) + 1


def read_cases(text):
    cases, head = [], ""
    for line in text.splitlines():
        if line.startswith(" "):
            cases += [head + tail for tail in line.split()]
        else:
            head = line
    return cases


def pattern(text):
    return re.compile("(.*)".join(re.escape(part) for part in text.split("*")))


def replaced(new, groups):
    pieces = new.split("*")
    return "".join(piece + (groups[i] if i < len(groups) and i < len(pieces) - 1 else "") for i, piece in enumerate(pieces))


def read_changes(text):
    """(old, new or None, line of the file)"""
    changes = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        renamed = re.fullmatch(r"(\S+ \S+) -> (\S+ \S+)", line.strip())
        gone = re.fullmatch(r"(\S+ \S+) -- (.*\S)", line.strip())
        if not renamed and not gone:
            raise ValueError(f"cases_gone.txt:{number}: found `{line}`, expected `old -> new` or `old -- reason`, each an executable and a case")
        old, new = (renamed.group(1), renamed.group(2)) if renamed else (gone.group(1), None)
        if new and new.count("*") > old.count("*"):
            raise ValueError(f"cases_gone.txt:{number}: `{new}` has more * than `{old}`")
        changes.append((old, new, number))
    return changes


def faults(old_cases, changes, now, has_gpu_part):
    """What is wrong, one line each."""
    found = []
    # A build without the GPU part has no tests of it.
    names = {name: name for name in old_cases}
    for old, new, number in changes:
        fits = 0
        for original, name in names.items():
            match = pattern(old).fullmatch(name) if name else None
            if match:
                names[original] = replaced(new, match.groups()) if new else None
                fits += 1
        if not fits:
            found.append(f"cases_gone.txt:{number}: `{old}` fits no case")
    origins = {}
    for original, name in names.items():
        if name is None or (not has_gpu_part and name.startswith("gpu_")):
            continue
        if name in origins:
            found.append(f"`{origins[name]}` and `{original}` are both `{name}` now")
        origins[name] = original
        if name not in now:
            found.append(f"`{original}` is lost" + ("" if name == original else f": `{name}` is not there") +
                         "; name what became of it in tests/cases_gone.txt")
    return found


def try_it():
    old = ["a s.one", "a s.two", "b t.own_1", "b t.own_2", "gpu_x g.c"]
    assert faults(old, [], set(old), True) == []
    assert len(faults(old, [], set(old[1:]), True)) == 1
    assert faults(old, [], set(old[:4]), False) == []
    assert len(faults(old, [], set(old[:4]), True)) == 1
    moved = {"a s.one", "c s.two", "b t.fast_1", "b t.fast_2", "gpu_x g.c"}
    changes = read_changes("# words\na s.two -> c s.two\nb *.own_* -> b *.fast_*\n")
    assert faults(old, changes, moved, True) == []
    assert faults(old, changes, moved - {"b t.fast_2"}, True) == ["`b t.own_2` is lost: `b t.fast_2` is not there; "
                                                                  "name what became of it in tests/cases_gone.txt"]
    assert faults(old, read_changes("a s.one -- the part that it tried went"), set(old[1:]), True) == []
    assert "fits no case" in faults(old, read_changes("a s.three -- gone"), set(old), True)[0]
    assert any("are both" in fault for fault in faults(old, read_changes("a s.one -> a s.two"), set(old), True))
    for wrong in ("a s.one", "a s.one -> c", "a s.one -> a s.*", "a s.one --"):
        try:
            read_changes(wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)
    cases = {"a s/p.one/x_1", "a s/p.one/x_2", "a t.one", "script docs.README"}
    assert set(read_cases(written(cases))) == cases, written(cases)
    assert list(listed_by_googletest("s/p.\n  one/x  # GetParam() = 0x1\nt/0.  # TypeParam = a.b<c>\n  two\n")) == [("s/p", "one/x"), ("t/0", "two")]


def main():
    if sys.argv[1] == "--test":
        return try_it()
    build = Path(sys.argv[1])
    now, executables = cases_of(build)
    if sys.argv[2:] == ["--write"]:
        return sys.stdout.write(written(now))
    tests = HERE.parent
    old_cases = read_cases((tests / "cases_81b8f81.txt").read_text())
    changes = read_changes((tests / "cases_gone.txt").read_text())
    found = faults(old_cases, changes, now, any(name.startswith("gpu_") for name in executables))
    if found:
        sys.exit("\n".join(found))
    print(f"{len(old_cases)} cases of 81b8f81, {len(now)} now: none is lost")


if __name__ == "__main__":
    main()
