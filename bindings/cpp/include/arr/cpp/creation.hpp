/* SPDX-License-Identifier: MIT */
/* creation.hpp - ranges of numbers. The other functions that make arrays are generated. */
#ifndef ARR_CPP_CREATION_HPP
#define ARR_CPP_CREATION_HPP
#include <arr/cpp/index.hpp>

#include <optional>

namespace arr {

/** start, start + step ... before stop. Without a dtype whole numbers make int64, others float64. */
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
/** 0, 1 ... before stop. */
inline array arange(const operand& stop, arr::dtype dtype = {}, const std::optional<arr::device>& on = {},
                    const arr::stream& in = {}) {
  return arange(0, stop, 1, dtype, on, in);
}

}  // namespace arr
#endif
