// SPDX-License-Identifier: MIT
// Quantiles and medians along any axes: the reduced axes become rows in memory, in which the backend selects.
#include <limits>

#include "backend/statistics.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/average.h"
#include "ops/reduce/reduce.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// Brings the kept axes first, then the reduced ones, in row-major memory; returns a itself if it is so
// already.
Ref<Array> rows_of(const Array& a, uint32_t axes, Stream* stream) {
  int32_t order[max_ndim];
  int32_t n = 0;
  bool in_order = true;
  for (int32_t reduced = 0; reduced < 2; ++reduced) {
    for (int32_t i = 0; i < a.layout.ndim; ++i) {
      if (static_cast<int32_t>(axes >> i & 1U) != reduced) continue;
      in_order = in_order && i == n;
      order[n++] = i;
    }
  }
  Ref<Array> view = in_order ? a.share() : a.view(transpose(a.layout, {order, static_cast<size_t>(n)}));
  // Normalises bools, because true may be any nonzero byte.
  if (a.dtype == DType::bool_) return astype(*view, DType::uint8_, Casting::unsafe, Order::C, stream);
  if (is_half(a.dtype)) return astype(*view, DType::float32_, Casting::unsafe, Order::C, stream);
  return contiguous(*view, Order::C, stream);
}

bool picks_elements(QuantileMethod m) {
  switch (m) {
    case QuantileMethod::inverted_cdf:
    case QuantileMethod::closest_observation:
    case QuantileMethod::lower:
    case QuantileMethod::higher:
    case QuantileMethod::nearest:
      return true;
    default:
      return false;
  }
}

void check_weighted(const Array& a, const QuantileRequest& r, int64_t n) {
  if (r.method != QuantileMethod::inverted_cdf) {
    fail(ARR_E_ARGUMENT, "argument method: only ARR_QUANTILE_INVERTED_CDF takes weights");
  }
  if (is_complex(r.weights->dtype)) {
    fail(ARR_E_DTYPE, "argument weights: ", name(r.weights->dtype), ", expected real numbers");
  }
  if (n == 0 && !r.skip_nan) {
    fail(ARR_E_SHAPE, "argument a: a quantile over axes of shape ", a.layout.text(), ", which are empty");
  }
}

void check(const Array& a, const QuantileRequest& r, int64_t n) {
  const bool median = r.method == QuantileMethod::median;
  // Bool has no differences to interpolate.
  if ((is_complex(a.dtype) && !median) ||
      (kind(a.dtype) == DKind::BOOL && !median && !picks_elements(r.method))) {
    fail(ARR_E_DTYPE, "argument a: ", median ? "median" : "quantile", " is not defined for ", name(a.dtype));
  }
  if (r.weights != nullptr) check_weighted(a, r, n);
  for (size_t i = 0; i < r.q.size(); ++i) {
    if (r.q[i] >= 0 && r.q[i] <= 1) continue;
    fail(ARR_E_ARGUMENT, "argument q: ", r.q[i] * r.scale, " at position ", i,
         ", expected a number from 0 to ", r.scale);
  }
  if (n == 0 && picks_elements(r.method) && !is_floating(a.dtype)) {
    fail(ARR_E_SHAPE, "argument a: a quantile over axes of shape ", a.layout.text(), ", which are empty");
  }
}

// Rows of elements for the backend, and the axes that they come from.
struct Rows {
  Rows(const Array& a, const QuantileRequest& r, uint32_t axes, bool keepdims) {
    if (!r.scalar) shape[ndim++] = static_cast<int64_t>(r.q.size());
    for (int32_t i = 0; i < a.layout.ndim; ++i) {
      const bool reduced = (axes >> i & 1U) != 0;
      (reduced ? n : count) *= a.layout.shape[i];
      if (!reduced || keepdims) shape[ndim++] = reduced ? 1 : a.layout.shape[i];
    }
    check(a, r, n);
    if (ndim > static_cast<size_t>(max_ndim)) {
      fail(ARR_E_SHAPE, "argument a: ", a.layout.ndim, " dimensions and one for q, at most ", max_ndim);
    }
  }
  int64_t shape[max_ndim + 1];  // shape of the result
  size_t ndim = 0;
  int64_t count = 1, n = 1;
};

