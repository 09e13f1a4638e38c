"""Times the seven roads of two builds in turns: rows, text, rows on a GPU, weighted text, incremental inserts, a stream of strings, and CPU and
GPU together. First the build before is timed against itself, which shows how far apart equal programs are here."""
import json
import math
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

# Inputs that the build before makes, then the roads: the command, and whether its own figure of seconds counts or those of the whole process.
GRAPHS = {"rows.sg": "rmat:scale=21,edges=12,seed=3", "text.el": "rmat:scale=19,edges=12,seed=4", "text.coo": "er:n=2000000,m=6000000,seed=5"}
ROADS = {"rows": ("components rows.sg --trials 9 --json", "reported"),
         "text": ("components text.el --json", "whole"),
         "GPU rows": ("components rows.sg --device cuda --trials 9 --json", "reported"),
         "weighted text": ("forest weighted.csv --weight w --maximum --json", "whole"),
         "incremental": ("stream text.coo --batch 20000", "whole"),
         "stream": ("stream strings.csv --batch 20000", "whole"),
         "hybrid": ("components rows.sg --device hybrid --trials 9 --json", "reported")}
GPU = ("GPU rows", "hybrid")
PAIRS = 31
ALLOWED_MEAN, ALLOWED_ROAD = 1.02, 1.05


def make_inputs(copse, folder):
    for name, spec in GRAPHS.items():
        subprocess.run([copse, "generate", spec, "-o", folder / name], check=True, capture_output=True)
    lines = [line for line in (folder / "text.el").read_text().splitlines() if line and line[0] not in "#%"]
    numbers = random.Random(1)
    with open(folder / "weighted.csv", "w") as weighted, open(folder / "strings.csv", "w") as strings:
        weighted.write("a,b,w\n")
        for line in lines[: len(lines) // 3]:
            a, b = line.split()
            weighted.write(f"{a},{b},{numbers.random():.4f}\n")
            strings.write(f"user-{a},user-{b}\n")


def seconds(copse, road, folder):
    command, counts = ROADS[road]
    start = time.perf_counter()
    done = subprocess.run([copse, *command.split()], cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["seconds"]["solve"] if counts == "reported" else time.perf_counter() - start


def paired(first, second, road, folder, pairs):
    """Seconds of both, in turns; which goes first alternates. An untimed run of each comes before."""
    samples = ([], [])
    for turn in range(pairs + 1):
        order = (0, 1) if turn % 2 else (1, 0)
        for which in order:
            spent = seconds((first, second)[which], road, folder)
            if turn > 0:
                samples[which].append(spent)
    return samples


def ratio(samples):
    return statistics.median(samples[1]) / statistics.median(samples[0])


def geometric_mean(ratios):
    return math.exp(statistics.fmean(math.log(value) for value in ratios))


def spread(roads, rounds=2000):
    """How far from 1 the geometric mean of the ratios may lie by chance: the 95 % interval of resampled pairs."""
    choose = random.Random(2)
    means = []
    for _ in range(rounds):
        ratios = []
        for first, second in roads:
            drawn = choose.choices(range(len(first)), k=len(first))
            ratios.append(ratio(([first[i] for i in drawn], [second[i] for i in drawn])))
        means.append(geometric_mean(ratios))
    means.sort()
    return max(1 - means[len(means) // 40], means[-len(means) // 40] - 1)


def compare(before, after, roads, pairs):
    """{road: {"same": two lists of seconds, "builds": two lists}}"""
    with tempfile.TemporaryDirectory(prefix="copse_roads_") as name:
        folder = Path(name)
        make_inputs(before, folder)
        return {road: {"same": paired(before, before, road, folder, pairs), "builds": paired(before, after, road, folder, pairs)} for road in roads}


def report(samples):
    """Prints a table; returns whether the build after is as fast."""
    print(f"{'road':15} {'before':>11} {'after':>11} {'after/before':>13} {'A/A':>6}")
    for road, both in samples.items():
        old, new = (statistics.median(values) for values in both["builds"])
        print(f"{road:15} {1000 * old:8.2f} ms {1000 * new:8.2f} ms {ratio(both['builds']):13.3f} {ratio(both['same']):6.3f}")
    ratios = {road: ratio(both["builds"]) for road, both in samples.items()}
    mean, chance = geometric_mean(ratios.values()), spread([both["same"] for both in samples.values()])
    slow = [road for road, value in ratios.items() if value > max(ALLOWED_ROAD, ratio(samples[road]["same"]))]
    good = mean <= max(ALLOWED_MEAN, 1 + chance) and not slow
    print(f"geometric mean {mean:.3f}; equal programs are within {1 - chance:.3f} .. {1 + chance:.3f} here; "
          f"{'as fast as before' if good else 'SLOWER' + ''.join(f', {road}' for road in slow)}")
    return good
