// SPDX-License-Identifier: MIT
// Fourier transforms of lines whose real and imaginary parts lie in two planes, per instruction-set level as
// in table.h. Forwards; with the planes exchanged on both sides backwards.
#pragma once

#include <cstdint>

namespace arr::host {

// How a stage goes over its s m columns (see RadixStage).
enum class RadixForm : int32_t {
  wide,    // vectors of neighbours that have one root, `width` of them
  narrow,  // vectors of neighbours, each with its own root: s m is
  few,     // column by column, in vectors of the results
  single   // column by column
};

// One of the stages that a line of n = s p m elements goes through, s being the product of the factors
// before: y[q + s (p i + k)] = w^(s i k) sum over j of x[q + s (i + m j)] v^(j k), w and v roots of unity of
// n and p.
struct RadixStage {
  int64_t p = 0, m = 0, s = 0;
  RadixForm form = RadixForm::wide;
  int64_t width = 0;
  // Of odd p, for each k, and j below, 1 .. p / 2, the cosine and the sine of 2 pi j k / p, behind each
  // other; `few`: for each j rows of sums_ld cosines and of as many sines for k = 1 .. p / 2, then zeros.
  const void* sums = nullptr;
  int64_t sums_ld = 0;
  // The roots. wide: for each i and k, the real and the imaginary part, behind each other. The others: for
  // each k the real parts of all columns, and then the imaginary ones.
  const void* roots = nullptr;
};
constexpr int64_t radix_most = 127;       // the greatest p
constexpr int64_t radix_least_width = 4;  // but for vectors that have fewer lanes

// Planes of one type of real numbers. Where there is a sign of -1, complex numbers are conjugated when they
// come and when they go, which makes a transform one backwards.
struct RadixLoops {
  int64_t lanes = 0;  // of a vector
  // x and y share no memory.
  void (*stage)(const RadixStage& stage, const void* xr, const void* xi, void* yr, void* yi) = nullptr;
  // A stage, narrow or of whole vectors, from complex numbers, pairs of reals, and one of whole vectors to
  // them.
  void (*first)(const RadixStage& stage, const void* x, double sign, void* yr, void* yi) = nullptr;
  void (*last)(const RadixStage& stage, const void* xr, const void* xi, double sign, void* y) = nullptr;
  // Between n complex numbers and planes.
  void (*apart)(int64_t n, const void* x, double sign, void* re, void* im) = nullptr;
  void (*together)(int64_t n, const void* re, const void* im, double sign, void* x) = nullptr;
  // n complex numbers by as many others, in place.
  void (*times)(int64_t n, const void* wr, const void* wi, void* re, void* im) = nullptr;
  // These are for one line, and for as many as a vector has lanes, whose elements of one place lie side by
  // side. All of a Hermitian line of n, which is odd, from its first half; conjugated.
  void (*mirror[2])(int64_t n, const void* x, void* re, void* im) = {};
  // Between the transform of m pairs of reals and that of the 2 m reals, x[0 .. m]. wr + i wi: exp(-pi i k /
  // m) for k = 0 .. m / 2. tangle's are conjugated.
  void (*untangle[2])(int64_t m, const void* wr, const void* wi, const void* re, const void* im,
                      void* x) = {};
  void (*tangle[2])(int64_t m, const void* wr, const void* wi, const void* x, void* re, void* im) = {};
};

}  // namespace arr::host
