#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# new_row.sh [BUILD] - one row in core/table/ops.def is all that a new op takes.
#
# In a copy of the tree: adds a row, regenerates, builds the library (by the compiler of BUILD, nothing optimised), and
# calls the new function from C, Julia, Rust and Fortran through the generated layers.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-}
programs=$root/tests/bindings/new_row
say() { printf '== %s (%ss)\n' "$*" "$SECONDS"; }

missing=()
for tool in swig cmake ninja "${JULIA:-julia}" cargo "${FC:-gfortran}"; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "skipped: not installed: ${missing[*]}"
  exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/arr
mkdir "$copy"
(cd "$root" && if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then git ls-files -co --exclude-standard -z
  else find . -type f -not -path './build*' -print0; fi | tar --null --ignore-failed-read -T - -cf -) | tar -xf - -C "$copy"

say "a row, and what follows from it"
row='ARR_OP(500, cube, 1, SAME, SAME, IUFC, UP, 4, 4, "x * x * x.", "", arr_multiply(x, arr_multiply(x, x)))'
echo "$row" >> "$copy/core/table/ops.def"
"$copy/bindings/generate/generate.py"
for file in capi/include/arr/ops.h capi/exports.map bindings/julia/src/generated.jl \
  bindings/rust/arr-sys/src/generated.rs bindings/rust/arr/src/ops_generated.rs bindings/fortran/src/arr_generated.f90; do
  grep -q arr_cube_into "$copy/$file" || { echo "$file does not have the new op"; exit 1; }
done
grep -q 'interface arr_cube$' "$copy/bindings/fortran/src/arr_ops_generated.f90" || { echo "module arr has no arr_cube"; exit 1; }

say "the library"
# Paths relative to the copy let a compiler cache serve the files that the row does not change.
export CCACHE_BASEDIR=$copy CCACHE_NOHASHDIR=1
setting() { [ -n "$build" ] && sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true; }
compiler=$(setting CMAKE_CXX_COMPILER)
cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DARR_HOST_LEVELS=v2 ${compiler:+-DCMAKE_CXX_COMPILER="$compiler"} \
  -DARR_TESTS=OFF -DARR_EXAMPLES=OFF -DARR_CUDA=OFF > "$work/configure.log" || { cat "$work/configure.log"; exit 1; }
cmake --build "$copy/build" --target arr -j 2 > "$work/build.log" || { tail -40 "$work/build.log"; exit 1; }
library=$(find "$copy/build" -name 'libarr.so' | head -1)
[ -n "$library" ] || { echo "no libarr.so was built"; exit 1; }
folder=$(dirname "$library")
export ARR_LIBRARY=$library LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

say "the four languages"
cd "$work"
"${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I"$copy/capi/include" "$programs/cube.c" -L"$folder" -larr -o cube_c
./cube_c
"${JULIA:-julia}" --startup-file=no "$programs/cube.jl" "$copy"
mkdir -p program/src
cp "$programs/cube.rs" program/src/main.rs
printf '[package]\nname = "program"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\narr-sys = { path = "%s" }\n[workspace]\n' \
  "$copy/bindings/rust/arr-sys" > program/Cargo.toml
CARGO_TARGET_DIR=$work/target cargo run --quiet --offline --manifest-path program/Cargo.toml
"${FC:-gfortran}" -std=f2018 -Wall -Wextra -Werror "$copy/bindings/fortran/src/arr_generated.f90" "$programs/cube.f90" \
  -L"$folder" -larr -o cube_f
./cube_f
say "done"
