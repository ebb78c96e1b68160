#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh BUILD_DIR PROGRAM [ARGUMENTS] - runs hello, heat or share against the library in BUILD_DIR.
set -euo pipefail
build=$(realpath "$1")
program=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../bindings/julia/julia.sh" "$build"
exec "$ARR_JULIA" --startup-file=no --project="$here/../../bindings/julia" "$here"/*"_$program.jl" "$@"
