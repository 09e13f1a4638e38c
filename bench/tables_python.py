"""Tables of the Python package."""

from table_kit import figure, ratio, table, times

WHAT = {
    "random_10": "a graph of 10 vertices",
    "random_1M_4M": "CSR, 1 M vertices, 4 M entries",
    "parquet_10M_strings": "10 M scored pairs of strings from Parquet to a table of clusters",
    "pairs_100M_int64": "100 M pairs of 64-bit integers, 10 M vertices",
}
NAMES = {"scipy": "SciPy", "pandas_scipy": "pandas and SciPy", "columns": "two columns in one call", "arrow_batches": "Arrow batches"}
OURS = {"copse", "arrow_batches"}


def pairs_of(s, measure):
    """(the other's row, ours) of each graph and setting."""
    rows = s.python.all(measure=measure, machine="two-core")
    for row in rows:
        if row["variant"] not in OURS:
            same = [r for r in rows if r["graph"] == row["graph"] and r["setting"] == row["setting"] and r["variant"] in OURS]
            yield row, same[0]


@table("python_calls")
def python_calls(s):
    lines = [["what", "beside", "unit", "the other", "least to most", "copse", "least to most", "other / copse", "by processor time"]]
    for other, ours in pairs_of(s, "time"):
        cpu = [s.python.row(measure="cpu", machine="two-core", graph=r["graph"], variant=r["variant"],
                            **(r["keys"] | {"threads": r["threads"]})) for r in (other, ours)]
        lines.append([
            WHAT[other["graph"]] + (f", `{other['setting']}`" if other["setting"] else ""), NAMES[other["variant"]], other["unit"],
            figure(other["median"]), f"{figure(other['min'])} to {figure(other['max'])}", figure(ours["median"]),
            f"{figure(ours['min'])} to {figure(ours['max'])}", times(ratio(other["median"], ours["median"])),
            times(ratio(cpu[0]["median"], cpu[1]["median"])),
        ])
    return lines


@table("python_strings")
def python_strings(s):
    time = lambda **wanted: s.python.row(graph="parquet_10M_strings", machine="xeon16", measure="time", **wanted)
    pandas = time(variant="pandas_scipy")
    lines = [["threads", "pandas and SciPy, s", "copse, s", "least to most", "pandas and SciPy / copse", "bytes per vertex beside its string"]]
    for ours in s.python.all(graph="parquet_10M_strings", machine="xeon16", measure="time", variant="copse"):
        memory = s.python.row(graph="parquet_10M_strings", machine="xeon16", measure="bytes_beside_string", threads=ours["threads"])
        lines.append([ours["threads"], figure(pandas["median"]), figure(ours["median"]), f"{figure(ours['min'])} to {figure(ours['max'])}",
                      times(ratio(pandas["median"], ours["median"])), figure(memory["median"])])
    return lines + [["reading alone, by `pyarrow.parquet.read_table`", "", figure(time(variant="pyarrow.read_table")["median"]), "", "", ""]]


@table("python_memory")
def python_memory(s):
    lines = [["what", "beside", "the other, MiB", "copse, MiB", "copse, bytes per vertex"]]
    for other, ours in pairs_of(s, "memory"):
        vertices = float(s.python.row(measure="vertices", machine="two-core", graph=ours["graph"], variant=ours["variant"],
                                      **(ours["keys"] | {"threads": ours["threads"]}))["median"])
        lines.append([WHAT[other["graph"]] + (f", `{other['setting']}`" if other["setting"] else ""), NAMES[other["variant"]], figure(other["median"]), figure(ours["median"]),
                      figure(float(ours["median"]) * 2**20 / vertices)])
    return lines


@table("python_gpu")
def python_gpu(s):
    lines = [["graph", "the call from Python, us", "least to most", "the solve, by the GPU's clock, us", "between, us"]]
    for call in s.python.all(measure="call"):
        solve = s.python.row(measure="solve", graph=call["graph"], variant=call["variant"], **call["keys"])
        lines.append([f"`{call['graph']}`", figure(call["median"]), f"{figure(call['min'])} to {figure(call['max'])}", figure(solve["median"]),
                      figure(float(call["median"]) - float(solve["median"]))])
    return lines
