"""Tables of groups by key."""

from table_kit import figure, table


@table("group_by_key")
def group_by_key(s):
    rows = [["records", "machine", "threads", "`copse group`, s", "least to most", "`copse components` of pairs, s", "pairs / group",
             "keys of 1,000 values, s", "pairs / that", "group, M look-ups/s per core", "components, M look-ups/s per core", "group, GB",
             "components, GB"]]
    for row in s.group_by_key.all(measure="solve", variant="group"):
        same = {k: row[k] for k in ("graph", "machine", "threads")}
        pairs = s.group_by_key.row(measure="solve", variant="components", **same)
        of = lambda variant, measure: float(s.group_by_key.row(measure=measure, variant=variant, **same)["median"])
        records = int(dict(part.split("=") for part in row["graph"].split(","))["records"])
        seconds = lambda key, of_row=row: figure(float(of_row[key]) / 1e3)
        few = s.group_by_key.all(measure="solve", variant="few_values", **same)
        rows.append([f"{records / 1e6:g} M", row["machine"], row["threads"], seconds("median"), f"{seconds('min')} to {seconds('max')}",
                     seconds("median", pairs), figure(float(pairs["median"]) / float(row["median"])),
                     *([seconds("median", few[0]), figure(float(pairs["median"]) / float(few[0]["median"]))] if few else ["–", "–"]),
                     *(figure(of(variant, "lookups_per_core")) for variant in ("group", "components")),
                     *(figure(of(variant, "resident") / 1e3) for variant in ("group", "components"))])
    return rows
