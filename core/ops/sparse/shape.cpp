// SPDX-License-Identifier: MIT
// Diagonals, triangles and other shapes of sparse matrices, by the rows and columns of their elements.
#include "ops/sparse/shape.h"

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/index.h"
#include "ops/indexing/select.h"
#include "ops/sparse/build.h"
#include "ops/sparse/items.h"

namespace arr {

namespace {

// op(column - row, k) of each element.
Ref<Array> beside_diagonal(int32_t op, const Sparse& a, int64_t k, Stream* stream) {
  const Ref<Array> row = rows_of(a, stream), column = columns_of(a, stream);
  return compute({column.get(), row.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t right = b.op(op::subtract, b.cast(in[0], DType::int64_), b.cast(in[1], DType::int64_));
    return b.op(op, right, integer(b, k));
  });
}

}  // namespace

Ref<Array> sparse_diagonal(const Sparse& a, int64_t k, Stream* stream) {
  const int64_t n = diagonal_length(a.extents, k);
  Ref<Array> out =
      full(a.dtype(), {&n, 1}, Order::C, convert(scalar_of(int64_t{0}), a.dtype()), a.device(), stream);
  if (n == 0 || a.nnz() == 0) return out;
  const Ref<Array> on = beside_diagonal(op::equal, a, k, stream);
  const Ref<Array> index = k < 0 ? columns_of(a, stream) : rows_of(a, stream);
  const Ref<Array> at = compress(*on, *index, 0, stream), values = compress(*on, *a.data, 0, stream);
  if (at->layout.shape[0] == 0) return out;
  const Array* where[1] = {at.get()};
  const Input by{values.get(), {}, false};
  ufunc_at(*op_info(a.dtype() == DType::bool_ ? op::logical_or : op::add), *out, where, &by, stream);
  return out;
}

Ref<Sparse> with_diagonal(const Sparse& a, const Input& values, int64_t k, Stream* stream) {
  int64_t n = diagonal_length(a.extents, k);
  Input given = values;
  Ref<Array> first;
  if (values.array != nullptr) {
    const Layout& l = values.array->layout;
    if (l.ndim > 1) {
      fail(ARR_E_SHAPE, "argument value: shape ", l.text(), ", expected one dimension at most");
    }
    if (l.ndim == 1 && l.shape[0] != 1) {
      n = std::min(n, l.shape[0]);
      first = slice_axis(*values.array, 0, 0, n);
      given.array = first.get();
    }
  }
  const Ref<Array> row = along_diagonal(0, k, n, a.device(), stream),
                   column = along_diagonal(1, k, n, a.device(), stream);
  return with_elements(a, *row, *column, given, stream);
}

Ref<Sparse> sparse_triangle(const Sparse& a, int64_t k, bool lower, Stream* stream) {
  return keep(a, *beside_diagonal(lower ? op::less_equal : op::greater_equal, a, k, stream), stream);
}

Ref<Sparse> sparse_reshape(const Sparse& a, const Extents& given, Stream* stream) {
  const int64_t size = a.extents.rows * a.extents.columns;
  Extents e = given;
  for (int64_t* extent : {&e.rows, &e.columns}) {
    const int64_t other = extent == &e.rows ? e.columns : e.rows;
    if (*extent == -1 && other > 0 && size % other == 0) *extent = size / other;
  }
  if (e.rows < 0 || e.columns < 0 || checked::mul(e.rows, e.columns, "rows times columns") != size) {
    fail(ARR_E_SHAPE, "argument rows: (", given.rows, ",", given.columns, ") cannot hold the ", size,
         " elements of shape (", a.extents.rows, ",", a.extents.columns, ")");
  }
  if (a.compressed()) check_lines(a.format == SparseFormat::csc ? e.columns : e.rows, "rows");
  const Ref<Array> keys = key_of(*rows_of(a, stream), *columns_of(a, stream), a.extents.columns, stream);
  const bool wide = a.index_type() == DType::int64_;
  if (a.format != SparseFormat::csc && a.known_canonical()) {
    return from_sorted_keys(a.format, e, {keys, a.data}, wide, stream);
  }
  const auto part = [&](int32_t op) {
    return compute({keys.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.op(op, in[0], integer(b, std::max<int64_t>(e.columns, 1)));
    });
  };
  Ref<Array> row = part(op::floor_divide), column = part(op::remainder);
  if (a.format == SparseFormat::coo)
    return make_sparse(a.format, e, {a.data, row, column}, false, wide, stream);
  if (a.format == SparseFormat::csc) std::swap(row, column);
  return from_elements(a.format, e, {row, column, a.data}, wide, stream);
}

}  // namespace arr
