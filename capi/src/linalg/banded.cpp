// SPDX-License-Identifier: MIT
// banded.h: linear equations whose matrices have a few diagonals.
#include "ops/linalg/banded.h"

#include "capi/src/linalg/arguments.h"

using namespace arr::capi;

arr_status arr_solve_tridiagonal(arr_array lower, arr_array diagonal, arr_array upper, arr_array b,
                                 int32_t axis, int32_t on_failure, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_solve_tridiagonal", out, [&] {
    auto l = array(lower, "lower");
    auto d = array(diagonal, "diagonal");
    auto u = array(upper, "upper");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::solve_tridiagonal({*l, *d, *u, *y}, axis, failure_argument(on_failure), s.get());
  });
}

arr_status arr_solve_banded(arr_array ab, arr_array b, int64_t l, int64_t u, int32_t on_failure,
                            arr_stream stream_handle, arr_array* out) {
  return make_array("arr_solve_banded", out, [&] {
    auto x = array(ab, "ab");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::solve_banded(*x, *y, {l, u}, failure_argument(on_failure), s.get());
  });
}

arr_status arr_solveh_banded(arr_array ab, arr_array b, bool lower, int32_t on_failure,
                             arr_stream stream_handle, arr_array* out) {
  return make_array("arr_solveh_banded", out, [&] {
    auto x = array(ab, "ab");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::solveh_banded(*x, *y, lower, failure_argument(on_failure), s.get());
  });
}
