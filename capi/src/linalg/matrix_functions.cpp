// SPDX-License-Identifier: MIT
// matrix_functions.h: functions of matrices.
#include "ops/linalg/matrix_functions.h"

#include "capi/src/linalg/arguments.h"

using namespace arr::capi;

arr_status arr_sqrtm(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_sqrtm", a, "a", stream, out, arr::sqrtm);
}

arr_status arr_logm(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_logm", a, "a", stream, out, arr::logm);
}

arr_status arr_fractional_matrix_power(arr_array a, double p, arr_stream stream, arr_array* out) {
  return unary_call(
      "arr_fractional_matrix_power", a, "a", stream, out,
      [p](const arr::Array& x, arr::Stream* s) { return arr::fractional_matrix_power(x, p, s); });
}
