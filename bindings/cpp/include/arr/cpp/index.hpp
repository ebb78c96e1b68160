/* SPDX-License-Identifier: MIT */
/* index.hpp - operands, which are arrays or numbers, and parts of arrays: a(1, slice(2, 5)), a(mask) = 0. */
#ifndef ARR_CPP_INDEX_HPP
#define ARR_CPP_INDEX_HPP
#include <arr/cpp/array.hpp>

#include <cstring>

namespace arr {

/** One index of a(...): an integer, a slice, an array of indices, a mask, all, ellipsis or new_axis. */
class index {
 public:
  template <class Integer, std::enable_if_t<detail::is_integer<Integer>, int> = 0>
  index(Integer position) : index(ARR_INDEX_INTEGER, static_cast<int64_t>(position), 0, 0) {}
  index(array indices) : raw_{ARR_INDEX_ARRAY, 0, 0, 0, 0, nullptr}, held_(std::move(indices)) {}
  index(int32_t kind, int64_t start, int64_t stop, int64_t step)
      : raw_{kind, 0, start, stop, step, nullptr} {}
  /** Returns the struct of the C API, which is valid while the index and its array live. */
  arr_index raw() const noexcept {
    arr_index made = raw_;
    made.array = held_.get();
    return made;
  }

 private:
  arr_index raw_;
  array held_;
};

/** The stop of a slice that ends at the end of its axis. */
inline constexpr int64_t to_end = INT64_MAX;
/** Makes the slice start:stop:step by Python's rules: stop is excluded, negative numbers count from the end.
 */
inline index slice(int64_t start, int64_t stop, int64_t step = 1) {
  return index(ARR_INDEX_SLICE, start, stop, step);
}
/** Makes the slice ::step; -1 reverses the order. */
inline index every(int64_t step) {
  return step < 0 ? index(ARR_INDEX_SLICE, INT64_MAX, INT64_MIN, step)
                  : index(ARR_INDEX_SLICE, INT64_MIN, INT64_MAX, step);
}
/** The whole axis. */
inline const index colon = index(ARR_INDEX_ALL, 0, 0, 0);
/** As many whole axes as the other indices leave. */
inline const index ellipsis = index(ARR_INDEX_ELLIPSIS, 0, 0, 0);
/** A new axis of extent 1. */
inline const index new_axis = index(ARR_INDEX_NEW_AXIS, 0, 0, 0);

namespace detail {
template <class T>
inline constexpr bool is_index = std::is_convertible_v<const T&, index>;
}  // namespace detail

/** A part of a const array, with the array's methods. It converts to an array, which is a view if no index is
 * an array. */
class const_selection : public detail::methods<const_selection> {
 public:
  using methods::astype;
  const_selection(array a, std::vector<index> indices) : array_(std::move(a)), indices_(std::move(indices)) {}
  const_selection(const const_selection&) = default;
  const_selection(const_selection&&) = default;
  const_selection& operator=(const const_selection&) = delete;
  template <class T>
  void operator=(const T&) const {
    static_assert(detail::never<T>, "a part of a const array is not written to");
  }
  operator array() const {
    array out;
    check(arr_get_items(array_.get(), count(), raw().data(), ARR_BOUNDS_RAISE, nullptr, out.put()));
    return out;
  }
  explicit operator bool() const { return bool(array(*this)); }

  int32_t ndim() const { return array(*this).ndim(); }
  int64_t size() const { return array(*this).size(); }
  extents shape() const { return array(*this).shape(); }
  arr::dtype dtype() const { return array(*this).dtype(); }
  arr::device device() const { return array_.device(); }
  array copy(arr::order order = ARR_ORDER_K) const { return array(*this).copy(order); }
  array to(const arr::device& on) const { return array(*this).to(on); }
  array reshape(const extents& shape) const { return array(*this).reshape(shape); }
  array T() const { return array(*this).T(); }
  template <class Element>
  array astype() const {
    return array(*this).template astype<Element>();
  }
  template <class Element>
  Element item(const extents& at = {}) const {
    return array(*this).template item<Element>(at);
  }
  template <class Element>
  std::vector<Element> to_vector() const {
    return array(*this).template to_vector<Element>();
  }
  /** Selects a part of the part: a(1)(arr::slice(2, 5)). */
  template <class... Index>
  const_selection operator()(const Index&... indices) const {
    const array whole = *this;
    return whole(indices...);
  }
  std::string str() const { return array(*this).str(); }
  friend std::ostream& operator<<(std::ostream& to, const const_selection& s) { return to << array(s); }

 protected:
  void write(const operand& value);
  void update(int32_t op, const operand& value);

 private:
  int32_t count() const { return static_cast<int32_t>(indices_.size()); }
  std::vector<arr_index> raw() const {
    std::vector<arr_index> list;
    list.reserve(indices_.size());
    for (const index& i : indices_) list.push_back(i.raw());
    return list;
  }

