#!/usr/bin/env bash
# bench/hybrid.sh pack FOLDER: gathers what the rest of this file needs on a machine with a GPU (as tests/gpu/pack.sh, which see; build first:
# tools/build.sh release copse_cli gpu_hybrid_test copse_bench_hybrid copse_bench_copies). FOLDER/run.sh there: first the tests, then copies,
# then the curves over the CPU's share that docs/measurements/hybrid.md shows, in about five minutes; `run.sh tests` stops after the tests,
# `run.sh curves` makes the curves only. Files go to $OUT, or to the current folder.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)

if [[ ${1:-} == pack ]]; then
  cd "$here/.."
  folder=$2 build=build/release
  mkdir -p "$folder/lib"
  binaries=("$build/cli/copse" "$build/tests/gpu/gpu_hybrid_test" "$build"/bench/copse_bench_{hybrid,copies})
  cp "${binaries[@]}" "$folder" && cp bench/hybrid.sh "$folder/run.sh" || exit 1
  for binary in "${binaries[@]}"; do
    strip "$folder/${binary##*/}"
    ldd "$binary" | awk '$2 == "=>" { print $3 }' | grep -Ev '/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s|ld-linux[^/]*)\.so' |
      xargs -r cp -L -n -t "$folder/lib"
  done
  du -sh "$folder"
  exit
fi

export LD_LIBRARY_PATH=$here/lib:${LD_LIBRARY_PATH:-} COPSE_SWEEP=quick CUDA_MODULE_LOADING=EAGER
out=${OUT:-.}
failed=()
"$here/copse" info --device | grep '^cuda:' || failed+=("no GPU: every test skipped")
if [[ ${1:-} != curves ]]; then
  timeout 70 "$here/gpu_hybrid_test" --gtest_brief=1 || failed+=("tests: $?")
  [[ ${1:-} == tests ]] && { echo "failed: ${failed[*]:-nothing}"; exit ${#failed[@]}; }
  timeout 30 "$here/copse_bench_copies" --mebibytes 1,4,16,64,256 --json "$out/copies.json" || failed+=("copies: $?")
fi

curves() {  # NAME SECONDS OPTION... SPEC...: one JSON, a line a graph, form and variant
  local name=$1 seconds=$2
  shift 2
  timeout "$seconds" "$here/copse_bench_hybrid" --json "$out/$name.json" "$@" || failed+=("$name: $?")
}
# Figures 8 to 10 and Table III, m = 2 n; hybrid.dfs.none.soman is the paper's pair.
random=()
for n in 500000 1000000 1500000 2000000 2500000 3000000 3500000 4000000 4500000; do random+=("er:n=$n,m=$((2 * n))"); done
curves random 90 --forms host --finals 16 --shares 0,5,10,20,30,50,75,95,100 "${random[@]}"
# Some graphs of docs/measurements/gpu.md, also with less of the GPU's memory than they take.
curves large 45 --forms host --variants hybrid.auto --shares 0,5,25,50,75,95,100 --halvings 3 --finals 6 --caps 75,50,25,10 \
  rmat:scale=21,edges=48,a=.57,b=.19,c=.19 er:n=8388608,m=33554432 mesh:side=4096 osm:side=3600,keep=.6
# Figure 11.
edges=()
for m in 3 4 5 6 7 8; do edges+=("er:n=2500000,m=${m}000000"); done
curves edges 45 --forms host --trials 2 --halvings 4 --finals 16 --shares 0,5,10,20,30,50,100 "${edges[@]}"
curves random_resident 45 --forms gpu --shares 0,5,10,20,50,100 "${random[@]}"
curves edges_resident 20 --forms gpu --shares 0,5,10,20,50,100 --halvings 3 --finals 4 "${edges[@]}"
echo "failed: ${failed[*]:-nothing}"
exit ${#failed[@]}
