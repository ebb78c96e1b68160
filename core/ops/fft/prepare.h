// SPDX-License-Identifier: MIT
// Preparation of a transform: default extents, inputs of the right size and dtype, and the backend's call.
#pragma once

#include "backend/fft.h"
#include "ops/fft/fft.h"

namespace arr {

// The precision of an array's transform: float32 for 16-bit floats.
DType fft_precision(DType d);
DType complex_of(DType real);

// Sets extents that the caller left open. half: the array has n / 2 + 1 of n elements along the last axis.
void resolve_extents(const Array& a, FftAxes* axes, bool half);

// A contiguous layout of that shape with the memory order of `like`.
Layout layout_like(const Layout& like, std::span<const int64_t> shape, int64_t item);

// The array in that dtype, cropped or padded with zeros to `wanted` elements along each axis.
Ref<Array> pad_or_crop(const Array& a, const FftAxes& axes, const int64_t* wanted, DType dtype,
                       Stream* stream);

// Throws if there is no memory for a result with that many elements along the axes. Called before the input
// is padded, which takes time.
void check_allocatable(const Array& a, const FftAxes& axes, const int64_t* wanted, DType dtype,
                       Stream* stream);

// The scale factor for the extents of the axes.
double scale_of(const FftAxes& axes, bool inverse, FftNorm norm);

// The backend's call for arrays with those layouts, without memory.
FftCall make_call(const Layout& in, const Layout& out, const FftAxes& axes, FftKind kind, DType real);

// The transform along one axis without a factor; n is the number of real elements.
Ref<Array> transformed(const Array& x, int32_t axis, int64_t n, FftKind kind, Stream* stream);

}  // namespace arr
