// SPDX-License-Identifier: MIT
// linalg.h: matrix products.
#include "ops/reduce.h"
#include "seam.h"

using namespace arr::capi;

arr_status arr_matmul(arr_array a, arr_array b, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_matmul", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::matmul(*x, *y, s.get());
  });
}

arr_status arr_matmul_into(arr_array dst, arr_array a, arr_array b, arr_stream stream_handle) {
  return guard("arr_matmul_into", [&] {
    auto to = array(dst, "dst");
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    arr::matmul_into(*to, *x, *y, s.get());
  });
}
