#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [c|cpp|julia|rust|fortran ...] [FIELD.npy] - sets the machine up, builds, and runs the examples.
#
# Without languages it runs all five; with some it installs and builds only what these need. FIELD.npy is
# a 2-D field of yours for the heat example; without it one is made. ARR_DEVICE=cuda runs on the GPU.
# A library of this version that pkg-config finds is used where there is no build of one. Results are left in
# build/examples, or in build-installed/examples.
set -euo pipefail
languages=() field=
for argument; do
  case $argument in
    -h|--help) sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    c|cpp|julia|rust|fortran) languages+=("$argument") ;;
    *) [ -z "$field" ] || { echo "run.sh: there are two fields, $field and $argument" >&2; exit 2; }
       field=$(realpath "$argument") ;;
  esac
done
[ ${#languages[@]} -gt 0 ] || languages=(c cpp julia rust fortran)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -z "$field" ] || [ -r "$field" ] || { echo "run.sh: $field cannot be read" >&2; exit 1; }

ARR_LANGUAGES="${languages[*]}" .ci/setup.sh
# shellcheck disable=SC1091
source build/env.sh
export NINJA_STATUS='[%f/%t %p %es] '
build=$PWD/build

step() { printf '\n== %s (%ss since the start)\n' "$*" "$SECONDS"; }
step "build"
if [ -f build/build.ninja ]; then
  cmake --preset default
elif examples/installed.sh "$PWD/build-installed" "${languages[@]}"; then
  build=$PWD/build-installed
else
  # A first build is for this machine only, which takes far less time: without CUDA where there is no driver, for this
  # processor, a folder as one file, and at -O1 around the loops over elements (a call takes 5 % longer). tests/run.sh
  # builds the rest.
  first=(-DARR_HOST_LEVELS=native -DARR_UNITY=ON "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG")
  [ -e /dev/nvidiactl ] || first+=(-DARR_CUDA=OFF)
  export CCACHE_DISABLE=1  # no other build has these objects, and to keep them takes a tenth of the time
  cmake --preset default "${first[@]}"
fi
out=$build/examples/out
# The first language alone, and its first result; then the rest.
cmake --build "$build" --target "arr_examples_${languages[0]}" -j "$(nproc)"
step "hello in ${languages[0]}"
"examples/${languages[0]}/run.sh" "$build" hello
if [ ${#languages[@]} -gt 1 ]; then
  step "build of the other languages"
  cmake --build "$build" --target "${languages[@]/#/arr_examples_}" -j "$(nproc)"
fi

mkdir -p "$out"
if [ -z "$field" ]; then
  field=$out/field.npy
  "$PYTHON" examples/make_field.py "$field"
fi
for program in hello share; do
  for language in "${languages[@]}"; do
    [ "$program $language" != "hello ${languages[0]}" ] || continue
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
