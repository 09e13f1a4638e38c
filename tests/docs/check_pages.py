#!/usr/bin/env python3
"""Checks every page of the documentation: shapes of tables, links, files that are named, words that do not belong there.

Usage: check_pages.py ROOT         checks README.md, CONTRIBUTING.md and docs/ of a repository; exit status 1 when anything is wrong
       check_pages.py --self-test  gives each check a page that is wrong, and one that is right
"""
import re
import sys
import tempfile
from pathlib import Path

from extract import contains

SOURCE = (".hpp", ".cpp", ".cuh", ".cu", ".inc", ".py", ".sh", ".cmake", ".md")  # a file of this kind is one of the repository's
OTHER = (".json", ".csv", ".txt", ".in", ".supp", ".hint")                       # of this kind only where a folder of the repository is named
DATA_FOLDERS = ("lab", "docs", "examples", "tests", "tools")
CODE = ("include", "src", "cli", "lab", "tests", "tools", "cmake", "examples")
CODE_SUFFIXES = (".hpp", ".cpp", ".cuh", ".cu", ".py", ".sh", ".cmake", ".txt", ".md")
PHRASES = {
    r"\bissues? #?\d": "an issue number; say what is so, not where it was asked",
    r"(?<!progress )(?<!error )\bbars?\b": "a bar; say what was measured",
    r"\bour own path\b|\bown path\b": "the fast path",
    r"\b(?:bytes?|bits?|arcs?|edges?|ids?|words?|slots?|sectors?) an? (?:vertex|edge|arc|element|id|slot)\b": "a rate; per vertex, per edge",
    r"\brows? of the table\b|\ba row of (?:cuda|the table)\b": "a variant",
    r"\bthe house\b|\bwho is on (?:its|their) way\b": "a private metaphor",
    r"\bthe day before\b|\ban hour earlier\b|\ba minute later\b|\bin an? (?:earlier|other) run\b": "a diary",
    r"(?<!never )\bnodes?\b(?! of a tree by degree)": "a vertex is never called so",
}
FENCE = re.compile(r"^```.*?^```$", re.S | re.M)
SPAN = re.compile(r"(`+)(.+?)\1", re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def blanked(text, pattern):
    """The text with all matches replaced by blanks, so that lines keep their numbers."""
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def cells(line):
    """Cells of a table line; a pipe counts unless it is escaped, inside code too (that is how Markdown reads it)."""
    return len(re.findall(r"(?<!\\)\|", line.strip().strip("|"))) + 1 if line.strip() != "|" else 1


def table_faults(text):
    width = None
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("|"):
            width = None
            continue
        if width is None:
            width = cells(line)
            following = lines[number] if number < len(lines) else ""
            if not re.fullmatch(r"\|(\s*:?-+:?\s*\|)+\s*", following):
                yield number, "a table without a line of dashes below its header"
        elif cells(line) != width:
            yield number, f"a table line of {cells(line)} cells below a header of {width}"


def slug(heading):
    """The anchor that forges give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page):
    text = blanked(page.read_text(encoding="utf-8"), FENCE)
    return {slug(re.sub(r"[`*]|\]\([^)]*\)|\[", "", m[1])) for m in re.finditer(r"^#+ (.*)$", text, re.M)}


def link_faults(root, page, text):
    for match in LINK.finditer(blanked(text, SPAN)):
        target, number = match[1], text.count("\n", 0, match.start()) + 1
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = page if not path else (page.parent / path).resolve()
        if not file.exists() or not file.is_relative_to(root):
            yield number, f"a link to {target}, which does not exist"
        elif anchor and (file.suffix != ".md" or anchor not in anchors(file)):
            yield number, f"a link to {target}, but there is no such heading"


def is_placeholder(part):
    return re.fullmatch(r"[A-Z_]+|.*<.*>.*", part) is not None


def named_files(text):
    """(line, name) of what looks like a file of the repository, in code spans."""
    for match in SPAN.finditer(text):
        number = text.count("\n", 0, match.start()) + 1
        for word in re.split(r"[\s'\"(),;=:]+", match[2]):
            word = word.strip("<>").rstrip("/.")
            if re.fullmatch(r"\.?[\w*?{}<>.-]+(/[\w*?{}<>.-]+)*", word) and "..." not in word:
                yield number, word


def exists(root, page, names, word):
    """Is there such a file? Placeholders (FOLDER, <kind>) and {a,b} stand for anything."""
    parts = ["*" if is_placeholder(part) else re.sub(r"\{[^}]*\}|<[^>]*>", "*", part) for part in word.split("/")]
    if len(parts) == 1 or parts[0] == "*":
        return any(Path(name).match(parts[-1]) for name in names)
    pattern = "/".join(parts)
    return any(next(base.glob(pattern), None) for base in (root, page.parent, root / "include", root / "include/copse", root / "src"))


def file_faults(root, page, names, text):
    top = {path.name for path in root.iterdir()} - {"build"}
    for number, word in named_files(text):
        first = word.split("/")[0]
        if word.startswith(".") and "/" not in word:
            continue  # a suffix, such as .egr
        ours = word.endswith(SOURCE) or ("/" in word and first in top) or (word.endswith(OTHER) and first in DATA_FOLDERS)
        if ours and not exists(root, page, names, word):
            yield number, f"the file {word}, which does not exist"


def phrase_faults(text):
    for pattern, why in PHRASES.items():
        for match in re.finditer(pattern.replace(" ", r"\s+") if "(?<!" not in pattern else pattern, text, re.I):
            yield text.count("\n", 0, match.start()) + 1, f"'{' '.join(match[0].split())}': {why}"


def linked_from(page):
    """The files that a page links to."""
    text = blanked(blanked(page.read_text(encoding="utf-8"), FENCE), SPAN)
    return {(page.parent / m[1].partition("#")[0]).resolve() for m in LINK.finditer(text) if not re.match(r"\w+:", m[1])}


def omissions(root, pages):
    """What no page mentions: a page that none links to, an example, a header of the API."""
    linked = set().union(*(linked_from(page) - {page} for page in pages))
    for file in [*pages[2:], *sorted((root / "examples").glob("*.cpp")), *sorted((root / "examples").glob("*.sh"))]:
        if file not in linked and file != root / "docs/README.md":
            yield f"{file.relative_to(root)}:1: no page links here"
    api = root / "docs/reference/cpp_api.md"
    listed = api.read_text(encoding="utf-8") if api.exists() else ""
    for header in sorted((root / "include/copse").glob("*.hpp")):
        if f"`copse/{header.name}`" not in listed:
            yield f"docs/reference/cpp_api.md:1: does not name copse/{header.name}"


def pages_named_in_code(root, names):
    """Comments and texts of the code, and lines of the changelog, that name a page which does not exist."""
    for file in names:
        place = file.relative_to(root)
        if place.parts[0] not in (*CODE, "CHANGELOG.md") or place.parts[:2] in (("tests", "docs"), ("tests", "tools")) or file.suffix not in CODE_SUFFIXES:
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        for match in re.finditer(r"\bdocs/[\w./-]+\.md", text):
            if not (root / match[0]).exists():
                yield f"{place}:{text.count(chr(10), 0, match.start()) + 1}: the page {match[0]}, which does not exist"


def faults(root):
    """Every fault of every page, as `page:line: what`."""
    root = root.resolve()
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    names = [path for path in root.rglob("*") if path.is_file() and not {"build", ".git", ".cache"} & set(path.relative_to(root).parts)]
    found = [*omissions(root, pages), *pages_named_in_code(root, names)]
    for page in pages:
        whole = page.read_text(encoding="utf-8")
        text = blanked(whole, FENCE)
        own = [*table_faults(text), *link_faults(root, page, text), *file_faults(root, page, names, text), *phrase_faults(whole)]
        if len(re.findall(r"^```", whole, re.M)) % 2:
            own.append((1, "a fenced block that does not end"))
        found += [f"{page.relative_to(root)}:{number}: {what}" for number, what in sorted(own)]
    return found


GOOD = """# Title

See [the page](page.md#a-heading), `src/one.hpp`, `one.hpp`, `src/<kind>/<name>.hpp`, `tests/*/two.cpp`, `/tmp/any.cpp` and `-o labels.csv`.

| a | b \\| c |
|---|---|
| 1 | `x \\| y` |

```text
| not | a | table
```
"""
BAD = {
    "| a | b |\n|---|---|\n| 1 |\n": "a table line of 1 cells below a header of 2",
    "| a | b |\n|---|---|\n| `x|y` | 1 |\n": "a table line of 3 cells below a header of 2",
    "| a | b |\n": "a table without a line of dashes",
    "[page](gone.md)\n": "a link to gone.md",
    "[page](page.md#no-heading)\n": "no such heading",
    "[page](../../../etc/passwd)\n": "a link to ../../../etc/passwd",
    "See `src/gone.hpp`.\n": "the file src/gone.hpp",
    "See `own/cuda/gathered.cuh`.\n": "the file own/cuda/gathered.cuh",
    "See `gone.cuh`.\n": "the file gone.cuh",
    "See `src/other` for it.\n": "the file src/other",
    "See `src/<kind>/gone.hpp`.\n": "the file src/<kind>/gone.hpp",
    "As issue 7 asks.\n": "an issue number",
    "The bar is 2.0.\n": "a bar",
    "4 bytes a vertex more.\n": "a rate",
    "Rows of the table.\n": "a variant",
    "A node of degree 3.\n": "never called so",
    "Nothing links here.\n": "no page links here",
    "Measured the\nday before.\n": "a diary",
    "```text\nopen\n": "a fenced block that does not end",
}


def self_test():
    wrong = []
    if not contains("x\n  a\n    b\ny\n", "a\n  b\n"):
        wrong.append("an excerpt is not found in its file")
    if contains("a\nx\nb\n", "a\nb\n") or contains("a\n  b\n", "a\nb\n"):
        wrong.append("lines that do not follow each other pass for an excerpt")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name in ("src/kind/one.hpp", "src/one.hpp", "tests/a/two.cpp"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).touch()
        (root / "docs").mkdir()
        (root / "docs/page.md").write_text("# Page\n\n## A heading\n", encoding="utf-8")
        (root / "CONTRIBUTING.md").write_text("# Contributing\n", encoding="utf-8")
        (root / "README.md").write_text(GOOD.replace("page.md", "docs/page.md"), encoding="utf-8")
        wrong += [f"nothing is wrong, but: {fault}" for fault in faults(root)]
        (root / "src/one.hpp").write_text("// docs/page.md and docs/gone.md\n", encoding="utf-8")
        if not any("src/one.hpp:1: the page docs/gone.md" in fault for fault in faults(root)):
            wrong.append("not found: a page that code names")
        (root / "src/one.hpp").write_text("", encoding="utf-8")
        for name, expected in (("examples/unnamed.cpp", "examples/unnamed.cpp:1: no page"), ("include/copse/unnamed.hpp", "does not name copse/unnamed.hpp")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).touch()
            if not any(expected in fault for fault in faults(root)):
                wrong.append(f"not found: {expected!r}")
            (root / name).unlink()
        for text, expected in BAD.items():
            (root / "docs/bad.md").write_text(text, encoding="utf-8")
            found = faults(root)
            if not any(fault.startswith("docs/bad.md:") and expected in fault for fault in found):
                wrong.append(f"not found: {expected!r} in {text!r}; found {found}")
    return wrong


def main():
    found = self_test() if sys.argv[1:] == ["--self-test"] else faults(Path(sys.argv[1]))
    print("\n".join(found) or "nothing wrong")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
