// SPDX-License-Identifier: MIT
// Diagonals, traces, norms and condition numbers: views and reductions.
#include <algorithm>
#include <cmath>

#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/linalg/products.h"
#include "ops/linalg/solvers.h"
#include "ops/reduce/average.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

Ref<Array> by(int32_t reduction, const Array& a, uint32_t axes, bool keepdims, Stream* stream) {
  return reduce(*reduction_info(reduction), a, axes, keepdims, {}, stream);
}

// The max of sums or singular values (0 if there are none, as in NumPy), or the min.
Ref<Array> extreme(bool largest, const Array& a, uint32_t axes, bool keepdims, Stream* stream) {
  ReduceOptions options;
  if (largest) {
    options.initial = scalar_of(0.0);
    options.initial_weak = true;
  }
  return reduce(*reduction_info(largest ? reduction::max : reduction::min), a, axes, keepdims, options,
                stream);
}

// Throws if a norm of negative order has no elements.
void check_choice(const Array& a, double ord, int64_t choices) {
  if (ord < 0 && choices == 0)
    fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ", the norm of order ", ord,
         " is the smallest of no values");
}

// The sum of the singular values, or for orders 2 and -2 the max or min, of each matrix; nan if the matrix
// has one.
Ref<Array> by_singular_values(const Array& a, double ord, int32_t row, int32_t column, Stream* stream) {
  std::vector<int32_t> axes;
  for (int32_t i = 0; i < a.layout.ndim; ++i) {
    if (i != row && i != column) axes.push_back(i);
  }
  axes.push_back(row);
  axes.push_back(column);
  const Ref<Array> values = svdvals(*a.view(transpose(a.layout, axes)), OnFailure::nan, stream);
  const uint32_t last = 1U << (values->layout.ndim - 1);
  return ord == 0 ? by(reduction::sum, *values, last, false, stream)
                  : extreme(ord > 0, *values, last, false, stream);
}

}  // namespace

Ref<Array> diagonal(const Array& a, int64_t offset, int32_t axis1, int32_t axis2) {
  const Layout& l = a.layout;
  if (l.ndim < 2) fail(ARR_E_SHAPE, "argument a: shape ", l.text(), ", expected two dimensions or more");
  axis1 = normalize_axis(l.ndim, axis1, "axis1");
  axis2 = normalize_axis(l.ndim, axis2, "axis2");
  if (axis1 == axis2) fail(ARR_E_ARGUMENT, "argument axis2: ", axis2, " is equal to axis1");
  Layout out;
  for (int32_t i = 0; i < l.ndim; ++i) {
    if (i == axis1 || i == axis2) continue;
    out.shape[out.ndim] = l.shape[i];
    out.strides[out.ndim++] = l.strides[i];
  }
  const int64_t rows = l.shape[axis1], columns = l.shape[axis2];
  // Beyond the corners the diagonal is empty, whatever the offset.
  offset = std::clamp(offset, -rows, columns);
  const int64_t row = std::max<int64_t>(-offset, 0), column = std::max<int64_t>(offset, 0);
  const int64_t n = std::max<int64_t>(std::min(rows - row, columns - column), 0);
  out.shape[out.ndim] = n;
  out.strides[out.ndim++] = Layout::diagonal_stride(n, l.strides[axis1], l.strides[axis2]);
  return a.view(out, out.size() == 0 ? 0 : row * l.strides[axis1] + column * l.strides[axis2]);
}

Ref<Array> trace(const Array& a, int64_t offset, int32_t axis1, int32_t axis2, DType dtype, Stream* stream) {
  const Ref<Array> d = diagonal(a, offset, axis1, axis2);
  ReduceOptions options;
  options.dtype = dtype;
  return renaming({{"options", "dtype"}}, [&] {
    return reduce(*reduction_info(reduction::sum), *d, 1U << (d->layout.ndim - 1), false, options, stream);
  });
}

