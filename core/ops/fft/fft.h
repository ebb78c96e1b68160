// SPDX-License-Identifier: MIT
// Fourier transforms: their axes, lengths and scale; the backend transforms.
#pragma once

#include "arr/fft.h"
#include "ops/elementwise/create.h"

namespace arr {

// The transform that has the factor 1 / n: the inverse, each with its root, the forward transform.
enum class FftNorm : int32_t {
  backward = ARR_FFT_BACKWARD,
  ortho = ARR_FFT_ORTHO,
  forward = ARR_FFT_FORWARD,
};

// The axes of a transform, and the elements along each on the transform's real side; -1: what there is.
struct FftAxes {
  const char* argument = "n";  // what errors call the extents
  int32_t count = 0;
  int32_t axes[max_ndim];
  int64_t extents[max_ndim];
};
FftAxes fft_axis(const Array& a, int64_t n, int32_t axis);
// axes nullptr: the last `naxes`, with 0 all. s nullptr, as it must be then: -1 everywhere.
FftAxes fft_axes(int32_t ndim, int32_t naxes, const int32_t* axes, const int64_t* s);

Ref<Array> fft(const Array& a, FftAxes axes, bool inverse, FftNorm norm, Stream* stream);
// Transforms of real arrays, with half of the last axis; and back to real arrays.
Ref<Array> rfft(const Array& a, FftAxes axes, FftNorm norm, Stream* stream);
Ref<Array> irfft(const Array& a, FftAxes axes, FftNorm norm, Stream* stream);
// Transforms of a signal with a real spectrum, of which the non-negative half is passed; and back to that
// half.
Ref<Array> hfft(const Array& a, const FftAxes& axes, FftNorm norm, Stream* stream);
Ref<Array> ihfft(const Array& a, const FftAxes& axes, FftNorm norm, Stream* stream);

// Transforms of reals by cosines or sines, types 1 to 4; of complex numbers part by part.
struct CosineKind {
  int32_t type = 2;
  bool sine = false, inverse = false;
  bool orthogonal = false;  // the ends scaled by the root of 2 where that makes the transform orthogonal
};
Ref<Array> cosine(const Array& a, FftAxes axes, CosineKind kind, FftNorm norm, Stream* stream);

// Hankel transforms of order mu of samples whose distances grow by exp(dln).
struct Hankel {
  double dln = 0, mu = 0;
  double offset = 0;  // log of the product of the distances' and the frequencies' middles
  double bias = 0;    // the power of the distance that is taken out first
};
Ref<Array> hankel(const Array& a, const Hankel& h, int32_t axis, bool inverse, Stream* stream);
// The offset nearest to h's with which there is the least ringing.
double hankel_offset(const Hankel& h);

// The frequencies of the results' elements; half: of those of rfft.
Ref<Array> fftfreq(int64_t n, double d, bool half, DType dtype, Device device, Stream* stream);
// Frequency 0 to the middle, or from there to the front. axes: bits.
Ref<Array> fftshift(const Array& a, uint32_t axes, bool inverse, Stream* stream);
// The least length from n on of small prime factors only: 2, 3, 5, and for complex input 7 and 11.
int64_t next_fast_len(int64_t n, bool real);

}  // namespace arr
