// SPDX-License-Identifier: MIT
// Norms of sparse matrices, and of their rows and columns.
#include "ops/sparse/norms.h"

#include <cmath>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"
#include "ops/sparse/elementwise.h"

namespace arr {

namespace {

Ref<Array> by(int32_t reduction, const Sparse& a, int32_t axis, Stream* stream) {
  return sparse_reduce(*reduction_info(reduction), a, axis, DType::none, stream);
}

Ref<Array> with_number(int32_t op, const Array& a, double x, Stream* stream) {
  return compute({&a}, stream,
                 [&](ProgramBuilder& b, const int32_t* in) { return b.op(op, in[0], number(b, x)); });
}

// The p-th root of the sum of p-th powers.
Ref<Array> root_of_powers(const Sparse& magnitudes, double p, int32_t axis, Stream* stream) {
  const Ref<Array> powers = with_number(op::power, *magnitudes.data, p, stream);
  return with_number(op::power, *by(reduction::sum, *magnitudes.with_data(powers), axis, stream), 1 / p,
                     stream);
}

// The p-norm of each row or column. Its elements are divided by the largest of them first, so that their
// powers do not overflow.
Ref<Array> norms_of(const Sparse& a, double p, int32_t axis, Stream* stream) {
  const DType d = a.dtype(), wide = is_half(d)                        ? DType::float32_
                                    : is_floating(d) || is_complex(d) ? d
                                                                      : DType::float64_;
  const Ref<Sparse> magnitudes = sparse_unary(
      *op_info(op::absolute), *astype(*sum_duplicates(a, stream), wide, Casting::unsafe, stream), stream);
  const Ref<Array> largest = by(reduction::max_abs, *magnitudes, axis, stream);
  const Ref<Array> scale = compute({largest.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t usable =
        b.op(op::logical_and, b.op(op::isfinite, in[0]), b.op(op::greater, in[0], number(b, 0)));
    return b.op(op::where, usable, in[0], number(b, 1));
  });
  const Ref<Array> of_axis = axis == 1 ? expand_axis(*scale, 1) : scale->share();
  const Ref<Sparse> scaled =
      sparse_with(*op_info(op::divide), *magnitudes, {of_axis.get(), {}, false}, stream);
  const Ref<Array> out =
      apply(op::multiply, {root_of_powers(*scaled, p, axis, stream).get(), scale.get()}, stream);
  return is_half(d) ? as_type(*out, d, stream) : out->share();
}

Ref<Array> vector_norm(const Sparse& a, double ord, int32_t axis, Stream* stream) {
  if (ord == HUGE_VAL) return by(reduction::max_abs, a, axis, stream);
  if (ord == -HUGE_VAL) return by(reduction::min_abs, a, axis, stream);
  if (ord == 1) return by(reduction::sum_abs, a, axis, stream);
  if (ord == 0) return by(reduction::count_nonzero, a, axis, stream);
  if (!(ord > 0)) {
    fail(ARR_E_ARGUMENT, "argument ord: ", ord,
         ", expected 0, a positive number, or -inf for rows and columns");
  }
  return norms_of(a, ord, axis, stream);
}

}  // namespace

Ref<Array> sparse_norm(const Sparse& a, NormKind kind, double ord, int32_t axis, Stream* stream) {
  if (axis != axis_none) axis = normalize_axis(2, axis);
  if (a.extents.rows == 0 || a.extents.columns == 0) {  // of no elements, as a dense array
    const std::span<const int32_t> axes(&axis, axis == axis_none ? 0 : 1);
    return norm(*to_dense(a, Order::C, stream), kind, ord, axes, false, stream);
  }
  if (axis != axis_none) {
    if (kind != NormKind::standard && kind != NormKind::power) {
      fail(ARR_E_ARGUMENT,
           "argument kind: a norm of matrices, expected ARR_NORM_DEFAULT or ARR_NORM_P for rows and columns");
    }
    return vector_norm(a, kind == NormKind::standard ? 2 : ord, axis, stream);
  }
  if (kind == NormKind::nuclear || (kind == NormKind::power && std::abs(ord) == 2)) {
    fail(ARR_E_UNSUPPORTED, "argument kind: a norm by singular values; arr_svds computes some of them");
  }
  if (kind != NormKind::power) {
    return reduce(*reduction_info(reduction::norm2), *sum_duplicates(a, stream)->data, 1, false, {}, stream);
  }
  if (std::abs(ord) != 1 && !std::isinf(ord)) {
    fail(ARR_E_ARGUMENT, "argument ord: ", ord, ", expected 1, -1, inf or -inf for a matrix");
  }
  const Ref<Array> sums = by(reduction::sum_abs, a, std::isinf(ord) ? 1 : 0, stream);
  return reduce(*reduction_info(ord > 0 ? reduction::max : reduction::min), *sums, 1, false, {}, stream);
}

}  // namespace arr
