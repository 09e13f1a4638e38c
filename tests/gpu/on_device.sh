#!/usr/bin/env bash
# tests/gpu/on_device.sh [PART...]: what is to be seen on a machine with a GPU, in a folder that pack.sh made (or with COPSE_BUILD naming a
# build folder). Parts:
#   tests               all tests: resources and variants (FINISHES and SAMPLERS name some), incremental, list_ranking, hybrid, streamed
#   incremental_zoo     every rule of incremental connectivity on every small graph, one process at a time
#   incremental_memcheck  the same rules under compute-sanitizer, on files and parts
#   cli, streaming, sanitizer, bench
#   zoo                 copse bench --zoo speed; shows the graphs on which auto is farthest behind, and leaves zoo.txt and zoo.json
# A variant has a process and a time limit of its own, so that one that hangs or breaks its context costs only itself. SHARE=2/5 takes every
# fifth rule of incremental_zoo and incremental_memcheck, from the second on: a fifth of the zoo is meant to take less than 100 seconds. A line says of
# each whether it passed, and the last line says so of all. Files go to $OUT, or to the current folder. The exit status is 1 when anything
# failed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
copse=$here/copse tests=$here/gpu_test incremental=$here/incremental_test
if [[ -n ${COPSE_BUILD:-} ]]; then
  copse=$COPSE_BUILD/cli/copse tests=$COPSE_BUILD/tests/gpu/gpu_test incremental=$COPSE_BUILD/tests/incremental/incremental_test
fi
# Kernels loaded at once: otherwise the first solve by each variant, which screening goes by, would load its own.
export LD_LIBRARY_PATH=$here/lib:${LD_LIBRARY_PATH:-} COPSE_SWEEP=${COPSE_SWEEP:-quick} CUDA_MODULE_LOADING=EAGER
out=${OUT:-.}
limit_seconds=${LIMIT_SECONDS:-90}
failed=()

# Until fewer than so many jobs run.
fewer_than() { while (($(jobs -rp | wc -l) >= $1)); do wait -n; done; }

# One process a finish, all its samplers and rules; four at a time: half of the time is the host's, and more would wait for turns on the GPU.
tests() {
  "$copse" info --device
  if ! "$copse" info --device | grep -q '^cuda:'; then failed+=("no GPU: every test skipped"); fi
  timeout "$limit_seconds" "$tests" --gtest_brief=1 --gtest_filter='gpu.*:gpu_*:*_on_gpu*:*/gpu_searches.*:*/gpu_real_forest.*:*/every_gpu_rule.*' || failed+=("resources: $?")
  timeout "$limit_seconds" "$incremental" --gtest_brief=1 --gtest_filter='*cuda*:*every_real_batch*:incremental_forest.*:incremental_table.*' || failed+=("incremental: $?")
  timeout "$limit_seconds" "${tests%gpu_test}gpu_list_ranking_test" --gtest_brief=1 || failed+=("list ranking: $?")
  timeout "$limit_seconds" "${tests%gpu_test}gpu_hybrid_test" --gtest_brief=1 || failed+=("hybrid: $?")
  timeout "$limit_seconds" "${tests%gpu_test}gpu_streaming_test" --gtest_brief=1 || failed+=("streamed graphs: $?")
  local finish
  one() {
    local sampler filter=
    for sampler in ${SAMPLERS:-none kout kout_random kout_mixed kout_maxdeg hb bfs ldd stages}; do
      filter+="*/every_gpu_variant.*/cuda_${sampler}_$1_*:*/every_gpu_forest.*/cuda_${sampler}_$1_*:"
    done
    timeout "$limit_seconds" "$tests" --gtest_brief=1 --gtest_filter="$filter" >"$out/tests_$1.log" 2>&1
    echo $? >"$out/tests_$1.status"
  }
  local finishes=(${FINISHES:-rem_cas rem_lock liu_tarjan async hooks early ecl jtb label_propagation afforest stergiou shiloach_vishkin
    cc_on cc_updt cc_sort sv_on sv_updt rem_verify soman segments ecl_cc ecl_af ligra bfs_cc fast})
  for finish in "${finishes[@]}"; do
    fewer_than 4
    one "$finish" &
  done
  wait
  for finish in "${finishes[@]}"; do
    local status=$(<"$out/tests_$finish.status")
    printf '%-20s %s  %s\n' "$finish" "$([[ $status == 0 ]] && echo passed || echo "FAILED ($status; 124: out of time)")" \
      "$(grep -aE '^\[  (PASSED|SKIPPED|FAILED) +\] [0-9]+ tests?' "$out/tests_$finish.log" | tr '\n' ' ')"
    if [[ $status != 0 ]]; then
      failed+=("$finish")
      grep -aE 'Failure|is labelled|graph |blocks at most|what\(\)|cuda:' "$out/tests_$finish.log" | head -8
    fi
    rm -f "$out/tests_$finish.status"
    [[ $status == 0 ]] && rm -f "$out/tests_$finish.log"
  done
}

