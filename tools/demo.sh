#!/usr/bin/env bash
# tools/demo.sh COPSE FOLDER: what `make demo` shows, with the given binary. Its files stay in the folder, which may be there already.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$(realpath "$(dirname "$1")"):$PATH
karate=$PWD/examples/karate.txt
folder=$2
mkdir -p "$folder"
cd "$folder"

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

echo "A made-up graph, R-MAT: 262,144 vertices, 2,097,152 edges. Most vertices are in one giant component, many are touched by no edge."
show copse generate rmat:scale=18,edges=8,seed=7 -o graph.el
show copse components graph.el --vertices 262144 -o labels.csv --sizes sizes.csv --top 3 --verify
show copse verify graph.el labels.csv --vertices 262144
show head -4 labels.csv

printf '\nA real one, typed into this repository: the 34 members of a karate club, and who is whose friend.\n'
cp "$karate" .
show copse info karate.txt
show copse components karate.txt -o karate.csv --verify
printf '\nThe files are in %s, the program is %s.\n' "$folder" "$1"
