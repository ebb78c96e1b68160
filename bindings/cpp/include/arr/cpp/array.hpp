/* SPDX-License-Identifier: MIT */
/* array.hpp - the array, its elements, and the lists and numbers that functions take. */
#ifndef ARR_CPP_ARRAY_HPP
#define ARR_CPP_ARRAY_HPP
#include <arr/cpp/half.hpp>
#include <arr/cpp/methods_generated.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace arr {

namespace detail {
template <class T>
using for_device = std::enable_if_t<std::is_convertible_v<const T&, const device&>, int>;
template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;
template <arr_dtype Number>
struct has_dtype {
  static constexpr dtype value{Number};
};
}  // namespace detail

/** The element type of a C++ type; types without one do not compile. */
template <class T>
struct dtype_of;
template <>
struct dtype_of<bool> : detail::has_dtype<ARR_BOOL> {};
template <>
struct dtype_of<int8_t> : detail::has_dtype<ARR_INT8> {};
template <>
struct dtype_of<int16_t> : detail::has_dtype<ARR_INT16> {};
template <>
struct dtype_of<int32_t> : detail::has_dtype<ARR_INT32> {};
template <>
struct dtype_of<int64_t> : detail::has_dtype<ARR_INT64> {};
template <>
struct dtype_of<uint8_t> : detail::has_dtype<ARR_UINT8> {};
template <>
struct dtype_of<uint16_t> : detail::has_dtype<ARR_UINT16> {};
template <>
struct dtype_of<uint32_t> : detail::has_dtype<ARR_UINT32> {};
template <>
struct dtype_of<uint64_t> : detail::has_dtype<ARR_UINT64> {};
// long or long long, of which int64_t is the other.
namespace detail {
using other_int64 = std::conditional_t<std::is_same_v<int64_t, long>, long long, long>;
using other_uint64 = std::make_unsigned_t<other_int64>;
}  // namespace detail
template <>
struct dtype_of<detail::other_int64>
    : detail::has_dtype<sizeof(detail::other_int64) == 8 ? ARR_INT64 : ARR_INT32> {};
template <>
struct dtype_of<detail::other_uint64>
    : detail::has_dtype<sizeof(detail::other_uint64) == 8 ? ARR_UINT64 : ARR_UINT32> {};
template <>
struct dtype_of<float> : detail::has_dtype<ARR_FLOAT32> {};
template <>
struct dtype_of<double> : detail::has_dtype<ARR_FLOAT64> {};
template <>
struct dtype_of<std::complex<float>> : detail::has_dtype<ARR_COMPLEX64> {};
template <>
struct dtype_of<std::complex<double>> : detail::has_dtype<ARR_COMPLEX128> {};
template <>
struct dtype_of<float16_t> : detail::has_dtype<ARR_FLOAT16> {};
template <>
struct dtype_of<bfloat16_t> : detail::has_dtype<ARR_BFLOAT16> {};
// _Float16 is std::float16_t. Clang 14 describes that type without having it.
#if defined(__FLT16_MAX__) && !(defined(__clang_major__) && __clang_major__ < 15)
namespace detail {
__extension__ typedef _Float16 native_float16;
}
template <>
struct dtype_of<detail::native_float16> : detail::has_dtype<ARR_FLOAT16> {};
#endif
#ifdef __STDCPP_BFLOAT16_T__
template <>
struct dtype_of<std::bfloat16_t> : detail::has_dtype<ARR_BFLOAT16> {};
#endif

/** The elements of a contiguous array on the host, read and written in place. */
template <class T>
struct span {
  T* first;
  size_t count;
  T* begin() const { return first; }
  T* end() const { return first + count; }
  T* data() const { return first; }
  size_t size() const { return count; }
  T& operator[](size_t i) const { return first[i]; }
};

class const_selection;  // index.hpp: a(...)
class selection;
class operand;

/** An array of any element type, on any device. Copies share the elements; copy() makes new ones. A const
 * array is not written to. */
