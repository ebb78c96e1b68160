// SPDX-License-Identifier: MIT
// linalg.h: matrix and vector products.
#include "capi/src/entry.h"
#include "ops/calculus/calculus.h"
#include "ops/linalg/compute_type.h"
#include "ops/linalg/matmul.h"

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

arr_status arr_matmul_set_compute_type(arr_dtype dtype, int32_t compute) {
  return guard("arr_matmul_set_compute_type",
               [&] { arr::set_matmul_compute(arr::dtype_from(dtype), compute); });
}

arr_status arr_matmul_compute_type(arr_dtype dtype, int32_t* compute) {
  return guard("arr_matmul_compute_type", [&] {
    check_pointer(compute, "compute");
    *compute = static_cast<int32_t>(arr::matmul_compute_of(arr::dtype_from(dtype)));
  });
}

arr_status arr_cross(arr_array a, arr_array b, int32_t axisa, int32_t axisb, int32_t axisc,
                     arr_stream stream_handle, arr_array* out) {
  return make_array("arr_cross", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::cross(*x, *y, axisa, axisb, axisc, s.get());
  });
}

arr_status arr_vecdot(arr_array a, arr_array b, int32_t axis, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_vecdot", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::vecdot(*x, *y, axis, s.get());
  });
}

arr_status arr_matvec(arr_array a, arr_array b, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_matvec", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::matvec(*x, *y, s.get());
  });
}

arr_status arr_vecmat(arr_array a, arr_array b, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_vecmat", out, [&] {
    auto x = array(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::vecmat(*x, *y, s.get());
  });
}
