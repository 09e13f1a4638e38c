"""The tables of docs/measurements/tried.md and of what text.md says of before and after."""

from table_kit import figure, label, low_to_high, ratio, table, times
from tables_cpu import NINE

# Ideas of the fast path on rows that are gone, in a run that had them: with the idea, without it.
ROWS = {
    "four arcs for a root that is left": ("sampled.with.four_hook_arcs", "fast.sampled"),
    "small pages for small arrays, with a sample": ("fast.sampled", "sampled.without.small_pages"),
    "small pages for small arrays, without one": ("fast.unsampled", "unsampled.without.small_pages"),
    "paths split, not halved": ("fast.unsampled", "unsampled.without.split_paths"),
}


@table("tried_rows")
def tried_rows(s):
    time = lambda g, v: s.cpu_fast_path.time(graph=g, variant=v, run="before_marks")
    return [["idea", *map(label, NINE)]] + [[idea, *(times(ratio(time(g, a), time(g, b))) for g in NINE)] for idea, (a, b) in ROWS.items()]


TEXT = {
    "as it was": "old", "huge pages for parents": "huge", "a lock per worker": "locks", "both": "huge_locks",
    "both, and each block's pages given back at once": "huge_locks_drop", "both, and read() into a buffer": "huge_locks_read",
    "each block's pages given back at once": "drop", "read() into a buffer": "read",
}


@table("tried_text")
def tried_text(s):
    rows = [["change", "parse, GB/s", "parse and unite, GB/s", "least to most", "medians"]]
    for change, code in TEXT.items():
        parse, unite = (s.text_ab.row(code=code, run="switches", measure=m, threads=16) for m in ("parse", "parse_unite"))
        low, high = (figure(float(unite[k]) / 1e3) for k in ("min", "max"))
        rows.append([change, figure(float(parse["median"]) / 1e3), figure(float(unite["median"]) / 1e3), f"{low} to {high}", unite["n"]])
    return rows


@table("tried_parsers")
def tried_parsers(s):
    rows = [["machine", "threads", "one pass, AVX2, GB/s", "two passes, GB/s", "its instructions", "one / two, time"]]
    for found in s.text_ab.all(measure="parse", code="two_passes", run="parsers"):
        same = dict(measure="parse", run="parsers", graph=found["graph"], threads=found["threads"], machine=found["machine"])
        one = s.text_ab.row(code="one_pass", **same)
        rows.append([found["machine"], found["threads"], figure(float(one["median"]) / 1e3), figure(float(found["median"]) / 1e3),
                     found["keys"]["instructions"], times(ratio(found["median"], one["median"]))])
    return rows


@table("text_before_after")
def text_before_after(s):
    rows = [["threads", "what", "before", "least to most", "now", "least to most", "now / before, speed", "samples"]]
    for threads in (16, 1):
        for what, measure in (("parse, GB/s", "parse"), ("parse and unite, GB/s", "parse_unite"), ("file to labels, ms", "file_to_labels")):
            old, new = (s.text_ab.row(code=code, measure=measure, threads=threads) for code in ("old", "new"))
            rate = measure != "file_to_labels"
            cell = lambda row, key: figure(float(row[key]) / (1e3 if rate else 1))
            spread = lambda row: f"{cell(row, 'min')} to {cell(row, 'max')}"
            gain = ratio(new["median"], old["median"]) if rate else ratio(old["median"], new["median"])
            rows.append([str(threads), what, cell(old, "median"), spread(old), cell(new, "median"), spread(new), times(gain), new["n"]])
    return rows


@table("text_whole")
def text_whole(s):
    found = [s.text_ab.row(run="whole", measure="file_to_labels", threads=threads) for threads in (16, 1)]
    speed = lambda r: figure(float(r["keys"]["megabytes"]) / float(r["median"]))
    return [["threads", "ms", "least to most", "GB/s", "samples"],
            *([r["threads"], figure(r["median"]), low_to_high(r), speed(r), r["n"]] for r in found)]


def text_steps_beside(s, codes):
    """A line for each file: size, speeds by two codes, and the ratio of their times."""
    for g in s.text_ab.graphs(run="steps", measure="parse_unite"):
        a, b = (s.text_ab.row(graph=g, run="steps", measure="parse_unite", code=code) for code in codes)
        yield [g.replace("_", " "), a["keys"]["megabytes"], figure(a["median"]), low_to_high(a), figure(b["median"]), low_to_high(b),
               times(ratio(a["median"], b["median"]))]


