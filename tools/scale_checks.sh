#!/usr/bin/env bash
# tools/scale_checks.sh: copse on engines: Spark and Ray on this machine, some of their workers killed, and MPI. For a fresh machine after
# tools/setup.sh ci, beside a release build with the Python module and copse-mpi. What cannot run here is counted as skipped, with the
# reason. Ends with the time of each part and the counts. Each engine is started once; tests/python/engine_kills.py kills more.
set -euo pipefail
cd "$(dirname "$0")/.."
env=$PWD/build/scale_env
export PYTHONPATH=$PWD/build/release/python PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1
passed=0 failed=0 skipped=0 times=()

# part TITLE COMMAND...: the command says why it is skipped by ending with 77.
part() {
  local title=$1 start=$SECONDS status=0
  shift
  printf '\n== %s\n' "$title"
  (set -euo pipefail && "$@") || status=$?
  case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) && printf 'FAILED (%d): %s\n' "$status" "$title" ;;
  esac
  times+=("$(printf '%4d s  %s' $((SECONDS - start)) "$title")")
}

environment() {
  local wanted=tests/python/requirements_engines.txt
  cmp -s "$wanted" "$env/installed.txt" && return
  python3 -m venv --clear "$env" || return 1
  "$env/bin/pip" install --quiet --disable-pip-version-check -r "$wanted" || { rm -rf "$env" && echo "skipped: no network" && return 77; }
  cp "$wanted" "$env/installed.txt"
}

needs_engines() {
  [[ -x $env/bin/python ]] || { echo "skipped: no environment with Ray and PySpark" && exit 77; }
  compgen -G 'build/release/python/copse/_core*' >/dev/null || { echo "skipped: the Python module is not built" && exit 77; }
}
needs_java() { command -v java >/dev/null || { echo "skipped: no Java" && exit 77; }; }

# All engines are here, so a test that is skipped is a fault.
engine() {
  needs_engines
  [[ $1 != spark ]] || needs_java
  "$env/bin/python" -m pytest -q --disable-warnings -p no:cacheprovider -rs -k "$1" tests/python/test_engines.py | tee build/engine.log ||
    return 1  # set -e says nothing here: part() asks for the status
  ! grep -q '^SKIPPED' build/engine.log || { echo "tests of an engine were skipped" && return 1; }
}

mpi() {
  [[ -x build/release/mpi/copse-mpi ]] || { echo "skipped: copse-mpi is not built" && exit 77; }
  python3 tests/mpi/components_test.py "$(command -v mpirun)" build/release/mpi/copse-mpi build/release/cli/copse
}

part "environment with the engines" environment
part "Spark: the clusters of one process, whatever is killed" engine spark
part "Ray: the clusters of one process, whatever is killed" engine ray
part "MPI: the file of one process" mpi
printf '\n%s' "${times[@]}"
printf '\n%4d s  in all\n%d passed, %d failed, %d skipped\n' "$SECONDS" "$passed" "$failed" "$skipped"
((failed == 0))
