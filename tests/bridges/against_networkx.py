#!/usr/bin/env python3
"""`copse bridges` against NetworkX: bridges, articulation points, biconnected and two-edge-connected components.

Usage: against_networkx.py COPSE [FILE...]    random graphs, and files of two integers a line (`.gz` too)
Exit status 77 (skipped) where there is no NetworkX.
"""
import csv
import gzip
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

try:
    import networkx as nx
except ImportError:
    print("no networkx")
    sys.exit(77)


def sets_of(path, key, member):
    sets = defaultdict(set)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            sets[row[key]].add(int(row[member]))
    return {frozenset(s) for s in sets.values()}


def compare(copse, path, edges, simple):
    graph = nx.Graph(edges) if simple else nx.MultiGraph(edges)
    graph.remove_edges_from([e for e in graph.edges if e[0] == e[1]])
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        subprocess.run([copse, "bridges", path, "-o", folder / "b.csv", "--labels", folder / "l.csv", "--articulation-points", folder / "a.csv",
                        "--biconnected", folder / "k.csv", "--progress", "never"] + (["--simple"] if simple else []),
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(folder / "b.csv", newline="") as file:
            bridges = {frozenset((int(r["u"]), int(r["v"]))) for r in csv.DictReader(file)}
        with open(folder / "a.csv", newline="") as file:
            points = {int(r["id"]) for r in csv.DictReader(file)}
        blocks = sets_of(folder / "k.csv", "component", "id")
        parts = sets_of(folder / "l.csv", "component", "id")
    expected = {frozenset(e[:2]) for e in nx.bridges(graph)}
    assert bridges == expected, f"{path}: bridges differ: {sorted(map(sorted, bridges ^ expected))[:5]}"
    assert points == set(nx.articulation_points(graph)), f"{path}: articulation points differ"
    assert blocks == {frozenset(b) for b in nx.biconnected_components(graph)}, f"{path}: biconnected components differ"
    graph.remove_edges_from([tuple(e) for e in expected])
    assert parts == {frozenset(c) for c in nx.connected_components(graph)}, f"{path}: two-edge-connected components differ"
    return len(bridges), len(points), len(blocks)


def edges_in(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        return [tuple(map(int, line.replace(",", " ").split()[:2])) for line in file if line[:1].isdigit()]


def main():
    copse, files = sys.argv[1], sys.argv[2:]
    dice = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.el"
        for n, m in [(5, 6), (30, 30), (200, 210), (2000, 2100), (3000, 9000)]:
            edges = [(dice.randrange(n), dice.randrange(n)) for _ in range(m)]
            path.write_text("".join(f"{u} {v}\n" for u, v in edges))
            for simple in (False, True):
                compare(copse, path, edges, simple)
    for file in files:
        edges = edges_in(file)
        for simple in (False, True):
            print(file, "simple" if simple else "multi", "bridges, points, biconnected:", *compare(copse, file, edges, simple))


if __name__ == "__main__":
    main()
