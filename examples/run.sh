#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [FIELD.npy] - sets the machine up, builds, and runs the examples in C, C++, Julia, Rust and Fortran.
#
# FIELD.npy is a 2-D field of yours for the heat example; without it one is made. ARR_DEVICE=cuda
# runs on the GPU. Results are left in build/examples.
set -euo pipefail
case ${1:-} in -h|--help) sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
field=${1:+$(realpath "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -z "$field" ] || [ -r "$field" ] || { echo "run.sh: $field cannot be read" >&2; exit 1; }

.ci/setup.sh
# shellcheck disable=SC1091
source build/env.sh
export NINJA_STATUS='[%f/%t %es] '
build=$PWD/build
out=$build/examples/out
languages=(c cpp julia rust fortran)
native=()

step() { printf '\n== %s (%ss since the start)\n' "$*" "$SECONDS"; }
step "build"
# A first build is for this processor only, which takes far less time; tests/run.sh adds the other levels.
[ -f build/build.ninja ] || native=(-DARR_HOST_LEVELS=native)
cmake --preset default "${native[@]}"
cmake --build --preset default --target arr_examples -j "$(nproc)"

mkdir -p "$out"
if [ -z "$field" ]; then
  field=$out/field.npy
  "$PYTHON" examples/make_field.py "$field"
fi
for program in hello share; do
  for language in "${languages[@]}"; do
    step "$program in $language"
    "examples/$language/run.sh" "$build" "$program"
  done
done
for language in "${languages[@]}"; do
  step "heat in $language"
  examples/heat_logged.sh "$language" "$build" "$field" "$out"
done
step "check against NumPy"
"$PYTHON" examples/check.py "$field" "$out" "${languages[@]}"
