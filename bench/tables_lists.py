"""The tables of docs/measurements/list_ranking.md."""

from table_kit import figure, millions, table


def median_of(row):
    return None if row is None else float(row["median"])


def list_time(s, variant, elements, **wanted):
    return median_of(s.list_ranking.fastest(graph=f"list:n={elements}", variant=variant, measure="rank", **wanted))


@table("lists_sizes")
def lists_sizes(s):
    rows = [
        ["elements", "`cuda.helman_jaja`", "`cuda.fis`", "`hybrid.fis`", "Banerjee and Kothapalli (2011)", "Wei and JaJa, as printed there"]
    ]
    for m in (1, 2, 4, 8, 16, 32, 64, 128):
        n = f"{m}000000"
        published = [s.rivals.time(graph=f"list:n={n}", variant=v, measure="rank") for v in ("banerjee_kothapalli.hybrid", "wei_jaja")]
        rows.append(
            [
                f"{m} M",
                figure(list_time(s, "cuda.helman_jaja", n, run="sizes")),
                figure(list_time(s, "cuda.fis", n, run="fis_sizes")),
                figure(list_time(s, "hybrid.fis", n, run="fis_sizes")),
                *map(figure, published),
            ]
        )
    return rows


@table("lists_cpu")
def lists_cpu(s):
    walk = list_time(s, "serial.walk", 64000000, run="sizes", machine="xeon16")
    rows = [["variant", "threads", "ms", "times as fast as `serial.walk`"]]
    for r in s.list_ranking.all(graph="list:n=64000000", measure="rank", run="sizes", machine="xeon16"):
        rows.append([f"`{r['variant']}`", r["threads"], figure(r["median"]), figure(walk / float(r["median"]))])
    return rows


@table("lists_phases")
def lists_phases(s):
    rows = [["variant, 128 M elements", "phase", "ms"]]
    for v, run in (("cuda.helman_jaja", "sizes"), ("hybrid.fis", "fis_sizes")):
        for r in s.list_ranking.all(graph="list:n=128000000", variant=v, measure="phase", run=run):
            rows.append([f"`{v}`", r["keys"]["phase"].replace("_", " "), figure(r["median"])])
    return rows


@table("lists_splitters")
def lists_splitters(s):
    found = s.list_ranking.all(measure="rank", run="splitters")
    key = lambda r: (r["machine"], r["variant"], int(r["keys"]["splitters"]))
    return [["machine", "variant", "elements", "splitters", "ms"]] + [
        [r["machine"], f"`{r['variant']}`", millions(r["graph"].split("=")[1]), f"{int(r['keys']['splitters']):,}", figure(r["median"])]
        for r in sorted(found, key=key)
    ]


@table("lists_in_flight")
def lists_in_flight(s):
    found = sorted(s.list_ranking.all(measure="rank", run="in_flight"), key=lambda r: int(r["keys"]["in_flight"]))
    return [["sublists in flight per thread", "ms"]] + [[r["keys"]["in_flight"], figure(r["median"])] for r in found]


@table("lists_rounds")
def lists_rounds(s):
    rows = [["machine", "elements", "rounds", "reduce", "rank", "reinsert", "in all"]]
    found = [r for r in s.list_ranking.all(measure="rank", run="rounds") if r["variant"].endswith(".fis")]
    for r in sorted(found, key=lambda r: (r["machine"], int(r["keys"]["rounds"]))):
        of = lambda phase: s.list_ranking.time(
            graph=r["graph"],
            variant=r["variant"],
            measure="phase",
            run="rounds",
            phase=phase,
            machine=r["machine"],
            rounds=r["keys"]["rounds"],
        )
        rows.append(
            [
                r["machine"],
                millions(r["graph"].split("=")[1]),
                r["keys"]["rounds"],
                *(figure(of(p)) for p in ("reduce", "rank", "reinsert")),
                figure(r["median"]),
            ]
        )
    return rows


@table("lists_before")
def lists_before(s):
    named = {
        "before_exchange": "before an element was read and written by one exchange",
        "before_batched_removal": "before a thread loaded all that it needs at once",
    }
    rows = [["code", "variant", "elements", "splitters", "ms"]]
    for run, what in named.items():
        for r in s.list_ranking.all(measure="rank", run=run):
            splitters = r["keys"].get("splitters", "")
            rows.append(
                [what, f"`{r['variant']}`", millions(r["graph"].split("=")[1]), splitters and f"{int(splitters):,}", figure(r["median"])]
            )
    return rows