# The rules of this share, as the names of tests have them.
rules_of_share() {
  local share=${SHARE:-1/1}
  "$copse" variants 'cuda.none.*' --problem incremental | awk '{ print $1 }' | tr . _ | awk -v k="${share%/*}" -v n="${share#*/}" '(NR - k) % n == 0'
}
# each_rule SECONDS FILTER COMMAND...: a process for each rule, one after the other; FILTER has RULE where its name is to be. Without a GPU
# tests are skipped, which is a failure here.
each_rule() {
  local seconds=$1 filter=$2 rule status start passed
  shift 2
  for rule in $(rules_of_share); do
    start=$SECONDS
    timeout "$seconds" "$@" "$incremental" --gtest_brief=1 --gtest_filter="${filter//RULE/$rule}" >"$out/$rule.log" 2>&1
    status=$?
    passed=$(grep -aoE '^\[  PASSED  \] [0-9]+' "$out/$rule.log" | grep -oE '[0-9]+$')
    if ((status == 0 && ${passed:-0} > 0)) && ! grep -q 'no GPU on this machine' "$out/$rule.log"; then
      printf '%-36s passed (%d tests, %d s)\n' "$rule" "$passed" $((SECONDS - start))
      rm -f "$out/$rule.log"
    else
      printf '%-36s FAILED (status %d, %d passed; 124: out of time)\n' "$rule" "$status" "${passed:-0}"
      grep -aE 'Failure|is labelled|what\(\)|cuda:|no GPU|=========|ERROR' "$out/$rule.log" | sort | uniq -c | head -8
      failed+=("$rule")
    fi
  done
}
incremental_zoo() { each_rule "$limit_seconds" '*/RULE'; }
incremental_memcheck() {
  command -v compute-sanitizer >/dev/null || { failed+=("compute-sanitizer: not on this machine"); return; }
  each_rule 60 '*every_mixing_variant.goes_on*/RULE:*every_mixing_variant.is_as_before*/RULE' compute-sanitizer --tool memcheck --error-exitcode 9
}

