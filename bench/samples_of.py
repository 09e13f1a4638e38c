"""Series of samples in what the benchmark programs write: one generator per kind of result, and series_of(result), which picks it.

A series is a dict: graph, variant, setting ("key=value key=value"), measure, unit, threads, and either samples or n, median, min and max.
Times are in milliseconds. A variant that was given up is a series without samples.
"""

import os

USUAL_TECHNIQUES = {"gpu_edges": "words", "gpu_search": "claimed", "gpu_rounds": "all", "kout_rounds": 2, "hb_arcs": 2,
                    "ldd_beta": .2, "stages_q": 1}


def series(graph, variant, measure, samples, unit="ms", scale=1e3, threads="", **setting):
    samples = samples if isinstance(samples, list) else [samples]
    described = " ".join(f"{k}={v}" for k, v in setting.items() if v not in ("", None))
    return {
        "graph": graph,
        "variant": variant,
        "setting": described,
        "measure": measure,
        "unit": unit,
        "threads": threads,
        "samples": [scale * s for s in samples],
    }


def graph_name(path):
    """Files are named by what is before their suffix; specs stay as they are."""
    if path.startswith("gpu:"):
        return path[4:]
    is_file = path.startswith("/") or path.endswith((".egr", ".el", ".gr.gz", ".mtx"))
    name = os.path.basename(path) if is_file else path
    for suffix in (".gr.gz", ".egr", ".el", ".mtx"):
        name = name.removesuffix(suffix)
    return name


def of_bench(result):
    """copse bench --json. Techniques are told where they are not the usual ones, and of rows on a GPU always the loops over them."""
    unusual = {k: result[k] for k, usual in USUAL_TECHNIQUES.items() if result.get(k, usual) != usual}
    if result.get("input") == "coo":
        unusual["input"] = "coo"
        unusual["order"] = result.get("order", "sorted").removeprefix("sorted")  # what lists were before they had a choice
        unusual["in_place"] = "yes" if result.get("in_place") else ""
    for graph in result["graphs"]:
        name = graph_name(graph["graph"])
        found = []
        for row in graph["rows"]:
            on_gpu = row["variant"].startswith("cuda.") and result.get("input") != "coo"
            common = {"gpu_rows": result.get("gpu_rows", "")} | unusual if on_gpu else unusual
            ran = row["ran"] if row.get("ran", row["variant"]) != row["variant"] else ""
            samples = row.get("seconds", {}).get("samples", [])
            found.append(series(name, row["variant"], "solve", samples, threads=row["threads"], ran=ran, **common))
            if "auto" in row["variant"] and "launches" in row:
                yield series(name, row["variant"], "launches", row["launches"], "count", 1, row["threads"], ran=ran, **common)
            for what in ("sampled_arcs", "finish_arcs", "giant_vertices", "outside_arcs", "crossing_arcs", "loads"):
                if what in row.get("work", {}):
                    yield series(name, row["variant"], what, row["work"][what], "count", 1, row["threads"], **common)
        yield from fastest_of_families(found)
        if len(found) > 100:
            yield series(name, "*", "variants", len(found), "count", 1, found[0]["threads"], **unusual)
            given_up = sum(not s["samples"] for s in found)
            yield series(name, "*", "given_up", given_up, "count", 1, found[0]["threads"], **unusual)
        floor = graph.get("memory_floor")
        if floor and any(s["variant"] == "cuda.auto" for s in found):
            yield series(name, "memory_floor", "ideal", floor["seconds"])
            yield series(name, "memory_floor", "with_gathers", floor["seconds_with_gathers"])


def family(found):
    """threads.kout.rem_cas.naive.halve_one -> threads.kout.rem_cas; on one thread of a CPU threads.kout."""
    parts = found["variant"].split(".")
    return ".".join(parts[: 2 if found["threads"] == 1 and parts[0] != "cuda" else 3]), found["threads"]


def fastest_of_families(found):
    """All of a short list. Of a long one what was measured more than once, and of the others the fastest of each family and the one that
    bears the family's name."""
    if len(found) <= 100:
        yield from found
        return
    fastest = {}
    for s in found:
        if s["samples"]:
            key = family(s)
            if key not in fastest or min(s["samples"]) < min(fastest[key]["samples"]):
                fastest[key] = s
    for s in found:
        if not s["samples"] or len(s["samples"]) > 1 or fastest[family(s)] is s or s["variant"] == family(s)[0]:
            yield s


