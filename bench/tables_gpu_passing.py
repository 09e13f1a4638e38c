"""The tables of docs/measurements/gpu_passing.md."""

from table_kit import figure, table, times

WAYS = {
    "list": "a list, pageable",
    "columns": "two columns, pageable",
    "rows": "symmetric rows, pageable",
    "list_page_locked_for_it": "a list that is page-locked for it, which counts",
    "coo_file": "`.coo` in the page cache",
    "sg_file": "`.sg` in the page cache",
    "el_file": "text in the page cache",
}


def link(s, gpus):
    return s.gpu_passing.time(variant="link", measure="rate", gpus=gpus, run="two_gpus" if "," in gpus else None)


@table("gpu_passing")
def gpu_passing(s):
    rows = []
    for graph in s.gpu_passing.graphs(measure="rate"):
        for way, title in WAYS.items():
            for row in s.gpu_passing.all(graph=graph, variant=way, measure="rate", gpus="0"):
                limit = row["keys"].get("memory_mb")
                rate = float(row["median"])
                rows.append([f"`{graph}`", title, f"{limit} MB" if limit else "all", figure(rate), f"{100 * rate / link(s, '0'):.0f} %"])
    return [["graph", "edges come from", "GPU memory", "GB/s", "of the link"], *rows]


@table("gpu_passing_two")
def gpu_passing_two(s):
    ask = dict(run="two_gpus")
    rows = []
    for graph in s.gpu_passing.graphs(measure="solve", variant="list", **ask):
        one = [s.gpu_passing.time(graph=graph, variant="list", gpus=g, **ask) for g in ("0", "1")]
        both = s.gpu_passing.time(graph=graph, variant="list", gpus="0,1", **ask)
        rows.append([f"`{graph}`", "host memory", *map(figure, one), figure(both), times(min(filter(None, one)) / both)])
    for graph in s.gpu_passing.graphs(variant="resident_merged", **ask):
        slowest = s.gpu_passing.time(graph=graph, variant="resident_slowest_part", **ask)
        both = s.gpu_passing.time(graph=graph, variant="resident_merged", **ask)
        rows.append([f"`{graph}`", "half on each GPU; one: the slower half alone", figure(slowest), "", figure(both), times(slowest / both)])
    return [["graph", "edges are in", "cuda:0, ms", "cuda:1, ms", "cuda:0,1, ms", "one / both"], *rows]