class array : public detail::methods<array> {
 public:
  using methods::astype;
  /** Makes no array: an argument that a function allows to be absent. */
  array() = default;
  /** Takes ownership of a handle. */
  explicit array(arr_array handle) noexcept : handle_(handle) {}
  /** Rejects 0, which is a null pointer, and other numbers as handles. array{0} is an array of one number. */
  template <class T, std::enable_if_t<std::is_integral_v<T> || std::is_null_pointer_v<T>, int> = 0>
  explicit array(T) = delete;
  /** Makes a vector of numbers. */
  template <class T, class = decltype(dtype_of<T>::value)>
  array(std::initializer_list<T> numbers) : array(numbers, arr::device()) {}
  /** Makes a vector of numbers on a device. */
  template <class T, class Device, class = decltype(dtype_of<T>::value), detail::for_device<Device> = 0>
  array(std::initializer_list<T> numbers, const Device& on)
      : array(from(numbers.begin(), extents(numbers.size()), on)) {}
  /** Makes a matrix from a list of rows of one length, or an array of three dimensions from a list of
   * matrices. */
  template <class T, class = decltype(dtype_of<T>::value)>
  array(std::initializer_list<std::initializer_list<T>> rows) : array(rows, arr::device()) {}
  template <class T, class Device, class = decltype(dtype_of<T>::value), detail::for_device<Device> = 0>
  array(std::initializer_list<std::initializer_list<T>> rows, const Device& on)
      : array(nested<T>(rows, on)) {}
  template <class T, class = decltype(dtype_of<T>::value)>
  array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> matrices)
      : array(matrices, arr::device()) {}
  template <class T, class Device, class = decltype(dtype_of<T>::value), detail::for_device<Device> = 0>
  array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> matrices, const Device& on)
      : array(nested<T>(matrices, on)) {}
  array(const array& other) {
    if (other.handle_) check(arr_retain(other.handle_, &handle_));
  }
  array(array&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  array& operator=(array other) & noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~array() {
    if (handle_) arr_release(handle_);
  }

  /** Copies elements, in row-major order, from memory of the program. */
  template <class T>
  static array from(const T* data, const extents& shape, const device& on = {}) {
    int64_t count = 1;
    for (int64_t extent : shape) count *= extent;
    array made;
    check(arr_from_host(data, count * static_cast<int64_t>(sizeof(T)), dtype_of<T>::value,
                        static_cast<int32_t>(shape.size()), shape.data(), ARR_ORDER_C, &on, nullptr,
                        made.put()));
    return made;
  }
  /** Copies a vector; `shape` may arrange its elements. */
  template <class T>
  static array from(const std::vector<T>& data, const extents& shape, const device& on = {}) {
    static_assert(!std::is_same_v<T, bool>,
                  "std::vector<bool> has no elements in memory: use uint8_t and astype");
    int64_t count = 1;
    for (int64_t extent : shape) count *= extent;
    if (count != static_cast<int64_t>(data.size())) {
      throw error(ARR_E_SHAPE, "array::from: argument shape: " + std::to_string(count) +
                                   " elements, expected the " + std::to_string(data.size()) + " of data");
    }
    return from(data.data(), shape, on);
  }
  template <class T>
  static array from(const std::vector<T>& data) {
    return from(data, extents(data.size()));
  }

  arr_array get() const noexcept { return handle_; }
  arr_array release() noexcept { return std::exchange(handle_, nullptr); }
  arr_array* put() noexcept { return &handle_; }
  /** True if there is an array. */
  bool valid() const noexcept { return handle_ != nullptr; }

  int32_t ndim() const {
    int32_t n = 0;
    check(arr_ndim(handle_, &n));
    return n;
  }
  int64_t size() const {
    int64_t n = 0;
    check(arr_size(handle_, &n));
    return n;
  }
  extents shape() const {
    extents list;
    list.resize(static_cast<size_t>(ndim()));
    check(arr_shape(handle_, static_cast<int32_t>(list.size()), list.data(), nullptr));
    return list;
  }
  arr::dtype dtype() const {
    arr_dtype d = 0;
    check(arr_array_dtype(handle_, &d));
    return arr::dtype(d);
  }
  arr::device device() const {
    arr_device d{};
    check(arr_array_device(handle_, &d));
    return d;
  }

  /** Waits for the work that makes the array. */
  array& sync() & {
    check(arr_array_sync(handle_));
    return *this;
  }
  const array& sync() const& {
    check(arr_array_sync(handle_));
    return *this;
  }
  array sync() && {
    check(arr_array_sync(handle_));
    return std::move(*this);
  }
  array copy(arr::order order = ARR_ORDER_K) const {
    return made([&](arr_array* out) { return arr_copy(handle_, order, nullptr, out); });
  }
  array to(const arr::device& on) const {
    return made([&](arr_array* out) { return arr_to_device(handle_, &on, nullptr, out); });
  }
  template <class T>
  array astype() const {
    return made([&](arr_array* out) {
      return arr_astype(handle_, dtype_of<T>::value, ARR_CAST_UNSAFE, ARR_ORDER_K, nullptr, out);
    });
  }
  /** Returns the elements in another shape; one extent may be -1. */
  array reshape(const extents& shape) const {
    return made([&](arr_array* out) {
      return arr_reshape(handle_, static_cast<int32_t>(shape.size()), shape.data(), ARR_ORDER_C, nullptr,
                         out);
    });
  }
  /** Returns a view with the axes in reverse order. */
  array T() const {
    return made([&](arr_array* out) { return arr_transpose(handle_, 0, nullptr, out); });
  }

  /** Returns one element, or the only one; a number that T cannot hold is an error. Waits. */
  template <class T>
  T item(const extents& index = {}) const;
  /** Returns a copy of the elements in row-major order. The element type must be T's. Waits. */
  template <class T>
  std::vector<T> to_vector() const {
    expect(dtype_of<T>::value, "to_vector");
    using stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;  // a std::vector<bool> holds bits
    std::vector<stored> list(static_cast<size_t>(size()));
    check(arr_get(handle_, ARR_ORDER_C, list.data(), static_cast<int64_t>(list.size() * sizeof(T)), nullptr));
    if constexpr (std::is_same_v<T, bool>) {
      return std::vector<bool>(list.begin(), list.end());
    } else {
      return list;
    }
  }
  /** Returns the elements in place. The array must be contiguous, on the host, and a named object that stays
   * alive while the span is used. Waits. */
  template <class T>
  span<T> elements() & {
    return {static_cast<T*>(data_of(dtype_of<std::remove_const_t<T>>::value, !std::is_const_v<T>)),
            static_cast<size_t>(size())};
  }
  template <class T>
  span<const T> elements() const& {
    return {static_cast<const T*>(data_of(dtype_of<std::remove_const_t<T>>::value, false)),
            static_cast<size_t>(size())};
  }
  template <class T>
  span<T> elements() const&& = delete;  // the array ends before the span is used: give it a name first
  /** Converts an array of one element to a condition: true if it is not 0. Waits. */
  explicit operator bool() const;

  /** Selects a part of the array: a(1, arr::slice(2, 5)), a(mask), a(indices). See index.hpp. */
  template <class... Index>
  selection operator()(const Index&... indices);
  template <class... Index>
  const_selection operator()(const Index&... indices) const;
  array& operator+=(const operand& y) &;
  array& operator-=(const operand& y) &;
  array& operator*=(const operand& y) &;
  array& operator/=(const operand& y) &;
  /** Sets all elements to a value. */
  array& fill(const operand& value) &;
  /** Sets all elements of a temporary array, such as a view, and returns it by value. */
  array operator+=(const operand& y) &&;
  array operator-=(const operand& y) &&;
  array operator*=(const operand& y) &&;
  array operator/=(const operand& y) &&;
  array fill(const operand& value) &&;

  std::string str() const {
    int64_t length = 0;
    check(arr_format(handle_, 0, 0, nullptr, &length));
    std::string text(static_cast<size_t>(length) + 1, '\0');
    check(arr_format(handle_, 0, length + 1, text.data(), &length));
    text.resize(static_cast<size_t>(length));
    return text;
  }
  friend std::ostream& operator<<(std::ostream& to, const array& a) { return to << a.str(); }

 private:
  template <class Call>
  static array made(Call call) {
    array out;
    check(call(out.put()));
    return out;
  }
  template <class T, class List>
  static array nested(const List& list, const arr::device& on) {
    // Bytes stand for bool, because a std::vector<bool> has no elements in memory.
    std::vector<std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>> all;
    extents shape;
    gather(list, 0, shape, all);
    array made = from(all.data(), shape, on);
    if constexpr (std::is_same_v<T, bool>) return made.template astype<bool>();
    return made;
  }
  template <class T, class Stored>
  static void gather(const T& number, size_t, const extents&, std::vector<Stored>& all) {
    all.push_back(number);
  }
  template <class T, class Stored>
  static void gather(const std::initializer_list<T>& list, size_t depth, extents& shape,
                     std::vector<Stored>& all) {
    const auto extent = static_cast<int64_t>(list.size());
    if (shape.size() == depth) shape.push_back(extent);
    if (shape[depth] != extent) {
      throw error(ARR_E_SHAPE, "array: argument rows: a row of " + std::to_string(extent) +
                                   " entries, expected the " + std::to_string(shape[depth]) +
                                   " of the first");
    }
    for (const T& entry : list) gather(entry, depth + 1, shape, all);
  }
  /** Returns the address of elements of a type. */
  void* data_of(arr::dtype wanted, bool writing) const {
    expect(wanted, "elements");
    int32_t flags = 0;
    check(arr_array_flags(handle_, &flags));
    if (!(flags & ARR_FLAG_C)) throw error(ARR_E_SHAPE, "elements: the array is not contiguous: use copy()");
    if (writing && (flags & ARR_FLAG_READONLY)) {
      throw error(ARR_E_READONLY, "elements: the array is read-only: use a span of const elements");
    }
    if (device().type != ARR_HOST) {
      throw error(ARR_E_DEVICE, "elements: the array is not on the host: use to()");
    }
    check(arr_array_sync(handle_));
    void* data = nullptr;
    check(arr_data(handle_, &data));
    return data;
  }
  void expect(arr::dtype wanted, const char* function) const {
    const arr::dtype got = dtype();
    if (got == wanted) return;
    throw error(ARR_E_DTYPE, std::string(function) + ": argument T: " + wanted.name() +
                                 ", but the array has elements of " + got.name());
  }

  arr_array handle_ = nullptr;
};

