/* SPDX-License-Identifier: MIT */
/* sparse.hpp - sparse matrices with operators, and their properties.
 *
 *   arr::sparse a = arr::sparse_coo(3, 3, data, row, col);
 *   arr::array y = a * x, sums = a.sum(1);
 *   arr::sparse b = a.T() * a + 2.0 * a; */
#ifndef ARR_CPP_SPARSE_HPP
#define ARR_CPP_SPARSE_HPP
#include <arr/cpp/comm.hpp>
#include <arr/cpp/index.hpp>
#include <arr/cpp/properties.hpp>

#include <vector>

namespace arr {

/** A sparse matrix. It moves, and does not copy; copy() is another handle of the same matrix, which never
 * changes. */
class sparse : public owner<arr_sparse, arr_sparse_release> {
 public:
  using owner::owner;
  sparse() = default;
  /** Makes a canonical matrix of the elements of a dense one that are not 0. */
  explicit sparse(const array& dense, sparse_format format = sparse_format::csr) {
    check(arr_sparse_from_dense(dense.get(), format, nullptr, put()));
  }

  sparse copy() const {
    sparse out;
    check(arr_sparse_retain(get(), out.put()));
    return out;
  }
  arr_sparse_properties info() const {
    return detail::filled<arr_sparse_properties>(
        [&](arr_sparse_properties* p) { return arr_sparse_info(get(), p); });
  }
  int64_t rows() const { return info().rows; }
  int64_t columns() const { return info().columns; }
  /** Returns the shape, of as many extents as there are dimensions. */
  std::vector<int64_t> shape() const {
    int32_t ndim = 0;
    check(arr_sparse_shape(get(), 0, nullptr, &ndim));
    std::vector<int64_t> out(static_cast<size_t>(ndim));
    check(arr_sparse_shape(get(), ndim, out.data(), nullptr));
    return out;
  }
  /** Returns the number of stored elements. */
  int64_t nnz() const { return info().nnz; }
  arr::dtype dtype() const { return arr::dtype(static_cast<int32_t>(info().dtype)); }
  sparse_format format() const { return sparse_format(static_cast<int32_t>(info().format)); }

  /** Returns the parts, without a copy. Index arrays are read-only; row and col are those of coo, indices and
   * indptr those of csr and csc. */
  array data() const { return part(matrix_part::data); }
  array row() const { return part(matrix_part::row); }
  array col() const { return part(matrix_part::col); }
  array indices() const { return part(matrix_part::indices); }
  array indptr() const { return part(matrix_part::indptr); }

  /** Formats as SciPy does; 0 shows 50 elements of longer matrices. */
  std::string str(int64_t max_elements = 0) const {
    int64_t length = 0;
    check(arr_sparse_format(get(), max_elements, 0, nullptr, &length));
    std::string text(static_cast<size_t>(length) + 1, '\0');
    check(arr_sparse_format(get(), max_elements, length + 1, text.data(), &length));
    text.resize(static_cast<size_t>(length));
    return text;
  }
  friend std::ostream& operator<<(std::ostream& to, const sparse& a) { return to << a.str(); }
  /** Makes an array of all elements. */
  array to_dense(arr::order o = arr::order::c) const {
    array out;
    check(arr_sparse_to_dense(get(), o, nullptr, out.put()));
    return out;
  }
  /** Converts to another format. */
  sparse to(sparse_format wanted) const {
    sparse out;
    check(arr_sparse_convert(get(), wanted, nullptr, out.put()));
    return out;
  }
  /** Returns the transpose, which shares the parts. */
  sparse T() const {
    sparse out;
    check(arr_sparse_transpose(get(), out.put()));
    return out;
  }
  /** Makes a matrix of the same elements with other values. */
  sparse with_data(const array& values) const {
    sparse out;
    check(arr_sparse_with_data(get(), values.get(), nullptr, out.put()));
    return out;
  }
  /** Makes a matrix of rows and columns: a(arr::slice(2, 5)), a(arr::colon, columns), a(1, mask). */
  template <class... Index>
  sparse operator()(const Index&... indices) const {
    const index all[] = {index(indices)...};
    return with_indices(all, [&](int32_t n, const arr_index* raw, arr_sparse* out) {
      return arr_sparse_get_items(get(), n, raw, nullptr, out);
    });
  }
  /** Selects by NumPy's rules in any number of dimensions: a.items(0, arr::slice(2, 5), columns). */
  template <class... Index>
  sparse items(const Index&... indices) const {
    const index all[] = {index(indices)...};
    return with_indices(all, [&](int32_t n, const arr_index* raw, arr_sparse* out) {
      return arr_sparse_get_items_nd(get(), n, raw, nullptr, out);
    });
  }
  /** Replaces a(indices...) by a block, in a new matrix. */
  template <class... Index>
  sparse with_items(const sparse& block, const Index&... indices) const {
    const index all[] = {index(indices)...};
    return with_indices(all, [&](int32_t n, const arr_index* raw, arr_sparse* out) {
      return arr_sparse_with_items(get(), n, raw, block.get(), nullptr, out);
    });
  }
  /** Replaces a.items(indices...) by a block, in a new array. */
  template <class... Index>
  sparse with_items_nd(const sparse& block, const Index&... indices) const {
    const index all[] = {index(indices)...};
    return with_indices(all, [&](int32_t n, const arr_index* raw, arr_sparse* out) {
      return arr_sparse_with_items_nd(get(), n, raw, block.get(), nullptr, out);
    });
  }
  /** Returns the elements at pairs of a row and a column, which broadcast. */
  array elements(const array& rows, const array& cols) const {
    array out;
    check(arr_sparse_elements(get(), rows.get(), cols.get(), nullptr, out.put()));
    return out;
  }
  /** Reduces each column (axis 0), each row (1), or all elements. */
  array sum(arr::axis axis = ARR_AXIS_NONE) const { return reduce(ARR_REDUCTION_SUM, axis); }
  array mean(arr::axis axis = ARR_AXIS_NONE) const { return reduce(ARR_REDUCTION_MEAN, axis); }
  array max(arr::axis axis = ARR_AXIS_NONE) const { return reduce(ARR_REDUCTION_MAX, axis); }
  array min(arr::axis axis = ARR_AXIS_NONE) const { return reduce(ARR_REDUCTION_MIN, axis); }

