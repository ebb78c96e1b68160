// SPDX-License-Identifier: MIT
// Convolution by Fourier transforms: of both whole operands, or of blocks of the longer one, whose results
// overlap and are added.
#include <algorithm>
#include <cmath>
#include <vector>

#include "expr/op_numbers.h"
#include "ops/calculus/calculus.h"
#include "ops/fft/prepare.h"

namespace arr {

namespace {

// Both operands in one dtype, and the axes along which both have more than one element; along others a
// product suffices.
struct Convolution {
  Ref<Array> a, v;
  std::vector<int32_t> axes;
  Stream* stream;
};

Convolution checked_operands(const Array& a, const Array& v, uint32_t axes, Stream* stream) {
  const Input both[2] = {{&a, {}, false}, {&v, {}, false}};
  common_device(both);
  const Layout &x = a.layout, &y = v.layout;
  if (x.ndim != y.ndim) {
    fail(ARR_E_SHAPE, "argument v: shape ", y.text(), ", expected ", x.ndim, " dimensions as of a");
  }
  for (const Array* operand : {&a, &v}) {
    if (operand->layout.size() > 0) continue;
    fail(ARR_E_SHAPE, "argument ", operand == &a ? "a" : "v", ": shape ", operand->layout.text(),
         ", expected one element or more");
  }
  const DType given = promote(a.dtype, v.dtype), real = fft_precision(given);
  const DType type = is_complex(given) ? complex_of(real) : real;
  Convolution c = {as_type(a, type, stream), as_type(v, type, stream), {}, stream};
  for (int32_t d = 0; d < x.ndim; ++d) {
    const bool one = x.shape[d] == 1 || y.shape[d] == 1;
    if ((axes >> d & 1) != 0) {
      if (!one) c.axes.push_back(d);
    } else if (x.shape[d] != y.shape[d] && !one) {
      fail(ARR_E_SHAPE, "argument v: shape ", y.text(), ", expected ", x.shape[d], " or 1 along axis ", d,
           ", which is not convolved, for ", x.text());
    }
  }
  return c;
}

// The circular convolution along the axes, to whose lengths the operands are padded.
Ref<Array> circular(const Array& a, const Array& v, const FftAxes& lengths, Stream* stream) {
  const bool complex = is_complex(a.dtype);
  auto transformed = [&](const Array& x) {
    return complex ? fft(x, lengths, false, FftNorm::backward, stream)
                   : rfft(x, lengths, FftNorm::backward, stream);
  };
  const Ref<Array> x = transformed(a), y = transformed(v);
  const Ref<Array> product = apply(op::multiply, {x.get(), y.get()}, stream);
  return complex ? fft(*product, lengths, true, FftNorm::backward, stream)
                 : irfft(*product, lengths, FftNorm::backward, stream);
}

int64_t extent_of(const Convolution& c, int32_t axis) {
  return checked::add(c.a->layout.shape[axis], c.v->layout.shape[axis] - 1, "the result's extent");
}

// Lengths that are fast to transform and hold the whole convolution.
FftAxes lengths_of(const Convolution& c) {
  FftAxes lengths;
  for (const int32_t axis : c.axes) {
    lengths.axes[lengths.count] = axis;
    lengths.extents[lengths.count++] = next_fast_len(extent_of(c, axis), !is_complex(c.a->dtype));
  }
  return lengths;
}

// The full convolution, possibly followed by more elements.
Ref<Array> full(const Convolution& c) {
  if (c.axes.empty()) return apply(op::multiply, {c.a.get(), c.v.get()}, c.stream);
  return circular(*c.a, *c.v, lengths_of(c), c.stream);
}

// Splits an axis from an element on into rows whose begins are `stride` elements apart: a view with one more
// axis.
Ref<Array> rows(const Array& x, int32_t axis, int64_t from, int64_t count, int64_t stride, int64_t columns) {
  Layout l;
  l.ndim = x.layout.ndim + 1;
  for (int32_t d = 0; d < l.ndim; ++d) {
    const int32_t source = d <= axis ? d : d - 1;
    l.shape[d] = x.layout.shape[source];
    l.strides[d] = x.layout.strides[source];
  }
  l.shape[axis] = count;
  l.strides[axis] = x.layout.strides[axis] * stride;
  l.shape[axis + 1] = columns;
  return x.view(l, l.size() == 0 ? 0 : from * x.layout.strides[axis]);
}

// The block length with the least cost per result; m: length of the shorter operand.
int64_t block_length(int64_t m, bool real) {
  int64_t best = 0;
  double min_cost = 0;
  for (int64_t n = checked::mul(m, 2, "the blocks' length"), i = 0; i < 8; n *= 2, ++i) {
    const int64_t length = next_fast_len(n, real);
    const auto size = static_cast<double>(length);
    const double cost = size * std::log2(size) / (size - static_cast<double>(m) + 1);
    if (best == 0 || cost < min_cost) best = length, min_cost = cost;
  }
  return best;
}

// Splits the axis along which the extents differ most into blocks. Blocks overlap in less than half of their
// length, where results are added.
Ref<Array> full_of_blocks(Convolution c) {
  auto ratio = [&](int32_t axis) {
    const auto n = static_cast<double>(c.a->layout.shape[axis]),
               m = static_cast<double>(c.v->layout.shape[axis]);
    return std::max(n / m, m / n);
  };
  if (c.axes.empty() || c.a->layout.ndim == max_ndim) return full(c);
  const int32_t axis = *std::max_element(c.axes.begin(), c.axes.end(),
                                         [&](int32_t l, int32_t r) { return ratio(l) < ratio(r); });
  if (c.a->layout.shape[axis] < c.v->layout.shape[axis]) std::swap(c.a, c.v);
  const int64_t n = c.a->layout.shape[axis], m = c.v->layout.shape[axis];
  const int64_t block = block_length(m, !is_complex(c.a->dtype)), step = block - (m - 1);
  const int64_t count = checked::ceil_div(n, step), covered = count * step;
  if (count < 2) return full(c);
  FftAxes one;
  one.count = 1;
  one.axes[0] = axis;
  const Ref<Array> padded = pad_or_crop(*c.a, one, &covered, c.a->dtype, c.stream);
  FftAxes lengths = lengths_of(c);
  for (int32_t i = 0; i < lengths.count; ++i) {
    if (lengths.axes[i] == axis) lengths.extents[i] = block;
    if (lengths.axes[i] >= axis) ++lengths.axes[i];
  }
  const Ref<Array> cut = rows(*padded, axis, 0, count, step, step), whole = rows(*c.v, axis, 0, 1, m, m);
  const Ref<Array> blocks = circular(*cut, *whole, lengths, c.stream);
  Layout shape = blocks->layout;  // without the axis of the blocks
  for (int32_t d = axis + 1; d < shape.ndim; ++d) shape.shape[d - 1] = shape.shape[d];
  --shape.ndim;
  shape.shape[axis] = covered + m - 1;
  Ref<Array> out = empty(c.a->dtype, shape.dims(), Order::C, c.a->device(), c.stream);
  Scalar zero;
  zero.dtype = out->dtype;
  fill(*slice_axis(*out, axis, covered, covered + m - 1), zero, c.stream);
  assign(*rows(*out, axis, 0, count, step, step), *slice_axis(*blocks, axis + 1, 0, step), c.stream);
  const Ref<Array> behind = rows(*out, axis, step, count, step, m - 1),
                   rest = slice_axis(*blocks, axis + 1, step, block);
  const Input sum[] = {{behind.get(), {}, false}, {rest.get(), {}, false}};
  elementwise_into(*behind, *op_info(op::add), sum, c.stream);
  return out;
}

}  // namespace

Ref<Array> fftconvolve(const Array& a, const Array& v, ConvolveMode mode, uint32_t axes, bool blocks,
                       Stream* stream) {
  Convolution c = checked_operands(a, v, axes, stream);
  if (mode == ConvolveMode::valid) {
    auto holds = [&](const Layout& l, const Layout& s) {
      return std::all_of(c.axes.begin(), c.axes.end(), [&](int32_t d) { return l.shape[d] >= s.shape[d]; });
    };
    if (!holds(c.a->layout, c.v->layout)) {
      if (!holds(c.v->layout, c.a->layout)) {
        fail(ARR_E_SHAPE, "argument v: shape ", v.layout.text(), ", expected one that lies within ",
             a.layout.text(), " or holds it");
      }
      std::swap(c.a, c.v);
    }
  }
  Ref<Array> sums = blocks ? full_of_blocks(c) : full(c);
  Layout window = sums->layout;
  int64_t offset = 0;
  for (int32_t d = 0; d < window.ndim; ++d) {
    const bool convolved = std::find(c.axes.begin(), c.axes.end(), d) != c.axes.end();
    const int64_t n = c.a->layout.shape[d], all = convolved ? extent_of(c, d) : window.shape[d];
    window.shape[d] = mode == ConvolveMode::full   ? all
                      : mode == ConvolveMode::same ? n
                      : convolved                  ? n - c.v->layout.shape[d] + 1
                                                   : all;
    offset += (all - window.shape[d]) / 2 * window.strides[d];
  }
  if (window.same_shape(sums->layout)) return sums;
  return copy(*sums->view(window, offset), Order::K, stream);
}

}  // namespace arr
