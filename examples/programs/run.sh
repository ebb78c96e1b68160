#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh BUILD_DIR LANGUAGE FOLDER NAME ... - runs programs of a language on FOLDER/NAME.npy with the library in
# BUILD_DIR; they write FOLDER/NAME_result.npy.
set -euo pipefail
[ $# -ge 4 ] || { sed -n '3,4s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
language=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case $language in
  c | cpp) exec "$build/bin/programs_$language" "$@" ;;
  fortran)
    export ARR_LIBRARY=${ARR_LIBRARY:-$build/lib/libarr.so.0}
    exec "$build/bin/programs_fortran" "$@"
    ;;
  julia)
    source "$here/../../bindings/julia/julia.sh" "$build"
    exec "$ARR_JULIA" --startup-file=no --project="$here/../../bindings/julia" "$here/julia/programs.jl" "$@"
    ;;
  rust)
    source "$here/../../bindings/rust/cargo.sh" "$build"
    "$ARR_CARGO" build --quiet --offline --release --manifest-path "$here/../rust/Cargo.toml" --bin programs
    exec "$CARGO_TARGET_DIR/release/programs" "$@"
    ;;
  *) echo "run.sh: no programs in $language" >&2; exit 2 ;;
esac
