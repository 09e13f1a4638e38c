#!/usr/bin/env bash
# tools/long_suite.sh: all that continuous integration leaves out for want of time; hours on two cores. Every sanitizer on every room, every
# variant on every real graph and seed, random graphs, kills and damaged files by the thousand, the extension for DuckDB, and the engines with many workers killed.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=0
part() {
  printf '\n==== %s\n' "$*"
  "$@" || failed=1
}
export COPSE_SWEEP=all
part tools/build.sh release
part tools/test.sh release
part python3 tests/reliability/long.py build/release
part tools/sanitizers.sh all
part tools/duckdb_tests.sh
part tools/debian_package.sh
part tools/scale_checks.sh
part env PYTHONPATH="$PWD/build/release/python" build/scale_env/bin/python tests/python/engine_kills.py
exit "$failed"
