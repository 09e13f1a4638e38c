#!/usr/bin/env bash
# tools/build.sh PRESET [TARGET...]: configures a preset of CMakePresets.json once, then builds the targets (all of them by default).
set -euo pipefail
cd "$(dirname "$0")/.."
export CCACHE_NOHASHDIR=1  # release objects hold no paths: a build of the same sources in another folder (tests/install) finds them
preset=$1
shift
[[ -f build/$preset/build.ninja ]] || cmake --preset "$preset"
cmake --build --preset "$preset" ${1:+--target "$@"}
