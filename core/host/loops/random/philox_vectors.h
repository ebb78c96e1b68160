// SPDX-License-Identifier: MIT
// Vectors of 32-bit words and the rounds of Philox on them.
#pragma once

#include "host/loops/level.h"
#include "host/loops/vectors.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace arr::host::ARR_LEVEL {

namespace {

// 32-bit numbers, each in the lower half of a 64-bit lane, so that products need no shuffles. The upper
// halves are arbitrary.
typedef unsigned long long Lanes __attribute__((vector_size(vector_bytes)));
constexpr int lanes = lanes_of<unsigned long long>;

ARR_FN Lanes product(Lanes x, Lanes y) {
#if defined(__AVX512F__)
  return (Lanes)_mm512_maskz_mul_epu32(0xff, (__m512i)x, (__m512i)y);
#elif defined(__AVX2__)
  return (Lanes)_mm256_mul_epu32((__m256i)x, (__m256i)y);
#elif defined(__SSE2__)
  return (Lanes)_mm_mul_epu32((__m128i)x, (__m128i)y);
#else
  return (x & 0xffffffffull) * (y & 0xffffffffull);
#endif
}

// k0 and k1: a number for all lanes, or a vector of one per lane.
template <class Key>
ARR_FN void philox_round(Lanes (&c)[4], Key k0, Key k1) {
  const Lanes p0 = product(c[0], Lanes{} + 0xd2511f53ull), p1 = product(c[2], Lanes{} + 0xcd9e8d57ull);
  c[0] = (p1 >> 32) ^ c[1] ^ (Lanes{} + k0);
  c[1] = p1;
  c[2] = (p0 >> 32) ^ c[3] ^ (Lanes{} + k1);
  c[3] = p0;
}

}  // namespace

}  // namespace arr::host::ARR_LEVEL
