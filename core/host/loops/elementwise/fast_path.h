// SPDX-License-Identifier: MIT
// Fast paths of a few ops. A fast path is right for nearly all operands and reports a block in which it is
// not. The op's own formula then computes that block again, so a fast path need not handle every case.
#pragma once

#include "host/loops/level.h"

#ifdef __AVX512F__
// GCC 12 warns about operands that its own intrinsics leave undefined on purpose.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#endif

namespace arr::host::ARR_LEVEL {

// Elements of a block.
template <class T>
constexpr int64_t fast_path_block = 512 / sizeof(T);

// run(x, r) or run(x, y, r) computes a block of elements of type Result and returns false if some are wrong.
// r does not overlap an operand. A fast path with `writes_result_directly` gets the op's own output as r if
// that does not overlap either; others get a buffer.
template <class Op, class T>
struct FastPath {
  static constexpr bool exists = false;
};

// The vector form, which is wrong for some integers.
template <>
struct FastPath<op_exp10, double> {
  typedef double Result;
  static constexpr bool exists = true;
  static bool run(const double* x, double* r) {
    int wrong = 0;
#pragma GCC ivdep
    for (int64_t i = 0; i < fast_path_block<double>; ++i) {
      wrong |= (arr_floor(x[i]) == x[i]) & (arr_absolute(x[i]) <= 22);
      r[i] = exp10(x[i]);
    }
    return wrong == 0;
  }
};

#ifdef __FMA__
// x - y trunc(x / y). The quotient may be rounded up to the next whole number. The remainder is then
// negative; it is exact if the quotient has no more bits than T.
template <class T>
ARR_FN T fast_fmod(T x, T y, int& wrong) {
  const T a = arr_absolute(x), b = arr_absolute(y), q = arr_trunc(a / b);
  T r = sizeof(T) == 4 ? (T)__builtin_fmaf((float)-q, (float)b, (float)a) : (T)__builtin_fma(-q, b, a);
  wrong |= !((q < (sizeof(T) == 4 ? T(0x1p24) : T(0x1p53))) & (b < (T)ARR_INF));
  r = r < 0 ? r + b : r;
  return arr_copysign(r, x);
}
// The fast path of an op that is F::f(x, y, fmod(x, y)).
template <class F, class T>
struct FmodFastPath {
  typedef T Result;
  static constexpr bool exists = true;
  static bool run(const T* x, const T* y, T* r) {
    int wrong = 0;
    for (int64_t i = 0; i < fast_path_block<T>; ++i) r[i] = F::f(x[i], y[i], fast_fmod(x[i], y[i], wrong));
    return wrong == 0;
  }
};
#define ARR_FMOD_FAST_PATH(op, formula)                           \
  struct fast_##op {                                              \
    template <class T>                                            \
    ARR_FN static T f(T x, T y, T r) {                            \
      return formula;                                             \
    }                                                             \
  };                                                              \
  template <>                                                     \
  struct FastPath<op, float> : FmodFastPath<fast_##op, float> {}; \
  template <>                                                     \
  struct FastPath<op, double> : FmodFastPath<fast_##op, double> {};
ARR_FMOD_FAST_PATH(op_fmod, (void(x), void(y), r))
ARR_FMOD_FAST_PATH(op_remainder, (void(x), arr_floored(r, y)))
ARR_FMOD_FAST_PATH(op_floor_divide, arr_floored_quotient(x, y, r))
#undef ARR_FMOD_FAST_PATH

// log(1 + w) with w = t + sqrt(t (t + 2)) and t = x - 1, which is accurate near 1. Wrong at and below -1, and
// if the square overflows.
template <>
struct FastPath<op_arccosh, float> {
  typedef float Result;
  static constexpr bool exists = true;
  static bool run(const float* x, float* r) {
    int wrong = 0;
    for (int64_t i = 0; i < fast_path_block<float>; ++i) {
      const float t = x[i] - 1, w = t + arr_sqrt(__builtin_fmaf(t, t, 2 * t));
      wrong |= !((x[i] > -1) & (x[i] < 0x1p60F));
      r[i] = arr_log1p(w);
    }
    return wrong == 0;
  }
};
#endif

