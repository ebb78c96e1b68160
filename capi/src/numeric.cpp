// SPDX-License-Identifier: MIT
// numeric.h: functions made of several operations.
#include "arr/numeric.h"

#include "ops/numeric.h"
#include "seam.h"

using namespace arr::capi;

arr_status arr_round(arr_array a, int32_t decimals, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_round", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::round(*x, decimals, s.get());
  });
}

arr_status arr_nan_to_num(arr_array a, double nan, const double* posinf, const double* neginf,
                          arr_stream stream_handle, arr_array* out) {
  return make_array("arr_nan_to_num", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::nan_to_num(*x, nan, posinf, neginf, s.get());
  });
}

namespace {

// A function of two arrays.
template <class Body>
arr_status binary(const char* function, arr_array x, arr_array y, arr_stream stream_handle, arr_array* out,
                  Body&& body) noexcept {
  return make_array(function, out, [&] {
    auto a = array(x, "x");
    auto b = array(y, "y");
    auto s = stream(stream_handle);
    return body(*a, *b, s.get());
  });
}

}  // namespace

arr_status arr_isclose(arr_array x, arr_array y, double rtol, double atol, int32_t equal_nan,
                       arr_stream stream, arr_array* out) {
  return binary("arr_isclose", x, y, stream, out, [&](const arr::Array& a, const arr::Array& b, auto* s) {
    return arr::isclose(a, b, {rtol, atol, equal_nan != 0}, s);
  });
}

arr_status arr_allclose(arr_array x, arr_array y, double rtol, double atol, int32_t equal_nan,
                        arr_stream stream, arr_array* out) {
  return binary("arr_allclose", x, y, stream, out, [&](const arr::Array& a, const arr::Array& b, auto* s) {
    return arr::allclose(a, b, {rtol, atol, equal_nan != 0}, s);
  });
}

arr_status arr_array_equal(arr_array x, arr_array y, int32_t equal_nan, arr_stream stream, arr_array* out) {
  return binary("arr_array_equal", x, y, stream, out, [&](const arr::Array& a, const arr::Array& b, auto* s) {
    return arr::array_equal(a, b, equal_nan != 0, s);
  });
}

arr_status arr_array_equiv(arr_array x, arr_array y, arr_stream stream, arr_array* out) {
  return binary("arr_array_equiv", x, y, stream, out,
                [&](const arr::Array& a, const arr::Array& b, auto* s) { return arr::array_equiv(a, b, s); });
}
