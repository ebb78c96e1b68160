#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# new_row.sh [BUILD] - a row in a table is all that a new op, a new reduction or a new distribution takes.
#
# In a copy of the tree: adds a row to each of core/table/{ops,reductions,distributions}.def, runs the generators, checks
# that they have nothing left to do, builds the library (by the compiler of BUILD, nothing optimised), and calls the new
# functions from C, Julia, Rust and Fortran. NEW_ROW_LIBRARY=no leaves the library and the calls out.
set -euo pipefail
build=${1:-}
# shellcheck source=scratch.sh
source "$(dirname "${BASH_SOURCE[0]}")/scratch.sh"
with_library=${NEW_ROW_LIBRARY:-yes}
scratch_needs swig
[ "$with_library" = no ] || scratch_needs cmake ninja "${JULIA:-julia}" cargo "${FC:-gfortran}"
scratch_copy

say "three rows, and what follows from them"
tables=$copy/core/table
op='ARR_OP(500, cube, 1, SAME, SAME, IUFC, UP, 4, 4, "Computes x * x * x.", "", arr_multiply(x, arr_multiply(x, x)))'
reduction='ARR_REDUCTION(60, twice_sum, VALUE, BIUFC, SUM, ACC, OK, A(0), a + b, a + a, "Computes twice the sum.", "", NONE, A, PLAIN, none)'
distribution='ARR_DISTRIBUTION(500, span, 2, DOUBLE, "start=0 width=1:ge0", "Draws uniform numbers in [start, start + width).", "", a + b * d.unit(0))'
echo "$op" >> "$tables/ops.def"
echo "$reduction" >> "$tables/reductions.def"
echo "$distribution" >> "$tables/distributions.def"
scratch_generate

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
scratch_library -DARR_CUDA=OFF -- arr
say "the four languages"
scratch_languages "$root/tests/bindings/new_row"
say "done"
