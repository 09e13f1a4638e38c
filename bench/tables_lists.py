"""The tables of docs/measurements/list_ranking.md."""

from table_kit import figure, grid, millions, table

elements = lambda row: millions(row["graph"].split("=")[1])
number = lambda row, key: int(row["keys"].get(key, 0))


@table("lists_sizes")
def lists_sizes(s):
    sizes = {f"{m} M": f"list:n={m}000000" for m in (1, 2, 4, 8, 16, 32, 64, 128)}
    runs = {"cuda.helman_jaja": "visits", "cuda.fis": "fis_sizes", "hybrid.fis": "fis_sizes"}
    columns = {f"`{v}`": dict(variant=v, run=run) for v, run in runs.items()}
    header, *rows = grid(s.list_ranking, "elements", sizes, columns, measure="rank")
    rivals = {"Banerjee and Kothapalli (2011)": "banerjee_kothapalli.hybrid", "Wei and JaJa, as printed there": "wei_jaja"}
    published = [[figure(s.rivals.time(graph=g, variant=v, measure="rank")) for v in rivals.values()] for g in sizes.values()]
    return [[*header, *rivals]] + [row + p for row, p in zip(rows, published)]


@table("lists_walks")
def lists_walks(s):
    run = dict(variant="cuda.helman_jaja", run="walks")
    phases = {"walk": "walk", "ranks": "combine"}
    rows = [["elements", "walks", *phases, "in all"]]
    for r in s.list_ranking.all(measure="rank", **run):
        same = dict(graph=r["graph"], walks=r["keys"]["walks"], measure="phase", **run)
        times = [figure(s.list_ranking.time(phase=p, **same)) for p in phases.values()]
        rows.append([elements(r), r["keys"]["walks"].replace("_", " "), *times, figure(r["median"])])
    return rows


@table("lists_cpu")
def lists_cpu(s):
    found = s.list_ranking.all(measure="rank", run="sizes", machine="xeon16")
    walk = float(next(r["median"] for r in found if r["variant"] == "serial.walk"))
    return [["variant", "threads", "ms", "times as fast as `serial.walk`"]] + [
        [f"`{r['variant']}`", r["threads"], figure(r["median"]), figure(walk / float(r["median"]))] for r in found]


@table("lists_phases")
def lists_phases(s):
    found = [r for v, run in (("cuda.helman_jaja", "visits"), ("hybrid.fis", "fis_sizes"))
             for r in s.list_ranking.all(graph="list:n=128000000", variant=v, measure="phase", run=run)]
    return [["variant, 128 M elements", "phase", "ms"]] + [
        [f"`{r['variant']}`", r["keys"]["phase"].replace("_", " "), figure(r["median"])] for r in found]


@table("lists_splitters")
def lists_splitters(s):
    found = sorted(s.list_ranking.all(measure="rank", run="splitters"), key=lambda r: (r["machine"], r["variant"], number(r, "splitters")))
    return [["machine", "variant", "elements", "splitters", "ms"]] + [
        [r["machine"], f"`{r['variant']}`", elements(r), f"{number(r, 'splitters'):,}", figure(r["median"])] for r in found]


@table("lists_in_flight")
def lists_in_flight(s):
    found = sorted(s.list_ranking.all(measure="rank", run="in_flight"), key=lambda r: number(r, "in_flight"))
    return [["sublists in flight per thread", "ms"]] + [[r["keys"]["in_flight"], figure(r["median"])] for r in found]


@table("lists_rounds")
def lists_rounds(s):
    phases = ["reduce", "rank", "reinsert"]
    rows = [["machine", "elements", "rounds", *phases, "in all"]]
    found = [r for r in s.list_ranking.all(measure="rank", run="rounds") if r["variant"].endswith(".fis")]
    for r in sorted(found, key=lambda r: (r["machine"], number(r, "rounds"))):
        same = dict(graph=r["graph"], variant=r["variant"], measure="phase", run="rounds", machine=r["machine"], rounds=r["keys"]["rounds"])
        times = [figure(s.list_ranking.time(phase=p, **same)) for p in phases]
        rows.append([r["machine"], elements(r), r["keys"]["rounds"], *times, figure(r["median"])])
    return rows


@table("lists_before")
def lists_before(s):
    named = {"before_exchange": "before an element was read and written by one exchange",
             "before_batched_removal": "before a thread loaded all that it needs at once"}
    found = [(what, r) for run, what in named.items() for r in s.list_ranking.all(measure="rank", run=run)]
    return [["code", "variant", "elements", "splitters", "ms"]] + [
        [what, f"`{r['variant']}`", elements(r), f"{number(r, 'splitters'):,}", figure(r["median"])] for what, r in found]
