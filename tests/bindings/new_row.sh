#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# new_row.sh [BUILD] - a row in a table is all that a new op, a new reduction or a new distribution takes.
#
# In a copy of the tree: adds a row to each of core/table/{ops,reductions,distributions}.def, runs the generators, checks
# that they have nothing left to do, builds the library (by the compiler of BUILD, nothing optimised), and calls the new
# functions from C, Julia, Rust and Fortran. NEW_ROW_LIBRARY=no leaves the library and the calls out.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-}
programs=$root/tests/bindings/new_row
say() { printf '== %s (%ss)\n' "$*" "$SECONDS"; }

missing=() tools=(swig)
with_library=${NEW_ROW_LIBRARY:-yes}
[ "$with_library" = no ] || tools+=(cmake ninja "${JULIA:-julia}" cargo "${FC:-gfortran}")
for tool in "${tools[@]}"; do
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

say "three rows, and what follows from them"
tables=$copy/core/table
op='ARR_OP(500, cube, 1, SAME, SAME, IUFC, UP, 4, 4, "Computes x * x * x.", "", arr_multiply(x, arr_multiply(x, x)))'
reduction='ARR_REDUCTION(60, twice_sum, VALUE, BIUFC, SUM, ACC, OK, A(0), a + b, a + a, "Computes twice the sum.", "", NONE, A, PLAIN, none)'
distribution='ARR_DISTRIBUTION(500, span, 2, DOUBLE, "start=0 width=1:ge0", "Draws uniform numbers in [start, start + width).", "", a + b * d.unit(0))'
echo "$op" >> "$tables/ops.def"
echo "$reduction" >> "$tables/reductions.def"
echo "$distribution" >> "$tables/distributions.def"
"$copy/tests/house/fresh.py" --fix
"$copy/tests/house/fresh.py" || { echo "the generators have not made everything that they check"; exit 1; }

in_file() { grep -qE "$2" "$copy/$1" || { echo "$1 does not have $2"; exit 1; }; }
for name in arr_cube_into arr_twice_sum_into arr_random_span_into; do
  for file in capi/exports.map bindings/julia/src/generated.jl bindings/rust/arr-sys/src/generated.rs \
    bindings/fortran/src/arr_generated.f90 bindings/api.json; do
    in_file "$file" "$name"
  done
done
in_file capi/include/arr/ops.h "arr_cube\\("
in_file capi/include/arr/reduce.h arr_twice_sum
in_file capi/include/arr/distributions.h arr_random_span
in_file bindings/rust/arr/src/ops_generated.rs try_cube
in_file bindings/rust/arr/src/ops_generated.rs try_twice_sum
in_file bindings/fortran/src/arr_ops_generated.f90 'interface arr_cube$'
in_file bindings/fortran/src/arr_reductions_generated.f90 'interface arr_twice_sum$'
in_file bindings/fortran/src/arr_functions_generated.f90 'interface arr_random_span$'
in_file bindings/rust/arr/src/random_generated.rs 'span, fill_span'
if [ "$with_library" = no ]; then
  say "done, without the library"
  exit 0
fi

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
"${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I"$copy/capi/include" "$programs/rows.c" -L"$folder" -larr -o rows_c
./rows_c
"${JULIA:-julia}" --startup-file=no "$programs/rows.jl" "$copy"
mkdir -p program/src
cp "$programs/rows.rs" program/src/main.rs
printf '[package]\nname = "program"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\narr-sys = { path = "%s" }\n[workspace]\n' \
  "$copy/bindings/rust/arr-sys" > program/Cargo.toml
CARGO_TARGET_DIR=$work/target cargo run --quiet --offline --manifest-path program/Cargo.toml
# Module arr from its sources in the order of their list, linked against the library.
fortran=$copy/bindings/fortran
sources=$(sed -n '/^set(_sources/,/)/p' "$fortran/CMakeLists.txt" | tr -d '()\n' | sed 's/^set_sources//')
mapfile -t files < <(for s in $sources; do ls "$fortran/src/$s".[fF]90; done)
parts=(shim places ownership finalized leaks)
for part in "${parts[@]}"; do "${CC:-cc}" -c "$fortran/src/arr_$part.c" -o "$part.o"; done
"${FC:-gfortran}" -std=f2018 "${files[@]}" "${parts[@]/%/.o}" "$programs/rows.f90" -L"$folder" -larr -o rows_f
./rows_f
say "done"
