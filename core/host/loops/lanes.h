// SPDX-License-Identifier: MIT
// Vectors of words of 32 bits, and Philox's rounds over them.
#pragma once

#include "host/loops/level.h"
#include "host/loops/vectors.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace arr::host::ARR_LEVEL {

namespace {

// Numbers of 32 bits, each in the lower half of a lane: a product of two needs no rearranging then. The upper
// halves are anything.
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

// keys: a number for all lanes, or each lane's own.
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
