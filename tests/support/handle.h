// SPDX-License-Identifier: MIT
// Small helpers for C++ tests of the C API: an owning array handle, and a guard that finds leaks.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "arr/arr.h"

namespace arr_test {

// Owns one array handle.
class Handle {
 public:
  Handle() = default;
  explicit Handle(arr_array h) : h_(h) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&& o) noexcept : h_(std::exchange(o.h_, nullptr)) {}
  Handle& operator=(Handle&& o) noexcept {
    std::swap(h_, o.h_);
    return *this;
  }
  ~Handle() { reset(); }
  void reset() {
    if (h_ != nullptr) {
      EXPECT_EQ(arr_release(std::exchange(h_, nullptr)), ARR_OK);
    }
  }
  // The place for the new handle of a call.
  arr_array* out() {
    reset();
    return &h_;
  }
  operator arr_array() const { return h_; }

 private:
  arr_array h_ = nullptr;
};

using Ints = std::vector<int64_t>;

// Every test derives from this: handles and objects are as many after it as before.
class NoLeaks : public ::testing::Test {
 protected:
  void SetUp() override {
    // The host's default stream is made on first use and stays.
    int64_t one = 1;
    Handle warm;
    ASSERT_EQ(arr_zeros(ARR_INT8, 1, &one, ARR_ORDER_C, nullptr, nullptr, warm.out()), ARR_OK);
    warm.reset();
    objects_ = arr_live_objects();
    handles_ = arr_live_handles();
  }
  void TearDown() override {
    EXPECT_EQ(arr_live_objects(), objects_);
    EXPECT_EQ(arr_live_handles(), handles_);
  }

 private:
  int64_t objects_ = 0, handles_ = 0;
};

#define ARR_TRY(call) ASSERT_EQ(call, ARR_OK) << arr_last_error()
#define ARR_EXPECT(call) EXPECT_EQ(call, ARR_OK) << arr_last_error()

// A failing call: its status, and a part of its one line of text.
inline void expect_failure(arr_status status, arr_status expected, const std::string& part) {
  EXPECT_EQ(status, expected) << arr_last_error();
  std::string text = arr_last_error();
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

inline Ints shape_of(arr_array a) {
  int32_t n = 0;
  EXPECT_EQ(arr_shape(a, 0, nullptr, &n), ARR_OK);
  Ints shape(static_cast<size_t>(n));
  EXPECT_EQ(arr_shape(a, n, shape.data(), nullptr), ARR_OK);
  return shape;
}

inline Ints strides_of(arr_array a) {
  int32_t n = 0;
  EXPECT_EQ(arr_strides(a, 0, nullptr, &n), ARR_OK);
  Ints strides(static_cast<size_t>(n));
  EXPECT_EQ(arr_strides(a, n, strides.data(), nullptr), ARR_OK);
  return strides;
}

// The elements in row-major order.
template <class T>
std::vector<T> values_of(arr_array a) {
  int64_t size = 0;
  EXPECT_EQ(arr_size(a, &size), ARR_OK);
  std::vector<T> values(static_cast<size_t>(size));
  EXPECT_EQ(arr_get(a, ARR_ORDER_C, values.data(), static_cast<int64_t>(sizeof(T)) * size, nullptr), ARR_OK)
      << arr_last_error();
  return values;
}

template <class T>
Handle from_values(arr_dtype dtype, const Ints& shape, const std::vector<T>& values,
                   int32_t order = ARR_ORDER_C) {
  Handle h;
  EXPECT_EQ(arr_from_host(values.data(), static_cast<int64_t>(values.size() * sizeof(T)), dtype,
                          static_cast<int32_t>(shape.size()), shape.data(), order, nullptr, nullptr, h.out()),
            ARR_OK)
      << arr_last_error();
  return h;
}

}  // namespace arr_test