def of_solve(result):
    """A program that copse bench replaced, and copse_bench_fast: seconds by contender."""
    for name, seconds in result["seconds"].items():
        yield series(graph_name(result["graph"]), name, "solve", seconds["samples"], threads=result["threads"])


def of_components(result):
    """copse components --json, gathered in one file."""
    for run in result["runs"]:
        yield series(graph_name(run["graph"]), run["variant"], "solve", run["solve_seconds_all"], threads=run["threads"])
        for phase, seconds in run["phases"].items():
            yield series(graph_name(run["graph"]), run["variant"], "phase", seconds, threads=run["threads"], phase=phase.replace(" ", "_"))


def of_forest(result):
    for graph in result["graphs"]:
        named = {row["row"] for row in graph["rows"] if row.get("asked", "auto") != "auto"}
        for row in graph["rows"]:
            variant = row.get("row", row.get("variant"))
            if row.get("asked") == "auto" and variant in named:  # measured under its own name as well
                continue
            for what in ("components", "join", "collect", "forest", "forest_and_labels"):
                if what in row:
                    yield series(graph_name(graph["graph"]), variant, what, row[what], threads=result.get("threads", ""))


def of_weighted_forest(result):
    for graph in result["graphs"]:
        for row in graph["rows"]:
            how = dict(threads=result.get("threads", ""), points=result.get("points"), batch=result.get("batch"))
            yield series(graph["graph"], row["row"], "solve", row["seconds"], **how)
            for phase, seconds in row["phases"].items():
                yield series(graph["graph"], row["row"], "phase", seconds, phase=phase.replace(" ", "_"), **how)


def of_fast_gpu(result):
    for graph in result["graphs"]:
        for row in graph["rows"]:
            name, variant = graph_name(graph["graph"]), row.get("row", row.get("variant"))
            for what, samples in row.items():
                if what == "kernels":
                    for kernel, times in samples.items():
                        yield series(name, variant, "kernel", times, kernel=kernel.replace(" ", "_"))
                elif isinstance(samples, list):
                    yield series(name, variant, what, samples)


def of_techniques(result):
    for graph in result["graphs"]:
        for row in graph["rows"]:
            for how in ("without", "with"):
                yield series(graph_name(graph["graph"]), row["variant"], "solve", row[how]["samples"], technique=row["technique"], used=how)


def of_incremental(result):
    for row in result["rows"]:
        name, *mixing = row["name"].split(" ")
        per_insert = row.get("inserts_per_query", 0)
        queries = f"{1 / per_insert:g}" if per_insert else ""
        batch = "all" if row["batch"] == row["operations"] else row["batch"] or "static"
        described = {"batch": batch, "queries_per_insert": queries, "mixing": " ".join(mixing)}
        yield series(result["graph"], name, "insert", row["seconds_all"], threads=result["threads"], **described)
        rates = [row["operations"] / s / 1e6 for s in row["seconds_all"]]
        yield series(result["graph"], name, "rate", rates, "M operations/s", 1, result["threads"], **described)


def of_incremental_gpu(result):
    """`inserts` is told where these are fewer than all edges: such a rate is not one to set beside that of inserts alone."""
    for graph in result["graphs"]:
        for row in graph["rows"]:
            batch = "all" if row["batch"] == row["operations"] else row["batch"]
            inserts = row["operations"] // (1 + row.get("queries_an_insert", 0))
            rates = [row["operations"] / s / 1e9 for s in row["seconds_all"]]
            yield series(
                graph_name(graph["graph"]),
                "gpu_incremental",
                "rate",
                rates,
                "G operations/s",
                1,
                source=row["name"].replace(", ", "_").replace(" ", "_"),
                batch=batch,
                queries_per_insert=row.get("queries_an_insert", ""),
                inserts=inserts if inserts < graph["edges"] else "",
            )


