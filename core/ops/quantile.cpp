// SPDX-License-Identifier: MIT
// Quantiles and medians along any axes: the reduced axes become rows in memory, of which the backend selects.
#include <cmath>
#include <vector>

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
  if (is_complex(a.dtype) || (kind(a.dtype) == DKind::BOOL && !median && !picks_elements(r.method))) {
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

}  // namespace

Ref<Array> quantile(const Array& a, const QuantileRequest& r, uint32_t axes, bool keepdims, Stream* stream) {
  int64_t shape[max_ndim + 1];
  size_t ndim = 0;
  int64_t rows = 1, n = 1;
  if (!r.scalar) shape[ndim++] = static_cast<int64_t>(r.q.size());
  for (int32_t i = 0; i < a.layout.ndim; ++i) {
    const bool reduced = (axes >> i & 1U) != 0;
    (reduced ? n : rows) *= a.layout.shape[i];
    if (!reduced || keepdims) shape[ndim++] = reduced ? 1 : a.layout.shape[i];
  }
  check(a, r, n);
  if (ndim > static_cast<size_t>(max_ndim)) {
    fail(ARR_E_SHAPE, "argument a: ", a.layout.ndim, " dimensions leave none for q, at most ", max_ndim);
  }
  const Queue q = queue_for(a.device(), stream);
  Ref<Array> data = rows_of(a, axes, stream);
  QuantileCall c;
  c.dtype = data->dtype;
  c.rows = rows;
  c.n = n;
  c.data = data->data;
  c.q = r.q.data();
  c.nq = static_cast<int64_t>(r.q.size());
  c.method = r.method;
  c.skip_nan = r.skip_nan;
  c.elements = picks_elements(r.method);
  Ref<Array> out = empty(c.elements ? c.dtype : DType::float64_, {shape, ndim}, Order::C, a.device(), stream);
  c.out = out->data;
  if (out->layout.size() != 0) {
    use_to_read(*data->buffer, q);
    follow(*out->buffer, q);
    enqueue(q, q.backend->quantiles, c);
  }
  const DType type = c.elements || is_floating(a.dtype) ? a.dtype : DType::float64_;
  return type == out->dtype ? out : astype(*out, type, Casting::unsafe, Order::C, stream);
}

}  // namespace arr
