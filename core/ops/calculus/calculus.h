// SPDX-License-Identifier: MIT
// Numeric functions made of programs, views and scans: differences, gradients, integrals, convolution.
#pragma once

#include "arr/signal.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

// The n-th difference along an axis. prepend and append: nullptr, one element, or an array.
Ref<Array> diff(const Array& a, int32_t n, int32_t axis, const Array* prepend, const Array* append,
                Stream* stream);
// Differences of all elements in row-major order, preceded by to_begin and followed by to_end, unless these
// are nullptr.
Ref<Array> ediff1d(const Array& a, const Array* to_begin, const Array* to_end, Stream* stream);

// The derivative along one axis. spacing: a scalar, or a vector of coordinates.
Ref<Array> gradient(const Array& f, int32_t axis, const Input& spacing, int32_t edge_order, Stream* stream);

// The integral along one axis by the trapezoidal rule, over coordinates x (a vector or an array like y) or
// with spacing dx.
Ref<Array> trapezoid(const Array& y, const Array* x, double dx, int32_t axis, Stream* stream);
Ref<Array> cumulative_trapezoid(const Array& y, const Array* x, double dx, int32_t axis, bool initial,
                                Stream* stream);

// discont nan: half the period.
Ref<Array> unwrap(const Array& p, double discont, int32_t axis, const Scalar& period, bool weak,
                  Stream* stream);

enum class ConvolveMode : int32_t {
  full = ARR_CONVOLVE_FULL,
  same = ARR_CONVOLVE_SAME,
  valid = ARR_CONVOLVE_VALID
};
Ref<Array> convolve(const Array& a, const Array& v, ConvolveMode mode, Stream* stream);
Ref<Array> correlate(const Array& a, const Array& v, ConvolveMode mode, Stream* stream);
// Convolves by Fourier transforms along some axes (bits): of whole arrays, or of blocks of the longer one.
Ref<Array> fftconvolve(const Array& a, const Array& v, ConvolveMode mode, uint32_t axes, bool blocks,
                       Stream* stream);

// Cross products along an axis of 2 or 3 components, which becomes axis axisc of the result.
Ref<Array> cross(const Array& a, const Array& b, int32_t axisa, int32_t axisb, int32_t axisc, Stream* stream);

// conj(a) . b along an axis of both; products of matrices and vectors in stacks that broadcast.
Ref<Array> vecdot(const Array& a, const Array& b, int32_t axis, Stream* stream);
Ref<Array> matvec(const Array& a, const Array& b, Stream* stream);
Ref<Array> vecmat(const Array& a, const Array& b, Stream* stream);

}  // namespace arr
