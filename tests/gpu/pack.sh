#!/usr/bin/env bash
# tests/gpu/pack.sh FOLDER [PRESET]: gathers what on_device.sh needs on a machine with a GPU: the tool, the tests, and the libraries that
# they are linked with, but for those of the C and C++ compilers, which are newer there (a tool that wraps them brings its own). Build first: tools/build.sh release copse_cli gpu_test gpu_list_ranking_test gpu_hybrid_test gpu_streaming_test incremental_test
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1
build=build/${2:-release}
mkdir -p "$folder/lib"
cp "$build/cli/copse" "$build"/tests/gpu/gpu_{test,list_ranking_test,hybrid_test,streaming_test} "$build/tests/incremental/incremental_test" \
  tests/gpu/on_device.sh "$folder"
strip "$folder/copse" "$folder"/gpu_{test,list_ranking_test,hybrid_test,streaming_test} "$folder/incremental_test"
for binary in "$folder/copse" "$folder"/gpu_{test,list_ranking_test,hybrid_test,streaming_test} "$folder/incremental_test"; do
  ldd "$binary" | awk '$2 == "=>" { print $3 }' | grep -Ev '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so' |
    xargs -r cp -L -n -t "$folder/lib"
done
du -sh "$folder"
