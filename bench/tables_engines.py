"""Tables of Ray, Spark and MPI beside one process."""

from table_kit import figure, table

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
    lines = [["", "processes", "read", "merge", "in all", "processor time"]]
    for count in ("2", "16"):
        for code, name, processes in (("merged", "ranks of one thread", count), ("", "one process", f"1, {count} threads")):
            found = [s.mpi.row(code=code, measure=what, ranks=count) for what in ("read", "merge", "total", "processor")]
            lines.append([name, processes, *(figure(row["median"]) if row else "" for row in found)])
    return lines
