// SPDX-License-Identifier: MIT
// Fourier transforms by the backend. Inputs are cropped by a view, and padded with zeros by a copy, which
// also casts if necessary.
#include "ops/fft/prepare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/fft.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "runtime/dispatch.h"

namespace arr {

DType fft_precision(DType d) {
  switch (d) {
    case DType::float16_:
    case DType::bfloat16_:
    case DType::float32_:
    case DType::complex64_:
      return DType::float32_;
    default:
      return DType::float64_;
  }
}
DType complex_of(DType real) { return real == DType::float32_ ? DType::complex64_ : DType::complex128_; }

void resolve_extents(const Array& a, FftAxes* axes, bool half) {
  for (int32_t i = 0; i < axes->count; ++i) {
    int64_t& n = axes->extents[i];
    const int64_t given = a.layout.shape[axes->axes[i]];
    const bool open = n == -1;
    if (open) n = half && i == axes->count - 1 ? checked::mul(2, given - 1, "the result's extent") : given;
    if (n > 0) continue;
    if (open) {
      fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ", ", n, " elements to transform along axis ",
           axes->axes[i], ", expected 1 or more");
    }
    fail(ARR_E_ARGUMENT, "argument ", axes->argument, ": ", n,
         ", expected 1 or more, or -1 for the extent of the axis");
  }
}

Layout layout_like(const Layout& like, std::span<const int64_t> shape, int64_t item) {
  int32_t order[max_ndim];
  like.axis_order(order);
  return layout_permuted(shape, order, item);
}

Ref<Array> pad_or_crop(const Array& a, const FftAxes& axes, const int64_t* wanted, DType dtype,
                       Stream* stream) {
  Layout window = a.layout, shape = a.layout;
  bool pad = false;
  for (int32_t i = 0; i < axes.count; ++i) {
    const int32_t d = axes.axes[i];
    window.shape[d] = std::min(window.shape[d], wanted[i]);
    shape.shape[d] = wanted[i];
    pad = pad || wanted[i] > a.layout.shape[d];
  }
  const Ref<Array> view = window.same_shape(a.layout) ? a.share() : a.view(window);
  if (!pad) return a.dtype == dtype ? view : astype(*view, dtype, Casting::unsafe, Order::K, stream);
  Ref<Array> whole = create(dtype, layout_like(a.layout, shape.dims(), item_size(dtype)), a.device(), stream);
  Scalar zero;
  zero.dtype = dtype;
  fill(*whole, zero, stream);
  Layout filled = whole->layout;
  std::copy_n(window.shape, window.ndim, filled.shape);
  assign(*whole->view(filled), *view, stream);
  return whole;
}

void check_allocatable(const Array& a, const FftAxes& axes, const int64_t* wanted, DType dtype,
                       Stream* stream) {
  Layout shape = a.layout;
  bool pad = false;
  for (int32_t i = 0; i < axes.count; ++i) {
    pad = pad || wanted[i] > shape.shape[axes.axes[i]];
    shape.shape[axes.axes[i]] = wanted[i];
  }
  if (pad) create(dtype, Layout::contiguous(shape.dims(), item_size(dtype), Order::C), a.device(), stream);
}

double scale_of(const FftAxes& axes, bool inverse, FftNorm norm) {
  double n = 1;
  for (int32_t i = 0; i < axes.count; ++i) n *= static_cast<double>(axes.extents[i]);
  if (norm == FftNorm::ortho) return 1 / std::sqrt(n);
  return inverse == (norm == FftNorm::backward) ? 1 / n : 1;
}

FftCall make_call(const Layout& in, const Layout& out, const FftAxes& axes, FftKind kind, DType real) {
  FftCall c;
  c.kind = kind;
  c.real = real;
  uint32_t transformed = 0;
  auto dim = [&](int32_t d, int64_t n) { return FftCall::Dim{n, in.strides[d], out.strides[d]}; };
  for (int32_t i = 0; i < axes.count; ++i) {
    c.dims[static_cast<size_t>(c.ndim++)] = dim(axes.axes[i], axes.extents[i]);
    transformed |= 1U << axes.axes[i];
  }
  for (int32_t d = 0; d < in.ndim; ++d) {
    if ((transformed >> d & 1) == 0) c.batch[static_cast<size_t>(c.nbatch++)] = dim(d, in.shape[d]);
  }
  return c;
}

