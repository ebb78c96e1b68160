// SPDX-License-Identifier: MIT
// Fourier transforms: their axes, lengths and scale; the backend transforms.
#pragma once

#include "arr/fft.h"
#include "ops/elementwise/create.h"

namespace arr {

// The direction that has the factor 1 / n: inverse, both (the root), or forward.
enum class FftNorm : int32_t {
  backward = ARR_FFT_BACKWARD,
  ortho = ARR_FFT_ORTHO,
  forward = ARR_FFT_FORWARD,
};

// The axes of a transform, and the number of elements along each on the real side; -1: the axis's extent.
struct FftAxes {
  const char* argument = "n";  // name of the extents in error texts
  int32_t count = 0;
  int32_t axes[max_ndim];
  int64_t extents[max_ndim];
};
FftAxes fft_axis(const Array& a, int64_t n, int32_t axis);
// axes nullptr: the last `naxes`, or with 0 all. s nullptr, which that requires: -1 for every axis.
FftAxes fft_axes(int32_t ndim, int32_t naxes, const int32_t* axes, const int64_t* s);

Ref<Array> fft(const Array& a, FftAxes axes, bool inverse, FftNorm norm, Stream* stream);
// Transforms of real arrays, whose result has half of the last axis; and back to real arrays.
Ref<Array> rfft(const Array& a, FftAxes axes, FftNorm norm, Stream* stream);
Ref<Array> irfft(const Array& a, FftAxes axes, FftNorm norm, Stream* stream);
// Transforms of a signal with a real spectrum, from its non-negative half; and back to that half.
Ref<Array> hfft(const Array& a, const FftAxes& axes, FftNorm norm, Stream* stream);
Ref<Array> ihfft(const Array& a, const FftAxes& axes, FftNorm norm, Stream* stream);

// Cosine or sine transforms of types 1 to 4; of complex numbers part by part.
struct CosineKind {
  int32_t type = 2;
  bool sine = false, inverse = false;
  bool orthogonal = false;  // scales the first and last terms by sqrt(2) so that the transform is orthogonal
};
Ref<Array> cosine(const Array& a, FftAxes axes, CosineKind kind, FftNorm norm, Stream* stream);

// Hankel transforms of order mu of samples at logarithmic distances, which grow by exp(dln).
struct Hankel {
  double dln = 0, mu = 0;
  double offset = 0;  // log of the product of the central distance and the central frequency
  double bias = 0;    // exponent of the power law that is divided out first (bias)
};
Ref<Array> hankel(const Array& a, const Hankel& h, int32_t axis, bool inverse, Stream* stream);
// The offset nearest to h's that gives the least ringing.
double hankel_offset(const Hankel& h);

// The frequencies of the results; half: of those of rfft.
Ref<Array> fftfreq(int64_t n, double d, bool half, DType dtype, Device device, Stream* stream);
// Moves frequency 0 to the middle, or from there to the front. axes: bits.
Ref<Array> fftshift(const Array& a, uint32_t axes, bool inverse, Stream* stream);
// The smallest length >= n whose prime factors are 2, 3 and 5, for complex input also 7 and 11.
int64_t next_fast_len(int64_t n, bool real);

}  // namespace arr
