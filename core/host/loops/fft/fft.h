// SPDX-License-Identifier: MIT
// Loops that run before, between and after the stages of transforms; one table per instruction-set level as
// in table.h.
#pragma once

#include <cstdint>

#include "host/loops/fft/radix.h"

namespace arr::host {

// Passes over a line for one real type. Complex numbers are interleaved: (re, im) pairs.
struct FftLoops {
  // x[i] *= factor for n real numbers.
  void (*scale)(int64_t n, double factor, void* x) = nullptr;
  // x[a * width + b] *= coarse[a] * fine[b] for n complex numbers.
  void (*twiddle)(int64_t n, int64_t width, const void* coarse, const void* fine, void* x) = nullptr;
  // Convert between z, the complex transform of 2 m reals taken as m pairs, and x[0 .. m], the transform of
  // the 2 m reals. Both process the elements k = from .. to - 1 of 1 .. m / 2, and m - k. roots[i] is exp(-pi
  // i (from + i) / m).
  void (*real_fft_postprocess)(int64_t m, int64_t from, int64_t to, const void* roots, void* x) = nullptr;
  void (*real_ifft_preprocess)(int64_t m, int64_t from, int64_t to, const void* roots, const void* x,
                               void* z) = nullptr;
};

// Passes of cosine transforms over a line of n = 2 m reals. `roots` is CosineRoots::data(). Lines are
// contiguous and do not overlap.
struct CosineLoops {
  // v = x[0], x[2] ... sign x[3], sign x[1]; unpack is the inverse.
  void (*pack)(int64_t m, double sign, const void* x, void* v) = nullptr;
  void (*unpack)(int64_t m, double sign, const void* v, void* x) = nullptr;
  // z: m complex numbers, the transform of the pairs of v. scratch: n reals. `ends`: as CosineCall::ends.
  void (*dct2_postprocess)(int64_t m, const void* roots, double scale, bool backwards, bool ends,
                           const void* z, void* scratch, void* y) = nullptr;
  void (*dct3_preprocess)(int64_t m, const void* roots, double scale, bool backwards, bool ends,
                          const void* y, void* scratch, void* z) = nullptr;
  // v[j] + i v[m + j], or v[m + j] + i v[j] where backwards, times the roots.
  void (*dct4_preprocess)(int64_t m, const void* roots, bool backwards, const void* v, void* z) = nullptr;
  void (*dct4_postprocess)(int64_t m, const void* roots, double scale, const void* z, void* v) = nullptr;
};

struct FftTable {
  FftLoops of_float, of_double;
  CosineLoops cosine_of_float, cosine_of_double;
  RadixLoops radix_of_float, radix_of_double;
  // Copy lines of n elements with any strides to contiguous lines `ld` bytes apart, and back. The index is
  // log2 of the item size: 4, 8 or 16 bytes.
  void (*gather_lines[5])(int64_t lines, int64_t n, const char* from, int64_t line_stride, int64_t step,
                          char* to, int64_t ld) = {};
  void (*scatter_lines[5])(int64_t lines, int64_t n, const char* from, int64_t ld, char* to,
                           int64_t line_stride, int64_t step) = {};
};

// The table of the same level as loops().
const FftTable& fft_loops();

}  // namespace arr::host
