#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [c|cpp|julia|rust|fortran ...] [FIELD.npy] - sets the machine up, builds, and runs the examples.
#
# Without languages it runs all five. It installs and builds what the first one needs and shows its result, then
# the rest. FIELD.npy is a 2-D field of yours for the heat example; without it one is made. ARR_DEVICE=cuda runs on
# the GPU.
# A library of this version that pkg-config finds is used where there is no build of one. Results are left in
# build/examples, or in build-installed/examples.
set -euo pipefail
languages=() field=
for argument; do
  case $argument in
    -h|--help) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    c|cpp|julia|rust|fortran) languages+=("$argument") ;;
    *) [ -z "$field" ] || { echo "run.sh: there are two fields, $field and $argument" >&2; exit 2; }
       field=$(realpath "$argument") ;;
  esac
done
[ ${#languages[@]} -gt 0 ] || languages=(c cpp julia rust fortran)
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -z "$field" ] || [ -r "$field" ] || { echo "run.sh: $field cannot be read" >&2; exit 1; }

export NINJA_STATUS='[%f/%t %p %es] '
first=${languages[0]} build=$PWD/build
step() { printf '\n== %s (%ss since the start)\n' "$*" "$SECONDS"; }

.ci/setup.sh "$first"
# shellcheck disable=SC1091
source build/env.sh
step "build for $first"
if [ -f build/build.ninja ]; then
  cmake --preset default
elif examples/installed.sh "$PWD/build-installed" "${languages[@]}"; then
  build=$PWD/build-installed
else
  # A first build is for this machine only, which takes far less time: without tests, without CUDA where there is no driver,
  # for this processor, a folder as one file, and at -O1 around the loops over elements (a call takes 5 % longer).
  # tests/run.sh builds the rest. No hello has a raw kernel; the build below adds the module for heat.
  options=()
  [ -e /dev/nvidiactl ] || options=(-DARR_CUDA=OFF)
  export CCACHE_DISABLE=1  # no other build has these objects, and to keep them takes a tenth of the time
  cmake --preset first "${options[@]}"
fi
out=$build/examples/out
cmake --build "$build" --target "arr_examples_$first" -j "$(nproc)"
step "hello in $first"
"examples/$first/run.sh" "$build" hello

step "what the other programs and languages need"
.ci/setup.sh "${languages[@]}" numpy
# shellcheck disable=SC1091
source build/env.sh
options=()
[ "$build" != "$PWD/build" ] || options=(-DARR_HOST_KERNELS=ON)
if [ ${#options[@]} -gt 0 ] || [ ${#languages[@]} -gt 1 ]; then
  step "build for ${languages[*]}"
  cmake "${options[@]}" "$build"  # which finds the compilers that have come
  cmake --build "$build" --target "${languages[@]/#/arr_examples_}" -j "$(nproc)"
fi

mkdir -p "$out"
if [ -z "$field" ]; then
  field=$out/field.npy
  "$PYTHON" examples/make_field.py "$field"
fi
for program in hello share; do
  for language in "${languages[@]}"; do
    [ "$program $language" != "hello $first" ] || continue
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
