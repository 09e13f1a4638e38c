#!/usr/bin/env python3
"""Writes docs/reference/python.md from the docstrings of the package: `python -P python/reference.py > docs/reference/python.md`,
with `copse` installed or on PYTHONPATH."""
import inspect
import re

import copse

HEAD = """# Python

What `import copse` gives ([install](../how-to/install_for_python.md)). This page is made from the docstrings by `python/reference.py`.
"""
GROUPS = {
    "Components": ["connected_components", "components", "Components", "plan", "verify", "checksum", "variants"],
    "Clusters": ["cluster", "ClusterReport", "compare", "Comparison"],
    "Graphs": ["Graph", "read_graph", "generate"],
    "Edges that arrive, and leave": ["Incremental", "Dynamic", "DynamicBatch", "DynamicSnapshot"],
    "Forests and lists": ["spanning_forest", "Forest", "root_forest", "RootedForest", "euler_tour", "EulerTour", "rank_list"],
    "Weights": ["weighted_forest", "WeightedForest", "thresholds", "dendrogram", "explain", "Explanation", "bridges", "Bridges"],
    "GPUs": ["DeviceComponents", "prepare", "Prepared", "gpus"],
    "This build": ["build_info"],
    "Reports and errors": ["Report", "Verdict", "Error", "UsageError", "InputError", "FileError", "ResourceError", "Note"],
}


def text_of(thing):
    """The docstring as Markdown: what stands before a colon in a list of arguments is left as it is, examples are blocks of code."""
    text = inspect.cleandoc(thing.__doc__ or "")
    text = re.sub(r"^>>> .*?(?=\n\n|\Z)", r"```pycon\n\g<0>\n```", text, flags=re.S | re.M)
    return re.sub(r"(?<![`\w])(\.\.)(?![.\w])", r"\1", text)


def signature_of(thing):
    try:
        return str(inspect.signature(thing)).replace("self, ", "").replace("(self)", "()")
    except ValueError:
        return ""


def members(kind):
    """Its own first, then those of classes that are not shown themselves."""
    all_of_it = dict(vars(kind))
    for base in kind.__mro__[1:]:
        if base.__module__.startswith("copse._") and base.__name__ not in copse.__all__:
            all_of_it |= {name: member for name, member in vars(base).items() if name not in all_of_it}
    for name, member in all_of_it.items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield name, "", text_of(member)
        elif isinstance(member, classmethod):
            yield name, signature_of(getattr(kind, name)), text_of(member.__func__)
        elif inspect.isfunction(member):
            yield name, signature_of(member), text_of(member)


def section(name):
    thing = getattr(copse, name)
    is_class = inspect.isclass(thing)
    shown = "" if is_class and (issubclass(thing, Exception) or name in ("Report", "Verdict", "Components", "Forest", "Prepared", "DeviceComponents", "DynamicSnapshot", "Graph", "WeightedForest", "Explanation", "Bridges")) else signature_of(thing)
    if is_class and issubclass(thing, tuple):
        shown = "(" + ", ".join(thing._fields) + ")"
    lines = [f"### {name}", "", f"`{name}{shown}`" if shown else f"`{name}`", "", text_of(thing), ""]
    if is_class and issubclass(thing, Exception):
        lines[4] += " A kind of " + " and ".join(f"`{base.__name__}`" for base in thing.__bases__) + "."
    elif is_class and not issubclass(thing, tuple):
        for member, shown, text in members(thing):
            lines += [f"- **`{member}{shown}`**: " + text.replace("\n", "\n  ")]
        lines.append("")
    return "\n".join(lines)


def page():
    known = {name for names in GROUPS.values() for name in names}
    missing = set(copse.__all__) - known
    if missing:
        raise SystemExit(f"python/reference.py: found no group for {', '.join(sorted(missing))}")
    parts = [HEAD]
    for title, names in GROUPS.items():
        names = [name for name in names if name in copse.__all__]
        if names:
            parts += [f"\n## {title}\n", *("\n" + section(name) for name in names)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


if __name__ == "__main__":
    print(page(), end="")
