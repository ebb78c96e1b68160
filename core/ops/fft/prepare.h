// SPDX-License-Identifier: MIT
// Preparation of a transform: default extents, inputs of the right size and type, and the backend's call.
#pragma once

#include "backend/fft.h"
#include "ops/fft/fft.h"

namespace arr {

// The type of the numbers, or of their parts, that an array is transformed in: float32 for 16-bit floats.
DType fft_precision(DType d);
DType complex_of(DType real);

// Fills in extents that the caller left open. half: the array has n / 2 + 1 of the n elements along the last
// axis.
void resolve_extents(const Array& a, FftAxes* axes, bool half);

// A contiguous layout of that shape, whose axes have the order in memory of those of `like`.
Layout layout_like(const Layout& like, std::span<const int64_t> shape, int64_t item);

// The array in that type, cropped or padded with zeros to `wanted` elements along each of the axes.
Ref<Array> pad_or_crop(const Array& a, const FftAxes& axes, const int64_t* wanted, DType dtype,
                       Stream* stream);

// Throws where there is no memory for a result of that many elements along the axes. Called before the input
// is padded with zeros, which takes time.
void check_allocatable(const Array& a, const FftAxes& axes, const int64_t* wanted, DType dtype,
                       Stream* stream);

// The factor of a transform of the extents that the axes have.
double scale_of(const FftAxes& axes, bool inverse, FftNorm norm);

// A call of the backend for arrays with those layouts, still without memory.
FftCall make_call(const Layout& in, const Layout& out, const FftAxes& axes, FftKind kind, DType real);

// The transform along one axis without a factor; n counts reals where there are some.
Ref<Array> transformed(const Array& x, int32_t axis, int64_t n, FftKind kind, Stream* stream);

}  // namespace arr
