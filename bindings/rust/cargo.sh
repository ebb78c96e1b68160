#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cargo.sh BUILD_DIR - to be sourced: finds cargo (ARR_CARGO), points it at the library in BUILD_DIR and keeps
# what it builds there. Exits 77 where there is no cargo of Rust 1.78 or later.
if [ -z "${ARR_CARGO:-}" ]; then
  for ARR_CARGO in "$(command -v cargo || true)" "${HOME:-/root}/.cargo/bin/cargo"; do
    [ -x "$ARR_CARGO" ] && break
  done
fi
[ -x "$ARR_CARGO" ] || { echo "skipped: no cargo on PATH (.ci/setup.sh installs one)"; exit 77; }
case "$("$ARR_CARGO" --version)" in
  "cargo 1."[0-9].* | "cargo 1."[1-6][0-9].* | "cargo 1.7"[0-7].*)
    echo "skipped: $("$ARR_CARGO" --version) is older than 1.78"
    exit 77
    ;;
esac
PATH=$(dirname "$ARR_CARGO"):$PATH
export PATH ARR_CARGO
export ARR_LIBRARY=${ARR_LIBRARY:-$1/lib/libarr.so.0}
export CARGO_TARGET_DIR=$1/rust-target

# collect_crates FOLDER - makes of FOLDER a source of crates, in cargo's sense, for the features of arr-interop: those of
# Debian's folder of crates, or of ARR_CRATES, and the stand-ins of arr-interop/tests for those that are not there. Sets
# the lists `features` and, of the crates that are in neither, `absent`.
collect_crates() {
  local registry=${ARR_CRATES:-/usr/share/cargo/registry} crate stand_in
  features=() absent=()
  mkdir -p "$1"
  for crate in "$registry"/*/; do
    if [ -f "$crate/Cargo.toml" ]; then ln -sfn "${crate%/}" "$1/"; fi
  done
  for crate in half num-complex ndarray dlpark; do
    stand_in=arr-interop/tests/stand-ins/$crate
    if compgen -G "$registry/$crate-[0-9]*/Cargo.toml" >/dev/null; then
      features+=("$crate")
    elif [ -d "$stand_in" ]; then
      echo "a stand-in: $crate"
      cp -r "$stand_in" "$1/$crate"
      echo '{"files":{}}' > "$1/$crate/.cargo-checksum.json"
      features+=("$crate")
    else
      absent+=("$crate")
    fi
  done
}
