// SPDX-License-Identifier: MIT
// Float32 vectors of equal elements, and the counts of recorded operations, for the tests of fuse.h.
#pragma once

#include <arr/arr.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

namespace arr_test {

inline arr_array full(double x, int64_t n) {
  arr_value v;
  arr_value_f32(&v, x);
  arr_array a = nullptr;
  EXPECT_EQ(arr_full(ARR_FLOAT32, 1, &n, ARR_ORDER_C, &v, nullptr, nullptr, &a), ARR_OK) << arr_last_error();
  return a;
}

using Binary = arr_status (*)(arr_array, arr_array, arr_stream, arr_array*);
inline arr_array apply(Binary f, arr_array x, arr_array y) {
  arr_array out = nullptr;
  EXPECT_EQ(f(x, y, nullptr, &out), ARR_OK) << arr_last_error();
  return out;
}

// The value of all elements; NaN if they differ.
inline float uniform(arr_array a, int64_t n) {
  std::vector<float> host(static_cast<size_t>(n));
  EXPECT_EQ(arr_get(a, ARR_ORDER_C, host.data(), n * 4, nullptr), ARR_OK) << arr_last_error();
  return std::all_of(host.begin(), host.end(), [&](float x) { return x == host[0]; }) ? host[0] : NAN;
}

inline void release(std::initializer_list<arr_array> arrays) {
  for (arr_array a : arrays) EXPECT_EQ(arr_release(a), ARR_OK);
}

inline arr_fuse_stats stats() {
  arr_fuse_stats s{};
  s.struct_size = sizeof s;
  EXPECT_EQ(arr_fuse_info(&s), ARR_OK);
  return s;
}

}  // namespace arr_test