 private:
  template <size_t n, class Call>
  static sparse with_indices(const index (&indices)[n], const Call& call) {
    arr_index raw[n];
    for (size_t i = 0; i < n; ++i) raw[i] = indices[i].raw();
    sparse out;
    check(call(static_cast<int32_t>(n), raw, out.put()));
    return out;
  }
  array part(matrix_part which) const {
    array out;
    check(arr_sparse_part(get(), which, out.put()));
    return out;
  }
  array reduce(int32_t reduction, arr::axis axis) const {
    array out;
    check(arr_sparse_reduce(reduction, get(), axis, 0, nullptr, out.put()));
    return out;
  }
};

/** Factors of a sparse matrix: arr::sparse_lu(a).solve(b). They move, and do not copy. */
class sparse_factor : public owner<arr_sparse_factor, arr_sparse_factor_release> {
 public:
  using owner::owner;
  sparse_factor() = default;

  arr_sparse_factor_properties info() const {
    return detail::filled<arr_sparse_factor_properties>(
        [&](arr_sparse_factor_properties* p) { return arr_sparse_factor_info(get(), p); });
  }
  /** Solves op(a) x = b. */
  array solve(const array& b, matrix_op op = matrix_op::plain) const {
    array out;
    check(arr_sparse_factor_solve(get(), b.get(), op, nullptr, out.put()));
    return out;
  }
  sparse solve(const sparse& b, matrix_op op = matrix_op::plain) const {
    sparse out;
    check(arr_sparse_factor_solve_sparse(get(), b.get(), op, nullptr, out.put()));
    return out;
  }
  /** Returns L, U, and the permutations of rows and of columns. */
  sparse lower() const {
    sparse out;
    check(arr_sparse_factor_parts(get(), nullptr, out.put(), nullptr, nullptr, nullptr));
    return out;
  }
  sparse upper() const {
    sparse out;
    check(arr_sparse_factor_parts(get(), nullptr, nullptr, out.put(), nullptr, nullptr));
    return out;
  }
  array perm_r() const {
    array out;
    check(arr_sparse_factor_parts(get(), nullptr, nullptr, nullptr, out.put(), nullptr));
    return out;
  }
  array perm_c() const {
    array out;
    check(arr_sparse_factor_parts(get(), nullptr, nullptr, nullptr, nullptr, out.put()));
    return out;
  }
};

namespace detail {
inline sparse combined(int32_t op, const sparse& a, const sparse& b) {
  sparse out;
  check(arr_sparse_binary(op, a.get(), b.get(), nullptr, out.put()));
  return out;
}
inline sparse scaled(int32_t op, const sparse& a, const operand& x) {
  sparse out;
  check(arr_sparse_scale(op, a.get(), x.get(), nullptr, out.put()));
  return out;
}
template <class T>
using if_number = std::enable_if_t<std::is_arithmetic_v<T>, int>;
}  // namespace detail

/** Products are those of matrices, as in linear algebra; sparse_binary(ARR_OP_MULTIPLY, a, b) multiplies
 * elements. */
inline array operator*(const sparse& a, const array& x) {
  array out;
  check(arr_sparse_matmul(a.get(), x.get(), nullptr, out.put()));
  return out;
}
inline array operator*(const array& x, const sparse& a) {
  array out;
  check(arr_sparse_rmatmul(x.get(), a.get(), nullptr, out.put()));
  return out;
}
inline sparse operator*(const sparse& a, const sparse& b) {
  sparse out;
  check(arr_sparse_product(a.get(), b.get(), nullptr, out.put()));
  return out;
}
inline sparse operator+(const sparse& a, const sparse& b) { return detail::combined(ARR_OP_ADD, a, b); }
inline sparse operator-(const sparse& a, const sparse& b) { return detail::combined(ARR_OP_SUBTRACT, a, b); }
inline sparse operator-(const sparse& a) {
  sparse out;
  check(arr_sparse_unary(ARR_OP_NEGATIVE, a.get(), nullptr, out.put()));
  return out;
}
template <class T, detail::if_number<T> = 0>
sparse operator*(const sparse& a, T x) {
  return detail::scaled(ARR_OP_MULTIPLY, a, x);
}
template <class T, detail::if_number<T> = 0>
sparse operator*(T x, const sparse& a) {
  return detail::scaled(ARR_OP_MULTIPLY, a, x);
}
template <class T, detail::if_number<T> = 0>
sparse operator/(const sparse& a, T x) {
  return detail::scaled(ARR_OP_DIVIDE, a, x);
}

namespace detail {
inline std::vector<arr_sparse> raw_of(const std::vector<const sparse*>& parts) {
  std::vector<arr_sparse> raw;
  for (const sparse* p : parts) raw.push_back(p == nullptr ? nullptr : p->get());
  return raw;
}
}  // namespace detail

/** Sends a matrix to each rank, or nullptr for none, and returns those that arrive; empty ones where none
 * has. */
inline std::vector<sparse> comm_sparse_all_to_all(const comm& ranks, const std::vector<const sparse*>& a) {
  const std::vector<arr_sparse> raw = detail::raw_of(a);
  std::vector<arr_sparse> arrived(raw.size());
  check(arr_comm_sparse_all_to_all(ranks.get(), static_cast<int32_t>(raw.size()), raw.data(), nullptr,
                                   arrived.data()));
  std::vector<sparse> out;
  for (arr_sparse h : arrived) out.emplace_back(h);
  return out;
}

/** Joins matrices below each other (axis 0) or beside each other (1): sparse_concatenate({&a, &b}, 1). */
inline sparse sparse_concatenate(const std::vector<const sparse*>& parts, arr::axis axis,
                                 sparse_format format = sparse_format::csr) {
  const std::vector<arr_sparse> raw = detail::raw_of(parts);
  sparse out;
  check(
      arr_sparse_concatenate(static_cast<int32_t>(raw.size()), raw.data(), axis, format, nullptr, out.put()));
  return out;
}
/** Joins arrays of any number of dimensions along an axis. */
inline sparse sparse_concatenate_nd(const std::vector<const sparse*>& parts, arr::axis axis) {
  const std::vector<arr_sparse> raw = detail::raw_of(parts);
  sparse out;
  check(arr_sparse_concatenate_nd(static_cast<int32_t>(raw.size()), raw.data(), axis, nullptr, out.put()));
  return out;
}
/** Joins arrays of one shape along a new axis: sparse_stack({&a, &b}, 0). */
inline sparse sparse_stack(const std::vector<const sparse*>& parts, arr::axis axis) {
  const std::vector<arr_sparse> raw = detail::raw_of(parts);
  sparse out;
  check(arr_sparse_stack(static_cast<int32_t>(raw.size()), raw.data(), axis, nullptr, out.put()));
  return out;
}
/** Joins matrices along the diagonal. */
inline sparse sparse_block_diag(const std::vector<const sparse*>& parts,
                                sparse_format format = sparse_format::csr) {
  const std::vector<arr_sparse> raw = detail::raw_of(parts);
  sparse out;
  check(arr_sparse_block_diag(static_cast<int32_t>(raw.size()), raw.data(), format, nullptr, out.put()));
  return out;
}
/** Joins a matrix of blocks, row by row; nullptr: zeros. */
inline sparse sparse_block(const std::vector<const sparse*>& blocks, int32_t columns,
                           sparse_format format = sparse_format::csr) {
  const std::vector<arr_sparse> raw = detail::raw_of(blocks);
  sparse out;
  check(arr_sparse_block(static_cast<int32_t>(raw.size()), raw.data(), columns, format, nullptr, out.put()));
  return out;
}

}  // namespace arr
#endif
