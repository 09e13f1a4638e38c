"""Algorithms as printed find the right components, on lists that may be overwritten and on others; what is counted is as printed."""

import json
import subprocess
import sys
import unittest

COPSE = sys.argv.pop(1)
NAMES = ("none.cc_printed", "none.cc_updt_printed", "stages.cc_printed", "stages.cc_updt_printed", "none.soman_printed")
VARIANTS = [f"{b}.{name}" for b in ("serial", "threads") for name in NAMES]


def labels_are_right(graph, variant):
    done = subprocess.run(
        [COPSE, "components", graph, "--variant", variant, "--threads", "2", "--verify"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.returncode == 0, done.stdout


class printed_test(unittest.TestCase):
    def test_labels_are_right(self):
        for graph in ("er:n=3000,m=3000", "rmat:scale=11,edges=6", "path:n=1000,shuffle=1", "star:n=500"):
            for variant in VARIANTS:
                right, said = labels_are_right(graph, variant)
                self.assertTrue(right, f"{graph} {variant}: {said}")

    def test_in_place_every_edge_is_inspected_in_every_round(self):
        argv = [COPSE, "bench", "er:n=3000,m=6000", "--preset", "paper", "--input", "coo", "--variants", ",".join(VARIANTS)]
        done = subprocess.run([*argv, "--threads", "2", "--trials", "2", "--count", "--json", "-"], capture_output=True, text=True)
        if "expected a release build" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {row["variant"]: row for row in json.loads(done.stdout)["graphs"][0]["rows"]}
        self.assertEqual(set(rows), set(VARIANTS))
        for name in VARIANTS:
            inspected = rows[name]["work"]["sampled_arcs"] + rows[name]["work"]["finish_arcs"]
            if ".none.cc" in name:
                self.assertEqual(inspected % 6000, 0, name)  # Soman's hides edges
            self.assertGreaterEqual(inspected, 6000, name)


if __name__ == "__main__":
    unittest.main()
