#!/usr/bin/env bash
# tools/debian_package.sh [FOLDER]: builds the Debian packages of the last commit with dpkg-buildpackage, leaves them in FOLDER
# (build/debian) and checks that the program of the package runs. Needs debhelper; ccache makes the second time quick.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-build/debian}")
if ! command -v dh >/dev/null; then
  echo "debian_package: debhelper is missing (apt-get install debhelper)" >&2
  exit 1
fi
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/copse"
git archive HEAD | tar -x -C "$work/copse"
cp -r packaging/debian "$work/copse/debian"
(cd "$work/copse" && dpkg-buildpackage -b -us -uc)
cp "$work"/*.deb "$out"
dpkg-deb -x "$out"/copse_*.deb "$work/installed"
"$work/installed/usr/bin/copse" --version --json
