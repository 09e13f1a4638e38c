"""Tables of Ray and Spark beside one process."""

from table_kit import figure, low_to_high, ratio, table, times

NAMES = {"pandas_scipy": "pandas and SciPy", "copse": "copse, one process of two threads", "ray": "copse on Ray, two workers",
         "spark": "copse on Spark, two executors"}


@table("engines")
def engines(s):
    lines = [["pairs", "with", "seconds", "to come up, s", "driver, MiB", "driver, bytes per vertex"]]
    for row in s.engines.all(measure="time"):
        graph, variant = row["graph"], row["variant"]
        memory = s.engines.row(measure="memory", graph=graph, variant=variant)["median"]
        vertices = float(s.engines.row(measure="vertices", graph=graph, variant="copse")["median"])
        starts = [r["median"] for r in s.engines.all(measure="start") if (r["graph"], r["variant"]) == (graph, variant)]
        lines.append([graph.removeprefix("pairs_").removesuffix("_int64").replace("M", " M"), NAMES[variant], figure(row["median"]),
                      figure(starts[0]) if starts else "", figure(memory), figure(float(memory) * 2**20 / vertices)])
    return lines


@table("mpi")
def mpi(s):
    """One process: without the summary that it prints, which copse-mpi does not time."""
    lines = [["", "small pages", "huge pages", "least to most", "one process", "least to most", "huge pages / one process"]]
    for what, ranks, alone in (("read", dict(measure="read"), None), ("merge", dict(measure="merge"), None),
                               ("in all", dict(measure="total"), "solve"),
                               ("in all, with labels to a file", dict(measure="total", labels="csv"), "solve_and_write")):
        labels = ranks.get("labels", "")
        small, huge = (s.mpi.row(code=code, machine="xeon16", **({"labels": labels} | ranks)) for code in ("shared", "shared_huge"))
        one = s.mpi.row(variant="one process", machine="xeon16", labels=labels, measure=alone) if alone else None
        lines.append([what, figure(small["median"]), figure(huge["median"]), low_to_high(huge),
                      *([figure(one["median"]), low_to_high(one), times(ratio(huge["median"], one["median"]))] if one else ["", "", ""])])
    return lines


def ranks_beside_one_process(s, machine, names, ranks):
    lines = [["", "processes", "read", "merge", "in all", "processor time"]]
    for count in ranks:
        for code, name in names.items():
            found = {what: s.mpi.row(code=code, measure=what, machine=machine, ranks=count) for what in
                     ("read", "merge", "total", "processor")}
            processes = count if code else f"1, {count} threads"
            lines.append([name, processes, *(figure(row["median"]) if row else "" for row in found.values())])
    return lines


@table("mpi_two_core")
def mpi_two_core(s):
    names = {"merged": "parents of each rank's own", "shared": "one array of parents", "": "one process"}
    return ranks_beside_one_process(s, "two-core", names, ("2", "16"))


@table("mpi_huge_pages")
def mpi_huge_pages(s):
    names = {"shared": "small pages", "shared_huge": "huge pages", "": "one process"}
    return ranks_beside_one_process(s, "epyc-two", names, ("2", "16"))
