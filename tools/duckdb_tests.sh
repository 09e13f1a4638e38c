#!/usr/bin/env bash
# tools/duckdb_tests.sh: builds the extension for DuckDB with the release build and tests it in the DuckDB of the Python package.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/python_env.sh
tools/duckdb_headers.sh
cmake --preset release -D COPSE_DUCKDB=ON >build/duckdb_configure.log || { cat build/duckdb_configure.log >&2; exit 1; }
tools/build.sh release copse_duckdb _core
COPSE_DUCKDB_EXTENSION=$PWD/build/release/duckdb/copse.duckdb_extension PYTHONPATH=build/release/python PYTHONDONTWRITEBYTECODE=1 \
  build/python_env/bin/python -m pytest -q -p no:cacheprovider tests/duckdb "$@"