def of_incremental_rules_gpu(result):
    for graph in result["graphs"]:
        for row in graph["rows"]:
            rates = [row["operations"] / s / 1e9 for s in row["seconds_all"]]
            batch = "all" if row.get("batch", row["operations"]) == row["operations"] else row["batch"]
            described = {"batch": batch, "queries_per_insert": "" if row["way"] == "inserts" else 1, "mixing": row["way"].replace("inserts", "")}
            yield series(graph_name(graph["graph"]), row["variant"], "rate", rates, "G operations/s", 1, source="rules", **described)


def of_gpu_edge_sink(result):
    for row in result["links"]:
        yield series("*", "link", "rate", row["bytes_per_second_all"], "GB/s", 1e-9, gpus=row["gpus"])
    for graph in result["graphs"]:
        for row in graph["rows"]:
            variant = row["name"].replace(", ", "_").replace(" ", "_").replace("-", "_")
            described = {"gpus": row["gpus"]}
            if "piece_bytes" in row:
                described["piece_mib"] = row["piece_bytes"] >> 20
                limit = graph["memory_limit_bytes"]
                described["memory_mb"] = "" if limit >= 1 << 63 else limit // 10**6
                rates = [row["bytes"] / s for s in row["seconds_all"]]
                yield series(graph["graph"], variant, "rate", rates, "GB/s", 1e-9, **described)
            yield series(graph["graph"], variant, "solve", row["seconds_all"], **described)


def of_list_ranking(result):
    for way in result["ways"]:
        listed = result.get("list") or f"list:n={way['elements']}"
        described = {"splitters": way["splitters"] or "", "rounds": way.get("rounds", "") if "fis" in way["variant"] else ""}
        if way.get("walks", "auto") != "auto":
            described["walks"] = way["walks"]
        described.update(part.split("=") for part in way.get("way", "").split()[1:])
        if "r" in described:
            described["rounds"] = described.pop("r")
        if "s" in described:
            described["splitters"] = described.pop("s")
        if "k" in described:
            described["in_flight"] = described.pop("k")
        threads = way.get("threads", "")
        yield series(listed, way["variant"], "rank", way["seconds"], threads=threads, **described)
        for phase, seconds in way["phases_of_last"].items():
            yield series(listed, way["variant"], "phase", seconds, threads=threads, phase=phase, **described)
        for number, found in enumerate(way["rounds_of_last"], 1):
            for step in ("generate", "transfer", "remove"):
                if number <= 9 and way["variant"] == "hybrid.fis":  # as many as the paper prints
                    yield series(listed, way["variant"], "phase", found[step], threads=threads, phase=f"round_{number}_{step}", **described)


def of_euler_tour(result):
    for graph in result["graphs"]:
        for way in graph["ways"]:
            yield series(graph["graph"], way["way"].replace(" ", "_"), "tour", way["seconds"], threads=result["threads"])
        for step, seconds in graph.get("mean_wall_seconds_of_tour", {}).items():
            yield series(graph["graph"], "tour", "mean_phase", seconds, threads=result["threads"], phase=step)


def of_copies(result):
    for size in result["sizes"]:
        for copy in size["copies"]:
            rates = [size["bytes"] / s / 1e9 for s in copy["seconds"]]
            yield series(f"{size['bytes'] >> 20} MiB", copy["copy"].replace(", ", ".").replace("-", "_"), "rate", rates, "GB/s", 1)


def idle(solved):
    """Per cent of the common time in which the cores and the GPU wait, sample by sample."""
    pairs = [(c, g, max(c, g)) for c, g in zip(solved["cpu_seconds"], solved["gpu_seconds"])]
    return [100 * (1 - c / both) for c, _, both in pairs], [100 * (1 - g / both) for _, g, both in pairs]


