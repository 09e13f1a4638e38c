#!/usr/bin/env bash
# tools/build.sh PRESET [TARGET...]: configures a preset of CMakePresets.json once, then builds the targets (all of them by default).
set -euo pipefail
cd "$(dirname "$0")/.."
# Objects hold no paths, so a build of the same sources in another folder finds them in the cache; precompiled headers are cached too.
# tests/install/CMakeLists.txt has the same settings.
export CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=$PWD CCACHE_SLOPPINESS=pch_defines,time_macros
export CCACHE_DEPEND=1  # ask the compiler what it read, instead of preprocessing every unit once more
preset=$1
shift
[[ -f build/$preset/build.ninja ]] || cmake --preset "$preset"
cmake --build --preset "$preset" ${1:+--target "$@"}
