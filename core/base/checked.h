// SPDX-License-Identifier: MIT
// Size arithmetic that cannot wrap. All sizes, strides and offsets are computed by these functions.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/error.h"

namespace arr::checked {

// Return false, and leave *out unspecified, if the exact result does not fit.
template <std::integral T>
[[nodiscard]] constexpr bool add(T a, T b, T* out) noexcept {
  return !__builtin_add_overflow(a, b, out);
}
template <std::integral T>
[[nodiscard]] constexpr bool sub(T a, T b, T* out) noexcept {
  return !__builtin_sub_overflow(a, b, out);
}
template <std::integral T>
[[nodiscard]] constexpr bool mul(T a, T b, T* out) noexcept {
  return !__builtin_mul_overflow(a, b, out);
}
template <std::integral To, std::integral From>
[[nodiscard]] constexpr bool narrow(From a, To* out) noexcept {
  return !__builtin_add_overflow(a, From{0}, out);
}

// The throwing forms, for sizes given by a caller; `what` names the quantity.
inline int64_t add(int64_t a, int64_t b, const char* what) {
  int64_t r = 0;
  if (!add(a, b, &r)) fail(ARR_E_SHAPE, what, ": ", a, " + ", b, " does not fit in 64 bits");
  return r;
}
inline int64_t mul(int64_t a, int64_t b, const char* what) {
  int64_t r = 0;
  if (!mul(a, b, &r)) fail(ARR_E_SHAPE, what, ": ", a, " * ", b, " does not fit in 64 bits");
  return r;
}

// Ceiling of a / b, for a >= 0, b > 0. Small calls have one part of everything, and a division takes as long
// as ten additions.
constexpr int64_t ceil_div(int64_t a, int64_t b) noexcept {
  return a <= b ? (a > 0 ? 1 : 0) : a / b + (a % b != 0);
}

// The smallest multiple of step not below n, for n >= 0 and step > 0; the sum of both must fit.
constexpr int64_t round_up(int64_t n, int64_t step) noexcept { return (n + step - 1) / step * step; }

}  // namespace arr::checked
