#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [--quick|--whole|--sample] [PRESET] [CTEST ARGUMENTS] - sets the machine up, builds, and runs the tests.
#
#   tests/run.sh                      nearly every suite on the host, a sample of its cases on CUDA: the same at every commit
#   tests/run.sh --quick              every suite once, a sample of its cases: three minutes after the build
#   tests/run.sh --whole              every suite in every variant, all cases: hours
#   tests/run.sh --sample asan-ubsan  only the library: the host's suites, the stress test, the fuzzers; a sample of the cases
#   tests/run.sh asan-ubsan           under the sanitizers; clang: by other compilers (presets: CMakePresets.json)
#   tests/run.sh -L capi              only the tests with the label capi, in every variant; any ctest option will do
#
# ARR_TEST_TURN=N takes each suite's N-th variant (.ci/run: another one at each commit) and ARR_TEST_LEVELS=all builds the
# loops of every instruction-set level, not only of this processor's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
layer=fixed preset=default
case ${1:-} in --quick|--whole|--sample) layer=${1#--}; shift ;; esac
case ${1:-} in
  -h|--help) sed -n '3,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
  -*|'') ;;
  *) preset=$1; shift ;;
esac

.ci/setup.sh
# shellcheck disable=SC1091
source build/env.sh
export NINJA_STATUS='[%f/%t %es] '
jobs=$(nproc)
build=build; [ "$preset" = default ] || build=build-$preset

step() { printf '\n== %s (%ss since the start)\n' "$*" "$SECONDS"; }
step "configure: preset $preset"
# Also where examples/run.sh has built for this machine only.
options=(-DARR_TESTS=ON -DARR_CUDA=ON -DARR_HOST_KERNELS=ON)
case $preset in
  clang|*san*) ;;
  *) options+=(-DARR_UNITY=OFF -DARR_HOST_LEVELS="${ARR_TEST_LEVELS:-native}" "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG") ;;
esac
cmake --preset "$preset" "${options[@]}"
step "build: $jobs jobs"
targets=()
[ "$layer" != sample ] || targets=(--target arr arr_test_capsule capi_stress)
cmake --build --preset "$preset" -j "$jobs" "${targets[@]}"

step "test"
# As on a new machine: no test relies on what the user's home folder has, or an earlier test left there. The compilers
# keep theirs.
export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}
export CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache} HOME=$PWD/$build/home
unset XDG_CACHE_HOME ARR_CACHE_DIR
rm -rf "$HOME"
mkdir "$HOME"
selection=()
if [ $# = 0 ] && [ "$layer" != whole ]; then
  turn=${ARR_TEST_TURN:-0}
  if [ "$layer" = fixed ] && [ -n "${ARR_TEST_TURN:-}" ]; then layer=turn; fi
  chosen=${layer/sample/quick}
  [ "$layer" != sample ] || selection=(-L 'conformance|fuzz' -LE slow -E '\.cuda')
  python3 -B tests/layers.py "$build" "$chosen" --turn "$turn" -- --preset "$preset" "${selection[@]}"
  selection+=(-I "$PWD/$build/tests-$chosen.txt")  # absolute: ctest reads it from the folder of the tests
  # The cases that suites leave out turn as well.
  export ARR_TEST_SEED=${ARR_TEST_SEED:-$turn}
  # Suites on CUDA compile kernels, most of them for one case; the sanitizers make their loops on the fake slow besides.
  case $layer-$preset in
    fixed-*san*) export ARR_TEST_CUDA_ONE_IN=${ARR_TEST_CUDA_ONE_IN:-32} ;;
    fixed-*) export ARR_TEST_CUDA_ONE_IN=${ARR_TEST_CUDA_ONE_IN:-24} ;;
    turn-*) export ARR_TEST_CUDA_ONE_IN=${ARR_TEST_CUDA_ONE_IN:-2} ;;
    *) export ARR_TEST_ONE_IN=${ARR_TEST_ONE_IN:-8} ;;
  esac
fi
[ "$layer" != whole ] || export ARR_TEST_WHOLE=1
status=0
if [ "$layer" = sample ]; then ctest --preset "$preset" --output-on-failure -R 'Stress.*host' || status=$?; fi
# Absolute too: ctest writes it there.
report=$PWD/$build/tests.xml
ctest --preset "$preset" --output-on-failure --no-tests=error -j "$jobs" --output-junit "$report" \
  "${selection[@]}" "$@" || status=$?
# Budgets are for CI's sample without sanitizers; only CI, which sets the turn, fails by them.
judge=()
if [ "$preset" = default ] && [ $# = 0 ]; then
  case $layer in fixed) judge=(--budgets) ;; turn) judge=(--enforce) ;; esac
fi
python3 -B tests/slowest.py "$report" "${judge[@]}" || status=1
[ "$layer" != whole ] || python3 -B docs/make_proof.py --from "$report"  # docs/gpu/proof.md, to be committed
[ "$status" = 0 ] || exit "$status"

if [ "$preset" = coverage ]; then
  step "coverage"
  if command -v gcovr >/dev/null; then
    gcovr --root . --filter 'core/' --filter 'capi/' --filter 'dlpack/' --exclude-throw-branches build-coverage
  else
    echo "gcovr is not installed: the counts are in build-coverage (*.gcda)"
  fi
fi
