#!/usr/bin/env bash
# Which variant is fastest on a graph of yours? Measures auto, Afforest and sequential Rem in turns, and says how sure the ranking is.
#   bench_a_graph.sh [GRAPH [TRIALS]]     defaults: a random graph, 7
# Every answer is compared with that of sequential Rem; exit status 1 means that one was wrong.
set -euo pipefail
graph=${1:-er:n=20000,m=60000}
trials=${2:-7}

copse info "$graph"
copse bench "$graph" --variants 'auto,threads.kout.afforest,serial.none.rem' --trials "$trials" --json samples.json
echo
copse bench compare samples.json --against auto # ratios of medians and a rank test

# All variants take minutes: `copse bench GRAPH --within 2 --give-up 200` tries each once, and measures those within twice the best.
