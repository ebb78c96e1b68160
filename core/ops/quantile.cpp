// SPDX-License-Identifier: MIT
// Quantiles and medians along any axes: the reduced axes become rows in memory, of which the backend selects.
#include <limits>

#include "ops/parts.h"
#include "ops/statistics.h"
#include "runtime/trace.h"

namespace arr {

namespace {

// The kept axes first, then the reduced ones, row-major: a itself where it lies so.
Ref<Array> rows_of(const Array& a, uint32_t axes, Stream* stream) {
  int32_t order[max_ndim];
  int32_t n = 0;
  for (int32_t reduced = 0; reduced < 2; ++reduced) {
    for (int32_t i = 0; i < a.layout.ndim; ++i) {
      if (static_cast<int32_t>(axes >> i & 1U) == reduced) order[n++] = i;
    }
  }
  Ref<Array> view = n == 0 ? a.view(a.layout) : a.view(transpose(a.layout, {order, static_cast<size_t>(n)}));
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

void check(const Array& a, const QuantileRequest& r, int64_t n) {
  const bool median = r.method == QuantileMethod::median;
  // Truth values have no differences to go a part of.
  if ((is_complex(a.dtype) && !median) ||
      (kind(a.dtype) == DKind::BOOL && !median && !picks_elements(r.method))) {
    fail(ARR_E_DTYPE, "argument a: ", median ? "median" : "quantile", " is not defined for ", name(a.dtype));
  }
  for (size_t i = 0; i < r.q.size(); ++i) {
    if (r.q[i] >= 0 && r.q[i] <= 1) continue;
    fail(ARR_E_ARGUMENT, "argument q: ", r.q[i] * r.scale, " at position ", i,
         ", expected a number from 0 to ", r.scale);
  }
  if (n == 0 && picks_elements(r.method) && !is_floating(a.dtype)) {
    fail(ARR_E_SHAPE, "argument a: a quantile over axes of shape ", a.layout.text(), ", which are empty");
  }
}

// Rows of elements for the backend, and which axes they came from.
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
      fail(ARR_E_SHAPE, "argument a: ", a.layout.ndim, " dimensions leave none for q, at most ", max_ndim);
    }
  }
  int64_t shape[max_ndim + 1];  // of the result
  size_t ndim = 0;
  int64_t count = 1, n = 1;
};

// The elements or float64 of rows of real numbers that lie one behind the other.
Ref<Array> select(const Array& data, const Rows& rows, const QuantileRequest& r, Stream* stream) {
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
    use_to_read(*data.buffer, q);
    follow(*out->buffer, q);
    enqueue(q, q.backend->quantiles, c);
  }
  return out;
}

// The element in the middle of each row by real, then imaginary part, or where there are two the lower or
// higher one. Two selections: of the real parts, and of the imaginary parts of elements that have the
// selected one, with those in front of them as -inf and those behind as inf. nan in a part is one in both.
Ref<Array> complex_middle(const Array& data, const Rows& rows, QuantileRequest r, QuantileMethod which,
                          Stream* stream) {
  r.method = which;
  const DType real = real_type(data.dtype);
  constexpr double inf = std::numeric_limits<double>::infinity(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  const Ref<Array> first = compute({&data}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::where, b.op(op::isnan, in[0]), number(b, nan), b.op(op::real, in[0])), real);
  });
  const Ref<Array> re = select(*first, rows, r, stream);
  const int64_t column[2] = {rows.count, 1};
  const Ref<Array> chosen = reshape(*re, column, Order::C, stream);
  const Ref<Array> second =
      compute({first.get(), &data, chosen.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
        const int32_t apart = b.op(op::where, b.op(op::less, in[0], in[2]), number(b, -inf), number(b, inf));
        const int32_t own = b.op(op::where, b.op(op::equal, in[0], in[2]), b.op(op::imag, in[1]), apart);
        return b.cast(b.op(op::where, b.op(op::isnan, in[0]), number(b, nan), own), real);
      });
  const Ref<Array> im = select(*second, rows, r, stream);
  Ref<Array> out = empty(data.dtype, {rows.shape, rows.ndim}, Order::C, data.device(), stream);
  assign(*complex_part(*out, 0), *re, stream);
  assign(*complex_part(*out, 1), *im, stream);
  return out;
}

// The mean of the one or two in the middle, divided as NumPy's mean does it: one alone too.
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
    const int32_t mean = b.op(op::divide, b.op(op::add, in[0], in[1]), number(b, 2));
    const int32_t one = b.op(op::divide, in[0], number(b, 1));
    return b.cast(b.op(op::where, b.op(op::equal, in[0], in[1]), one, mean), data->dtype);
  });
}

}  // namespace

Ref<Array> quantile(const Array& a, const QuantileRequest& r, uint32_t axes, bool keepdims, Stream* stream) {
  const Rows rows(a, r, axes, keepdims);
  const Ref<Array> data = rows_of(a, axes, stream);
  if (is_complex(a.dtype)) return complex_median(*data, rows, r, stream);
  Ref<Array> out = select(*data, rows, r, stream);
  const DType type = picks_elements(r.method) || is_floating(a.dtype) ? a.dtype : DType::float64_;
  return type == out->dtype ? out : astype(*out, type, Casting::unsafe, Order::C, stream);
}

}  // namespace arr
