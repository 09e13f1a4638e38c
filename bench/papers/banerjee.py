"""Banerjee, Kothapalli, HiPC 2011, section III: list ranking by fractional independent sets."""

from .claims import Claim, Figure, present, quotient

PHASES = "here phase III writes the rank of all that was removed; theirs takes as long for 128 M elements as for 1 M, the time of a launch"
HYBRID_RANKS = (("hybrid_ranks", ("hybrid.fis",)),)
VISITS = "removing makes about eight visits per element in all its rounds, and walking sublists in parallel makes one"


def ranks(rows, keys_a, keys_b, a, b, run):
    time = lambda g, v, keys: rows.best(run, g, (v,), "rank", **keys)
    return present({g: quotient(time(g, a, keys_a), time(g, b, keys_b)) for g in rows.graphs(run)})


def rounds(rows):
    """Total with 18 rounds over the total with none."""
    return ranks(rows, {"rounds": "18"}, {"rounds": "0"}, "fis", "fis", "rank_rounds")


ROUNDS = range(1, 10)


def phase_of(rows, g, name):
    return rows.best("hybrid_ranks", g, ("hybrid.fis",), "phase", phase=name)


def phase_of_all(phase):
    """Of phases I to III, per cent."""
    def each(rows):
        took = {g: [phase_of(rows, g, name) for name in ("reduce", "rank", "reinsert")] for g in rows.graphs("hybrid_ranks")}
        return {g: 100 * phase_of(rows, g, phase) / sum(of) for g, of in took.items() if None not in of}

    return each


def over_removal(rows):
    """Making and sending the bits of a round, and the removal of the round before, which the GPU does meanwhile; of the longest list."""
    values = {}
    for g in sorted(rows.graphs("hybrid_ranks"), key=lambda g: int(g.rpartition("=")[2]))[-1:]:
        made, sent, removed = ({k: phase_of(rows, g, f"round_{k}_{what}") for k in ROUNDS} for what in ("generate", "transfer", "remove"))
        pairs = [(made[k + 1], sent[k + 1], removed[k]) for k in ROUNDS[:-1] if None not in (made[k + 1], sent[k + 1], removed[k])]
        if pairs:
            values[g] = pairs
    return values


def bits_over_removal(rows):
    return {g: sum(m + s for m, s, _ in pairs) / sum(r for _, _, r in pairs) for g, pairs in over_removal(rows).items()}


def idle_gpu(rows):
    """The part of these rounds in which the next bits are not there yet, per cent."""
    waits = lambda pairs: sum(max(0, m + s - r) for m, s, r in pairs)
    return {g: 100 * waits(pairs) / (waits(pairs) + sum(r for _, _, r in pairs)) for g, pairs in over_removal(rows).items()}


def bits(of, other):
    """Time of a bit for every element by the counter over that of another generator."""
    time = lambda rows, g, way: rows.best("bits", g, (f"way.{way}",), "generate")
    return Claim(f"counter : {of}", "not printed", lambda rows: present({g: quotient(time(rows, g, "counter"), time(rows, g, other))
                                                                         for g in rows.graphs("bits")}), needs=(("bits", ()),))


FIGURES = [
    Figure("bk.drawings", "Figures 1 to 3, 7, Algorithms 1 to 4", cannot="nothing is measured",
           note="every variant of list ranking is proved right for every size to 1,000 and for 10^8, components for every share from 0 "
                "to 100 % of 45 small graphs. One eighth of a list leaves in each round (§III-B: n / 24 at least)"),
    Figure("bk.figure4", "list ranking, independent sets over Wei and JaJa",
           (Claim("fis : helman_jaja", "0.50x", lambda rows: ranks(rows, {}, {}, "fis", "helman_jaja", "ranks"), .5,
                  (("ranks", ("fis", "helman_jaja")),), VISITS),),
           note="[list ranking](list_ranking.md)"),
    Figure("bk.figure4_bits", "the random bits of Figure 4, made on a CPU: our counter against the others",
           tuple(bits(of, other) for of, other in (("Mersenne Twister", "mersenne_twister"), ("MD5", "md5"), ("rand()", "rand"))),
           note="theirs: MD5 and Mersenne Twister on the GPU, rand() on the CPU, 28.4 ms for the 128 M bits of the first round"),
    Figure("bk.figure5", "rounds r: phase I against phase II, best total at r = 4 log log n",
           (Claim("18 rounds : none", "below 1", rounds, .5, (("rank_rounds", ("fis",)),), VISITS),),
           note="phase I grows with r and phase II falls, as there"),
    Figure("bk.tables1_2", "Tables I and II, phases over sizes, and the first rounds", (
        Claim("phase I of all", "70 %", phase_of_all("reduce"), 70, HYBRID_RANKS, unit="%", mean="arithmetic"),
        Claim("phase II of all", "29 %", phase_of_all("rank"), 29, HYBRID_RANKS, unit="%", mean="arithmetic"),
        Claim("phase III of all", "0.04 to 4 %", phase_of_all("reinsert"), 4, HYBRID_RANKS, PHASES, "arithmetic", "%", ceiling=True),
        Claim("making and sending bits : removal, rounds 2 to 9", "0.86x", bits_over_removal, .86, HYBRID_RANKS)),
           note="196.5, 83.0 and 0.1 ms of 128 M elements there; `hybrid.fis` on an H200: 36.5, 4.0, 9.1 of 100 M"),
    Figure("bk.figure6", "overlap in the first rounds",
           (Claim("the GPU waits for bits, rounds 2 to 9", "less than 5 %", idle_gpu, 5, HYBRID_RANKS, unit="%", mean="arithmetic", ceiling=True),),
           note="from the times of each round; generating the first bits takes 32.4 of 287 ms there, so 11 %, and is in neither"),
]
