// SPDX-License-Identifier: MIT
// Vectors of float64 on the host, and their values.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "base/error.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

using Values = std::vector<double>;

inline Ref<Array> vector_of(const Values& values, Stream* stream = nullptr) {
  return upload(values, DType::float64_, Device{}, stream);
}

inline Values values_of(const Array& a) {
  Values values(static_cast<size_t>(a.layout.size()));
  get(a, Order::C, values.data(), a.layout.size() * a.item(), nullptr);
  return values;
}

inline Ref<Array> add(const Array& a, const Array& b, Stream* stream = nullptr) {
  return apply(op::add, {&a, &b}, stream);
}

inline void add_into(const Array& dst, const Array& a, const Array& b, Stream* stream = nullptr) {
  Input operands[2];
  operands[0].array = &a;
  operands[1].array = &b;
  elementwise_into(dst, *op_info(op::add), operands, stream);
}

// The status of the error that body() throws; ARR_OK if it throws none.
template <class Body>
arr_status thrown_by(Body&& body) {
  try {
    body();
  } catch (const Error& e) {
    EXPECT_FALSE(e.text().empty());
    return e.status();
  }
  return ARR_OK;
}

}  // namespace arr
