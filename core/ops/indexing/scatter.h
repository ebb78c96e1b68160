// SPDX-License-Identifier: MIT
// Combining at computed indices of an array: in place by an op, and into new counts.
#pragma once

#include <string>

#include "ops/elementwise/create.h"

namespace arr {

// For each i of `shape` in row-major order, the element of target at (offset(i) + i * strides) bytes becomes
// combine(itself, values(i)): see ScatterCall.
struct Scatter {
  const Array* target = nullptr;
  Layout shape;                       // not empty; strides[d]: bytes of the target along it
  const BoundProgram* map = nullptr;  // of the arrays: offset, values
  const Program* combine = nullptr;   // of the old element and the values
  std::span<const Array* const> arrays;
  const Array* table = nullptr;                  // a vector to look up in, the map's input after the arrays
  const int64_t (*strides)[max_ndim] = nullptr;  // of each array over the shape
  bool distinct = false;                         // no element of the target is indexed twice
};
// The arrays share no memory with the target.
void run_scatter(const Scatter& s, Stream* stream);
// The type of the values that op combines with elements of f's first operand.
DType value_type(const OpInfo& op, const Fitted& f, const Input& b);

// a[indices[0], indices[1], ..] = op(that, b): the indices broadcast and stand for the first axes, b (nullptr
// for ops of one operand) broadcasts to their shape and the rest of a's. An index that is met again sees what
// was made before.
void ufunc_at(const OpInfo& op, const Array& a, std::span<const Array* const> indices, const Input* b,
              Stream* stream);

// The largest of integers as they are in 64 bits without a sign: one below 0 is larger than 2^63. Waits.
uint64_t largest_unsigned(const Array& x, int64_t plus, Stream* stream);
// Such 64 bits of an integer of x as the number that it is, for the text of an error.
std::string integer_text(const Array& x, uint64_t bits);

}  // namespace arr
