// SPDX-License-Identifier: MIT
// How elements of one type are looked up in a sorted vector of another: in the type that both promote to, but
// an int64 and a uint64 exactly, though they promote to a float that does not hold them.
#pragma once

#include "expr/program.h"

namespace arr {

// True for a signed type and uint64.
constexpr bool is_mixed_pair(DType x, DType y) noexcept {
  const bool one = x == DType::uint64_, other = y == DType::uint64_;
  return one != other && (kind(x) == DKind::INT || kind(y) == DKind::INT);
}

// The type of a table of such elements in which elements of type x are looked up.
inline DType table_type(DType elements, DType x) noexcept {
  if (!is_mixed_pair(elements, x)) return compute_type(promote(elements, x));
  return elements == DType::uint64_ ? DType::uint64_ : DType::int64_;
}

// An element as the table's type, the nearest one that this holds. beyond: true where that is another number,
// which is below all of a table of uint64 and above all of one of int64; -1: nowhere.
struct Sought {
  int32_t value, beyond = -1;
};
Sought sought(ProgramBuilder& b, int32_t x, DType table);

}  // namespace arr