/** An array, or a part of one, that a function writes to: none that is const. */
class output {
 public:
  output() = default;  // none, where a function allows that
  output(array& a) noexcept : handle_(a.get()) {}
  output(array&& a) noexcept : held_(std::move(a)), handle_(held_.get()) {}
  output(selection& part);
  output(selection&& part);
  output(const array&) = delete;  // a const array is not written to
  output(const const_selection&) = delete;
  arr_array get() const noexcept { return handle_; }

 private:
  array held_;
  arr_array handle_ = nullptr;
};

/** A list of arrays, as an argument: {a, b}, a vector, or another container of contiguous arrays. */
class arrays {
 public:
  arrays() = default;
  arrays(std::initializer_list<array> list) { add(list.begin(), list.size()); }
  template <class List, class = decltype(static_cast<const array*>(std::declval<const List&>().data()))>
  arrays(const List& list) {
    add(list.data(), list.size());
  }
  template <size_t N>
  arrays(const array (&list)[N]) {
    add(list, N);
  }
  size_t size() const noexcept { return handles_.size(); }
  /** Returns the handles, which the arrays of the list own. */
  const arr_array* data() const noexcept { return handles_.data(); }

 private:
  void add(const array* first, size_t count) {
    handles_.reserve(count);
    for (size_t i = 0; i < count; ++i) handles_.push_back(first[i].get());
  }
  std::vector<arr_array> handles_;
};

}  // namespace arr
#endif
