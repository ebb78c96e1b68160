#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# compile.sh BUILD_DIR - lets Julia compile the package into BUILD_DIR; without Julia, says so and succeeds.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(source "$here/julia.sh" "$1" && exec "$ARR_JULIA" --startup-file=no --project="$here" -e 'using Arr') || {
  code=$?
  [ $code -eq 77 ] || exit $code
}
