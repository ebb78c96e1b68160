// SPDX-License-Identifier: MIT
// numeric.h: functions that combine several operations.
#include "arr/numeric.h"

#include "capi/src/entry.h"
#include "ops/ufunc/numeric.h"
#include "ops/ufunc/packbits.h"

using namespace arr::capi;

arr_status arr_round(arr_array a, int32_t decimals, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_round", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::round(*x, decimals, s.get());
  });
}

arr_status arr_round_into(arr_array dst, arr_array a, int32_t decimals, arr_stream stream_handle) {
  return guard("arr_round_into", [&] {
    auto to = array(dst, "dst");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::round_into(*to, *x, decimals, s.get());
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

arr_status arr_angle_degrees(arr_array z, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_angle_degrees", out, [&] {
    auto x = array(z, "z");
    auto s = stream(stream_handle);
    return arr::angle_degrees(*x, s.get());
  });
}

arr_status arr_nan_to_num_with(arr_array a, arr_array nan, arr_array posinf, arr_array neginf,
                               arr_stream stream_handle, arr_array* out) {
  return make_array("arr_nan_to_num_with", out, [&] {
    auto x = array(a, "a");
    auto n = optional_array(nan, "nan");
    auto p = optional_array(posinf, "posinf");
    auto m = optional_array(neginf, "neginf");
    auto s = stream(stream_handle);
    return arr::nan_to_num(*x, arr::Replacements{n.get(), p.get(), m.get()}, s.get());
  });
}

arr_status arr_nan_to_num_into(arr_array dst, arr_array a, double nan, const double* posinf,
                               const double* neginf, arr_stream stream_handle) {
  return guard("arr_nan_to_num_into", [&] {
    auto to = array(dst, "dst");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::nan_to_num_into(*to, *x, nan, posinf, neginf, s.get());
  });
}

arr_status arr_real_if_close(arr_array a, double tol, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_real_if_close", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::real_if_close(*x, tol, s.get());
  });
}

namespace {

arr::BitOrder bitorder_argument(int32_t bitorder) {
  if (bitorder != ARR_BITORDER_BIG && bitorder != ARR_BITORDER_LITTLE) {
    arr::fail(ARR_E_ARGUMENT, "argument bitorder: ", bitorder, ", expected one of ARR_BITORDER_...");
  }
  return static_cast<arr::BitOrder>(bitorder);
}

}  // namespace

arr_status arr_packbits(arr_array a, int32_t axis, int32_t bitorder, arr_stream stream_handle,
                        arr_array* out) {
  return make_array("arr_packbits", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::packbits(*x, axis, bitorder_argument(bitorder), s.get());
  });
}

arr_status arr_unpackbits(arr_array a, int32_t axis, const int64_t* count, int32_t bitorder,
                          arr_stream stream_handle, arr_array* out) {
  return make_array("arr_unpackbits", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    std::optional<int64_t> wanted;
    if (count != nullptr) wanted = *count;
    return arr::unpackbits(*x, axis, wanted, bitorder_argument(bitorder), s.get());
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

arr_status arr_isclose(arr_array x, arr_array y, double rtol, double atol, bool equal_nan, arr_stream stream,
                       arr_array* out) {
  return binary("arr_isclose", x, y, stream, out, [&](const arr::Array& a, const arr::Array& b, auto* s) {
    return arr::isclose(a, b, {rtol, atol, equal_nan}, s);
  });
}

arr_status arr_allclose(arr_array x, arr_array y, double rtol, double atol, bool equal_nan, arr_stream stream,
                        arr_array* out) {
  return binary("arr_allclose", x, y, stream, out, [&](const arr::Array& a, const arr::Array& b, auto* s) {
    return arr::allclose(a, b, {rtol, atol, equal_nan}, s);
  });
}

arr_status arr_array_equal(arr_array x, arr_array y, bool equal_nan, arr_stream stream, arr_array* out) {
  return binary("arr_array_equal", x, y, stream, out, [&](const arr::Array& a, const arr::Array& b, auto* s) {
    return arr::array_equal(a, b, equal_nan, s);
  });
}

arr_status arr_array_equiv(arr_array x, arr_array y, arr_stream stream, arr_array* out) {
  return binary("arr_array_equiv", x, y, stream, out,
                [&](const arr::Array& a, const arr::Array& b, auto* s) { return arr::array_equiv(a, b, s); });
}
