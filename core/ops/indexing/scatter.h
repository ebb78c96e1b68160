// SPDX-License-Identifier: MIT
// Combines values into elements of an array at offsets that a program computes.
#pragma once

#include <string>

#include "ops/elementwise/create.h"

namespace arr {

// For each i of `shape` in row-major order: the element of target at byte offset(i) + i * strides becomes
// combine(element, values(i)). See ScatterCall.
struct Scatter {
  const Array* target = nullptr;
  Layout shape;                                  // not empty; strides[d]: bytes in the target per step
  const Program* map = nullptr;                  // its outputs: offset, values
  const Program* combine = nullptr;              // its inputs: the old element and the values
  std::span<const Input> inputs;                 // of the map, arrays first
  const int64_t (*strides)[max_ndim] = nullptr;  // strides of each array over the shape
  bool distinct = false;                         // no element of the target is indexed twice
};
// The arrays share no memory with the target.
void run_scatter(const Scatter& s, Stream* stream);
// The dtype of values that op combines with elements of f's first operand.
DType value_type(const OpInfo& op, const Fitted& f, const Input& b);

// The program that returns the second of two operands of that dtype, which a scatter stores.
const Program& select_second(DType d);

// The max of integers, as unsigned 64-bit numbers: a negative one is larger than 2^63. Waits.
uint64_t largest_unsigned(const Array& x, int64_t plus, Stream* stream);
// The integer of x that has these 64 bits, as text for an error.
std::string integer_text(const Array& x, uint64_t bits);

}  // namespace arr
