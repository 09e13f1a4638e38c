#!/usr/bin/env python3
"""The fenced blocks of a Markdown page, for the tests that compile and run what the documentation shows.

```cpp      compiled and run; without a main of its own its statements are the body of one, and its includes stay on top
```sh       run by bash, must succeed
```console  lines that begin with `$ ` are run; what they print must be what follows (`...` stands for anything)
Other blocks are for reading only. All blocks of a page run in order in one folder, which starts as a copy of examples/.

Usage: extract.py PAGE FOLDER     writes the C++ blocks to FOLDER/<page>_<n>.cpp and prints their paths, one a line
"""
import re
import sys
from pathlib import Path

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.S | re.M)


def blocks(page):
    """(kind, first line of the text, text) of every fenced block, in order."""
    text = Path(page).read_text(encoding="utf-8")
    return [(m.group(1), text.count("\n", 0, m.start(2)) + 1, m.group(2)) for m in FENCE.finditer(text)]


def program(page, line, text):
    """A whole program from a block; the compiler reports lines of the page."""
    place = f'#line {line} "{page}"\n'
    if re.search(r"\bint main\(", text):
        return place + text
    includes, rest = [], []
    for number, row in enumerate(text.splitlines(), line):
        (includes if row.startswith("#include") else rest).append((number, row))
    top = "".join(f'#line {number} "{page}"\n{row}\n' for number, row in includes)
    body = "".join(f'#line {number} "{page}"\n  {row}\n' for number, row in rest if row.strip())
    return f"{top}int main() {{\n{body}}}\n"


def main():
    page, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for index, (kind, line, text) in enumerate(blocks(page)):
        if kind == "cpp":
            target = folder / f"{page.stem}_{index}.cpp"
            source = program(page, line, text)
            if not target.exists() or target.read_text(encoding="utf-8") != source:
                target.write_text(source, encoding="utf-8")
            print(target)


if __name__ == "__main__":
    main()