namespace {

FftNorm swapped(FftNorm norm) {
  return norm == FftNorm::backward ? FftNorm::forward : norm == FftNorm::forward ? FftNorm::backward : norm;
}

// Transforms x into `out`; r2c fills the first half along the last axis.
void transform_into(const Array& out, const Array& x, const FftAxes& axes, FftKind kind, DType real,
                    double scale, Stream* stream) {
  FftCall c = make_call(x.layout, out.layout, axes, kind, real);
  c.in = x.data;
  c.out = out.data;
  c.scale = scale;
  const Queue q = queue_for(x.device(), stream);
  use_to_read(*x.buffer, q);
  use(*out.buffer, q);
  enqueue(q, api<FftApi>(q).fft, c);
}

// Transforms into a new array, whose last axis has `last` elements.
Ref<Array> transform(const Array& x, const FftAxes& axes, FftKind kind, int64_t last, DType real,
                     double scale, Stream* stream) {
  const DType dtype = kind == FftKind::c2r ? real : complex_of(real);
  Layout shape = x.layout;
  shape.shape[axes.axes[axes.count - 1]] = last;
  Ref<Array> out = create(dtype, layout_like(x.layout, shape.dims(), item_size(dtype)), x.device(), stream);
  if (shape.size() != 0) transform_into(*out, x, axes, kind, real, scale, stream);
  return out;
}

// dst = x or its conjugate; the two are the same memory or share none.
void copy_conjugate(const Array& dst, const Array& x, bool conjugate, const Queue& q) {
  const DType types[] = {x.dtype};
  const Program& p =
      conjugate ? single_op(*op_info(op::conjugate), types, x.dtype) : single_cast(x.dtype, x.dtype);
  const Array* const dsts[] = {&dst};
  const Input in[] = {{&x, {}, false}};
  enqueue(dsts, p, in, q);
}

// Fills the rest of a transform of real numbers, along the last of the axes, after r2c: conjugates of the
// elements at the opposite indices along all axes. `inverse`: for the inverse transform, which is the
// conjugate of all.
void complete(const Array& out, const FftAxes& axes, bool inverse, Stream* stream) {
  const int32_t others = axes.count - 1, last = axes.axes[others];
  const int64_t n = out.layout.shape[last], half = n / 2 + 1;
  const Queue q = queue_for(out.device(), stream);
  // Index 0 is its own opposite; the other indices are reversed.
  for (uint32_t block = 0; block < 1U << others; ++block) {
    Ref<Array> to = slice_axis(out, last, half, n),
               from = reversed(*slice_axis(out, last, 1, n - half + 1), last);
    for (int32_t i = 0; i < others; ++i) {
      const int32_t d = axes.axes[i];
      const bool rest = (block >> i & 1) != 0;
      to = slice_axis(*to, d, rest ? 1 : 0, rest ? out.layout.shape[d] : 1);
      from = slice_axis(*from, d, rest ? 1 : 0, rest ? out.layout.shape[d] : 1);
      if (rest) from = reversed(*from, d);
    }
    if (to->layout.size() != 0) copy_conjugate(*to, *from, !inverse, q);
  }
  const Ref<Array> first = slice_axis(out, last, 0, half);
  if (inverse) copy_conjugate(*first, *first, true, q);
}

void refuse_complex(const Array& a) {
  if (is_complex(a.dtype)) {
    fail(ARR_E_DTYPE, "argument a: ", name(a.dtype), ", expected real numbers");
  }
}
void check_has_axes(const FftAxes& axes) {
  if (axes.count == 0) fail(ARR_E_SHAPE, "argument a: no axis to transform, expected at least one");
}

}  // namespace

Ref<Array> transformed(const Array& x, int32_t axis, int64_t n, FftKind kind, Stream* stream) {
  FftAxes one;
  one.count = 1;
  one.axes[0] = axis;
  one.extents[0] = n;
  return transform(x, one, kind, kind == FftKind::r2c ? n / 2 + 1 : n, real_type(x.dtype), 1, stream);
}

FftAxes fft_axis(const Array& a, int64_t n, int32_t axis) {
  FftAxes one;
  one.count = 1;
  one.axes[0] = normalize_axis(a.layout.ndim, axis);
  one.extents[0] = n;
  return one;
}

FftAxes fft_axes(int32_t ndim, int32_t naxes, const int32_t* axes, const int64_t* s) {
  if (naxes < 0 || naxes > ndim) {
    fail(ARR_E_ARGUMENT, "argument naxes: ", naxes, " of an array with ", ndim, " dimensions");
  }
  if (s != nullptr && naxes == 0) fail(ARR_E_ARGUMENT, "argument s: extents are given, but naxes is 0");
  FftAxes all;
  all.argument = "s";
  all.count = axes == nullptr && naxes == 0 ? ndim : naxes;
  if (axes != nullptr) axis_mask(ndim, naxes, axes);
  for (int32_t i = 0; i < all.count; ++i) {
    all.axes[i] = axes == nullptr ? ndim - all.count + i : normalize_axis(ndim, axes[i]);
    all.extents[i] = s == nullptr ? -1 : s[i];
  }
  return all;
}

