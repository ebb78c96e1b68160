/* SPDX-License-Identifier: MIT */
/* arguments.hpp - the lists and numbers that functions take: shapes, axes, quantiles, orders of norms. */
#ifndef ARR_CPP_ARGUMENTS_HPP
#define ARR_CPP_ARGUMENTS_HPP
#include <arr/cpp/dtype.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <type_traits>
#include <utility>
#include <vector>

namespace arr {

namespace detail {
/** For messages of templates that are always wrong. */
template <class T>
inline constexpr bool never = false;
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/** One extent, from any integer. */
struct extent {
  template <class Integer, std::enable_if_t<is_integer<Integer>, int> = 0>
  constexpr extent(Integer n) : number(static_cast<int64_t>(n)) {
    if (number < 0 && n > 0) throw error(ARR_E_ARGUMENT, "argument shape: an extent above 2^63 - 1");
  }
  int64_t number;
};
}  // namespace detail

/** The shape of an array: a list of integers of any type, or one for a vector. */
class extents : public std::vector<int64_t> {
 public:
  extents() = default;
  extents(std::initializer_list<detail::extent> list) {
    reserve(list.size());
    for (detail::extent n : list) push_back(n.number);
  }
  extents(std::vector<int64_t> list) : vector(std::move(list)) {}
  template <class Integer, std::enable_if_t<detail::is_integer<Integer>, int> = 0>
  extents(const std::vector<Integer>& list) : vector(list.begin(), list.end()) {}
  template <class Integer, std::enable_if_t<detail::is_integer<Integer>, int> = 0>
  extents(Integer n) : vector{detail::extent(n).number} {}
  /** Writes a shape as Python does: (2, 3), (3,). */
  friend std::ostream& operator<<(std::ostream& to, const extents& shape) {
    to << '(';
    for (size_t i = 0; i < shape.size(); ++i)
      to << (i == 0 ? "" : " ") << shape[i] << (i + 1 < shape.size() ? "," : "");
    return to << (shape.size() == 1 ? ",)" : ")");
  }
};

/** Quantiles or percentiles: a list, whose results are along a new axis, or one number. */
class quantiles {
 public:
  quantiles(double one) : list_{one}, size_(0) {}
  quantiles(std::initializer_list<double> list) : quantiles(std::vector<double>(list)) {}
  quantiles(std::vector<double> list) : list_(std::move(list)), size_(list_.size()) {}
  size_t size() const noexcept { return size_; }
  const double* data() const noexcept { return list_.data(); }

 private:
  std::vector<double> list_;
  size_t size_;
};

/** The order of a norm: a number, ARR_NORM_FRO or ARR_NORM_NUC; without one the 2-norm of a vector, and
 * Frobenius' of a matrix. */
class norm_order {
 public:
  norm_order() = default;
  norm_order(norm_kind kind) : kind_(kind) {}
  template <class T, std::enable_if_t<std::is_floating_point_v<T> || detail::is_integer<T>, int> = 0>
  norm_order(T power) : kind_(ARR_NORM_P), power_(static_cast<double>(power)) {}
  norm_kind kind() const noexcept { return kind_; }
  double power() const noexcept { return power_; }

 private:
  norm_kind kind_ = ARR_NORM_DEFAULT;
  double power_ = 0;
};

/** Axes: a list, a single one, or all if default-constructed. */
class axes {
 public:
  axes() = default;
  axes(std::initializer_list<axis> list) : given_(true), list_(list.begin(), list.end()) {}
  axes(std::vector<int32_t> list) : given_(true), list_(std::move(list)) {}
  template <class Integer, std::enable_if_t<detail::is_integer<Integer>, int> = 0>
  axes(Integer one) : given_(true), list_{axis(one)} {}
  int32_t size() const { return static_cast<int32_t>(list_.size()); }
  /** Returns the address of the list; NULL stands for all axes, and an empty list has an address too. */
  const int32_t* data() const {
    static const int32_t none = 0;
    return !given_ ? nullptr : list_.empty() ? &none : list_.data();
  }

 private:
  bool given_ = false;
  std::vector<int32_t> list_;
};

}  // namespace arr
#endif
