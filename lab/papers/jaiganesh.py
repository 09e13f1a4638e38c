"""ECL-CC: Jaiganesh, thesis, Texas State University 2017. Its slowdowns are geometric means, as ours are. Our variants stand for the methods of
other codes (Soman, BFSCC, Ligra's Components, a serial search, union-find), not for the codes; where there is no such variant, nothing is measured."""

from .claims import LONG, Figure, missing, time_ratio

NO_VARIANT = "copse has no variant that stands for this code"
RATE = "a rate is of its machine"


def over_ecl(what, device, a, paper, a_run=None, ecl="none.ecl_cc", run=None, **more):
    """`a_run` measures a, where rows do not."""
    return time_ratio(what, device, a, ecl, paper, run=run or {"cpu": "ecl", "gpu": "made_rows"}[device], a_run=a_run, **more)


FIGURES = [
    Figure("ecl.drawings", "Figures 1.1, 2.1 to 2.3, 4.1, 5.1, 5.2, Table 5.1, Algorithms 1 to 15", nothing="nothing is measured"),
    Figure(
        "ecl.figure6_1",
        "GPU codes over ECL, Titan X and (Figure 6.2) K40",
        (
            over_ecl("Soman : ECL", "gpu", "none.soman_printed", (4.0, 4.3), a_run="ecl_lists"),
            missing("Groute, LSG, Gunrock : ECL", "gpu", "1.8x, 6.4x, 8.4x", NO_VARIANT),
        ),
    ),
    Figure(
        "ecl.figure6_3",
        "parallel CPU codes over ECL, 20 cores and (Figure 6.4) 12",
        (
            over_ecl("BFSCC : ECL", "cpu", "none.bfs_cc", (1.4, 1.7)),
            over_ecl("Components : ECL", "cpu", "none.ligra", (2.2, 7.1), run="ligra"),
            over_ecl("BFSCC : ECL, long diameter", "cpu", "none.bfs_cc", "above", of=LONG),
            missing("CRONO, Lonestar : ECL", "cpu", "a chart", NO_VARIANT),
        ),
    ),
    Figure(
        "ecl.figure6_5",
        "serial codes over serial ECL, and (Figure 6.6) a second machine",
        (
            over_ecl("union-find (Lonestar) : serial ECL", "cpu", "serial.none.union_find", (2.6, 8.1), ecl="serial.none.ecl_cc"),
            over_ecl("search (Boost) : serial ECL", "cpu", "serial.none.dfs", (5.2, 5.3), ecl="serial.none.ecl_cc"),
            missing("igraph, Lemon : serial ECL", "cpu", "7.9x, 11x", NO_VARIANT),
        ),
    ),
    Figure(
        "ecl.figure6_7",
        "all codes over parallel ECL",
        (over_ecl("serial ECL : ECL", "cpu", "serial.none.ecl_cc", "above"), over_ecl("serial search : ECL", "cpu", "serial.none.dfs", "above")),
    ),
    Figure(
        "ecl.figure6_8",
        "arcs per second, and (Figure 6.9) vertices per second",
        (missing("arcs, vertices per second", "gpu", "5.295 G, 650 M", f"{RATE}, a Titan X"),),
    ),
    Figure(
        "ecl.figure6_10",
        "GPU codes over atomic-free ECL, Titan X and (Figure 6.11) K40",
        (
            over_ecl("Soman : ECL-AF", "gpu", "none.soman_printed", (2.0, 2.2), a_run="ecl_lists", ecl="none.ecl_af"),
            missing("Groute, LSG, Gunrock : ECL-AF", "gpu", "0.9x, 3.2x, 4.3x", NO_VARIANT),
        ),
    ),
    Figure(
        "ecl.figure6_12",
        "parallel CPU codes over atomic-free ECL, 20 cores and (Figure 6.13) 12",
        (
            over_ecl("BFSCC : ECL-AF", "cpu", "none.bfs_cc", (1.1, 1.4), ecl="none.ecl_af"),
            over_ecl("Components : ECL-AF", "cpu", "none.ligra", (1.7, 5.7), ecl="none.ecl_af", run="ligra"),
            over_ecl("ECL-AF : ECL, 1.4 : 1.1 of Figures 6.3 and 6.12", "cpu", "none.ecl_af", 1.27),
        ),
    ),
    Figure(
        "ecl.tables_a",
        "Tables A.1 to A.6",
        (
            over_ecl("atomic-free ECL : ECL (A.1, A.2)", "gpu", "none.ecl_af", (1.93, 1.96)),
            missing("the times of each graph", "gpu", "18 graphs", f"{RATE.replace('rate', 'time')}, a Titan X or a K40"),
            missing("the times of each graph", "cpu", "18 graphs", f"{RATE.replace('rate', 'time')}, of 2015"),
        ),
    ),
]
