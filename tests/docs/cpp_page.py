#!/usr/bin/env python3
"""Writes docs/reference/cpp.md, the contract of every declaration of the C++ library, from the headers.

Usage: cpp_page.py SOURCES > SOURCES/docs/reference/cpp.md
       cpp_page.py SOURCES PAGE     exit status 1, with the differences, when the page is not what would be written

The headers are clang-formatted, which is what this relies on: a declaration begins at the beginning of a line, a comment stands before what it
describes, and `private:` begins the rest of a class. Function bodies, initialisers of constructors and what is private are left out. Fences say
c++, because those that say cpp are examples, which the tests compile.
"""
import difflib
import re
import sys
from pathlib import Path

INTRODUCTION = """# C++ reference

Written by `tests/docs/cpp_page.py` from the headers; do not edit. The [overview](cpp_api.md) is shorter: it says what there is, by subject.

Everything is in namespace `copse`; names in nested namespaces are written with them. Costs are those of the whole call: n vertices, m edges.
"""
OPENING, CLOSING = "({[", ")}]"


def code_of(line):
    """A line without its comment and its literals, to count brackets in."""
    return re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', "0", line).partition("//")[0]


def depth_change(line):
    code = code_of(line)
    return sum(code.count(c) for c in OPENING) - sum(code.count(c) for c in CLOSING)


def is_comment(line):
    return line.lstrip().startswith("//")


def items_of(lines):
    """(comments, declaration) for each declaration among the lines of one scope; comments alone where a blank line follows them."""
    comments, declaration, depth = [], [], 0
    for line in lines:
        if not declaration and is_comment(line):
            comments.append(line)
        elif not declaration and not line.strip():
            if comments:
                yield comments, []
            comments = []
        elif not declaration and line.startswith("#"):
            continue
        else:
            declaration.append(line)
            depth += depth_change(line)
            code = code_of(line).rstrip()
            if depth == 0 and (code.endswith((";", "}")) or re.fullmatch(r"\s*(public|protected|private):", code)):
                yield comments, declaration
                comments, declaration = [], []


def place_of_body(text):
    """Where the body of a function, or the list of initialisers before it, begins; None where neither is there."""
    depth, after_parameters = 0, False
    for at, c in enumerate(text):
        if depth == 0 and after_parameters and (c == "{" or text[at - 1 : at + 2] == " : "):
            return at
        if depth == 0 and c == "=" and text[at + 1 : at + 2] == " " and not text[:at].endswith("operator"):
            return None
        depth += (c in OPENING) - (c in CLOSING)
        if c == ")" and depth == 0:
            after_parameters = True
    return None


def without_body(declaration):
    text = "\n".join(declaration)
    at = place_of_body(re.sub(r'"(\\.|[^"\\])*"', lambda m: "0" * len(m[0]), text))
    return text if at is None else text[:at].rstrip() + ";"


def kind_of(declaration):
    """The keyword and the name of a type that the declaration defines, or None."""
    text = "\n".join(declaration)
    found = re.match(r"(?:template <.*?>\n)?(?:requires [^\n]*\n)?(class|struct|enum class) (?:\[\[\w+\]\] )?([\w<>:, ]+?)(?: final)?(?: : [^{]*)? \{", text, re.S)
    return found and found.groups()


def is_left_out(declaration):
    text = "\n".join(declaration)
    return bool(re.match(r"(class|struct) \w+;$|template <[^\n]*>\n(class|struct) \w+;$|extern template|static_assert|friend (class|struct) ", text.strip()))


def body_of(declaration):
    """The lines of a type, without bodies of functions and what is private."""
    if len(declaration) == 1 or kind_of(declaration)[0] == "enum class":
        return declaration
    first = next(i for i, line in enumerate(declaration) if line.endswith("{"))
    shown, hidden = [*declaration[: first + 1]], False
    for comments, member in items_of([line.removeprefix("  ") if line.startswith("  ") else line for line in declaration[first + 1 : -1]]):
        access = re.fullmatch(r"\s*(public|protected|private):", "\n".join(member))
        if access:
            hidden = access[1] != "public"
            if not hidden:
                shown.append("public:")
        elif not hidden and not (member and is_left_out(member)):
            inner = body_of(member) if member and kind_of(member) else without_body(member).split("\n") if member else []
            shown += [("  " + line).rstrip() for line in [*comments, *inner]]
    return [*shown, declaration[-1]]


def prose(comments):
    """Comments as paragraphs."""
    text = "\n".join(re.sub(r"^\s*///? ?", "", line) for line in comments)
    return text.replace("<", "&lt;").strip()


def name_of(declaration):
    """The name of a function, a constant or an alias."""
    text = re.sub(r"^template <.*?>\n", "", "\n".join(declaration), flags=re.S)
    text = re.sub(r"\[\[.*?\]\] ?", "", text)
    operator = re.search(r"\boperator\S+", text)
    if operator:
        return operator[0].partition("(")[0]
    found = re.match(r"using (\w+)", text) or re.search(r"(\w+)\s*(?:\(|=|\{|;)", text)
    return found[1] if found else text.split("\n")[0]


def sections_of(lines, scope):
    """(title, comments, code) for each item of a namespace and those in it."""
    for comments, declaration in items_of(lines):
        if not declaration:
            yield "", comments, ""
            continue
        inner = re.match(r"namespace (?:copse::)?(\w+) \{", declaration[0])
        if inner and inner[1] != "detail":
            yield from sections_of(declaration[1:-1], scope if inner[1] == "copse" else scope + inner[1] + "::")
        elif not inner and not is_left_out(declaration):
            kind = kind_of(declaration)
            if kind:
                yield scope + kind[1], comments, "\n".join(body_of(declaration))
            else:
                yield scope + name_of(declaration), comments, without_body(declaration)


def purpose_of(lines):
    taken = []
    for line in lines:
        if not line.startswith("//"):
            break
        taken.append(line)
    return taken


def header_section(path, root):
    lines = path.read_text(encoding="utf-8").split("\n")
    purpose = purpose_of(lines)
    text, last = f"\n## `{path.relative_to(root / 'include')}`\n\n{prose(purpose)}\n", None
    for title, comments, code in sections_of(lines[len(purpose) :], ""):
        if not code:
            text += f"\n{prose(comments)}\n"
            last = None
            continue
        if title != last:
            text += f"\n### `{title}`\n"
        elif not comments:  # one more overload of what was described
            text = re.sub(r"\n```\n(?=[^`]*\Z)", lambda m: f"\n{code}\n```\n", text, count=1) if text.count("```") else text
            continue
        last = title
        text += f"\n```c++\n{code}\n```\n"
        if comments:
            text += f"\n{prose(comments)}\n"
    return text


def page_of(root):
    headers = sorted((root / "include" / "copse").glob("*.hpp"))
    return INTRODUCTION + "".join(header_section(path, root) for path in headers if path.name != "copse.hpp")


def main():
    page = page_of(Path(sys.argv[1]))
    if len(sys.argv) == 2:
        print(page, end="")
        return
    written = Path(sys.argv[2]).read_text(encoding="utf-8")
    differences = list(difflib.unified_diff(written.splitlines(), page.splitlines(), sys.argv[2], "as it would be written", lineterm=""))
    print("\n".join(differences) or "fresh")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
