// SPDX-License-Identifier: MIT
// Indices of extreme elements: of the stored elements that equal the extremum of their line the first one, or
// the first element that is not stored if the extremum is 0.
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/nd.h"
#include "ops/sparse/shape.h"

namespace arr {

namespace {

// out[line] = the value of the first element of the line where the mask is true; line: of each element,
// ascending.
void first_of_lines(const Array& out, const Array& mask, const Array& line, const Array& values,
                    Stream* stream) {
  const Ref<Array> at = flatnonzero(mask, stream);
  if (at->layout.shape[0] == 0) return;
  const Ref<Array> lines = take_known(line, *at, 0, stream);
  const Ref<Array> heads = flatnonzero(*segment_heads(*lines, false, stream), stream);
  const Ref<Array> from = take_known(*at, *heads, 0, stream);
  scatter_unique(out, *as_type(*take_known(*lines, *heads, 0, stream), DType::int64_, stream),
                 *as_type(*take_known(values, *from, 0, stream), DType::int64_, stream), stream);
}

// The first index of each line that is not stored, or the width.
Ref<Array> first_missing(const Sparse& a, const Array& line, Stream* stream) {
  const int64_t n = a.lines();
  const Ref<Array> begins = slice_axis(*a.outer, 0, 0, n), ends = slice_axis(*a.outer, 0, 1, n + 1);
  Ref<Array> out = compute({ends.get(), begins.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::subtract, in[0], in[1]), DType::int64_);
  });
  const Ref<Array> numbers = index_vector(a.nnz(), a.device(), stream);
  const Ref<Array> begin = take_known(*begins, line, 0, stream);
  const Ref<Array> within =
      compute({numbers.get(), begin.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
        return b.op(op::subtract, in[0], b.cast(in[1], DType::int64_));
      });
  first_of_lines(*out, *apply(op::not_equal, {a.inner.get(), within.get()}, stream), line, *within, stream);
  return out;
}

// Returns the index of the extremum in each line of a canonical compressed matrix.
Ref<Array> of_lines(const Sparse& a, const Array& extremum, Stream* stream) {
  const int64_t n = a.lines(), width = a.width();
  const Ref<Array> line = a.format == SparseFormat::csr ? rows_of(a, stream) : columns_of(a, stream);
  const Ref<Array> wanted = take_known(extremum, *line, 0, stream);
  const Ref<Array> equals =
      compute({a.data.get(), wanted.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
        const int32_t nan =
            b.op(op::logical_and, b.op(op::not_equal, in[0], in[0]), b.op(op::not_equal, in[1], in[1]));
        return b.op(op::logical_or, b.op(op::equal, in[0], in[1]), nan);
      });
  const Ref<Array> stored = full(DType::int64_, {&n, 1}, Order::C, scalar_of(width), a.device(), stream);
  first_of_lines(*stored, *equals, *line, *a.inner, stream);
  const Ref<Array> missing = first_missing(a, *line, stream);
  return compute({stored.get(), missing.get(), &extremum}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t zero = b.op(op::logical_not, in[2]);
    return b.op(op::where, zero, b.op(op::minimum, in[0], in[1]), in[0]);
  });
}

// The same of an array of other than two dimensions: the axis becomes the columns of a matrix.
Ref<Array> along_axis(bool largest, const Sparse& a, int32_t axis, Stream* stream) {
  const Layout shape = shape_of(a);
  axis = normalize_axis(shape.ndim, axis);
  std::vector<int32_t> others;
  std::vector<int64_t> extents;
  for (int32_t i = 0; i < shape.ndim; ++i) {
    if (i == axis) continue;
    others.push_back(i);
    extents.push_back(shape.shape[i]);
  }
  const Ref<Sparse> lines = as_matrix(a, others, {&axis, 1}, stream);
  return reshape(*sparse_extreme_index(largest, *lines, 1, stream), extents, Order::C, stream);
}

}  // namespace

Ref<Array> sparse_extreme_index(bool largest, const Sparse& given, int32_t axis, Stream* stream) {
  const int32_t which = largest ? reduction::max : reduction::min;
  if (given.nd != nullptr && axis != axis_none) return along_axis(largest, given, axis, stream);
  if (axis != axis_none) axis = normalize_axis(2, axis);
  const int64_t size = given.extents.rows * given.extents.columns;
  const int64_t width = axis == axis_none ? size : axis == 0 ? given.extents.rows : given.extents.columns;
  if (width == 0) {
    fail(ARR_E_SHAPE, "argument a: shape (", given.extents.rows, ",", given.extents.columns,
         ") has no elements to choose from");
  }
  const Ref<Sparse> from = axis == axis_none ? sparse_reshape(given, {1, size}, stream) : given.share();
  const SparseFormat format = axis == 0 ? SparseFormat::csc : SparseFormat::csr;
  const Ref<Sparse> a = sum_duplicates(*convert(*from, format, stream), stream);
  const Ref<Array> extremum =
      sparse_reduce(*reduction_info(which), *a, axis == 0 ? 0 : 1, DType::none, stream);
  const Ref<Array> out = of_lines(*a, *extremum, stream);
  return axis == axis_none ? index_axis(*out, 0, 0) : out;
}

}  // namespace arr
