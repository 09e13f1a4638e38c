#!/usr/bin/env bash
# tools/build.sh PRESET [TARGET...]: configures a preset of CMakePresets.json once, then builds the targets (all of them by default).
set -euo pipefail
cd "$(dirname "$0")/.."
export CCACHE_BASEDIR=$PWD  # release objects hold no paths: clones and work trees share them
preset=$1
shift
[[ -f build/$preset/build.ninja ]] || cmake --preset "$preset"
cmake --build --preset "$preset" ${1:+--target "$@"}
