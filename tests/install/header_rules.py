"""What holds of the public headers: header_rules.py ROOT prints a line for each function whose result may be lost, and for each exception that is
thrown there and not declared by copse/errors.hpp; exit status 1 when there is any."""

import pathlib
import re
import sys

# Their results are facts about what they did.
ACTS = {
    "components": "solve_report", "components_in_place": "solve_report", "components_async": "", "spanning_forest_async": "",
    "apply": "dynamic_batch", "insert": "dynamic_batch", "erase": "dynamic_batch", "erase_keys": "dynamic_batch", "erase_vertices": "dynamic_batch",
    "purge_vertices": "dynamic_batch", "expire": "dynamic_batch", "revert": "dynamic_batch", "refresh": "std::uint64_t",
}
FUNCTION = re.compile(r"^(?P<attributes>(?:\[\[\w+\]\]\s*)*)(?P<words>(?:(?:static|constexpr|inline|virtual|explicit|friend|extern)\s+)*)"
                      r"(?P<type>[\w:<>,*&\s]+?[\s&*>])(?P<name>\w+|operator\(\)|operator\[\])\s*\((?!\))?.*")


def statements(text):
    """Declarations at namespace and class scope, each with the number of its line."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|^[ \t]*#[^\n]*(?:\\\n[^\n]*)*", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)
    inside, begin, depth, at = [], 0, 0, 0
    while at < len(text):
        c = text[at]
        if c == "{":
            head = text[begin:at].strip()
            scope = re.match(r"(?:template\s*<.*>\s*)?(?:namespace|class|struct|extern)\b(?!.*\()", head, re.S) is not None
            if scope:
                begin = at + 1
            else:
                level, end = 0, at
                while True:
                    level += {"{": 1, "}": -1}.get(text[end], 0)
                    if level == 0:
                        break
                    end += 1
                at = end
        elif c in ";}" and begin <= at or c == ":" and text[at - 6:at] in ("public", "rivate") or c == ":" and text[at - 9:at] == "protected":
            yield text.count("\n", 0, begin + len(text[begin:at]) - len(text[begin:at].lstrip())) + 1, text[begin:at].strip()
            begin = at + 1
        at += 1
        # A body ends a declaration, and an initialiser does not.
        if text[at - 1] == "}" and begin < at and re.search(r"\)[^=]*\{", text[begin:at], re.S):
            yield text.count("\n", 0, begin + len(text[begin:at]) - len(text[begin:at].lstrip())) + 1, text[begin:at].strip()
            begin = at


def without_template(text):
    """The declaration behind `template <...>` and a `requires` clause on lines of its own."""
    while text.startswith("template"):
        level, at = 0, text.index("<")
        while True:
            level += {"<": 1, ">": -1}.get(text[at], 0)
            at += 1
            if level == 0:
                break
        text = text[at:].strip()
        while text.startswith("requires"):
            text = text.partition("\n")[2].strip()
    return text


def lost_results(path):
    text = path.read_text(encoding="utf-8")
    for line, statement in statements(text):
        declaration = without_template(statement)
        found = FUNCTION.match(" ".join(declaration.split()))
        if not found or declaration.startswith(("using", "friend", "return", "enum", "class", "struct", "union", "extern template")):
            continue
        result, name = found["type"].strip(), found["name"]
        if result in ("void", "explicit", "constexpr", "constexpr explicit", "") or result.endswith("operator") or name.startswith("do_") or "nodiscard" in found["attributes"] or re.match(r"operator\b", name):
            continue
        if "=" in declaration.partition("(")[0] or ACTS.get(name, None) in ("", result) or name in ("requires", "decltype"):
            continue
        yield f"{path}:{line}: found {result} {name}() without [[nodiscard]], expected it where the result is the point of the call"


def undeclared_errors(path):
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for thrown in re.findall(r"\bthrow ([\w:]+)", text.partition("//")[0]):
            if thrown.removeprefix("copse::") not in {"usage_error", "input_error", "resource_error", "cancelled", "list_error", "input_error::at"}:
                yield f"{path}:{line}: found throw {thrown}, expected one of the types of copse/errors.hpp"


FILE_QUERY = re.compile(r"filesystem::(?:is_\w+|exists|file_size|status|create_director\w+|rename|remove\w*|\w*canonical|absolute|last_write_time|"
                        r"space|read_symlink|equivalent|current_path|temp_directory_path|permissions|resize_file)\(")


def throwing_queries(path):
    """Calls that throw what no header declares: those without a std::error_code."""
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for call in FILE_QUERY.finditer(text.partition("//")[0]):
            level, at = 1, call.end()
            while level and at < len(text):
                level += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
            given = text[call.end():at - 1]
            if "status" in given or re.search(r"(?:^|, )\w+$", given) and ("," in given or call[0].endswith("path(") and given):
                continue
            yield f"{path}:{line}: found {call[0]}{given}), expected it with a std::error_code, as no header declares std::filesystem_error"


def faults(root):
    for path in sorted((pathlib.Path(root) / "include/copse").glob("*.hpp")):
        yield from lost_results(path)
        yield from undeclared_errors(path)
    for path in sorted((pathlib.Path(root) / "src").rglob("*.[chu]*")):
        yield from throwing_queries(path)


if __name__ == "__main__":
    found = list(faults(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(found))
    sys.exit(1 if found else 0)
