#!/usr/bin/env bash
# tools/python_env.sh: makes build/python_env, a virtual environment with what the Python module is built with and its tests use, at the
# versions of tests/python/requirements.txt; takes no time when it is there. Without network it says so, and the build leaves the module out.
set -uo pipefail
cd "$(dirname "$0")/.."
wanted=tests/python/requirements.txt
folder=build/python_env
cmp -s "$wanted" "$folder/installed.txt" && exit 0

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "setup: making $folder"
if ! { python3 -m venv --clear "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"; } >"$log" 2>&1; then
  tail -n 5 "$log" >&2
  echo "setup: $folder could not be made (is there a network?): the Python module will not be built, and its tests will be skipped" >&2
  rm -rf "$folder"
  exit 0
fi
cp "$wanted" "$folder/installed.txt"
