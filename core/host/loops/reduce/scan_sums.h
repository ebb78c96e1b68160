// SPDX-License-Identifier: MIT
// Running sums of eight sequences in vectors: blocks of the sequences are transposed, so that one vector
// addition adds to all eight, and transposed back. Each sequence is added in order, element by element.
#pragma once

#include "host/loops/level.h"

namespace arr::host::ARR_LEVEL {

// True if a formula of reductions.def is the plain sum, which vector types have too.
constexpr bool is_sum(const char* f) {
  return f[0] == 'a' && f[1] == ' ' && f[2] == '+' && f[3] == ' ' && f[4] == 'b' && f[5] == 0;
}

// 32 bytes of elements.
template <class A>
using vector_of __attribute__((vector_size(32))) = A;

// Transposes eight vectors of eight elements.
template <class V>
ARR_FN void transpose_8(V (&r)[8]) {
  V a[8], b[8];
  for (int i = 0; i < 8; i += 2) {
    a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    for (int k = 0; k < 2; ++k) {
      b[i + 2 * k] = __builtin_shufflevector(a[i + k], a[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + 2 * k + 1] = __builtin_shufflevector(a[i + k], a[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < 4; ++i) {
    r[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    r[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
// Transposes four vectors of four elements.
template <class V>
ARR_FN void transpose_4(V* r) {
  V a[4];
  for (int i = 0; i < 4; i += 2) {
    a[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 4, 2, 6);
    a[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 5, 3, 7);
  }
  for (int i = 0; i < 2; ++i) {
    r[i] = __builtin_shufflevector(a[i], a[i + 2], 0, 1, 4, 5);
    r[i + 2] = __builtin_shufflevector(a[i], a[i + 2], 2, 3, 6, 7);
  }
}
template <class A>
ARR_FN void transpose(vector_of<A> (&r)[8]) {
  if constexpr (sizeof(A) == 4) {
    transpose_8(r);
  } else {
    transpose_4(r);
    transpose_4(r + 4);
  }
}

// Scans eight sequences of n elements, xs and ys bytes apart; y may be x. A has 4 or 8 bytes. A vector holds
// one element of all eight sequences, or, with 8-byte elements, of the first four (r[0..4)) or the last four
// (r[4..8)).
template <class A>
void sum_eight(int64_t n, const char* x, int64_t xs, char* y, int64_t ys) {
  typedef vector_of<A> V;
  typedef V Unaligned __attribute__((aligned(sizeof(A)), may_alias));
  constexpr int64_t item = sizeof(A), steps = 32 / item, groups = 8 / steps;
  V sum[groups];
  int64_t i = 0;
  for (; i + steps <= n; i += steps) {
    V r[8];
    for (int l = 0; l < 8; ++l) r[l] = *reinterpret_cast<const Unaligned*>(x + l * xs + i * item);
    transpose<A>(r);
    for (int g = 0; g < groups; ++g) {
      sum[g] = i == 0 ? r[g * steps] : sum[g] + r[g * steps];
      r[g * steps] = sum[g];
      for (int s = 1; s < steps; ++s) r[g * steps + s] = sum[g] = sum[g] + r[g * steps + s];
    }
    transpose<A>(r);
    for (int l = 0; l < 8; ++l) *reinterpret_cast<Unaligned*>(y + l * ys + i * item) = r[l];
  }
  for (int l = 0; l < 8; ++l) {
    const A* from = reinterpret_cast<const A*>(x + l * xs);
    A* to = reinterpret_cast<A*>(y + l * ys);
    for (int64_t k = i; k < n; ++k) to[k] = k == 0 ? from[0] : static_cast<A>(to[k - 1] + from[k]);
  }
}

}  // namespace arr::host::ARR_LEVEL
