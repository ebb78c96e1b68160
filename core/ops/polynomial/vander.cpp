// SPDX-License-Identifier: MIT
// Powers in rows: running products.
#include "expr/reduction_numbers.h"
#include "ops/polynomial/polynomial.h"
#include "ops/reduce/scan.h"

namespace arr {

namespace {

// The powers 0, 1 ... of x along the last axis of out.
void powers_into(const Array& out, const Array& x, Stream* stream) {
  const int32_t last = out.layout.ndim - 1;
  const int64_t n = out.layout.shape[last];
  if (out.layout.size() == 0) return;
  fill(*slice_axis(out, last, 0, 1), scalar_of(int64_t{1}), stream);
  assign(*slice_axis(out, last, 1, n), *x.view(expand_dims(x.layout, {&last, 1}, x.item())), stream);
  if (n < 3) return;
  ScanOptions options;
  options.reduction = reduction::prod;
  options.dtype = out.dtype;
  scan_into(out, options, out, last, stream);
}

}  // namespace

Ref<Array> polyvander(const Array& x, int64_t degree, Stream* stream) {
  if (degree < 0) fail(ARR_E_ARGUMENT, "argument degree: ", degree, " is negative");
  Layout l = x.layout;
  if (l.ndim == max_ndim) fail(ARR_E_SHAPE, "argument x: too many dimensions");
  l.shape[l.ndim++] = checked::add(degree, 1, "argument degree");
  Ref<Array> out = empty(inexact_type(x.dtype), l.dims(), Order::C, x.device(), stream);
  powers_into(*out, x, stream);
  return out;
}

Ref<Array> vander(const Array& x, int64_t columns, bool increasing, Stream* stream) {
  if (x.layout.ndim != 1)
    fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected one dimension");
  if (columns < -1)
    fail(ARR_E_ARGUMENT, "argument columns: ", columns, ", expected 0 or more, or -1 for as many as rows");
  const int64_t shape[2] = {x.layout.shape[0], columns == -1 ? x.layout.shape[0] : columns};
  Ref<Array> out = empty(promote(x.dtype, DType::int64_), shape, Order::C, x.device(), stream);
  powers_into(increasing ? *out : *reversed(*out, 1), x, stream);
  return out;
}

}  // namespace arr
