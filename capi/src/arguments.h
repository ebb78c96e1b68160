// SPDX-License-Identifier: MIT
// Arguments of functions of several headers.
#pragma once

#include <vector>

#include "entry.h"
#include "ops/calculus/calculus.h"

namespace arr::capi {

// Several arrays, kept alive.
class Arrays {
 public:
  Arrays(int32_t n, const arr_array* handles, const char* argument) {
    if (n < 0) fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
    if (n > 0) check_pointer(handles, argument);
    pinned_.reserve(static_cast<size_t>(n));
    arrays_.reserve(static_cast<size_t>(n));
    for (int32_t i = 0; i < n; ++i) {
      pinned_.push_back(array(handles[i], argument));
      arrays_.push_back(pinned_.back().get());
    }
  }
  [[nodiscard]] std::span<const Array* const> all() const { return arrays_; }

 private:
  std::vector<Pinned<Array>> pinned_;
  std::vector<const Array*> arrays_;
};

inline ConvolveMode convolve_mode(int32_t mode) {
  if (mode < ARR_CONVOLVE_FULL || mode > ARR_CONVOLVE_VALID) {
    fail(ARR_E_ARGUMENT, "argument mode: ", mode, ", expected one of ARR_CONVOLVE_...");
  }
  return static_cast<ConvolveMode>(mode);
}

inline const OpInfo& ufunc_argument(int32_t op) {
  const OpInfo* found = op_info(op);
  if (found == nullptr) fail(ARR_E_ARGUMENT, "argument op: ", op, " is not an operation number");
  return *found;
}

// 0 lets the function choose.
inline DType optional_dtype(arr_dtype dtype) { return dtype == 0 ? DType::none : dtype_from(dtype); }

// Fills a caller's buffer with the first extents or strides, and reports how many there are.
inline void put_dims(const arr::Layout& l, const int64_t* values, int64_t divisor, int32_t capacity,
                     int64_t* out, int32_t* ndim) {
  if (capacity < 0) arr::fail(ARR_E_ARGUMENT, "argument capacity: ", capacity, " is negative");
  for (int32_t i = 0; out != nullptr && i < l.ndim && i < capacity; ++i) out[i] = values[i] / divisor;
  if (ndim != nullptr) *ndim = l.ndim;
}

// A function of one array.
template <class Body>
arr_status unary_call(const char* function, arr_array a, const char* argument, arr_stream stream_handle,
                      arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, argument);
    auto s = stream(stream_handle);
    return body(*x, s.get());
  });
}

// A function of two arrays.
template <class Body>
arr_status binary_call(const char* function, arr_array a, const char* first, arr_array b, const char* second,
                       arr_stream stream_handle, arr_array* out, Body&& body) noexcept {
  return make_array(function, out, [&] {
    auto x = array(a, first);
    auto y = array(b, second);
    auto s = stream(stream_handle);
    return body(*x, *y, s.get());
  });
}

}  // namespace arr::capi
