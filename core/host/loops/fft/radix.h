// SPDX-License-Identifier: MIT
// Fourier transforms of lines stored as a plane of real parts and a plane of imaginary parts; one table per
// instruction-set level as in table.h. They are forward transforms. Exchanging the two planes before and
// after makes a backward transform.
#pragma once

#include <cstdint>

namespace arr::host {

// The vector form of a stage's s m columns (see RadixStage).
enum class RadixForm : int32_t {
  shared_twiddles,      // vectors of `width` neighbouring columns that share their twiddle factors
  lane_twiddles,        // vectors of neighbouring columns, each with its own twiddle factors
  vector_over_outputs,  // one column at a time, in vectors of its outputs
  scalar                // one column at a time
};

// One stage of the transform of a line of n = s p m elements. p is the radix and s the product of the radices
// of the earlier stages: y[q + s (p i + k)] = w^(s i k) sum over j of x[q + s (i + m j)] v^(j k), with w and
// v the primitive roots of unity of orders n and p.
struct RadixStage {
  int64_t p = 0, m = 0, s = 0;
  RadixForm form = RadixForm::shared_twiddles;
  int64_t width = 0;
  // For odd p, the cosines and sines of 2 pi j k / p for j, k = 1 .. p / 2. vector_over_outputs: for each j a
  // row of dft_matrix_ld cosines, then one of sines, over k and padded with zeros. Other forms: (cosine,
  // sine) pairs, for each k over j.
  const void* dft_matrix = nullptr;
  int64_t dft_matrix_ld = 0;
  // shared_twiddles: (re, im) pairs, for each i over k. Other forms: for each k the real parts of all
  // columns, then the imaginary parts.
  const void* twiddles = nullptr;
};
constexpr int64_t max_radix = 127;
constexpr int64_t min_vector_width = 4;  // narrower vectors are used only where the level has no wider ones

// The loops for one real type. A `sign` of -1 conjugates interleaved numbers when they are read or written,
// which makes the transform a backward one.
struct RadixLoops {
  int64_t lanes = 0;  // lanes of a vector
  // Runs a stage from planes x to planes y, which do not overlap.
  void (*stage)(const RadixStage& stage, const void* xr, const void* xi, void* yr, void* yi) = nullptr;
  // Runs a stage that reads interleaved numbers: lane_twiddles, or shared_twiddles with whole vectors.
  void (*first)(const RadixStage& stage, const void* x, double sign, void* yr, void* yi) = nullptr;
  // Runs a stage that writes interleaved numbers: shared_twiddles with whole vectors.
  void (*last)(const RadixStage& stage, const void* xr, const void* xi, double sign, void* y) = nullptr;
  // Convert n complex numbers between interleaved (re, im) pairs and planes.
  void (*deinterleave)(int64_t n, const void* x, double sign, void* re, void* im) = nullptr;
  void (*interleave)(int64_t n, const void* re, const void* im, double sign, void* x) = nullptr;
  // Multiplies n complex numbers by n others in place.
  void (*multiply_planes)(int64_t n, const void* wr, const void* wi, void* re, void* im) = nullptr;
  // [0] is for one line, [1] for a vector's lanes of interleaved lines: element k of all lines is contiguous.
  // Makes a whole Hermitian line of odd length n, conjugated, from its first half.
  void (*expand_hermitian[2])(int64_t n, const void* x, void* re, void* im) = {};
  // Convert between the complex transform of 2 m reals taken as m pairs and x[0 .. m], the transform of the 2
  // m reals. wr + i wi is exp(-pi i k / m) for k = 0 .. m / 2. real_ifft_preprocess conjugates its result.
  void (*real_fft_postprocess[2])(int64_t m, const void* wr, const void* wi, const void* re, const void* im,
                                  void* x) = {};
  void (*real_ifft_preprocess[2])(int64_t m, const void* wr, const void* wi, const void* x, void* re,
                                  void* im) = {};
};

}  // namespace arr::host
