/* SPDX-License-Identifier: MIT */
/* creation.hpp - ranges of numbers. The other functions that make arrays are generated. */
#ifndef ARR_CPP_CREATION_HPP
#define ARR_CPP_CREATION_HPP
#include <arr/cpp/index.hpp>

#include <optional>

namespace arr {

/** Returns the values start, start + step, ... that are below stop (above it for a negative step). The
 * default dtype is int64 for integers, float64 for others. */
inline array arange(const operand& start, const operand& stop, const operand& step = 1, arr::dtype dtype = {},
                    const std::optional<arr::device>& on = {}, const arr::stream& in = {}) {
  array made;
  check(arr_arange(start.get(), stop.get(), step.get(), dtype, on ? &*on : nullptr, in.get(), made.put()));
  return made;
}
inline array arange(const operand& start, const operand& stop, arr::dtype dtype,
                    const std::optional<arr::device>& on = {}, const arr::stream& in = {}) {
  return arange(start, stop, 1, dtype, on, in);
}
/** Returns the values 0, 1, ... below stop. */
inline array arange(const operand& stop, arr::dtype dtype = {}, const std::optional<arr::device>& on = {},
                    const arr::stream& in = {}) {
  return arange(0, stop, 1, dtype, on, in);
}

}  // namespace arr
#endif