Ref<Array> matrix_norm(const Array& a, NormKind kind, double ord, int32_t row, int32_t column, bool keepdims,
                       Stream* stream) {
  if (a.layout.ndim < 2) {
    fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ", expected two dimensions or more");
  }
  row = normalize_axis(a.layout.ndim, row, "axes");
  column = normalize_axis(a.layout.ndim, column, "axes");
  if (row == column) fail(ARR_E_ARGUMENT, "argument axes: axis ", row, " is named twice");
  const uint32_t both = 1U << row | 1U << column;
  if (kind == NormKind::standard || kind == NormKind::frobenius) {
    return by(reduction::norm2, a, both, keepdims, stream);
  }
  const int64_t rows = a.layout.shape[row], columns = a.layout.shape[column];
  if (kind == NormKind::nuclear || std::abs(ord) == 2) {
    if (kind != NormKind::nuclear) check_choice(a, ord, std::min(rows, columns));
    Ref<Array> found = by_singular_values(a, kind == NormKind::nuclear ? 0 : ord, row, column, stream);
    if (!keepdims) return found;
    const int32_t axes[2] = {row, column};
    return found->view(expand_dims(found->layout, axes, found->item()));
  }
  if (std::abs(ord) != 1 && !std::isinf(ord)) {
    fail(ARR_E_ARGUMENT, "argument ord: ", ord, ", expected 1, -1, 2, -2, inf or -inf for a matrix");
  }
  // The max (min) sum of magnitudes of a column for order 1, of a row for inf.
  const int32_t summed = std::isinf(ord) ? column : row;
  check_choice(a, ord, summed == column ? rows : columns);
  const Ref<Array> sums = by(reduction::sum_abs, a, 1U << summed, true, stream);
  Ref<Array> found = extreme(ord > 0, *sums, both & ~(1U << summed), true, stream);
  if (keepdims) return found;
  const int32_t axes[2] = {row, column};
  return found->view(squeeze(found->layout, axes, false));
}

Ref<Array> norm(const Array& a, NormKind kind, double ord, std::span<const int32_t> axes, bool keepdims,
                Stream* stream) {
  const int32_t ndim = a.layout.ndim;
  if (axes.size() > 2) fail(ARR_E_ARGUMENT, "argument naxes: ", axes.size(), ", expected 0, 1 or 2");
  if (axes.empty() && kind == NormKind::standard) {
    return vector_norm(a, 2, axis_mask(ndim, 0, nullptr), keepdims, stream);
  }
  if (axes.empty() && ndim != 1 && ndim != 2) {
    fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(),
         ", expected one or two dimensions where no axes are given");
  }
  if (axes.size() == 2 || (axes.empty() && ndim == 2)) {
    return matrix_norm(a, kind, ord, axes.empty() ? 0 : axes[0], axes.empty() ? 1 : axes[1], keepdims,
                       stream);
  }
  if (kind == NormKind::frobenius || kind == NormKind::nuclear) {
    fail(ARR_E_ARGUMENT,
         "argument kind: a norm of matrices, expected ARR_NORM_DEFAULT or ARR_NORM_P for vectors");
  }
  const int32_t axis = axes.empty() ? 0 : axes[0];
  return vector_norm(a, kind == NormKind::standard ? 2 : ord, axis_mask(ndim, 1, &axis), keepdims, stream);
}

namespace {

// A quotient or product without a value is infinite, unless the matrix has nan: a singular matrix has no
// inverse, and singular values that are all 0 have no ratio.
Ref<Array> infinite_where_none(const Ref<Array>& r, const Array& a, Stream* stream) {
  const int32_t last = a.layout.ndim - 1;
  const Ref<Array> nan =
      by(reduction::any, *apply(op::isnan, {&a}, stream), 1U << last | 1U << (last - 1), false, stream);
  return compute({r.get(), nan.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t none = b.op(op::greater, b.op(op::isnan, in[0]), in[1]);
    return b.op(op::where, none, number(b, HUGE_VAL), in[0]);
  });
}

}  // namespace

Ref<Array> cond(const Array& a, NormKind kind, double ord, Stream* stream) {
  check_matrices(a, "a");
  if (std::min(a.layout.shape[a.layout.ndim - 2], a.layout.shape[a.layout.ndim - 1]) == 0) {
    fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ": an empty matrix has no condition number");
  }
  const bool spectral = kind == NormKind::standard || (kind == NormKind::power && std::abs(ord) == 2);
  if (spectral) {
    const Ref<Array> s = svdvals(a, OnFailure::nan, stream);
    const int32_t last = s->layout.ndim - 1;
    const Ref<Array> largest = index_axis(*s, -1, 0),
                     smallest = index_axis(*s, -1, s->layout.shape[last] - 1);
    const bool inverse = kind == NormKind::power && ord < 0;
    const Ref<Array> ratio =
        apply(op::divide,
              {inverse ? smallest.get() : largest.get(), inverse ? largest.get() : smallest.get()}, stream);
    return infinite_where_none(ratio, a, stream);
  }
  check_square(a, "a");
  const int32_t row = a.layout.ndim - 2, column = a.layout.ndim - 1;
  const Ref<Array> own = matrix_norm(a, kind, ord, row, column, false, stream);
  const Ref<Array> other =
      matrix_norm(*inverse(a, OnFailure::nan, stream), kind, ord, row, column, false, stream);
  return infinite_where_none(apply(op::multiply, {own.get(), other.get()}, stream), a, stream);
}

}  // namespace arr