# Graphs streamed in pieces, because --gpu-memory leaves no room for them, because several GPUs share them (here one, three times), or
# because several files are one graph: the answer of the CPU, and a report that says why.
streaming() {
  local folder graph cpu found how device
  folder=$(mktemp -d)
  for graph in r.egr r.sg; do "$copse" generate rmat:scale=18,edges=16 -o "$folder/$graph" || failed+=("generate $graph"); done
  for graph in l.coo l.el; do "$copse" generate er:n=500000,m=4000000 -o "$folder/$graph" || failed+=("generate $graph"); done
  printf 'ann,bob\ncy,dan\nbob,eve\n' >"$folder/names.csv"
  for graph in "$folder"/r.egr "$folder"/r.sg "$folder"/l.coo "$folder"/l.el "$folder"/names.csv rmat:scale=18,edges=16; do
    cpu=$("$copse" components "$graph" --json | grep -o '"checksum": *"[^"]*"')
    for how in "cuda --gpu-memory 12M" cuda:0,0,0 cuda:all; do
      found=$("$copse" components "$graph" --device $how --verify --explain --trials 2 --json 2>"$folder/why") || failed+=("components $graph --device $how")
      grep -q "$cpu" <<<"$found" || failed+=("components $graph --device $how: another checksum than the CPU's")
      [[ $how == cuda:all || $graph == *names.csv ]] || grep -q 'in pieces' "$folder/why" || failed+=("components $graph --device $how: not in pieces: $(<"$folder/why")")
    done
    head -1 "$folder/why"
  done
  cpu=$("$copse" components "$folder/l.el" "$folder/l.el" --json | grep -o '"checksum": *"[^"]*"')
  "$copse" components "$folder/l.el" "$folder/l.el" --device cuda --json | grep -q "$cpu" || failed+=("several files")
  "$copse" components "$folder/l.coo" --device cuda --variant cuda.none.fast --gpu-memory 12M 2>"$folder/why"
  [[ $? == 3 ]] || failed+=("a variant by name is no reason to stream edges: $(<"$folder/why")")
  # Forests of parts: proved, of as many edges as the CPU's, and weighted ones the same file.
  awk 'BEGIN { srand(5); for (i = 0; i < 300000; ++i) print int(rand() * 60000) "," int(rand() * 60000) "," int(rand() * 1000) / 1000 }' >"$folder/w.csv"
  for graph in "$folder"/r.egr "$folder"/l.coo; do
    cpu=$("$copse" forest "$graph" --json | grep -o '"forest_edges": *[0-9]*')
    "$copse" forest "$graph" --device cuda:0,0,0 --verify --json -o "$folder/forest.csv" | grep -q "$cpu" || failed+=("forest $graph of three parts")
  done
  for how in "forest --maximum -o $folder/cpu.csv" "forest --minimum -o $folder/cpu.csv" "thresholds -o $folder/cpu.csv"; do
    "$copse" ${how%% *} "$folder/w.csv" --weight 3 ${how#* } >/dev/null || failed+=("$how")
    for device in cuda:0 cuda:0,0,0 cuda:all; do
      "$copse" ${how%% *} "$folder/w.csv" --weight 3 ${how#* }.gpu.csv --device $device >/dev/null || failed+=("$how --device $device")
      cmp "$folder/cpu.csv" "$folder/cpu.csv.gpu.csv" || failed+=("$how --device $device: another file than the CPU's")
    done
  done
  rm -rf "$folder"
}

# The command line on a GPU: one copy for all trials, files read straight there and specs made there, the proof, a graph cut short, and the
# same answer as the CPU.
cli() {
  local folder graph cpu found
  folder=$(mktemp -d)
  for graph in r.egr r.sg; do "$copse" generate rmat:scale=18,edges=16 -o "$folder/$graph" || failed+=("generate $graph"); done
  "$copse" info --device "$folder/r.egr" | grep '^cuda:0.* the graph fits' || failed+=("info --device says no graph fits")
  cpu=$("$copse" components "$folder/r.egr" --json | grep -o '"checksum": *"[^"]*"')
  for graph in "$folder/r.egr" "$folder/r.sg" rmat:scale=18,edges=16; do
    found=$("$copse" components "$graph" --device cuda --trials 5 --verify --json) || failed+=("components $graph")
    grep -q "$cpu" <<<"$found" || failed+=("components $graph: another checksum than the CPU's")
    grep -oE '"(copy|read|solve)": *[0-9.e-]+' <<<"$found" | tr '\n' ' '
    echo "${graph##*/}"
  done
  for graph in rmat:scale=20,edges=16,shuffle=1 er:n=1000000,m=3000000 er:n=300000,p=.00002,shuffle=1 ba:n=500000 grid2d:side=1000 \
    mesh:side=1000,shuffle=1 osm:side=1000 web:n=500000 clusters:n=2000000,shuffle=1 star:n=1000000 path:n=0 path:n=1; do
    cpu=$("$copse" components "$graph" --device cpu --json | grep -o '"checksum": *"[^"]*"')
    found=$("$copse" components "$graph" --device cuda --verify --json) || failed+=("components $graph")
    grep -q "$cpu" <<<"$found" || failed+=("components $graph: another checksum than the CPU's")
    grep -oE '"(read|solve)": *[0-9.e-]+' <<<"$found" | tr '\n' ' '
    echo "$graph"
  done
  for graph in rmat:scale=20,edges=16,shuffle=1 osm:side=1000 clusters:n=2000000,shuffle=1 path:n=0; do
    "$copse" forest "$graph" --device cuda --verify --json | grep -oE '"(copy|solve)": *[0-9.e-]+' | tr '\n' ' '
    ((PIPESTATUS[0] == 0)) || failed+=("forest $graph")
    echo "forest of $graph"
  done
  truncate -s -1 "$folder/r.egr"
  "$copse" components "$folder/r.egr" --device cuda && failed+=("a file that is cut short was read")
  rm -rf "$folder"
}

# Variants of each kind of array and loop, on graphs with short and long rows, eight at a time. Where the machine does not let the sanitizer in,
# it says so.
sanitizer() {
  local tool variant graph running=0 log status
  command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer: not on this machine"; return; }
  one_checked() {
    timeout 100 compute-sanitizer --tool "$1" --error-exitcode 9 "$copse" components "$3" --variant "cuda.$2" --verify >"$4" 2>&1
    echo "status $?" >>"$4"
  }
  rm -f "$out"/sanitizer_*.log
  timeout 200 compute-sanitizer --tool memcheck --error-exitcode 9 "$tests" --gtest_brief=1 \
    --gtest_filter='gpu_proof.*:gpu_read.*:gpu_counts.*:gpu_techniques.a_list*:*/gpu_searches.*/0:*/gpu_searches.*/1:gpu_generate.gives*:gpu_generate.offsets*-*large*' >"$out/sanitizer_kernels.log" 2>&1
  echo "status $?" >>"$out/sanitizer_kernels.log"
  for tool in memcheck initcheck synccheck racecheck; do
    for variant in hb.rem_cas.naive.split_one kout.hooks.naive hb.jtb.two_try_split kout_maxdeg.liu_tarjan.EUF none.rem_lock.naive.splice_atomic \
      bfs.cc ldd.sv bfs.rem_verify none.ecl_cc none.ecl_af none.ligra none.bfs_cc stages.soman stages.cc_sort stages.jtb.naive none.cc_updt \
      none.segments stages.sv_updt; do
      # racecheck sees shared memory only, in which small frontiers keep their counters.
      if [[ $tool == racecheck && $variant != @(bfs.cc|none.bfs_cc) ]]; then continue; fi
      for graph in rmat:scale=12,edges=16 star:n=5000 grid2d:side=60; do
        if [[ $graph == grid2d* && $variant != @(bfs.cc|none.bfs_cc) ]]; then continue; fi
        fewer_than 8
        one_checked "$tool" "$variant" "$graph" "$out/sanitizer_${tool}_${variant}_${graph%%:*}.log" &
        ((++running))
      done
    done
  done
  wait
  for log in "$out"/sanitizer_*.log; do
    status=$(grep -a '^status' "$log" | tail -1)
    if grep -qa 'not supported' "$log"; then
      echo "compute-sanitizer: $(grep -a 'not supported' "$log" | head -1)"
      return
    elif [[ $status != "status 0" ]]; then
      failed+=("$(basename "$log") ($status)")
      grep -aE '=========|error|expected' "$log" | head -12
    else
      rm -f "$log"
    fi
  done
  echo "compute-sanitizer: $running runs"
}

# Every variant once (screening) on each graph, five trials of those within 3 times of the best; checksums against sequential Rem.
bench() {
  local graphs=${GRAPHS:-rmat:scale=22,edges=8,a=0.45,b=0.15,c=0.15 er:n=8388608,m=33554432 mesh:side=2048}
  local graph k=0
  for graph in $graphs; do
    timeout "${BENCH_SECONDS:-240}" "$copse" bench "$graph" --variants "${VARIANTS:-cuda.*}" --within 3 --trials 5 \
      --json "$out/bench_$((++k)).json" | head -40
    ((PIPESTATUS[0] == 0)) || failed+=("bench $graph")
  done
}

zoo() {
  timeout "${ZOO_SECONDS:-590}" "$copse" bench --zoo speed --device cuda --budget "${ZOO_BUDGET:-470}" --json "$out/zoo.json" >"$out/zoo.txt"
  local status=$?
  ((status == 0)) || failed+=("zoo: $status")
  head -1 "$out/zoo.txt"
  grep -E '^ +[0-9.]+ ' "$out/zoo.txt" | sort -rn | head -40
  grep -vE '^ +(ratio|[0-9.]+) ' "$out/zoo.txt"
}

for what in "${@:-tests}"; do "$what"; done
((${#failed[@]} == 0)) && echo "all passed" && exit 0
printf 'FAILED: %s\n' "${failed[@]}"
exit 1
