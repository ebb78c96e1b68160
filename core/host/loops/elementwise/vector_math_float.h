// SPDX-License-Identifier: MIT
// Elementary functions of sixteen floats; see vector_math.h.
#pragma once

#include "host/loops/elementwise/vector_math.h"

namespace arr::host::ARR_LEVEL {

#ifdef __AVX512F__
// x = k log(2) + r with k a whole number.
struct FloatExponent {
  Floats k, r;
  explicit FloatExponent(Floats x)
      : k(_mm512_roundscale_ps(x * broadcast<Floats>(0x1.715476p0), _MM_FROUND_TO_NEAREST_INT)),
        r(fma(k, broadcast<Floats>(-0x1.7f7d1cp-20), fma(k, broadcast<Floats>(-0x1.62e4p-1), x))) {}
  // exp(r) - 1
  [[nodiscard]] Floats exp_minus_one() const {
    return polynomial(r, 0, 1, 0.49999997, 0.16666539, 0.041667223, 0.008367181, 0.0013882396);
  }
};
struct FloatExp {
  static Floats f(Floats x) {
    const FloatExponent e(clamp_min(-105, clamp_max(90, x)));
    return scale_by_power_of_two(e.exp_minus_one() + broadcast<Floats>(1), e.k);
  }
};
struct FloatExpm1 {
  static Floats f(Floats x) {
    const FloatExponent e(clamp_min(-105, clamp_max(89, x)));
    const Floats half = scale_by_power_of_two(broadcast<Floats>(0.5), e.k);  // of 2^k, which may be too large
    const Floats r = fma(half, e.exp_minus_one(), half - broadcast<Floats>(0.5));
    return select(_mm512_cmp_ps_mask(_mm512_abs_ps(x), broadcast<Floats>(0x1p-60), _CMP_LT_OQ), x, r + r);
  }
};
struct FloatExp2 {
  static Floats f(Floats x) {
    x = clamp_min(-151, clamp_max(129, x));
    const Floats k = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT);
    return scale_by_power_of_two(
        polynomial(x - k, 1, 0.6931472, 0.24022648, 0.055503294, 0.00961845, 0.001340017, 0.00015352317), k);
  }
};

