#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh BUILD_DIR PROGRAM [ARGUMENTS] - runs hello, heat or share against the library in BUILD_DIR.
set -euo pipefail
build=$(realpath "$1")
program=$2
shift 2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../../bindings/rust/cargo.sh" "$build"
case $program in
  hello) program=01_hello ;;
  heat) program=02_heat ;;
  share) program=03_share ;;
  *) echo "run.sh: no program $program" >&2; exit 2 ;;
esac
"$ARR_CARGO" build --quiet --offline --release --manifest-path "$here/Cargo.toml" --bin "$program"
exec "$CARGO_TARGET_DIR/release/$program" "$@"