def of_hybrid(result):
    """Of a curve over shares: either side alone, the best and the most even share, and what auto does; the whole curve where cross edges go by
    the paper's rule. All points are in the archive."""
    for graph in result["graphs"]:
        for form in graph["forms"]:
            judged = form["judged"]
            if "finals" not in judged:  # what was written before shares had finals
                for point in form["curve"]:
                    if point["asked_share"] in (0, 100):
                        yield series(
                            graph["graph"],
                            form["variant"],
                            "solve",
                            point["seconds"],
                            threads=result["threads"] or "",
                            form=form["form"],
                            point="gpu" if point["asked_share"] == 0 else "cpu",
                        )
                continue
            points = {name: judged[name] for name in ("gpu", "cpu", "best", "best_by_unite", "best_by_min_label", "auto") if name in judged}
            points["even"] = min(judged["finals"], key=lambda r: max(map(middle, idle(r))))
            points.update({f"cap_{c['percent']:.0f}": c["solved"] for c in form.get("capped", [])})
            by_point = [(point, solved) for point, solved in points.items()]
            if result.get("cross") == "min_label":
                by_point += [("curve", solved) for solved in merged(form["curve"])]
            for point, solved in by_point:
                described = {"form": form["form"], "point": point, "share": f"{solved['share']:.3g}", "cross": solved["cross"]}
                measured = lambda what, samples, *unit: series(
                    graph["graph"], form["variant"], what, samples, *unit, threads=result["threads"], **described
                )
                yield measured("solve", solved["seconds"])
                if point in ("best", "best_by_unite", "best_by_min_label"):
                    yield measured("cross", solved["cross_seconds"])
                if point in ("best", "even", "curve"):
                    cores, gpu = idle(solved)
                    yield measured("cpu_idle", cores, "%", 1)
                    yield measured("gpu_idle", gpu, "%", 1)


def merged(curve):
    """A share that was asked for and met on the way to where neither side waits counts once, with all its samples."""
    by_share = {}
    for point in curve:
        known = by_share.setdefault(f"{point['share']:.3g}", {**point, "seconds": [], "cpu_seconds": [], "gpu_seconds": []})
        for what in ("seconds", "cpu_seconds", "gpu_seconds"):
            known[what] = known[what] + point[what]
    return by_share.values()


def middle(samples):
    ordered = sorted(samples)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def of_parse_unite(result):
    graph, threads = graph_name(result["file"]), result["threads"]
    for what in ("parse", "parse_unite"):
        rates = [result["megabytes"] / s for s in result[f"{what}_seconds_all"]]
        yield series(graph, result["variant"], what, rates, "MB/s", 1, threads, megabytes=f"{result['megabytes']:.0f}")


def of_log(_):
    """What stays in the archive only: a text that a program printed, a table of shares."""
    return []


def of_end_to_end(result):
    for who, key in (("copse", "copse_seconds_all"), ("pandas_scipy", "pandas_scipy_seconds_all")):
        yield series(result["file"], who, "file_to_labels", result[key], threads=1, megabytes=f"{result['megabytes']:.0f}")


def of_series(result):
    """Anything else, written by hand or by a script: {"benchmark": "series", "machine": ..., "series": [{"graph", "variant", "setting",
    "measure", "unit", "threads", "samples"}]}; where samples were not kept, n, median, min and max stand in their place."""
    for one in result["series"]:
        yield {"setting": "", "threads": "", **one}


BY_NAME = {"bench": of_bench, "solve": of_solve, "fast": of_solve, "components": of_components, "forest": of_forest,
           "forest_gpu": of_forest, "fast_gpu": of_fast_gpu, "techniques_gpu": of_techniques, "incremental": of_incremental,
           "incremental_gpu": of_incremental_gpu, "incremental_rules_gpu": of_incremental_rules_gpu, "gpu_edge_sink": of_gpu_edge_sink,
           "euler_tour": of_euler_tour, "copies": of_copies, "hybrid": of_hybrid, "series": of_series,
           "weighted_forest": of_weighted_forest, "hierarchy": of_weighted_forest, "weighted_forest_gpu": of_weighted_forest, "log": of_log,
           "end_to_end": of_end_to_end,
           "list_ranking": of_list_ranking, "parse_unite": of_parse_unite}
BY_KEY = {"ways": of_list_ranking, "parse_seconds_all": of_parse_unite, "pandas_scipy_seconds_all": of_end_to_end, "by": of_log}


def series_of(result):
    """All series of one result; an error for what no generator knows."""
    reader = BY_NAME.get(result.get("benchmark")) or next((r for key, r in BY_KEY.items() if key in result), None)
    if reader is None:
        raise ValueError(f"no known kind of result: its keys are {', '.join(list(result)[:8])}")
    return list(reader(result))