// log(x) = k log(2) + log(1/c) + log(1 + r) with x = 2^k m, c from a table by the leading bits of m, and r =
// c m - 1 small and exact: P. Tang's "Table-driven implementation of the logarithm function" (1990). Near 1,
// c is 1, so that the logarithm keeps its digits. m is in [0.75, 1.5): entries 8 to 15 are for m below 1.
// `whole` and `rest` are log(2), neither of them negative (k may be -infinite), `start` are log(1/c) and
// `unit` is log(e) in the logarithm's base.
inline Floats float_log(Floats x, float whole, float rest, const float* start, float unit) {
  alignas(64) static constexpr float inverse[16] = {
      1.0F,       0.9140625F, 0.86328125F, 0.8203125F, 0.78125F,   0.74609375F, 0.7109375F, 0.6796875F,
      1.3046875F, 1.2539062F, 1.2070312F,  1.1640625F, 1.1210938F, 1.0859375F,  1.0507812F, 1.0F};
  const Floats m = _mm512_getmant_ps(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
  const Floats k = _mm512_getexp_ps(x) - _mm512_getexp_ps(m);
  const __m512i i = _mm512_srli_epi32(_mm512_castps_si512(m), 19);
  const Floats r = _mm512_fmsub_ps(m, table_lookup(inverse, i), broadcast<Floats>(1));
  const Floats p = polynomial(r, -0.5, 0.33334446, -0.2500667, 0.1885523);
  const Floats l = fma(p * r, r, r);
  const Floats rests =
      rest == 0 ? table_lookup(start, i) : fma(k, broadcast<Floats>(rest), table_lookup(start, i));
  return fma(k, broadcast<Floats>(whole), fma(l, broadcast<Floats>(unit), rests));
}
struct FloatLog {
  static Floats f(Floats x) {
    alignas(64) static constexpr float start[16] = {0.0F,         0.08985633F,  0.14701474F,   0.19806992F,
                                                    0.24686007F,  0.29290402F,  0.34117076F,   0.38612214F,
                                                    -0.26596355F, -0.22626367F, -0.18816383F,  -0.15191604F,
                                                    -0.11430477F, -0.08244367F, -0.049533933F, 0.0F};
    return float_log(x, 0x1.62e43p-1F, 0, start, 1);
  }
};
struct FloatLog2 {
  static Floats f(Floats x) {
    alignas(64) static constexpr float start[16] = {0.0F,         0.12963527F,   0.21209744F,  0.28575447F,
                                                    0.3561438F,   0.42257118F,   0.49220535F,  0.5570565F,
                                                    -0.3837043F,  -0.3264295F,   -0.27146304F, -0.21916851F,
                                                    -0.16490693F, -0.118941076F, -0.07146236F, 0.0F};
    return float_log(x, 1, 0, start, 0x1.715476p0F);
  }
};
struct FloatLog10 {
  static Floats f(Floats x) {
    alignas(64) static constexpr float start[16] = {0.0F,         0.039024107F, 0.06384769F,   0.08602067F,
                                                    0.10720997F,  0.1272066F,   0.14816858F,   0.16769072F,
                                                    -0.1155065F,  -0.09826507F, -0.08171851F,  -0.0659763F,
                                                    -0.04964193F, -0.03580483F, -0.021512315F, 0.0F};
    return float_log(x, 0x1.344p-2F, 0x1.3509f8p-18F, start, 0x1.bcb7b2p-2F);
  }
};

// Polynomials around the middle of each half octave from 1/16 to 9.02, where tanh is 1, and around 0 below
// that.
struct FloatTanh {
  alignas(64) static constexpr float c0[16] = {
      0.0F,       0.077966444F, 0.10894093F, 0.15499073F, 0.21532634F, 0.30270973F, 0.41157004F, 0.5545997F,
      0.7039056F, 0.84828365F,  0.94137555F, 0.9866143F,  0.9981779F,  0.9999092F,  0.99999833F, 0.99999994F};
  alignas(64) static constexpr float c1[16] = {1.0F,         0.9939212F,    0.9881319F,     0.97597784F,
                                               0.95363456F,  0.9083668F,    0.8306101F,     0.6924192F,
                                               0.5045169F,   0.28041476F,   0.113812044F,   0.026592331F,
                                               0.003640956F, 0.0001818613F, 3.3312424e-06F, 1.6232245e-07F};
  alignas(64) static constexpr float c2[16] = {0.0F,           -0.07749245F,    -0.10764797F,  -0.15126716F,
                                               -0.20534241F,   -0.27497086F,    -0.3418537F,   -0.3840155F,
                                               -0.3551323F,    -0.23787133F,    -0.107139826F, -0.026236013F,
                                               -0.0036343061F, -0.00018181295F, -3.33068e-06F, -1.62322e-07F};
  alignas(64) static constexpr float c3[16] = {-0.333333F,    -0.32522672F,   -0.3176134F,    -0.3017503F,
                                               -0.2735589F,   -0.2195545F,    -0.13617466F,   -0.017837819F,
                                               0.08180494F,   0.108326115F,   0.06292824F,    0.017017487F,
                                               0.0024117264F, 0.00011882176F, 2.1767796e-06F, 1.0808717e-07F};
  alignas(64) static constexpr float c4[16] = {
      0.0F,           0.050979454F,    0.070337355F,    0.096788436F,   0.12707783F, 0.15769376F,
      0.16963506F,    0.13790314F,     0.060798265F,    -0.0125859855F, -0.0235257F, -0.008052114F,
      -0.0011972664F, -5.9476726e-05F, -1.0898734e-06F, -5.4048076e-08F};
  alignas(64) static constexpr float c5[16] = {
      0.13304032F,    0.0F,           0.0F,           0.0F,          0.0F,          0.045934644F,
      -0.005695235F,  -0.054335937F,  -0.05854763F,   -0.019690674F, 0.0034822773F, 0.0028872741F,
      0.00049037364F, 2.8481838e-05F, 5.2285895e-07F, 2.2598172e-08F};
  alignas(64) static constexpr float c6[16] = {0.0F,           0.0F,           0.0F,
                                               0.0F,           0.0F,           0.0F,
                                               0.0F,           -0.024366427F,  0.012852871F,
                                               0.015104976F,   0.002109084F,   -0.00069558376F,
                                               -0.0001578099F, -9.418817e-06F, -1.7328459e-07F,
                                               -7.521146e-09F};
  alignas(64) static constexpr float middle[16] = {0.0F,    0.078125F, 0.109375F, 0.15625F, 0.21875F, 0.3125F,
                                                   0.4375F, 0.625F,    0.875F,    1.25F,    1.75F,    2.5F,
                                                   3.5F,    5.0F,      7.0F,      8.51F};
  static Floats f(Floats x) {
    const Floats y = clamp_max(9.02, _mm512_abs_ps(x));
    const __m512i half_octave = _mm512_srli_epi32(_mm512_castps_si512(y), 22);
    const __m512i i =
        _mm512_max_epi32(_mm512_sub_epi32(half_octave, _mm512_set1_epi32(245)), _mm512_setzero_si512());
    const Floats r = y - table_lookup(middle, i);
    const float* const rest[] = {c5, c4, c3, c2, c1, c0};
    Floats p = table_lookup(c6, i);
    for (const float* c : rest) p = fma(p, r, table_lookup(c, i));
    return copy_sign(p, x);
  }
};

// sin(x) = (-1)^k sin(r) with r = x - k pi, cos(x) = (-1)^k sin(r) with r = x - (k - 1/2) pi, of x >= 0; pi
// in three parts.
template <class Op, bool Cosine>
struct FloatSine {
  static Floats f(Floats x) {
    const Floats y = _mm512_abs_ps(x);
    if (_mm512_cmp_ps_mask(y, broadcast<Floats>(1e5), _CMP_NLE_UQ) != 0) return others(x);
    const Floats half = broadcast<Floats>(Cosine ? 0.5 : 0),
                 shift = broadcast<Floats>(0x1.8p23);  // k in the last bits
    const Floats t = fma(y, broadcast<Floats>(0x1.45f306p-2), half) + shift;
    const Floats k = t - shift - half;
    Floats r = fma(k, broadcast<Floats>(-0x1.921fb4p1), y);
    r = fma(k, broadcast<Floats>(-0x1.4442dp-23), r);
    r = fma(k, broadcast<Floats>(-0x1.84698ap-47), r);
    const Floats u = r * r;
    const Floats p = polynomial(u, -0.1666666, 0.008333061, -0.00019809218, 2.6048824e-06);
    const __m512i s = _mm512_castps_si512(fma(p * u, r, r));
    __m512i odd = _mm512_slli_epi32(_mm512_castps_si512(t), 31);
    if (!Cosine) odd = _mm512_xor_si512(odd, _mm512_castps_si512(_mm512_and_ps(x, broadcast<Floats>(-0.0))));
    const Floats result = _mm512_castsi512_ps(_mm512_xor_si512(s, odd));
    if (!Cosine) return result;
    // The sine of the float nearest to pi / 2 is not quite 1.
    const __mmask16 near = _mm512_cmp_ps_mask(y, broadcast<Floats>(0x1p-12), _CMP_LT_OQ);
    return _mm512_mask_mov_ps(result, near, broadcast<Floats>(1));
  }
  // True if some numbers are too large for k, or not finite.
  [[gnu::noinline]] static Floats others(Floats x) {
    alignas(64) float some[16];
    _mm512_store_ps(some, x);
    for (float& v : some) v = Op::template f<float>(v);
    return _mm512_load_ps(some);
  }
};

using FloatSin = FloatSine<op_sin, false>;
using FloatCos = FloatSine<op_cos, true>;
ARR_VECTOR_MATH(float, op_exp, FloatVectorLoop<FloatExp>)
ARR_VECTOR_MATH(float, op_exp2, FloatVectorLoop<FloatExp2>)
ARR_VECTOR_MATH(float, op_expm1, FloatVectorLoop<FloatExpm1>)
ARR_VECTOR_MATH(float, op_log, FloatVectorLoop<FloatLog>)
ARR_VECTOR_MATH(float, op_log2, FloatVectorLoop<FloatLog2>)
ARR_VECTOR_MATH(float, op_log10, FloatVectorLoop<FloatLog10>)
ARR_VECTOR_MATH(float, op_tanh, FloatVectorLoop<FloatTanh>)
ARR_VECTOR_MATH(float, op_sin, FloatVectorLoop<FloatSin>)
ARR_VECTOR_MATH(float, op_cos, FloatVectorLoop<FloatCos>)
#endif

}  // namespace arr::host::ARR_LEVEL