@table("text_steps")
def text_steps(s):
    return [["file", "MB", "in two passes, MB/s", "least to most", "in the steps of lists, MB/s", "least to most", "now / before, time"],
            *text_steps_beside(s, ("before", "steps"))]


@table("tried_text_grandparents")
def tried_text_grandparents(s):
    return [["file", "MB", "parents ahead, MB/s", "least to most", "and grandparents, MB/s", "least to most", "with / without, time"],
            *text_steps_beside(s, ("steps", "steps_grandparents"))]


LISTS = {"neither": "lists.base", "parents asked for ahead": "lists.only.prefetch", "past the giant": "lists.only.past_giant",
         "both": "lists.all", "`auto`": "auto"}


@table("list_ideas")
def list_ideas(s):
    graphs = s.list_ideas.graphs(run="")
    rows = [["ideas", *(f"{label(g.split(':')[0])}, ms" for g in graphs), *(f"{label(g.split(':')[0])}, least to most" for g in graphs)]]
    for what, variant in LISTS.items():
        found = [s.list_ideas.row(graph=g, variant=variant, measure="solve", run="") for g in graphs]
        rows.append([what, *(figure(r["median"]) for r in found), *map(low_to_high, found)])
    return rows


LEFT_OUT = {"the filter of eight": "lists.without.wide_filter", "ends named as the giant": "lists.without.name_giant",
            "early looks": "lists.without.early_looks", "grandparents": "lists.without.grandparents", "`branchless`": "lists.without.branchless"}


@table("list_ideas_left_out")
def list_ideas_left_out(s):
    graphs = s.list_ideas.graphs(run="filter")
    taken = lambda g, variant: s.list_ideas.row(graph=g, variant=variant, measure="solve", run="filter")["median"]
    rows = [["idea", *(g.split(":")[0] for g in graphs)], ["all, ms", *(figure(taken(g, "lists.all")) for g in graphs)]]
    return rows + [[idea, *(times(ratio(taken(g, "lists.all"), taken(g, v))) for g in graphs)] for idea, v in LEFT_OUT.items()]


def over_before(found):
    """Rows of a table from {(column, variant): summary row}: each idea's time over the time before it."""
    columns, ideas = list(dict.fromkeys(c for c, _ in found)), list(dict.fromkeys(v for _, v in found if v != "before"))
    cell = lambda c, v: times(ratio(found[c, v]["median"], found[c, "before"]["median"])) if (c, v) in found else "–"
    return columns, [[idea, *(cell(c, idea) for c in columns)] for idea in ideas]


def threads_text(r):
    return "one thread" if r["threads"] == "1" else f"{r['threads']} threads"


def walks(s, run):
    """Ideas of one program over "before", a column for each graph and number of threads."""
    found = {(f"{r['graph'].split(':')[0]}, {threads_text(r)}", r["variant"]): r for r in s.walks.all(run=run)}
    columns, rows = over_before({key: r for key, r in found.items() if key[1] != "auto" and "." not in key[1]})
    return [["idea", *columns], *rows]


@table("tried_scattered_rows")
def tried_scattered_rows(s):
    return walks(s, "rows")


@table("tried_scattered_pieces")
def tried_scattered_pieces(s):
    rows = [["chunks", "ms, medians of two runs of seven", "over before"]]
    before = s.walks.row(run="pieces", variant="before")["median"]
    for r in s.walks.all(run="pieces"):
        rows.append([r["variant"], low_to_high(r), times(ratio(r["median"], before))])
    return rows


@table("tried_list_walks")
def tried_list_walks(s):
    return walks(s, "lists")


@table("tried_known_ends")
def tried_known_ends(s):
    return walks(s, "ends")


@table("tried_groups")
def tried_groups(s):
    return walks(s, "groups")


@table("tried_weighted")
def tried_weighted(s):
    rows = [["graph", "`serial.kruskal`", "`serial.filter_kruskal`", "least to most", "with the idea", "least to most", "with / without"]]
    for g in s.weighted.graphs(variant="serial.kruskal", measure="solve", run="before_bits"):
        plain = s.weighted.time(graph=g, variant="serial.kruskal", run="before_bits")
        before, after = (s.weighted.row(graph=g, variant="serial.filter_kruskal", measure="solve", run=r)
                         for r in ("before_bits", "giant_bits"))
        rows.append([label(g), figure(plain), figure(before["median"]), low_to_high(before), figure(after["median"]), low_to_high(after),
                     times(ratio(float(after["median"]), float(before["median"])))])
    return rows
