/* SPDX-License-Identifier: MIT */
/* lists.hpp - functions whose results are lists: parts of arrays, indices, generators, extents. */
#ifndef ARR_CPP_LISTS_HPP
#define ARR_CPP_LISTS_HPP
#include <arr/cpp/functions_generated.hpp>

namespace arr {
namespace detail {

/** The arrays that a call makes; it gets the addresses of their handles. A negative number of them is the
 * call's error. */
template <class Call>
std::vector<array> made(int64_t count, Call call) {
  std::vector<arr_array> list(count > 0 ? static_cast<size_t>(count) : 0, nullptr);
  arr_array none = nullptr;  // an address, also for an empty list
  check(call(list.empty() ? &none : list.data()));
  return adopt(list);
}
inline int64_t extent_of(const array& a, int32_t axis) {
  const extents shape = a.shape();
  const int32_t n = static_cast<int32_t>(shape.size()), at = axis < 0 ? axis + n : axis;
  return at >= 0 && at < n ? shape[static_cast<size_t>(at)] : 0;
}

}  // namespace detail

/** Splits an array along an axis into n views of equal extent. */
inline std::vector<array> split(const array& a, int32_t n, arr::axis axis = 0) {
  return detail::made(n, [&](arr_array* out) { return arr_split(a.get(), n, axis, out); });
}
/** Splits an array along an axis into n views; the first ones may be one longer. */
inline std::vector<array> array_split(const array& a, int32_t n, arr::axis axis = 0) {
  return detail::made(n, [&](arr_array* out) { return arr_array_split(a.get(), n, axis, out); });
}
/** Splits an array before each of the indices along an axis; returns views. */
inline std::vector<array> split_at(const array& a, const std::vector<int64_t>& positions,
                                   arr::axis axis = 0) {
  const int32_t n = static_cast<int32_t>(positions.size());
  return detail::made(
      n + 1, [&](arr_array* out) { return arr_split_at(a.get(), n, positions.data(), axis, n + 1, out); });
}
/** Returns a view for each index of an axis. */
inline std::vector<array> unstack(const array& a, arr::axis axis = 0) {
  const int64_t n = detail::extent_of(a, axis);
  return detail::made(
      n, [&](arr_array* out) { return arr_unstack(a.get(), axis, static_cast<int32_t>(n), out); });
}

/** Returns the indices of the elements that are not zero, a vector for each axis. */
inline std::vector<array> nonzero(const array& a, const stream& in = {}) {
  const int32_t n = a.ndim();
  return detail::made(n, [&](arr_array* out) { return arr_nonzero(a.get(), in.get(), n, out); });
}
/** Returns the indices of the elements where a condition is true, as nonzero does. */
inline std::vector<array> where(const array& condition, const stream& in = {}) {
  return nonzero(condition, in);
}

/** Returns vectors of indices in shapes that broadcast to all their combinations. */
inline std::vector<array> ix(const arrays& vectors, const stream& in = {}) {
  const int32_t n = static_cast<int32_t>(vectors.size());
  return detail::made(n, [&](arr_array* out) { return arr_ix(n, vectors.data(), in.get(), n, out); });
}
/** Returns the indices of the diagonal of an array of ndim dimensions of extent n. */
inline std::vector<array> diag_indices(int64_t n, int32_t ndim = 2, const device& on = {},
                                       const stream& in = {}) {
  return detail::made(ndim, [&](arr_array* out) { return arr_diag_indices(n, &on, in.get(), ndim, out); });
}
/** Converts flat indices to indices along each axis of a shape. */
inline std::vector<array> unravel_index(const array& indices, const extents& shape,
                                        arr::order order = ARR_ORDER_C, const stream& in = {}) {
  const int32_t n = static_cast<int32_t>(shape.size());
  return detail::made(n, [&](arr_array* out) {
    return arr_unravel_index(indices.get(), n, shape.data(), order, in.get(), n, out);
  });
}
/** Returns coefficients of polynomials as vectors of one type; `trim` removes zeros at their ends. */
inline std::vector<array> as_series(const arrays& list, flag trim = true, const stream& in = {}) {
  const int32_t n = static_cast<int32_t>(list.size());
  return detail::made(
      n, [&](arr_array* out) { return arr_as_series(n, list.data(), bool(trim), in.get(), n, out); });
}

/** Returns the derivative along each of the axes, by default along all. The spacing is one number or vector
 * for all axes, or one for each. */
inline std::vector<array> gradient(const array& f, std::vector<operand> spacing = {}, const axes& along = {},
                                   int32_t edge_order = 1, const stream& in = {}) {
  const int32_t n = along.data() ? along.size() : f.ndim();
  if (spacing.size() == 1) spacing.resize(static_cast<size_t>(n), operand(spacing[0]));
  if (!spacing.empty() && spacing.size() != static_cast<size_t>(n)) {
    throw error(ARR_E_ARGUMENT, "gradient: argument spacing: " + std::to_string(spacing.size()) +
                                    " entries for " + std::to_string(n) + " axes");
  }
  const std::vector<arr_value> values = detail::values(spacing);
  return detail::made(n, [&](arr_array* out) {
    return arr_gradient(f.get(), n, along.data(), values.empty() ? nullptr : values.data(), edge_order,
                        in.get(), n, out);
  });
}
/** Multiplies over the last n axes of a and the first n of b. */
inline array tensordot(const array& a, const array& b, int32_t n = 2, const stream& in = {}) {
  array made;
  check(arr_tensordot(a.get(), b.get(), n, nullptr, nullptr, in.get(), made.put()));
  return made;
}

/** Returns the shape to which shapes broadcast. */
inline extents broadcast_shapes(const std::vector<extents>& shapes) {
  std::vector<int32_t> ndims;
  std::vector<int64_t> all;
  for (const extents& shape : shapes) {
    ndims.push_back(static_cast<int32_t>(shape.size()));
    all.insert(all.end(), shape.begin(), shape.end());
  }
  extents result;
  result.resize(ARR_MAX_NDIM);
  int32_t n = 0;
  check(arr_broadcast_shapes(static_cast<int32_t>(ndims.size()), ndims.data(),
                             static_cast<int32_t>(all.size()), all.data(), ARR_MAX_NDIM, result.data(), &n));
  result.resize(static_cast<size_t>(n));
  return result;
}

/** Returns n generators of independent streams. */
inline std::vector<generator> generator_spawn(const generator& g, int32_t n) {
  std::vector<arr_generator> list(n > 0 ? static_cast<size_t>(n) : 1, arr_generator{});
  check(arr_generator_spawn(g.get(), n, list.data()));
  std::vector<generator> children;
  for (int32_t i = 0; i < n; ++i) children.emplace_back(list[static_cast<size_t>(i)]);
  return children;
}

}  // namespace arr
#endif
