#!/usr/bin/env bash
# Installs what is missing to build and test copse on Debian 12, Ubuntu 24.04 and their kin; silent and quick when nothing is.
# `tools/setup.sh ci` adds what continuous integration uses: clang with its sanitizers, the formatter, MPI and Java.
set -euo pipefail

# What is looked for : the package that brings it. A name without a colon is a package.
wanted=(g++:g++ cmake:cmake ninja:ninja-build ccache:ccache python3:python3 python3-dev python3-venv
  lld libfmt-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libzstd-dev libsqlite3-dev libgtest-dev)
if [[ ${1:-} == ci ]]; then
  wanted+=(clang++:clang clang-format-14:clang-format-14 llvm-symbolizer:llvm libomp-dev libclang-rt-dev libisal-dev
    mpicxx:libopenmpi-dev mpirun:openmpi-bin java:openjdk-17-jre-headless)
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  for item in "${wanted[@]}"; do
    if [[ $item == *:* ]] && ! command -v "${item%%:*}" >/dev/null; then
      echo "setup: ${item%%:*} is missing and there is no apt-get here; install what README.md lists under 'Needs' by hand" >&2
      exit 1
    fi
  done
  exit 0
fi

libraries=()
missing=()
for item in "${wanted[@]}"; do
  if [[ $item != *:* ]]; then
    libraries+=("$item")
  elif ! command -v "${item%%:*}" >/dev/null; then
    missing+=("${item##*:}")
  fi
done
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${libraries[@]}" 2>/dev/null || true)
for package in "${libraries[@]}"; do
  [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

install="apt-get install -y --no-install-recommends ${missing[*]}"
as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "setup: neither root nor sudo; ask an administrator for: apt-get update && $install" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086  # the packages are words
if ! { "${as_root[@]}" apt-get -o Acquire::Retries=3 update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive $install; } >"$log" 2>&1; then
  cat "$log" >&2
  echo "setup: failed: $install" >&2
  exit 1
fi
