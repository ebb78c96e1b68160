#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# layout.sh - the sizes and offsets of the generated types, as the compilers of Fortran, Julia, Rust and Python see
# them; C's own are in tests/abi. The library is not needed: the generated layers load without it, with a typed error.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH
export ARR_LIBRARY=$work/absent.so
ran=0 missing=()

python3 -B "$root/bindings/generate/generate.py" --layouts "$work"
if command -v "${FC:-gfortran}" >/dev/null; then
  (cd "$work" && "${FC:-gfortran}" -std=f2018 -Wall -Wextra -Werror -o layout \
    "$root/bindings/fortran/src/arr_generated.f90" layout.f90 && ./layout)
  echo "Fortran: same" && ran=$((ran + 1))
else missing+=(gfortran); fi

if command -v "${JULIA:-julia}" >/dev/null; then
  "${JULIA:-julia}" --startup-file=no -e '
    include(joinpath(ARGS[1], "bindings/julia/src/LibArr.jl"))
    kind() = try LibArr.arr_version() catch e; typeof(e) end
    kind() == LibArr.LibraryError || error("without the library: $(kind())")
    LibArr.available() && error("a library that is absent is available")' "$root"
  echo "Julia: same, and a LibraryError without the library" && ran=$((ran + 1))
else missing+=(julia); fi

if command -v cargo >/dev/null; then
  mkdir -p "$work/program/src"
  cat > "$work/program/Cargo.toml" <<EOF
[package]
name = "program"
version = "0.1.0"
edition = "2021"
[dependencies]
arr-sys = { path = "$root/bindings/rust/arr-sys" }
[workspace]
EOF
  cat > "$work/program/src/main.rs" <<'EOF'
fn main() {
    let error = arr_sys::api().err().expect("a library that is absent was loaded");
    assert!(error.tried.len() == 1 && error.to_string().contains("absent.so"), "{error}");
}
EOF
  (cd "$work/program" && CARGO_TARGET_DIR=$work/target cargo run --quiet --offline)
  echo "Rust: same, and a LoadError without the library" && ran=$((ran + 1))
else missing+=(cargo); fi

python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1] + "/tests/support"); import arr_ctypes' "$root"
echo "Python: same"
if [ ${#missing[@]} -gt 0 ]; then
  echo "skipped: not installed: ${missing[*]} ($ran of 3 languages checked)"
  exit 77
fi
