#!/usr/bin/env bash
# Deduplicates records. Input: a CSV of match pairs with a score, as record linkage tools write it. Output: a table that gives every
# matched record the group it belongs to, named by the smallest id of the group.
#   deduplicate_csv.sh [PAIRS [THRESHOLD]]      defaults: matches.csv 0.9
set -euo pipefail
pairs=${1:-matches.csv}
threshold=${2:-0.9}

# The first two columns are the ids, the third is the score; weaker pairs are left out. --verify proves the groups before they are written.
copse components "$pairs" --ids string --header yes --weight 3 --min-weight "$threshold" \
  -o groups.csv --sizes sizes.csv --top 3 --verify

echo
echo "Groups (id,component):"
cat groups.csv

# One wrong match joins two groups, so the largest groups deserve a look: these are the pairs that hold the largest one together.
copse extract "$pairs" --ids string --header yes --weight 3 --min-weight "$threshold" --largest -o largest.txt
echo
echo "Pairs of the largest group:"
cat largest.txt
