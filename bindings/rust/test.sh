#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# test.sh BUILD_DIR NAME - runs arr/tests/NAME.rs, or one of: unit, doc (the examples in the documentation),
# documentation (rustdoc has nothing to warn of), asynchronous (all of arr/tests, meant for ARR_HOST_ASYNC=1), safety (what
# the sources say of unsafe), examples (methods without one), format (rustfmt), clippy. Exits 77 where the tool is not
# installed.
set -euo pipefail
build=$(realpath "$1")
name=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
source ./cargo.sh "$build"
manifests=(Cargo.toml ../../examples/rust/Cargo.toml)

# A tool of cargo's that a distribution may package on its own.
need() {
  "$ARR_CARGO" "$1" --version >/dev/null 2>&1 || { echo "skipped: no cargo $1"; exit 77; }
}

rust_since() {
  printf '%s\n' "$1" "$("$ARR_CARGO" --version | cut -d ' ' -f 2)" | sort -V -C
}

case $name in
  unit) "$ARR_CARGO" test --offline --workspace --lib ;;
  doc)
    TMPDIR=$build/rust-doc-files # the examples write there
    export TMPDIR
    mkdir -p "$TMPDIR"
    if rust_since 1.85; then
      # rustdoc compiles the examples of a crate of 2024 as one program: 6 seconds, not 150.
      copy=$build/rust-doc
      rm -rf "$copy"
      mkdir "$copy"
      cp -rp Cargo.toml Cargo.lock arr arr-sys "$copy"
      sed -i 's/^edition = .*/edition = "2024"/; s/^rust-version = .*/rust-version = "1.85"/' "$copy/arr/Cargo.toml"
      cd "$copy"
    fi
    "$ARR_CARGO" test --offline --doc --package arr
    ;;
  documentation) RUSTDOCFLAGS="-D warnings" "$ARR_CARGO" doc --offline --workspace ;;
  asynchronous) "$ARR_CARGO" test --offline --package arr --tests --no-fail-fast ;;
  safety) "${PYTHON:-python3}" ./safety.py ;;
  examples) "${PYTHON:-python3}" ./examples.py ;;
  format)
    need fmt
    for manifest in "${manifests[@]}"; do "$ARR_CARGO" fmt --check --all --manifest-path "$manifest"; done
    ;;
  clippy)
    need clippy
    for manifest in "${manifests[@]}"; do
      "$ARR_CARGO" clippy --offline --workspace --all-targets --manifest-path "$manifest" -- -D warnings
    done
    ;;
  *) "$ARR_CARGO" test --offline --package arr --test "$name" ;;
esac
