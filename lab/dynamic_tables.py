"""The tables of docs/measurements/dynamic.md."""

from .render import table
from .values import least, mean, median, over, shown

DYNAMIC_GRAPHS = {
    "rmat:scale=18,edges=10": "1",
    "er:n=1000000,m=8000000": "1",
    "grid2d:side=1000,shuffle=1": ".63",
    "osm:side=1024,keep=.6": "1",
}


def times(value):
    return shown(value, "times")


def of_edges(store, graph, keep, batch, measure, phase="", threads=1):
    found = store["dynamic"].one(graph=graph, keep="" if keep == "1" else keep, batch=batch, measure=measure, phase=phase, threads=threads)
    return median(found)


@table
def dynamic(store):
    rows = [["graph", "inserted, M/s", "set / inserted", "erased, first tenth, M/s", "worst tenth, M/s", "set / first", "set / worst"]]
    for graph, keep in DYNAMIC_GRAPHS.items():
        of = lambda *what: of_edges(store, graph, keep, *what)
        tenths = [of("1", "erase", f"tenth {i}") for i in range(1, 11)]
        first, worst = tenths[0], least(tenths)
        inserted, set_beside, set_alone = of("10000", "insert"), of("10000", "set"), of("1", "set")
        ratios = (times(over(set_beside, inserted)), shown(first), shown(worst), times(over(set_alone, first)), times(over(set_alone, worst)))
        rows.append([f"`{graph}`", shown(inserted), *ratios])
    return rows


@table
def dynamic_latencies(store):
    rows = [["graph", "median, us", "99 of 100 below, us", "999 of 1,000 below, us", "longest, us", "longest / solve"]]
    for graph, keep in DYNAMIC_GRAPHS.items():
        found = [of_edges(store, graph, keep, "1", measure) for measure in ("median", "p99", "p99.9", "most")]
        rows.append([f"`{graph}`", *map(shown, found), times(over(found[-1], of_edges(store, graph, keep, "1", "solve")))])
    return rows


@table
def dynamic_batches(store):
    sizes = ("1000", "10000", "100000")
    rows = [["graph", "one by one, M/s", *(head for size in sizes for head in (f"{int(size):,} at once", "ratio"))]]
    for graph in ("rmat:scale=18,edges=10", "er:n=1000000,m=8000000", "osm:side=512"):

        def rate(batch):  # the mean over the tenths of the edges, each of which is measured
            tenths = [of_edges(store, graph, "1", batch, "erase", f"tenth {i}", threads=16) for i in range(1, 11)]
            return mean(tenths, "harmonic")

        alone = rate("1")
        rows.append([f"`{graph}`", shown(alone), *(cell for size in sizes for cell in (shown(rate(size)), times(over(rate(size), alone))))])
    return rows
