/* SPDX-License-Identifier: MIT */
/* choice.hpp - the base of choices among constants of C: each set of constants is a type, so that none stands
 * for an axis, a size or another choice. */
#ifndef ARR_CPP_CHOICE_HPP
#define ARR_CPP_CHOICE_HPP
#include <arr/arr.h>

#include <type_traits>

namespace arr::detail {

template <class Self>
class choice {
 public:
  constexpr choice() noexcept = default;
  /** Converts a number of the C API. */
  explicit constexpr choice(int32_t number) noexcept : number_(number) {}
  /** Converts to the number of the C API. A template, so that a choice converts to no other number. */
  template <class T, std::enable_if_t<std::is_same_v<T, int32_t>, int> = 0>
  constexpr operator T() const noexcept {
    return number_;
  }
  constexpr int32_t number() const noexcept { return number_; }

  friend constexpr Self operator|(Self x, Self y) noexcept { return Self(x.number() | y.number()); }
  friend constexpr bool operator==(Self x, Self y) noexcept { return x.number() == y.number(); }
  friend constexpr bool operator!=(Self x, Self y) noexcept { return x.number() != y.number(); }

 private:
  int32_t number_ = 0;
};

}  // namespace arr::detail
#endif
