#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh [PRESET] [CTEST ARGUMENTS] - sets the machine up, builds, and runs every test suite.
#
#   tests/run.sh                      the optimised build, all suites
#   tests/run.sh asan-ubsan           under the sanitizers (presets: CMakePresets.json)
#   tests/run.sh -L capi              only the tests with the label capi; any ctest option will do
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=default
case ${1:-} in
  -h|--help) sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
  -*|'') ;;
  *) preset=$1; shift ;;
esac

.ci/setup.sh
# shellcheck disable=SC1091
source build/env.sh
export NINJA_STATUS='[%f/%t %es] '
jobs=$(nproc)

step() { printf '\n== %s (%ss since the start)\n' "$*" "$SECONDS"; }
step "configure: preset $preset"
cmake --preset "$preset"
step "build: $jobs jobs"
cmake --build --preset "$preset" -j "$jobs"
step "test"
ctest --preset "$preset" --output-on-failure --no-tests=error -j "$jobs" "$@"

if [ "$preset" = coverage ]; then
  step "coverage"
  if command -v gcovr >/dev/null; then
    gcovr --root . --filter 'core/' --filter 'capi/' --filter 'dlpack/' --exclude-throw-branches build-coverage
  else
    echo "gcovr is not installed: the counts are in build-coverage (*.gcda)"
  fi
fi
