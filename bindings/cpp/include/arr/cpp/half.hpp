/* SPDX-License-Identifier: MIT */
/* half.hpp - 16-bit floats as C++ types: the elements of arrays of arr::float16 and arr::bfloat16. */
#ifndef ARR_CPP_HALF_HPP
#define ARR_CPP_HALF_HPP
#include <cstdint>
#include <cstring>

#if defined(__STDCPP_FLOAT16_T__) || defined(__STDCPP_BFLOAT16_T__)
#include <stdfloat>
#endif

namespace arr {
namespace detail {

template <class To, class From>
To bits_as(const From& x) noexcept {
  static_assert(sizeof(To) == sizeof(From), "bits of one size");
  To made;
  std::memcpy(&made, &x, sizeof made);
  return made;
}

/** Rounds to the nearest float16, ties to even. */
inline uint16_t float16_of(float x) noexcept {
  const auto bits = bits_as<uint32_t>(x);
  const uint32_t sign = bits >> 16 & 0x8000U, size = bits & 0x7FFFFFFFU;
  if (size > 0x7F800000U) return static_cast<uint16_t>(sign | 0x7E00U | (size >> 13 & 0x1FFU));  // nan
  if (size >= 0x47800000U) return static_cast<uint16_t>(sign | 0x7C00U);  // from 65536 on
  // Below 2^-14 all numbers have one distance, which is that of the floats at 1/2.
  if (size < 0x38800000U) {
    return static_cast<uint16_t>(sign | (bits_as<uint32_t>(bits_as<float>(size) + 0.5F) - 0x3F000000U));
  }
  return static_cast<uint16_t>(sign | ((size - 0x38000000U + 0xFFFU + (size >> 13 & 1U)) >> 13));
}
inline float float_of_float16(uint16_t half) noexcept {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000U) << 16, size = half & 0x7FFFU;
  if (size >= 0x7C00U) return bits_as<float>(sign | 0x7F800000U | (size & 0x3FFU) << 13);
  if (size < 0x400U) {
    const float x = static_cast<float>(size) * 0x1p-24F;
    return sign ? -x : x;
  }
  return bits_as<float>(sign | ((size << 13) + 0x38000000U));
}

/** Rounds to the nearest bfloat16, ties to even. */
inline uint16_t bfloat16_of(float x) noexcept {
  const auto bits = bits_as<uint32_t>(x);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<uint16_t>(bits >> 16 | 0x40U);  // nan
  return static_cast<uint16_t>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}
inline float float_of_bfloat16(uint16_t bits) noexcept {
  return bits_as<float>(static_cast<uint32_t>(bits) << 16);
}

/** A 16-bit float in memory, which computes as a float. */
template <uint16_t (*Of)(float), float (*FloatOf)(uint16_t)>
class half {
 public:
  half() = default;
  half(float x) noexcept : bits_(Of(x)) {}
  operator float() const noexcept { return FloatOf(bits_); }
  uint16_t bits() const noexcept { return bits_; }

 private:
  uint16_t bits_;
};

}  // namespace detail

/** An element of an array of arr::float16, as std::float16_t is in C++23. */
using float16_t = detail::half<detail::float16_of, detail::float_of_float16>;
/** An element of an array of arr::bfloat16. */
using bfloat16_t = detail::half<detail::bfloat16_of, detail::float_of_bfloat16>;

}  // namespace arr
#endif
