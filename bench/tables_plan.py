"""What copse plan expects beside what runs take."""

from table_kit import figure, table


@table("plan")
def plan(s):
    lines = [["file", "threads", "plan, s", "run, s", "run / plan", "plan, MB", "run at most, MB"]]
    for row in s.plan.all(measure="time", variant="run"):
        of = {"graph": row["graph"], "threads": row["threads"]}
        expected, taken = (float(s.plan.row(measure="time", variant=variant, **of)["median"]) for variant in ("plan", "run"))
        planned, held = (s.plan.row(measure="memory", variant=variant, **of)["median"] for variant in ("plan", "run"))
        edges, ids = row["graph"].removeprefix("er,edges=").split(",ids=")
        lines.append([f"{ids}, {int(edges) // 1_000_000} M edges", row["threads"], figure(expected / 1e3), figure(taken / 1e3),
                      figure(taken / expected), figure(planned), figure(held)])
    return lines
