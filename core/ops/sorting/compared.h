// SPDX-License-Identifier: MIT
// Comparison of elements of one dtype with a sorted vector of another: in the dtype to which both promote,
// except that an int64 and a uint64 compare exactly, which their promoted dtype, float64, cannot.
#pragma once

#include "expr/program.h"

namespace arr {

// True for a signed integer dtype and uint64.
constexpr bool is_mixed_pair(DType x, DType y) noexcept {
  const bool one = x == DType::uint64_, other = y == DType::uint64_;
  return one != other && (kind(x) == DKind::INT || kind(y) == DKind::INT);
}

// The dtype of the sorted vector when elements of dtype x are searched in it.
inline DType table_type(DType elements, DType x) noexcept {
  if (!is_mixed_pair(elements, x)) return compute_type(promote(elements, x));
  return elements == DType::uint64_ ? DType::uint64_ : DType::int64_;
}

// The element as the vector's dtype, clamped to its range. beyond: node that is true if the element was out
// of range, and so below every element of a uint64 vector or above every element of an int64 vector; -1 if no
// element can be.
struct Sought {
  int32_t value, beyond = -1;
};
Sought sought(ProgramBuilder& b, int32_t x, DType table);

}  // namespace arr