// Weights as float64: for all rows, or one row if they are the same along the kept axes.
struct RowWeights {
  Ref<Array> all;
  int64_t row = 0;
};
RowWeights weights_of(const Array& weights, const Rows& rows, uint32_t axes, Stream* stream) {
  Layout l = weights.layout;
  bool same = true;
  for (int32_t i = 0; i < l.ndim; ++i) {
    if ((axes >> i & 1U) == 0) same = same && (l.shape[i] == 1 || l.strides[i] == 0);
  }
  for (int32_t i = 0; i < l.ndim && same; ++i) {
    if ((axes >> i & 1U) == 0) l.shape[i] = 1;
  }
  const Ref<Array> view = rows_of(*weights.view(l), axes, stream);
  return {as_type(*view, DType::float64_, stream), same ? 0 : rows.n};
}

bool any(const BoundProgram& map, Inputs::List arrays, Stream* stream) {
  const ReductionInfo& r = *reduction_info(reduction::any);
  return map_reduce_item(r, resolve(r, DType::bool_), *map.program, Inputs(map, arrays).all(), stream).lo !=
         0;
}

// NumPy's conditions: no weight is negative, and the sum in each row is not 0.
void check_weights(const Array& a, const QuantileRequest& r, uint32_t axes, Stream* stream) {
  const Array& w = *r.weights;
  const BoundProgram negative = program_of(
      {&w}, [](ProgramBuilder& b, const int32_t* in) { return b.op(op::less, in[0], number(b, 0)); });
  if (any(negative, {&w}, stream))
    fail(ARR_E_ARGUMENT, "argument weights: some are negative, expected 0 or more");
  constexpr DType d = DType::float64_;
  const ReductionInfo& sum = *reduction_info(reduction::sum);
  const bool skip = r.skip_nan && is_floating(a.dtype);
  // The sum, and when nan are ignored the number of remaining elements.
  auto total = [&](auto&& of_element) {
    const BoundProgram map = program_of({&a, &w}, of_element);
    return map_reduce(sum, {d, d, d, d}, *map.program, Inputs(map, {&a, &w}).all(), axes, true, stream);
  };
  const Ref<Array> sums = total([&](ProgramBuilder& b, const int32_t* in) {
    const int32_t weight = b.cast(in[1], d);
    return skip ? b.cast(b.op(op::where, b.op(op::isnan, in[0]), number(b, 0), weight), d) : weight;
  });
  const Ref<Array> left = total([&](ProgramBuilder& b, const int32_t* in) {
    return skip ? b.cast(b.op(op::logical_not, b.op(op::isnan, in[0])), d) : b.cast(number(b, 1), d);
  });
  const BoundProgram bad = program_of({sums.get(), left.get()}, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t fine =
        b.op(op::logical_and, b.op(op::isfinite, in[0]), b.op(op::greater, in[0], number(b, 0)));
    return b.op(op::logical_and, b.op(op::greater, in[1], number(b, 0)), b.op(op::logical_not, fine));
  });
  if (any(bad, {sums.get(), left.get()}, stream)) {
    fail(ARR_E_ARGUMENT, "argument weights: their sum along the axes is 0, infinite or nan");
  }
}

// Elements, or interpolated float64 values, of contiguous rows of real numbers.
Ref<Array> select(const Array& data, const Rows& rows, const QuantileRequest& r, const RowWeights& weights,
                  Stream* stream) {
  const Queue q = queue_for(data.device(), stream);
  QuantileCall c;
  c.dtype = data.dtype;
  c.rows = rows.count;
  c.n = rows.n;
  c.data = data.data;
  c.q = r.q.data();
  c.nq = static_cast<int64_t>(r.q.size());
  c.method = r.method;
  c.skip_nan = r.skip_nan;
  c.elements = picks_elements(r.method);
  Ref<Array> out =
      empty(c.elements ? c.dtype : DType::float64_, {rows.shape, rows.ndim}, Order::C, data.device(), stream);
  c.out = out->data;
  if (out->layout.size() != 0) {
    if (weights.all) {
      c.weights = reinterpret_cast<const double*>(weights.all->data);
      c.weights_row = weights.row;
      use_to_read(*weights.all->buffer, q);
    }
    use_to_read(*data.buffer, q);
    follow(*out->buffer, q);
    enqueue(q, api<StatisticsApi>(q).quantiles, c);
  }
  return out;
}

