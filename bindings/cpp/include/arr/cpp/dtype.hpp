/* SPDX-License-Identifier: MIT */
/* dtype.hpp - element types, axes and bools as distinct types: a number instead of one of them, and one of
 * them instead of a number, do not compile. */
#ifndef ARR_CPP_DTYPE_HPP
#define ARR_CPP_DTYPE_HPP
#include <arr/cpp/handle.hpp>

#include <ostream>
#include <string>
#include <type_traits>

namespace arr {

/** An element type: arr::float32, or ARR_FLOAT32, which is the same here. */
class dtype {
 public:
  /** Makes no element type: the function chooses it. */
  constexpr dtype() noexcept = default;
  /** Converts a number of the C API. */
  explicit constexpr dtype(arr_dtype number) noexcept : number_(number) {}
  /** Converts to the number of the C API. A template, so that a dtype does not convert to int64_t, bool or
   * double. */
  template <class T, std::enable_if_t<std::is_same_v<T, arr_dtype>, int> = 0>
  constexpr operator T() const noexcept {
    return number_;
  }
  constexpr arr_dtype number() const noexcept { return number_; }
  /** Returns the name, "float32" and so on. */
  std::string name() const {
    const char* text = nullptr;
    check(arr_dtype_info(number_, &text, nullptr));
    return text;
  }

  friend constexpr bool operator==(dtype x, dtype y) noexcept { return x.number_ == y.number_; }
  friend constexpr bool operator!=(dtype x, dtype y) noexcept { return x.number_ != y.number_; }
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  friend constexpr bool operator==(dtype x, T y) noexcept {
    return x.number_ == y;
  }
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  friend constexpr bool operator==(T x, dtype y) noexcept {
    return x == y.number_;
  }
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  friend constexpr bool operator!=(dtype x, T y) noexcept {
    return x.number_ != y;
  }
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  friend constexpr bool operator!=(T x, dtype y) noexcept {
    return x != y.number_;
  }
  friend std::ostream& operator<<(std::ostream& to, dtype d) {
    return d.number_ == 0 ? to << "no dtype" : to << d.name();
  }

 private:
  arr_dtype number_ = 0;
};

/** A bool that no number converts to. */
class flag {
 public:
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>
  constexpr flag(T on) noexcept : on_(on) {}
  explicit constexpr operator bool() const noexcept { return on_; }

 private:
  bool on_;
};

/** An axis: from 0, or from the last one, -1. No bool converts to it. */
class axis {
 public:
  template <class Integer,
            std::enable_if_t<std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>, int> = 0>
  constexpr axis(Integer number) : number_(static_cast<int32_t>(number)) {
    if (static_cast<Integer>(number_) != number || (number_ < 0) != (number < 0)) {
      throw error(ARR_E_ARGUMENT, "argument axis: " + std::to_string(number) + " is no axis");
    }
  }
  constexpr operator int32_t() const noexcept { return number_; }

 private:
  int32_t number_;
};

}  // namespace arr

#include <arr/cpp/dtypes_generated.hpp>
#endif
