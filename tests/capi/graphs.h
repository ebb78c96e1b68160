// SPDX-License-Identifier: MIT
// Parts that tests of graphs share: arrays of float64 on the device, and how much of its memory is in use.
#pragma once

#include "support.h"

namespace arr_test {

class OfGraphs : public OnDevice {
 protected:
  [[nodiscard]] arr_array array(const std::vector<double>& values, std::vector<int64_t> shape = {}) const {
    if (shape.empty()) shape = {static_cast<int64_t>(values.size())};
    arr_array a = nullptr;
    EXPECT_EQ(
        arr_from_host(values.data(), static_cast<int64_t>(8 * values.size()), ARR_FLOAT64,
                      static_cast<int32_t>(shape.size()), shape.data(), ARR_ORDER_C, &device, nullptr, &a),
        ARR_OK)
        << arr_last_error();
    return a;
  }
  static std::vector<double> values(arr_array a, size_t n) {
    std::vector<double> v(n);
    EXPECT_EQ(arr_get(a, ARR_ORDER_C, v.data(), static_cast<int64_t>(8 * n), nullptr), ARR_OK)
        << arr_last_error();
    return v;
  }
  void set(arr_array a, double x) const {
    arr_value v{};
    arr_value_f64(&v, x);
    ARR_DOES(arr_fill(a, &v, nullptr));
  }
  [[nodiscard]] int64_t in_use() const {
    EXPECT_EQ(arr_device_sync(&device), ARR_OK);  // memory is back when its stream has come by
    arr_memory_pool_stats s{};
    s.struct_size = sizeof s;
    EXPECT_EQ(arr_memory_pool_info(&device, &s), ARR_OK);
    return s.in_use;
  }
};

}  // namespace arr_test