namespace {

// Moves the axis with the smallest stride to the end, because the last axis is halved.
void put_fastest_last(const Layout& x, FftAxes* axes) {
  const int32_t last = axes->count - 1;
  auto step = [&](int32_t i) {
    const int32_t d = axes->axes[i];
    return x.shape[d] == 1 ? std::numeric_limits<int64_t>::max() : std::abs(x.strides[d]);
  };
  for (int32_t i = 0; i < last; ++i) {
    if (step(i) >= step(last)) continue;
    std::swap(axes->axes[i], axes->axes[last]);
    std::swap(axes->extents[i], axes->extents[last]);
  }
}

// True if half of the transform and a pass over its result take less time than a conversion and the whole
// transform. The bounds are measured. Odd lengths have no real transform, and many short lines a slow one;
// for contiguous lines the conversion costs least. item: bytes between elements of contiguous lines.
bool worth_halving(const Layout& x, const FftAxes& axes, DType real, int64_t item) {
  if (axes.count > 3) return false;  // the rest would take 2^(count - 1) blocks
  const int32_t last = axes.axes[axes.count - 1];
  const int64_t n = x.shape[last], elements = x.size();
  const bool wide = real == DType::float64_;
  if (n % 2 != 0 || elements < (wide ? 1000 : 8192)) return false;
  if (n == elements) return true;
  if (axes.count > 1) return n >= 200;
  return n >= (std::abs(x.strides[last]) != item ? 512 : wide ? 1000 : 4096);
}

// The transform of real numbers by the half that r2c computes.
Ref<Array> by_half(const Array& x, const FftAxes& axes, bool inverse, DType real, double scale,
                   Stream* stream) {
  const DType dtype = complex_of(real);
  Ref<Array> out =
      create(dtype, layout_like(x.layout, x.layout.dims(), item_size(dtype)), x.device(), stream);
  transform_into(*out, x, axes, FftKind::r2c, real, scale, stream);
  complete(*out, axes, inverse, stream);
  return out;
}

}  // namespace

Ref<Array> fft(const Array& a, FftAxes axes, bool inverse, FftNorm norm, Stream* stream) {
  resolve_extents(a, &axes, false);
  const DType real = fft_precision(a.dtype);
  if (axes.count == 0) return astype(a, complex_of(real), Casting::unsafe, Order::K, stream);
  check_allocatable(a, axes, axes.extents, complex_of(real), stream);
  const double scale = scale_of(axes, inverse, norm);
  if (!is_complex(a.dtype)) {
    Layout shape = a.layout;
    for (int32_t i = 0; i < axes.count; ++i) shape.shape[axes.axes[i]] = axes.extents[i];
    FftAxes order = axes;
    put_fastest_last(shape, &order);
    if (worth_halving(shape, order, real, a.item()))
      return by_half(*pad_or_crop(a, axes, axes.extents, real, stream), order, inverse, real, scale, stream);
  }
  const Ref<Array> x = pad_or_crop(a, axes, axes.extents, complex_of(real), stream);
  return transform(*x, axes, inverse ? FftKind::backward : FftKind::forward, axes.extents[axes.count - 1],
                   real, scale, stream);
}

Ref<Array> rfft(const Array& a, FftAxes axes, FftNorm norm, Stream* stream) {
  refuse_complex(a);
  check_has_axes(axes);
  resolve_extents(a, &axes, false);
  const DType real = fft_precision(a.dtype);
  check_allocatable(a, axes, axes.extents, real, stream);
  const Ref<Array> x = pad_or_crop(a, axes, axes.extents, real, stream);
  return transform(*x, axes, FftKind::r2c, axes.extents[axes.count - 1] / 2 + 1, real,
                   scale_of(axes, false, norm), stream);
}

Ref<Array> irfft(const Array& a, FftAxes axes, FftNorm norm, Stream* stream) {
  check_has_axes(axes);
  resolve_extents(a, &axes, true);
  const DType real = fft_precision(a.dtype);
  check_allocatable(a, axes, axes.extents, real, stream);
  int64_t wanted[max_ndim] = {};
  std::copy_n(axes.extents, axes.count, wanted);
  int64_t& half = wanted[axes.count - 1];
  half = half / 2 + 1;
  const Ref<Array> x = pad_or_crop(a, axes, wanted, complex_of(real), stream);
  Ref<Array> out = transform(*x, axes, FftKind::c2r, axes.extents[axes.count - 1], real,
                             scale_of(axes, true, norm), stream);
  // 16-bit floats give results of that dtype along one axis. Along several axes NumPy transforms all but one
  // first, which makes them complex64.
  return is_half(a.dtype) && axes.count == 1 ? astype(*out, a.dtype, Casting::unsafe, Order::K, stream) : out;
}

Ref<Array> hfft(const Array& a, const FftAxes& axes, FftNorm norm, Stream* stream) {
  if (!is_complex(a.dtype)) return irfft(a, axes, swapped(norm), stream);
  return irfft(*apply(op::conjugate, {&a}, stream), axes, swapped(norm), stream);
}

Ref<Array> ihfft(const Array& a, const FftAxes& axes, FftNorm norm, Stream* stream) {
  Ref<Array> spectrum = rfft(a, axes, swapped(norm), stream);
  const BoundProgram conjugate = program_of(
      {spectrum.get()}, [](ProgramBuilder& b, const int32_t* x) { return b.op(op::conjugate, x[0]); });
  const Array* in[] = {spectrum.get()};
  run_into(*spectrum, conjugate, in, stream);
  return spectrum;
}

}  // namespace arr
