"""The tables of docs/measurements/clusters.md."""

from .render import table
from .values import median, over, shown, spread


@table
def clusters(store):
    area = store["clusters"]
    rows = [["what", "ms", "least to most", "thresholds of the same pairs, ms", "clusters / thresholds"]]
    for shape, of in (("small", "1 % of the components break it"), ("giant", "one component with half of all pairs breaks it")):
        ours, others = (area.one(graph=f"{shape}:n=20000000,m=100000000", variant=v, measure="solve") for v in ("one_per", "thresholds"))
        ratio = shown(over(median(ours), median(others)), "times")
        rows.append([f"one record of each source; {of}", shown(median(ours)), spread(ours), shown(median(others)), ratio])
    compared = area.one(graph="labels:n=100000000", measure="solve")
    return rows + [["clusters compared with the truth", shown(median(compared)), spread(compared), "", ""]]


SPLINK = {
    "copse": "Splink with copse inside",
    "splink in order": "Splink; DuckDB joins in the order of the SQL",
    "splink": "Splink as it is",
}


@table
def clusters_splink(store):
    """Where Splink did not end, its times are those until then."""
    rows = [["pairs", "what", "clock, s", "processor, s", "least to most", "processor / with copse", "ended"]]
    for pairs in (100_000, 10_000_000):
        one = lambda variant, measure: store["clusters"].one(graph=f"predictions_{pairs}", variant=variant, measure=measure)
        for variant, what in SPLINK.items():
            clock, cpu = (one(variant, measure) for measure in ("time", "cpu"))
            ratio = shown(over(median(cpu), median(one("copse", "cpu"))), "times")
            rows.append([f"{pairs:,}", what, shown(median(clock)), shown(median(cpu)), spread(cpu), ratio, clock.keys.get("ended", "yes")])
    return rows
