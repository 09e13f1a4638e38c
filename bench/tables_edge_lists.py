"""The tables of docs/measurements/lists.md."""

from table_kit import figure, label, low_to_high, ratio, table, times

WHAT = {"call": "`components()`", "call_and_count": "`components()` and `count()`", "insert": "batches of "}


def before_and_after(s, first_cells, **wanted):
    """A line for each series of the old code: what first_cells says of it, old and new medians, their ratio, how many samples."""
    lines = []
    for old in s.lists_ab.all(code="old", **wanted):
        same = {k: old[k] for k in ("graph", "measure", "threads")} | {k: old["keys"].get(k, "") for k in ("batch", "input")}
        new = s.lists_ab.row(code="new", **same)
        before, now = old["median"], new["median"]
        lines.append([*first_cells(old, new), figure(before), figure(now), times(ratio(before, now)), new["n"]])
    return lines


def what_was_asked(row):
    batch = row["keys"]["batch"]
    if batch == "all_undeclared":
        return "one batch, vertices not declared"
    return "one batch" if batch == "all" else WHAT[row["measure"]] + ("" if batch == "static" else f"{int(batch):,}")


@table("edge_lists_calls")
def edge_lists_calls(s):
    rows = []
    for old in s.lists_ab.all(code="old", run="looks", measure=list(WHAT)):
        same = {k: old[k] for k in ("graph", "measure", "threads")} | {"batch": old["keys"]["batch"], "run": "looks"}
        base, now = (s.lists_ab.row(code=code, **same) for code in ("base", "new"))
        first = s.lists_ab.all(code="b3916", **same)
        rows.append([label(old["graph"]), old["threads"], what_was_asked(old), figure(old["median"]),
                     figure(first[0]["median"]) if first else "–", figure(base["median"]), figure(now["median"]),
                     times(ratio(old["median"], now["median"])), times(ratio(base["median"], now["median"])), now["n"]])
    return [["graph", "threads", "what", "81b8f81, ms", "3916be8, ms", "ed6b5a2, ms", "ebd296f, ms", "81b8f81 / ebd296f", "ed6b5a2 / ebd296f",
             "samples"], *sorted(rows, key=lambda row: -int(row[1]))]


def asked_of_codes(s, codes, **wanted):
    """By run, graph and what was asked: the medians of codes, and the samples of the last."""
    for run in ("ranges", "ranges_again", "ranges_last"):
        for first in s.lists_ab.all(code=codes[0], run=run, measure=["call_and_count", "insert"], **wanted):
            same = {"run": run, "graph": first["graph"], "measure": first["measure"], "batch": first["keys"]["batch"]}
            rows = [s.lists_ab.row(code=code, **same) for code in codes]
            yield [run.replace("_", " "), label(first["graph"]), what_was_asked(first)], [r["median"] for r in rows], rows[-1]["n"]


@table("edge_lists_again")
def edge_lists_again(s):
    rows = [["run", "graph", "what", "81b8f81, ms", "before, ms", "by ranges, ms", "by ranges / 81b8f81", "by ranges / before", "samples"]]
    for asked, (old, before, now), n in asked_of_codes(s, ("old", "before", "now")):
        rows.append([*asked, figure(old), figure(before), figure(now), times(ratio(now, old)), times(ratio(now, before)), n])
    return rows


@table("edge_lists_ranges")
def edge_lists_ranges(s):
    """Of lists that were not measured beside 81b8f81."""
    rows = [["run", "graph", "what", "before, ms", "by ranges, ms", "by ranges / before", "samples"]]
    for asked, (before, now), n in asked_of_codes(s, ("before", "now"), graph=["web", "grid2d", "rmat", "ba", "path", "osm"]):
        rows.append([*asked, figure(before), figure(now), times(ratio(now, before)), n])
    return rows


@table("edge_lists_small_batches")
def edge_lists_small_batches(s):
    found = before_and_after(s, lambda old, _: [label(old["graph"]), old["threads"], what_was_asked(old)], measure="insert",
                             batch=("10000", "1000"))
    return [["graph", "threads", "what", "before, ms", "now, ms", "before / now", "samples"], *sorted(found, key=lambda row: -int(row[1]))]


@table("edge_lists_looks")
def edge_lists_looks(s):
    rows = [["what", "a pass of its own, ms", "while united, ms", "while united / a pass of its own", "samples"]]
    for apart in s.lists_ab.all(code="apart", batch=("static", "all")):
        together = s.lists_ab.row(code="together", batch=apart["keys"]["batch"], measure=apart["measure"])
        what = "one batch, checked as before" if apart["measure"] == "insert" else WHAT[apart["measure"]]
        rows.append([what, figure(apart["median"]), figure(together["median"]), times(ratio(together["median"], apart["median"])), together["n"]])
    return rows


@table("edge_lists_text")
def edge_lists_text(s):
    what = {"solve": "solve, which parses", "file_to_labels": "whole process, labels to a text file"}
    found = before_and_after(s, lambda old, _: [old["threads"], what[old["measure"]]], input="text")
    return [["threads", "what", "before, ms", "now, ms", "before / now", "samples"], *found]


@table("edge_lists_coo")
def edge_lists_coo(s):
    found = before_and_after(s, lambda old, new: [label(old["graph"]), f"`{old['keys']['ran']}`", f"`{new['keys']['ran']}`"], input="coo")
    return [["graph", "before ran", "now ran", "before, ms", "now, ms", "before / now", "medians"], *found]


@table("list_grandparents")
def list_grandparents(s):
    rows = [["graph", "parents ahead, ms", "least to most", "and grandparents, ms", "least to most", "with / without"]]
    for g in s.list_grandparents.graphs(variant="auto", run="parents"):
        before, after = (s.list_grandparents.row(graph=g, variant="auto", measure="solve", run=run) for run in ("parents", "grandparents"))
        rows.append([label(g), figure(before["median"]), low_to_high(before), figure(after["median"]), low_to_high(after),
                     times(ratio(after["median"], before["median"]))])
    return rows
