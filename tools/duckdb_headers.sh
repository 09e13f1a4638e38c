#!/usr/bin/env bash
# tools/duckdb_headers.sh: puts the two headers of DuckDB's C API of extensions into build/duckdb_headers, from the sources of the Python
# package that the tests use; takes no time when they are there.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/duckdb_headers
wanted=$(sed -n 's/^duckdb==//p' tests/python/requirements.txt)
[[ -e $folder/$wanted ]] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary duckdb --dest "$work" "duckdb==$wanted"
mkdir -p "$folder"
tar -xzf "$work"/duckdb-*.tar.gz -C "$folder" --strip-components=5 --wildcards '*/src/include/duckdb.h' '*/src/include/duckdb_extension.h'
touch "$folder/$wanted"