  array array_;
  std::vector<index> indices_;
};

/** A part of an array that can be assigned to. */
class selection : public const_selection {
 public:
  using const_selection::const_selection;
  selection(const selection&) = default;
  selection(selection&&) = default;
  /** a(...) = value: writes the elements, of which `value` may be a number or an array that broadcasts. */
  selection& operator=(const operand& value) & { return write(value), *this; }
  selection& operator=(const selection& value) &;
  /** a(...) = {1, 2}, or a vector. */
  template <class Element>
  selection operator=(std::initializer_list<Element> list);
  template <class Element>
  selection operator=(const std::vector<Element>& list);
  /** a(...) += value and related operators: repeated indices accumulate. */
  selection& operator+=(const operand& value) & { return update(ARR_OP_ADD, value), *this; }
  selection& operator-=(const operand& value) & { return update(ARR_OP_SUBTRACT, value), *this; }
  selection& operator*=(const operand& value) & { return update(ARR_OP_MULTIPLY, value), *this; }
  selection& operator/=(const operand& value) & { return update(ARR_OP_DIVIDE, value), *this; }
  selection& fill(const operand& value) & { return write(value), *this; }
  /** Returns a temporary part by value. */
  selection operator=(const operand& value) && { return write(value), std::move(*this); }
  selection operator=(const selection& value) &&;
  selection operator+=(const operand& value) && { return update(ARR_OP_ADD, value), std::move(*this); }
  selection operator-=(const operand& value) && { return update(ARR_OP_SUBTRACT, value), std::move(*this); }
  selection operator*=(const operand& value) && { return update(ARR_OP_MULTIPLY, value), std::move(*this); }
  selection operator/=(const operand& value) && { return update(ARR_OP_DIVIDE, value), std::move(*this); }
  selection fill(const operand& value) && { return write(value), std::move(*this); }
  using const_selection::operator();
  template <class... Index>
  selection operator()(const Index&... indices) {
    return array(*this)(indices...);
  }
};

/** An array or a number, as an operand. A number is weak: it takes the element type of the array operands. */
class operand {
 public:
  /** Makes no operand: an argument that a function allows to be absent. */
  operand() = default;
  operand(const array& a) { arr_value_array(&value_, a.get()); }
  /** Keeps a temporary array alive with the operand. */
  operand(array&& a) : held_(std::move(a)) { arr_value_array(&value_, held_.get()); }
  operand(const const_selection& s) : operand(array(s)) {}
  operand(const operand& other) : value_(other.value_), held_(other.held_) {
    if (held_.valid()) arr_value_array(&value_, held_.get());  // which is another handle
  }
  operand(operand&&) = default;
  operand& operator=(operand other) noexcept {
    value_ = other.value_;
    held_ = std::move(other.held_);
    return *this;
  }
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  operand(T x) {
    if constexpr (std::is_same_v<T, bool>) {
      arr_value_bool(&value_, x);
    } else if constexpr (std::is_same_v<T, float>) {
      arr_value_f32(&value_, static_cast<double>(x));
    } else if constexpr (std::is_floating_point_v<T>) {
      arr_value_f64(&value_, static_cast<double>(x));
    } else if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
      const uint64_t bits = x;
      check(arr_value_bits(&value_, ARR_UINT64, &bits));
    } else {
      arr_value_i64(&value_, static_cast<int64_t>(x));
    }
    arr_value_weak(&value_);
  }
  template <class T>
  operand(std::complex<T> x) {
    if constexpr (std::is_same_v<T, float>) {
      check(arr_value_bits(&value_, ARR_COMPLEX64, &x));
    } else {
      arr_value_c128(&value_, static_cast<double>(x.real()), static_cast<double>(x.imag()));
    }
    arr_value_weak(&value_);
  }

  bool is_array() const noexcept { return value_.kind == ARR_VALUE_ARRAY; }
  arr_array handle() const noexcept { return reinterpret_cast<arr_array>(static_cast<intptr_t>(value_.lo)); }
  const arr_value* get() const noexcept { return value_.kind == ARR_VALUE_NONE ? nullptr : &value_; }
  const arr_value& value() const& noexcept { return value_; }
  arr_value value() && noexcept { return value_; }

  /** Makes a number that is not weak, of the element type of T: typed(2.0f) is a float32. */
  template <class T>
  static operand typed(T x) {
    operand made;
    check(arr_value_bits(&made.value_, dtype_of<T>::value, &x));
    return made;
  }

 private:
  arr_value value_{};
  array held_;
};

namespace detail {
using into_function = arr_status (*)(arr_array, const arr_value*, const arr_value*, arr_stream);
inline void into(into_function op, const array& dst, const operand& y) {
  const operand x(dst);
  check(op(dst.get(), x.get(), y.get(), nullptr));
}
}  // namespace detail

