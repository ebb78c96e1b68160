// SPDX-License-Identifier: MIT
// Fourier transforms: each rank transforms the axes that it has whole; between these steps the array is
// redistributed, so that another axis is whole (pencils).
#include <algorithm>
#include <functional>

#include "ops/dist/dist.h"

namespace arr {

namespace {

using AxisList = std::vector<int32_t>;

// Transforms of parts, along axes that are whole.
using Step = std::function<Ref<Array>(const Array& part, const FftAxes& axes)>;

// The array whose part is the result of a step, which may have changed the extents of the axes.
Ref<Dist> stepped(const Dist& a, const AxisList& axes, const Step& step, int64_t n) {
  FftAxes by;
  for (const int32_t axis : axes) {
    by.axes[by.count] = axis;
    by.extents[by.count++] = n;
  }
  Ref<Array> part = step(*a.part, by);
  std::vector<int64_t> shape = a.decomposition->shape;
  std::vector<Division> divisions = a.decomposition->axes;
  for (const int32_t axis : axes) {
    const auto k = static_cast<size_t>(axis);
    shape[k] = part->layout.shape[axis];
    divisions[k] = Division::whole(shape[k]);
  }
  return make<Dist>(with_axes(*a.decomposition, std::move(shape), std::move(divisions)), std::move(part),
                    std::vector<int64_t>());
}

// Transforms all pending axes, in any order.
Ref<Dist> transformed(const Dist& a, AxisList pending, const Step& step, int64_t n, Stream* stream) {
  Ref<Dist> now = Ref<Dist>::share(const_cast<Dist*>(&a));
  while (!pending.empty()) {
    AxisList whole, rest;
    for (const int32_t axis : pending) {
      const bool divided = now->decomposition->axes[static_cast<size_t>(axis)].grid_axis >= 0;
      (divided ? rest : whole).push_back(axis);
    }
    if (!whole.empty()) now = stepped(*now, whole, step, n);
    if (!rest.empty()) now = redistributed(*now, *with_whole(*now->decomposition, rest), stream);
    pending = std::move(rest);
  }
  return now;
}

// Divided as `like` is; an axis of another extent into as many contiguous parts.
Ref<Dist> placed(const Dist& a, const Decomposition& like, Stream* stream) {
  std::vector<Division> axes;
  for (size_t i = 0; i < like.axes.size(); ++i) {
    const int64_t n = a.decomposition->shape[i];
    axes.push_back(n == like.shape[i] ? like.axes[i] : like.axes[i].in_blocks(n));
  }
  return redistributed(a, *with_axes(like, a.decomposition->shape, std::move(axes)), stream);
}

AxisList checked_axes(const Dist& a, const DistFft& by) {
  const FftAxes given = fft_axes(a.ndim(), static_cast<int32_t>(by.axes.size()),
                                 by.axes.empty() ? nullptr : by.axes.data(), nullptr);
  a.decomposition->comm().check_no_group();
  return {given.axes, given.axes + given.count};
}

Step complex_step(const DistFft& by, bool inverse, Stream* stream) {
  return [=, norm = by.norm](const Array& part, const FftAxes& axes) {
    return fft(part, axes, inverse, norm, stream);
  };
}

}  // namespace

Ref<Dist> dist_fft(const Dist& a, const DistFft& by, bool inverse, Stream* stream) {
  const Ref<Dist> out = transformed(a, checked_axes(a, by), complex_step(by, inverse, stream), -1, stream);
  return by.as_operand ? placed(*out, *a.decomposition, stream) : out;
}

Ref<Dist> dist_rfft(const Dist& a, const DistFft& by, Stream* stream) {
  AxisList axes = checked_axes(a, by);
  if (axes.empty()) fail(ARR_E_ARGUMENT, "argument naxes: 0, expected 1 or more");
  const Step half = [&](const Array& part, const FftAxes& one) { return rfft(part, one, by.norm, stream); };
  Ref<Dist> out = transformed(a, {axes.back()}, half, -1, stream);
  axes.pop_back();
  out = transformed(*out, axes, complex_step(by, false, stream), -1, stream);
  return by.as_operand ? placed(*out, *a.decomposition, stream) : out;
}

Ref<Dist> dist_irfft(const Dist& a, const DistFft& by, int64_t n, Stream* stream) {
  AxisList axes = checked_axes(a, by);
  if (axes.empty()) fail(ARR_E_ARGUMENT, "argument naxes: 0, expected 1 or more");
  const int32_t last = axes.back();
  axes.pop_back();
  Ref<Dist> out = transformed(a, axes, complex_step(by, true, stream), -1, stream);
  const Step real = [&](const Array& part, const FftAxes& one) { return irfft(part, one, by.norm, stream); };
  out = transformed(*out, {last}, real, n, stream);
  return by.as_operand ? placed(*out, *a.decomposition, stream) : out;
}

}  // namespace arr
