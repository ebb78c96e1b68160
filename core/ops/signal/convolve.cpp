// SPDX-License-Identifier: MIT
// Direct one-dimensional convolution and correlation. A pass over shifted views of the longer operand handles
// several taps, so that the result is read and written once per group of taps.
#include <algorithm>
#include <vector>

#include "expr/op_numbers.h"
#include "ops/calculus/calculus.h"

namespace arr {

namespace {

// A pass reads the previous sum, and for each tap an element of each operand.
constexpr int64_t taps_at_once = 7;

// sum + x0 * v0 + x1 * v1 ...; without `sum` in the first pass.
BoundProgram taps(DType type, int64_t n, bool sum) {
  ProgramBuilder b;
  int32_t total = sum ? b.input(type) : -1;
  for (int64_t i = 0; i < n; ++i) {
    const int32_t x = b.input(type), v = b.input(type), product = b.op(op::multiply, x, v);
    total = total < 0 ? product : b.op(op::add, total, product);
  }
  b.output(total);
  return b.finish();
}

// out[i] = sum over j in first .. last of a[from + i + j] * v[j], all of which exist; adds to the previous
// sum if there is one.
void correlate_range(const Array& out, bool sum, const Array& a, const Array& v, int64_t from, int64_t first,
                     int64_t last, Stream* stream) {
  const int64_t n = out.layout.shape[0];
  std::vector<Ref<Array>> parts;
  std::vector<const Array*> arrays;
  if (sum) arrays.push_back(&out);
  for (int64_t j = first; j < last; ++j) {
    parts.push_back(slice_axis(a, 0, from + j, from + j + n));
    arrays.push_back(parts.back().get());
    parts.push_back(slice_axis(v, 0, j, j + 1));
    arrays.push_back(parts.back().get());
  }
  run_into(out, taps(out.dtype, last - first, sum), arrays, stream);
}

// sum over j of a[k - left + j] * v[j] for each k of the result, where a has that element; v is not longer
// than a. Taps are processed in groups over the elements that all of a group reach; near the ends each result
// has its own range of taps.
Ref<Array> correlate_long(const Array& a, const Array& v, ConvolveMode mode, Stream* stream) {
  const int64_t n = a.layout.shape[0], m = v.layout.shape[0];
  const int64_t left = mode == ConvolveMode::valid ? 0 : mode == ConvolveMode::same ? m / 2 : m - 1;
  const int64_t right = mode == ConvolveMode::valid ? 0 : mode == ConvolveMode::same ? m - m / 2 - 1 : m - 1;
  int64_t size = 0;
  if (!checked::add(n - m + 1, left, &size) || !checked::add(size, right, &size)) {
    fail(ARR_E_SHAPE, "argument a: ", n, " and ", m, " elements convolve to more than 2^63");
  }
  Ref<Array> out = empty(a.dtype, {&size, 1}, Order::C, a.device(), stream);
  for (int64_t j = 0; j < m; j += taps_at_once) {
    const int64_t end = std::min(j + taps_at_once, m);
    // Tap i contributes to the elements k of the result with 0 <= k - left + i < n.
    auto begin_of = [&](int64_t i) { return std::max<int64_t>(left - i, 0); };
    auto end_of = [&](int64_t i) { return std::min(left - i + n, size); };
    const int64_t from = begin_of(j), to = std::max(from, end_of(end - 1));
    if (j == 0) {
      Scalar zero;
      zero.dtype = out->dtype;
      fill(*slice_axis(*out, 0, 0, from), zero, stream);
      fill(*slice_axis(*out, 0, to, size), zero, stream);
    }
    if (to > from) correlate_range(*slice_axis(*out, 0, from, to), j > 0, a, v, from - left, j, end, stream);
    auto one = [&](int64_t k) {
      const int64_t first = std::max(j, left - k), last = std::min(end, left - k + n);
      if (last > first)
        correlate_range(*slice_axis(*out, 0, k, k + 1), true, a, v, k - left, first, last, stream);
    };
    for (int64_t k = begin_of(end - 1); k < from; ++k) one(k);
    for (int64_t k = to; k < end_of(j); ++k) one(k);
  }
  return out;
}

// Both operands in the dtype of the sum; 16-bit floats are summed in float32.
struct Operands {
  Ref<Array> a, v;
  DType result = DType::none;
};
Operands operands(const Array& a, const Array& v, Stream* stream) {
  for (const Array* x : {&a, &v}) {
    if (x->layout.ndim == 1 && x->layout.shape[0] > 0) continue;
    fail(ARR_E_SHAPE, "argument ", x == &a ? "a" : "v", ": shape ", x->layout.text(),
         ", expected one dimension and one element or more");
  }
  const Input both[2] = {{&a, {}, false}, {&v, {}, false}};
  common_device(both);
  Operands o;
  o.result = promote(a.dtype, v.dtype);
  auto typed = [&](const Array& x) {
    const DType type = compute_type(o.result);
    return x.dtype == type ? x.share() : astype(x, type, Casting::unsafe, Order::K, stream);
  };
  o.a = typed(a);
  o.v = typed(v);
  return o;
}

Ref<Array> finished(const Ref<Array>& sum, DType result, Stream* stream) {
  return sum->dtype == result ? sum : astype(*sum, result, Casting::unsafe, Order::K, stream);
}

}  // namespace

Ref<Array> convolve(const Array& a, const Array& v, ConvolveMode mode, Stream* stream) {
  Operands o = operands(a, v, stream);
  if (o.v->layout.shape[0] > o.a->layout.shape[0]) std::swap(o.a, o.v);
  return finished(correlate_long(*o.a, *reversed(*o.v, 0), mode, stream), o.result, stream);
}

Ref<Array> correlate(const Array& a, const Array& v, ConvolveMode mode, Stream* stream) {
  Operands o = operands(a, v, stream);
  if (is_complex(o.result)) o.v = apply(op::conjugate, {o.v.get()}, stream);
  if (o.v->layout.shape[0] <= o.a->layout.shape[0]) {
    return finished(correlate_long(*o.a, *o.v, mode, stream), o.result, stream);
  }
  Ref<Array> swapped = finished(correlate_long(*o.v, *o.a, mode, stream), o.result, stream);
  return copy(*reversed(*swapped, 0), Order::C, stream);
}

}  // namespace arr