namespace detail {
template <class Selection, class... Index>
Selection select(const array& a, const Index&... indices) {
  static_assert(
      (is_index<Index> && ...),
      "an index is an integer, arr::slice(...), arr::colon, arr::every(...), arr::ellipsis, arr::new_axis, "
      "an array of integers or a mask");
  if constexpr ((is_index<Index> && ...)) {
    std::vector<index> list;
    list.reserve(sizeof...(indices));
    (list.emplace_back(indices), ...);
    return Selection(a, std::move(list));
  } else {
    return Selection(a, {});
  }
}
}  // namespace detail

template <class... Index>
selection array::operator()(const Index&... indices) {
  return detail::select<selection>(*this, indices...);
}
template <class... Index>
const_selection array::operator()(const Index&... indices) const {
  return detail::select<const_selection>(*this, indices...);
}
inline array::operator bool() const {
  if (size() != 1) {
    throw error(ARR_E_SHAPE, "bool: the array has " + std::to_string(size()) +
                                 " elements, expected 1: use arr::all or arr::any");
  }
  return item<std::complex<double>>() != 0.0;
}

template <class T>
T array::item(const extents& at) const {
  arr_value v{};
  check(arr_item(handle_, static_cast<int32_t>(at.size()), at.data(), &v));
  if constexpr (std::is_integral_v<T>) {
    if (std::is_same_v<T, uint64_t> && v.dtype == ARR_UINT64) return static_cast<T>(v.lo);
    int64_t x = 0;
    check(arr_value_get_i64(&v, &x));
    if (static_cast<int64_t>(static_cast<T>(x)) != x || (std::is_unsigned_v<T> && x < 0)) {
      throw error(ARR_E_ARGUMENT,
                  "item: the number " + std::to_string(x) + " does not fit into the asked type");
    }
    return static_cast<T>(x);
  } else if constexpr (!detail::is_complex<T>) {
    double x = 0;
    check(arr_value_get_f64(&v, &x));
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(x);
    } else {
      return T(static_cast<float>(x));  // of 16 bits
    }
  } else {
    // A complex number: its parts are in lo, and for two doubles in lo and hi.
    if (v.dtype == ARR_COMPLEX64) {
      float parts[2];
      std::memcpy(parts, &v.lo, sizeof parts);
      return T(static_cast<typename T::value_type>(parts[0]), static_cast<typename T::value_type>(parts[1]));
    }
    double parts[2] = {0, 0};
    if (v.dtype == ARR_COMPLEX128) {
      std::memcpy(&parts[0], &v.lo, sizeof(double));
      std::memcpy(&parts[1], &v.hi, sizeof(double));
    } else {
      check(arr_value_get_f64(&v, &parts[0]));
    }
    return T(static_cast<typename T::value_type>(parts[0]), static_cast<typename T::value_type>(parts[1]));
  }
}

inline array& array::fill(const operand& value) & {
  if (value.is_array()) {
    check(arr_assign(handle_, value.handle(), nullptr));
  } else {
    check(arr_fill(handle_, value.get(), nullptr));
  }
  return *this;
}
inline array& array::operator+=(const operand& y) & { return detail::into(arr_add_v_into, *this, y), *this; }
inline array& array::operator-=(const operand& y) & {
  return detail::into(arr_subtract_v_into, *this, y), *this;
}
inline array& array::operator*=(const operand& y) & {
  return detail::into(arr_multiply_v_into, *this, y), *this;
}
inline array& array::operator/=(const operand& y) & {
  return detail::into(arr_divide_v_into, *this, y), *this;
}
inline array array::fill(const operand& value) && { return fill(value), std::move(*this); }
inline array array::operator+=(const operand& y) && { return *this += y, std::move(*this); }
inline array array::operator-=(const operand& y) && { return *this -= y, std::move(*this); }
inline array array::operator*=(const operand& y) && { return *this *= y, std::move(*this); }
inline array array::operator/=(const operand& y) && { return *this /= y, std::move(*this); }

inline selection& selection::operator=(const selection& value) & { return write(value), *this; }
inline selection selection::operator=(const selection& value) && { return write(value), std::move(*this); }
template <class Element>
selection selection::operator=(std::initializer_list<Element> list) {
  return write(array(list)), *this;
}
template <class Element>
selection selection::operator=(const std::vector<Element>& list) {
  return write(array::from(list)), *this;
}
inline void const_selection::write(const operand& value) {
  check(arr_set_items(array_.get(), count(), raw().data(), value.get(), ARR_BOUNDS_RAISE, nullptr));
}
inline void const_selection::update(int32_t op, const operand& value) {
  check(arr_update_items(op, array_.get(), count(), raw().data(), value.get(), ARR_BOUNDS_RAISE, nullptr));
}

inline output::output(selection& part) : output(array(part)) {}
inline output::output(selection&& part) : output(array(part)) {}

}  // namespace arr
#endif
