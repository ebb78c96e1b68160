/* SPDX-License-Identifier: MIT */
/* generator.hpp - generators of random numbers. */
#ifndef ARR_CPP_GENERATOR_HPP
#define ARR_CPP_GENERATOR_HPP
#include <arr/cpp/index.hpp>

namespace arr {

/** A generator of random numbers. One that is default-constructed stands for the default generator. */
class generator : public owner<arr_generator, arr_generator_release>, public detail::draws<generator> {
 public:
  generator() = default;
  explicit generator(arr_generator handle) noexcept : owner(handle) {}
  /** Makes a generator. Equal seeds, also 0, make equal numbers; generator_create takes seeds of several
   * words.
   * Its methods draw: generator(42).normal({3}). */
  template <class Integer, std::enable_if_t<detail::is_integer<Integer>, int> = 0>
  explicit generator(Integer seed) {
    const auto word = static_cast<int64_t>(seed);
    check(arr_generator_create(1, &word, put()));
  }
};

}  // namespace arr
#endif
