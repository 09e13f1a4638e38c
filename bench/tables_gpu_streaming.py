"""The tables of docs/measurements/gpu_streaming.md."""

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


RUNS = ("third", "files", "large")  # each measured the link, too


@table("gpu_streaming")
def gpu_streaming(s):
    rows = []
    for run in RUNS:
        link = s.gpu_streaming.time(variant="link", measure="rate", gpus="0", run=run)
        for way, title in WAYS.items():
            for row in s.gpu_streaming.all(variant=way, measure="rate", gpus="0", run=run):
                limit, rate = row["keys"].get("memory_mb"), float(row["median"])
                rows.append([f"`{row['graph']}`", title, f"{limit} MB" if limit else "all", figure(rate), figure(100 * rate / link)])
    return [["graph", "edges come from", "GPU memory", "GB/s", "% of the link"], *rows]


@table("gpu_streaming_two")
def gpu_streaming_two(s):
    ask = dict(run="two_gpus")
    rows = []
    for graph in s.gpu_streaming.graphs(measure="solve", variant="list", **ask):
        one = [s.gpu_streaming.time(graph=graph, variant="list", gpus=g, **ask) for g in ("0", "1")]
        both = s.gpu_streaming.time(graph=graph, variant="list", gpus="0,1", **ask)
        rows.append([f"`{graph}`", "host memory", *map(figure, one), figure(both), times(min(filter(None, one)) / both)])
    for graph in s.gpu_streaming.graphs(variant="resident_merged", **ask):
        slowest = s.gpu_streaming.time(graph=graph, variant="resident_slowest_part", **ask)
        both = s.gpu_streaming.time(graph=graph, variant="resident_merged", **ask)
        rows.append([f"`{graph}`", "half on each GPU; one: the slower half alone", figure(slowest), "", figure(both), times(slowest / both)])
    return [["graph", "edges are in", "cuda:0, ms", "cuda:1, ms", "cuda:0,1, ms", "one / both"], *rows]


@table("staging_copy")
def staging_copy(s):
    rows = []
    for threads in ("1", "2"):
        for chunk in ("1", "64"):
            usual, past = (s.staging_copy.time(variant=way, measure="rate", threads=threads, chunk_mib=chunk) for way in ("memcpy", "streaming"))
            rows.append([threads, f"{chunk} MiB", figure(usual), figure(past), times(past / usual)])
    return [["threads", "chunks", "`memcpy`, GB/s", "streaming stores, GB/s", "streaming / `memcpy`"], *rows]
