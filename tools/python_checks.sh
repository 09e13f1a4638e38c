#!/usr/bin/env bash
# tools/python_checks.sh: what `make test` does not see of the Python package: the source distribution, the wheels and their import in clean
# environments; Splink, dedupe, datatrove and NetworkX with copse inside; the types; the reference as Sphinx makes it. For a fresh machine with
# pip, after tools/setup.sh. Beside a release build it takes most objects from ccache. Ends with the time of each part.
set -euo pipefail
cd "$(dirname "$0")/.."
times=()
part() {
  local title=$1 start=$SECONDS
  shift
  printf '\n== %s\n' "$title"
  "$@"
  times+=("$(printf '%4d s  %s' $((SECONDS - start)) "$title")")
}

# The release build's settings, so that its objects are found; without one the wheel's own, in pyproject.toml.
wheels() {
  local cache=build/release/CMakeCache.txt newest
  if [[ -f $cache ]] && command -v ccache >/dev/null; then
    SKBUILD_CMAKE_DEFINE="COPSE_FMT=fmt::fmt;COPSE_PRECOMPILE_HEADERS=OFF;COPSE_CUDA=$(sed -n 's/^COPSE_CUDA:[A-Z]*=//p' "$cache")"
    SKBUILD_CMAKE_DEFINE+=";COPSE_CUDA_ARCHITECTURES=$(sed -n 's/^COPSE_CUDA_ARCHITECTURES:[A-Z]*=//p' "$cache")"
    SKBUILD_CMAKE_DEFINE+=";COPSE_TEST_OPTIONS=$(sed -n 's/^COPSE_TEST_OPTIONS:[A-Z]*=//p' "$cache")"  # the command line has them, too
    export SKBUILD_CMAKE_DEFINE
  fi
  rm -rf build/wheels
  newest=$(for v in 15 14 13 12; do
    for p in "python3.$v" "$HOME/.pyenv/versions/3.$v".*/bin/python3; do
      if "$p" -c 'import venv' 2>/dev/null; then echo "$p" && break 2; fi
    done
  done)
  [[ -n $newest ]] || echo "no Python 3.12 or newer here: its wheel is not made"
  tools/python_wheel.sh build/wheels python3 ${newest:+"$newest"}
}

environment() {
  local folder=build/hooks_env wanted
  wanted=$(cat tests/python/requirements.txt tests/python/requirements_hooks.txt)
  if [[ $(cat "$folder/installed.txt" 2>/dev/null) != "$wanted" ]]; then
    python3 -m venv --clear "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check -r tests/python/requirements_hooks.txt
    echo "$wanted" >"$folder/installed.txt"
  fi
  "$folder/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps --no-index --find-links build/wheels copse-graph
}

# From the wheel, in a folder without sources; all tools are here, so a test that is skipped is a fault.
hooks() {
  local tests=$PWD/tests/python
  (cd "$(mktemp -d)" && "$OLDPWD/build/hooks_env/bin/python" -P -m pytest -q --disable-warnings -p no:cacheprovider -rs "$tests"/test_{hooks,splink_links,networkx,docs,types,scipy}.py) |
    tee build/hooks.log
  ! grep -q '^SKIPPED' build/hooks.log || { echo "tests of hooks were skipped" && return 1; }
}

types() { build/hooks_env/bin/mypy --python-version 3.11 --strict python/copse/__init__.pyi tests/python/typed_use.py; }

pages() { build/hooks_env/bin/sphinx-build -q -W --keep-going -c docs/sphinx docs build/sphinx; }

part "source distribution and wheels" wheels
part "environment with the tools" environment
part "hooks, from the wheel" hooks
part "types" types
part "reference by Sphinx" pages
printf '\n%s' "${times[@]}"
printf '\n%4d s  in all\n' "$SECONDS"