#ifdef __AVX512F__
// x to the power y as 2^(y log2 x) in double. Logarithm and power use tables of 16 entries, which fit into
// two registers each, as in P. Tang's "Table-driven implementation of the logarithm function" (1990). The
// entry of the interval around 1 is 1 itself, so that the logarithm is accurate there. Wrong for nan,
// infinite y and denormal x.
struct FloatPowerFastPath {
  static constexpr int32_t first =
      0x3f330000;  // bits of the smallest mantissa, chosen so that 1 is inside an interval

  // log2 of eight numbers. z: the mantissas. `index`: 16 times the exponent plus the number of the interval.
  static __m512d logarithm(__m512d z, __m512i index) {
    alignas(64) static constexpr double inverse[16] = {
        1.3989071038251366, 1.3403141361256545, 1.2864321608040201, 1.2367149758454106, 1.1906976744186046,
        1.147982062780269,  1.1082251082251082, 1.0711297071129706, 1.0364372469635628, 1.0,
        0.9481481481481482, 0.8951048951048951, 0.847682119205298,  0.8050314465408805, 0.7664670658682635,
        0.7314285714285714};
    // log2(1 / inverse) minus the interval's number in sixteenths, which `index` contains.
    alignas(64) static constexpr double start[16] = {-0.4843001617159575,  -0.4850711719642514,
                                                     -0.4883753794563512,  -0.4940130425006747,
                                                     -0.5018071504105397,  -0.5116001000796953,
                                                     -0.5232509585839424,  -0.5366331920192513,
                                                     -0.5516327684153224,  -0.5625,
                                                     -0.5481844029491691,  -0.5276286632216106,
                                                     -0.5115952606749211,  -0.4996170447156447,
                                                     -0.49129570752594787, -0.4862888881676712};
    const __m512d c = _mm512_permutex2var_pd(_mm512_load_pd(inverse), index, _mm512_load_pd(inverse + 8));
    const __m512d l = _mm512_permutex2var_pd(_mm512_load_pd(start), index, _mm512_load_pd(start + 8));
    // Converts `index` to double: adds it to the last bits of 1.5 * 2^52.
    const __m512d whole = _mm512_set1_pd(0x1.8p52);
    const __m512d j =
        _mm512_sub_pd(_mm512_castsi512_pd(_mm512_add_epi64(index, _mm512_castpd_si512(whole))), whole);
    const __m512d r = _mm512_fmsub_pd(z, c, _mm512_set1_pd(1));
    __m512d p = _mm512_fmadd_pd(r, _mm512_set1_pd(0.2887653347793514), _mm512_set1_pd(-0.36093780148231086));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(0.4808982972806295));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(-0.7213474624834978));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(1.4426950408889634));
    return _mm512_fmadd_pd(p, r, _mm512_fmadd_pd(j, _mm512_set1_pd(0.0625), l));
  }
  // 2^w of eight numbers. w is clamped to -160 .. 160, beyond which a float result is 0 or infinite.
  static __m256 power_of_two(__m512d w) {
    // Bits of 2^(i / 16) minus i 2^48, which the shifted exponent adds.
    alignas(64) static constexpr int64_t bits[16] = {
        0x3ff0000000000000, 0x3fefb5586cf9890f, 0x3fef72b83c7d517b, 0x3fef387a6e756238,
        0x3fef06fe0a31b715, 0x3feedea64c123422, 0x3feebfdad5362a27, 0x3feeab07dd485429,
        0x3feea09e667f3bcd, 0x3feea11473eb0187, 0x3feeace5422aa0db, 0x3feec49182a3f090,
        0x3feee89f995ad3ad, 0x3fef199bdd85529c, 0x3fef5818dcfba487, 0x3fefa4afa2a490da};
    w = _mm512_range_pd(w, _mm512_set1_pd(160), 0x2);  // the smaller in magnitude, with w's sign
    const __m512i n = _mm512_castpd_si512(_mm512_add_pd(w, _mm512_set1_pd(0x1.8p48)));  // in sixteenths
    const __m512d r = _mm512_reduce_pd(w, 0x40);
    const __m512i t = _mm512_permutex2var_epi64(_mm512_load_si512(bits), n, _mm512_load_si512(bits + 8));
    const __m512d scale = _mm512_castsi512_pd(_mm512_add_epi64(t, _mm512_slli_epi64(n, 48)));
    __m512d p = _mm512_fmadd_pd(r, _mm512_set1_pd(0.05550541078283726), _mm512_set1_pd(0.24023589979184537));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(0.6931471804009951));
    p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(0.9999999988534117));
    return _mm512_cvtpd_ps(_mm512_mul_pd(p, scale));
  }
  // |x|^y of sixteen numbers; arbitrary where |x| is 0 or infinite.
  static __m512 magnitude(__m512 size, const float* y) {
    const __m512i bits = _mm512_castps_si512(size), above = _mm512_sub_epi32(bits, _mm512_set1_epi32(first));
    const __m512i top = _mm512_and_si512(above, _mm512_set1_epi32(static_cast<int32_t>(0xff800000)));
    const __m512 z = _mm512_castsi512_ps(_mm512_sub_epi32(bits, top));
    const __m512i index = _mm512_srai_epi32(above, 19);
    const __m512d low = logarithm(_mm512_cvtps_pd(_mm512_castps512_ps256(z)),
                                  _mm512_cvtepi32_epi64(_mm512_castsi512_si256(index)));
    const __m512d high = logarithm(_mm512_cvtps_pd(_mm512_extractf32x8_ps(z, 1)),
                                   _mm512_cvtepi32_epi64(_mm512_extracti32x8_epi32(index, 1)));
    const __m256 first_half = power_of_two(_mm512_mul_pd(low, _mm512_cvtps_pd(_mm256_loadu_ps(y))));
    const __m256 second_half = power_of_two(_mm512_mul_pd(high, _mm512_cvtps_pd(_mm256_loadu_ps(y + 8))));
    return _mm512_insertf32x8(_mm512_castps256_ps512(first_half), second_half, 1);
  }
  // Corrects the powers of zeros, infinities and negative numbers. The power of a negative number is nan
  // unless y is whole, and negative if y is odd.
  static __m512 of_others(__m512 r, __m512 x, __m512 y) {
    const __mmask16 zero = _mm512_fpclass_ps_mask(x, 0x06), infinite = _mm512_fpclass_ps_mask(x, 0x18);
    const __mmask16 above = _mm512_cmp_ps_mask(y, _mm512_setzero_ps(), _CMP_GT_OQ);
    const __mmask16 below = _mm512_cmp_ps_mask(y, _mm512_setzero_ps(), _CMP_LT_OQ);
    const auto none = static_cast<__mmask16>((zero & above) | (infinite & below));
    const auto all = static_cast<__mmask16>((zero & below) | (infinite & above));
    r = _mm512_mask_mov_ps(r, zero | infinite, _mm512_set1_ps(1));
    r = _mm512_mask_mov_ps(r, none, _mm512_setzero_ps());
    r = _mm512_mask_mov_ps(r, all, _mm512_set1_ps(__builtin_inff()));
    const __mmask16 negative = _mm512_movepi32_mask(_mm512_castps_si512(x));
    const __mmask16 whole = _mm512_mask_cmp_ps_mask(
        negative, _mm512_roundscale_ps(y, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC), y, _CMP_EQ_OQ);
    const __mmask16 odd = _mm512_mask_test_epi32_mask(whole, _mm512_cvttps_epi32(y), _mm512_set1_epi32(1));
    r = _mm512_mask_xor_ps(r, odd, r, _mm512_set1_ps(-0.0F));
    const auto neither = static_cast<__mmask16>(negative & ~whole & ~zero & ~infinite);
    return _mm512_mask_mov_ps(r, neither, _mm512_set1_ps(__builtin_nanf("")));
  }
  typedef float Result;
  static constexpr bool exists = true;
  static bool run(const float* x, const float* y, float* r) {
    unsigned wrong = 0;
    for (int64_t i = 0; i < fast_path_block<float>; i += 16) {
      const __m512 a = _mm512_loadu_ps(x + i), b = _mm512_loadu_ps(y + i);
      // nan and denormals; nan and infinities
      wrong |= static_cast<unsigned>(_mm512_fpclass_ps_mask(a, 0xa1) | _mm512_fpclass_ps_mask(b, 0x99));
      __m512 p = magnitude(_mm512_abs_ps(a), y + i);
      if (_mm512_fpclass_ps_mask(a, 0x5e) != 0) p = of_others(p, a, b);
      _mm512_storeu_ps(r + i, p);
    }
    return wrong == 0;
  }
};
template <>
struct FastPath<op_power, float> : FloatPowerFastPath {};
#endif

}  // namespace arr::host::ARR_LEVEL
