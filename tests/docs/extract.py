#!/usr/bin/env python3
"""The fenced blocks of a Markdown page, for the tests that compile and run what the documentation shows.

```cpp            compiled and run; without a main of its own its statements are the body of one, and its includes stay on top
```cpp FILE       an excerpt: FILE (from the root of the repository) must contain these lines; it is tested as a whole elsewhere
```sh             run by bash, must succeed
```console        lines that begin with `$ ` are run; what they print must be what follows (`...` stands for anything)
Other blocks are for reading only. All blocks of a page run in order in one folder, which starts as a copy of examples/.

Usage: extract.py PAGE FOLDER NAME    writes the C++ blocks to FOLDER/<NAME>_<n>.cpp and prints their paths, one per line
"""
import re
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.S | re.M)


class Block(NamedTuple):
    kind: str
    source: str  # the file that an excerpt is from; empty for other blocks
    line: int    # of the page, where the text begins
    text: str


def blocks(page):
    """Every fenced block, in order."""
    text = Path(page).read_text(encoding="utf-8")
    return [Block(m[1], m[2] or "", text.count("\n", 0, m.start(3)) + 1, m[3]) for m in FENCE.finditer(text)]


def is_program(block):
    return block.kind == "cpp" and not block.source


def contains(source, excerpt):
    """Do the lines of the excerpt follow each other in the source, all indented by the same amount more or less?"""
    wanted = textwrap.dedent(excerpt).strip("\n").splitlines()
    lines = source.splitlines()
    for start in range(len(lines) - len(wanted) + 1):
        if textwrap.dedent("\n".join(lines[start:start + len(wanted)])).splitlines() == wanted:
            return True
    return False


def program(page, line, text):
    """A whole program from a block; the compiler reports lines of the page."""
    place = f'#line {line} "{page}"\n'
    if re.search(r"\bint main\(", text):
        return place + text
    includes, rest = [], []
    for number, content in enumerate(text.splitlines(), line):
        (includes if content.startswith("#include") else rest).append((number, content))
    top = "".join(f'#line {number} "{page}"\n{content}\n' for number, content in includes)
    body = "".join(f'#line {number} "{page}"\n  {content}\n' for number, content in rest if content.strip())
    return f"{top}int main() {{\n{body}}}\n"


def main():
    page, folder, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    folder.mkdir(parents=True, exist_ok=True)
    for index, block in enumerate(blocks(page)):
        if is_program(block):
            target = folder / f"{name}_{index}.cpp"
            source = program(page, block.line, block.text)
            if not target.exists() or target.read_text(encoding="utf-8") != source:
                target.write_text(source, encoding="utf-8")
            print(target)


if __name__ == "__main__":
    main()
