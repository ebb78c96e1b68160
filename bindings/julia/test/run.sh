#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh BUILD_DIR SANITIZERS NAME - one file of tests against the library in BUILD_DIR.
#
# Tests run once, so that compiling them takes ten times as long as interpreting them does. Compiled is what asks
# when the collector frees something (an interpreter holds objects longer), or which exception a generated function
# throws.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -n "$2" ]; then
  # Julia's collector stops threads by page faults, which the sanitizers' runtimes take for errors.
  echo "skipped: Julia does not run under the sanitizers ($2)"
  exit 77
fi
"$here/../compile.sh" "$1"
source "$here/../julia.sh" "$1"
case $3 in
  arrays | memory | sharing) mode=(--compile=yes -O0) ;;
  dist) mode=(--compile=min -O0 --threads=3) ;; # a rank each
  *) mode=(--compile=min -O0) ;;
esac
exec "$ARR_JULIA" "${mode[@]}" --startup-file=no --project="$here/.." "$here/runtests.jl" "$3"
