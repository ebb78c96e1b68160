#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# sysroot.sh DIR - unpacks into DIR what libarr's tests need on arm64: Debian's packages of libraries and of Python, and
# PyPI's wheels of NumPy and SciPy.
#
# apt works in folders of its own below DIR: nothing is installed, and the machine's own lists stay as they are.
set -euo pipefail
[ $# = 1 ] || { echo "usage: sysroot.sh DIR" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1"
dir=$(realpath "$1")
libraries=(libtbb-dev libtbb12 libtbbbind-2-5 libtbbmalloc2 libhwloc15 zlib1g-dev libgtest-dev libopenblas0-pthread
           libgfortran5)
python=(python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libexpat1 zlib1g libffi8 libssl3 libbz2-1.0 liblzma5
        libc6 libstdc++6 libgcc-s1 libcrypt1 libuuid1)
mapfile -t wheels < <(grep -E '^(numpy|scipy|mpmath|ml_dtypes)==' "$root/.ci/requirements.txt")
wanted="${libraries[*]} ${python[*]} ${wheels[*]}"
[ "$(cat "$dir/contents.txt" 2>/dev/null)" != "$wanted" ] || exit 0

apt=$dir/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages"
: > "$apt/status"
options=(-o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o "Dir::State::Lists=$apt/lists"
         -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache" -o Acquire::Retries=3 -o APT::Sandbox::User=root)
apt-get -q "${options[@]}" update
(cd "$apt/packages" && apt-get -q "${options[@]}" download "${libraries[@]}" "${python[@]}")
for package in "$apt"/packages/*.deb; do dpkg-deb -x "$package" "$dir"; done
# Elsewhere update-alternatives chooses OpenBLAS.
ln -sf openblas-pthread/libopenblas.so.0 "$dir/usr/lib/aarch64-linux-gnu/libopenblas.so.0"

"$root/.venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
  --platform manylinux2014_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux_2_28_aarch64 \
  --python-version 3.11 -d "$apt/wheels" "${wheels[@]}"
for wheel in "$apt"/wheels/*.whl; do "$root/.venv/bin/python" -m zipfile -e "$wheel" "$dir/site"; done
rm -rf "$apt"
echo "$wanted" > "$dir/contents.txt"
