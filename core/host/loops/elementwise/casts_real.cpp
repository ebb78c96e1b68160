// SPDX-License-Identifier: MIT
// Conversion loops from floating-point and complex numbers; float16 uses the CPU's own instructions.
#include "host/loops/elementwise/casts.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace arr::host::ARR_LEVEL {

#if defined(__F16C__)
namespace {

// Not in place: the four bytes written for an element would overwrite elements that are not read yet.
void half_to_float(int64_t n, const void* const* in, void* out) {
  const auto* x = static_cast<const arr_half*>(in[0]);
  auto* r = static_cast<float*>(out);
  int64_t i = 0;
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16) {
    __m256i h = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i));
    _mm512_storeu_ps(r + i, _mm512_maskz_cvtph_ps(0xffff, h));
  }
#endif
  for (; i + 8 <= n; i += 8) {
    __m128i h = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i));
    _mm256_storeu_ps(r + i, _mm256_cvtph_ps(h));
  }
  for (; i < n; ++i) r[i] = _cvtsh_ss(x[i].bits);
}

void float_to_half(int64_t n, const void* const* in, void* out) {
  const auto* x = static_cast<const float*>(in[0]);
  auto* r = static_cast<arr_half*>(out);
  int64_t i = 0;
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16) {
    __m256i h = _mm512_maskz_cvtps_ph(0xffff, _mm512_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(r + i), h);
  }
#endif
  for (; i + 8 <= n; i += 8) {
    __m128i h = _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(r + i), h);
  }
  for (; i < n; ++i) r[i].bits = _cvtss_sh(x[i], _MM_FROUND_TO_NEAREST_INT);
}

}  // namespace
#endif

void fill_casts_real(LoopTable& t) {
  fill_casts<arr_half>(t);
  fill_casts<arr_bfloat>(t);
  fill_casts<float>(t);
  fill_casts<double>(t);
  fill_casts<arr_cplx<float>>(t);
  fill_casts<arr_cplx<double>>(t);
#if defined(__F16C__)
  t.cast[row_of<arr_half>::number][row_of<float>::number] = half_to_float;
  t.cast[row_of<float>::number][row_of<arr_half>::number] = float_to_half;
#endif
}

}  // namespace arr::host::ARR_LEVEL