// The middle element of each row of complex numbers, ordered by real, then imaginary parts; with an even
// count the lower or the higher one. It takes two selections: one of the real parts, and one of the imaginary
// parts of elements with the selected real part, where elements before these are -inf and those after them
// inf. A nan in one part counts as one in both.
Ref<Array> complex_middle(const Array& data, const Rows& rows, QuantileRequest r, QuantileMethod which,
                          Stream* stream) {
  r.method = which;
  const DType real = real_type(data.dtype);
  constexpr double inf = std::numeric_limits<double>::infinity(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  const Ref<Array> first = compute({&data}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::where, b.op(op::isnan, in[0]), number(b, nan), b.op(op::real, in[0])), real);
  });
  const Ref<Array> re = select(*first, rows, r, {}, stream);
  const int64_t column[2] = {rows.count, 1};
  const Ref<Array> chosen = reshape(*re, column, Order::C, stream);
  const Ref<Array> second =
      compute({first.get(), &data, chosen.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
        const int32_t infinite =
            b.op(op::where, b.op(op::less, in[0], in[2]), number(b, -inf), number(b, inf));
        const int32_t own = b.op(op::where, b.op(op::equal, in[0], in[2]), b.op(op::imag, in[1]), infinite);
        return b.cast(b.op(op::where, b.op(op::isnan, in[0]), number(b, nan), own), real);
      });
  const Ref<Array> im = select(*second, rows, r, {}, stream);
  Ref<Array> out = empty(data.dtype, {rows.shape, rows.ndim}, Order::C, data.device(), stream);
  assign(*complex_part(*out, 0), *re, stream);
  assign(*complex_part(*out, 1), *im, stream);
  return out;
}

// The mean of the one or two middle elements, with the division of NumPy's mean even for one.
Ref<Array> complex_median(const Array& rows_given, const Rows& rows, const QuantileRequest& r,
                          Stream* stream) {
  if (rows.n == 0) {
    const Scalar nan = convert(scalar_of(std::numeric_limits<double>::quiet_NaN()), rows_given.dtype);
    return full(rows_given.dtype, {rows.shape, rows.ndim}, Order::C, nan, rows_given.device(), stream);
  }
  const int64_t matrix[2] = {rows.count, rows.n};
  const Ref<Array> data = reshape(rows_given, matrix, Order::C, stream);
  const Ref<Array> low = complex_middle(*data, rows, r, QuantileMethod::lower, stream);
  const Ref<Array> high = complex_middle(*data, rows, r, QuantileMethod::higher, stream);
  return compute({low.get(), high.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t sum = b.op(op::add, in[0], in[1]), two = number(b, 2);
    const int32_t halves = b.op(op::add, b.op(op::divide, in[0], two), b.op(op::divide, in[1], two));
    const int32_t mean = b.op(op::where, b.op(op::isfinite, sum), b.op(op::divide, sum, two), halves);
    const int32_t one = b.op(op::divide, in[0], number(b, 1));
    return b.cast(b.op(op::where, b.op(op::equal, in[0], in[1]), one, mean), data->dtype);
  });
}

}  // namespace

Ref<Array> quantile(const Array& a, const QuantileRequest& r, uint32_t axes, bool keepdims, Stream* stream) {
  const Rows rows(a, r, axes, keepdims);
  const Ref<Array> data = rows_of(a, axes, stream);
  if (is_complex(a.dtype)) return complex_median(*data, rows, r, stream);
  RowWeights weights;
  if (r.weights != nullptr && a.layout.size() != 0) {
    check_weights(a, r, axes, stream);
    weights = weights_of(*r.weights, rows, axes, stream);
  }
  Ref<Array> out = select(*data, rows, r, weights, stream);
  // Several q are a float64 array, which widens the result; a single q is a weak scalar.
  const bool kept = picks_elements(r.method) || (is_floating(a.dtype) && r.scalar);
  const DType type = kept ? a.dtype : DType::float64_;
  return type == out->dtype ? out : astype(*out, type, Casting::unsafe, Order::C, stream);
}

}  // namespace arr
