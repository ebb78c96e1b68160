// SPDX-License-Identifier: MIT
// The loops between transforms, per instruction-set level as in table.h.
#pragma once

#include <cstdint>

#include "host/loops/radix.h"

namespace arr::host {

// Passes over lines that are being transformed, for one type of real numbers; complex ones are pairs.
struct FftLoops {
  void (*scale)(int64_t n, double factor, void* x) = nullptr;  // n real numbers
  // x[a * width + b] *= coarse[a] * fine[b], n complex numbers
  void (*twiddle)(int64_t n, int64_t width, const void* coarse, const void* fine, void* x) = nullptr;
  // Between the transform z of m pairs of reals and that of the 2 m reals, x[0 .. m], in place; both take the
  // places from .. to of 1 .. m / 2, and m - those. roots[i]: exp(-pi i (from + i) / m)
  void (*untangle)(int64_t m, int64_t from, int64_t to, const void* roots, void* x) = nullptr;
  void (*tangle)(int64_t m, int64_t from, int64_t to, const void* roots, const void* x, void* z) = nullptr;
};

// Passes of transforms by cosines over a line of n = 2 m reals; roots as of CosineRoots, lines are contiguous
// and share no memory.
struct CosineLoops {
  // v: x[0], x[2] ... sign x[3], sign x[1]; and back.
  void (*pack)(int64_t m, double sign, const void* x, void* v) = nullptr;
  void (*unpack)(int64_t m, double sign, const void* v, void* x) = nullptr;
  // z: m complex numbers, the transform of pairs of v. scratch: n reals.
  void (*after_second)(int64_t m, const void* roots, double scale, bool backwards, bool ends, const void* z,
                       void* scratch, void* y) = nullptr;
  void (*before_third)(int64_t m, const void* roots, double scale, bool backwards, bool ends, const void* y,
                       void* scratch, void* z) = nullptr;
  // v[j] + i v[m + j], or with the halves exchanged, by the roots.
  void (*before_fourth)(int64_t m, const void* roots, bool backwards, const void* v, void* z) = nullptr;
  void (*after_fourth)(int64_t m, const void* roots, double scale, const void* z, void* v) = nullptr;
};

struct FftTable {
  FftLoops of_float, of_double;
  CosineLoops cosine_of_float, cosine_of_double;
  RadixLoops radix_of_float, radix_of_double;
  // Between lines of n elements with any strides and lines `ld` bytes apart, each contiguous; by log2 of the
  // item size: 4, 8, 16 bytes.
  void (*take[5])(int64_t lines, int64_t n, const char* from, int64_t line_stride, int64_t step, char* to,
                  int64_t ld) = {};
  void (*put[5])(int64_t lines, int64_t n, const char* from, int64_t ld, char* to, int64_t line_stride,
                 int64_t step) = {};
};

// Of the level that loops() is of.
const FftTable& fft_loops();

}  // namespace arr::host
