#!/usr/bin/env bash
# tools/test.sh PRESET [CTEST OPTION...]: runs the tests of a build as ctest does, then counts their cases: the slowest, why some were
# skipped, and the totals (tools/test_report.py).
set -uo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
results=$PWD/build/$preset/test_results
rm -rf "$results"
mkdir -p "$results"
ctest --preset "$preset" --parallel "$(nproc)" --no-tests=error --output-junit "$results/ctest.xml" "$@"
status=$?
python3 -B tools/test_report.py "$results" || status=1
exit "$status"
