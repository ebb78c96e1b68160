// SPDX-License-Identifier: MIT
// Elementary functions of eight doubles; see vector_math.h.
#pragma once

#include "host/loops/elementwise/powers_of_two.h"
#include "host/loops/elementwise/vector_math.h"

namespace arr::host::ARR_LEVEL {

#ifdef __AVX512F__
// x = k log(2) + r with k a whole number of sixteenths.
struct DoubleExponent {
  Doubles t, k, r;
  explicit DoubleExponent(Doubles x)
      : t(fma(x, broadcast<Doubles>(0x1.71547652b82fep0), broadcast<Doubles>(0x1.8p48))),
        k(t - broadcast<Doubles>(0x1.8p48)),
        r(fma(k, broadcast<Doubles>(-0x1.ef35793c7673p-45),
              fma(k, broadcast<Doubles>(-0x1.62e42fefa38p-1), x))) {}
  // exp(r) - 1
  [[nodiscard]] Doubles exp_minus_one() const {
    return fma(polynomial(r, 0.5000000000000003, 0.1666666666666667, 0.04166666666185091, 0.00833333333264537,
                          0.0013889093348182675, 0.00019841520199378164),
               r * r, r);
  }
  // 2 to the power of the fraction of k, and the rounding error of that.
  static Doubles power(Doubles t) { return table_lookup(power_of_two_table, _mm512_castpd_si512(t)); }
  static Doubles power_rest(Doubles t) { return table_lookup(power_of_two_errors, _mm512_castpd_si512(t)); }
};
struct DoubleExp {
  static Doubles f(Doubles x) {
    const DoubleExponent e(clamp_min(-750, clamp_max(711, x)));
    const Doubles p = DoubleExponent::power(e.t);
    return scale_by_power_of_two(fma(e.exp_minus_one(), p, p), e.k);
  }
};
struct DoubleExpm1 {
  // expm1(x) * 2^shift; expm1(x) itself may overflow.
  static Doubles scaled(Doubles x, double shift) {
    const DoubleExponent e(x);
    const Doubles k = e.k + broadcast<Doubles>(shift),
                  s = scale_by_power_of_two(DoubleExponent::power(e.t), k);
    const Doubles one = scale_by_power_of_two(broadcast<Doubles>(1), broadcast<Doubles>(shift));
    return fma(s, e.exp_minus_one(), scale_by_power_of_two(DoubleExponent::power_rest(e.t), k)) + (s - one);
  }
  static Doubles f(Doubles x) {
    const Doubles h = scaled(clamp_min(-750, clamp_max(710, x)), -1);
    return select(_mm512_cmp_pd_mask(_mm512_abs_pd(x), broadcast<Doubles>(0x1p-60), _CMP_LT_OQ), x, h + h);
  }
};
// With e = expm1(|x|): (e + e / (e + 1)) / 2.
struct DoubleSinh {
  static Doubles f(Doubles x) {
    const Doubles y = _mm512_abs_pd(x), q = DoubleExpm1::scaled(clamp_max(711, y), -2);
    const Doubles r = broadcast<Doubles>(2) * (q + q / fma(q, broadcast<Doubles>(4), broadcast<Doubles>(1)));
    return copy_sign(select(_mm512_cmp_pd_mask(y, broadcast<Doubles>(0x1p-60), _CMP_LT_OQ), y, r), x);
  }
};
struct DoubleCosh {
  static Doubles f(Doubles x) {
    const DoubleExponent e(clamp_max(711, _mm512_abs_pd(x)));
    const Doubles p = DoubleExponent::power(e.t);
    const Doubles q = scale_by_power_of_two(fma(e.exp_minus_one(), p, p), e.k - broadcast<Doubles>(2));
    return broadcast<Doubles>(2) * (q + broadcast<Doubles>(0.0625) / q);
  }
};
struct DoubleExp2 {
  static Doubles f(Doubles x) {
    x = clamp_min(-1080, clamp_max(1025, x));
    const Doubles t = x + broadcast<Doubles>(0x1.8p48), k = t - broadcast<Doubles>(0x1.8p48), r = x - k;
    const Doubles p = DoubleExponent::power(t);
    const Doubles q = polynomial(r, 0, 0.6931471805599468, 0.24022650695909928, 0.05550410865207041,
                                 0.009618129111613234, 0.0013333819134743, 0.00015403388244708538);
    return scale_by_power_of_two(fma(q, p, p), k);
  }
};
// expm1(2x) / (expm1(2x) + 2)
struct DoubleTanh {
  static Doubles f(Doubles x) {
    const Doubles y = clamp_max(20, _mm512_abs_pd(x)), h = DoubleExpm1::scaled(y + y, -1);
    return copy_sign(h / (h + broadcast<Doubles>(1)), x);
  }
};

// Like float_log (vector_math_float.h).
inline Doubles double_log(Doubles x, double whole, double rest, const double* start, double unit) {
  alignas(64) static constexpr double inverse[16] = {
      1.0,       0.9140625,  0.86328125, 0.8203125, 0.78125,    0.74609375, 0.7109375,  0.6796875,
      1.3046875, 1.25390625, 1.20703125, 1.1640625, 1.12109375, 1.0859375,  1.05078125, 1.0};
  const Doubles m = _mm512_getmant_pd(x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
  const Doubles k = _mm512_getexp_pd(x) - _mm512_getexp_pd(m);
  const __m512i i = _mm512_srli_epi64(_mm512_castpd_si512(m), 48);
  const Doubles r = _mm512_fmsub_pd(m, table_lookup(inverse, i), broadcast<Doubles>(1));
  const Doubles p =
      polynomial(r, -0.5, 0.3333333333334637, -0.24999999999948985, 0.19999999931580173, -0.16666666083641635,
                 0.14285816008538157, -0.12501872096256883, 0.1107262146213577, -0.08755046132690596);
  const Doubles l = fma(p, r * r, r);
  const Doubles rests =
      rest == 0 ? table_lookup(start, i) : fma(k, broadcast<Doubles>(rest), table_lookup(start, i));
  return fma(k, broadcast<Doubles>(whole), fma(l, broadcast<Doubles>(unit), rests));
}
struct DoubleLog {
  static Doubles f(Doubles x) {
    alignas(64) static constexpr double start[16] = {0.0,
                                                     0.08985632912186105,
                                                     0.14701474296180966,
                                                     0.1980699137620938,
                                                     0.24686007793152578,
                                                     0.2929040164329326,
                                                     0.34117075740276714,
                                                     0.38612214526503347,
                                                     -0.26596354849713794,
                                                     -0.22626367865045338,
                                                     -0.188163832418183,
                                                     -0.15191604202584197,
                                                     -0.11430477128005863,
                                                     -0.08244366921107459,
                                                     -0.04953393512227663,
                                                     0.0};
    return double_log(x, 0x1.62e42fefa39efp-1, 0, start, 1);
  }
};
struct DoubleLog2 {
  static Doubles f(Doubles x) {
    alignas(64) static constexpr double start[16] = {0.0,
                                                     0.12963528041659547,
                                                     0.21209744060856844,
                                                     0.28575448233387735,
                                                     0.3561438102252753,
                                                     0.4225711719642513,
                                                     0.49220535980130375,
                                                     0.5570565041512717,
                                                     -0.38370429247405224,
                                                     -0.32642948712230313,
                                                     -0.27146302790437454,
                                                     -0.21916852046216156,
                                                     -0.1649069266756878,
                                                     -0.11894107272350743,
                                                     -0.07146236255662415,
                                                     0.0};
    return double_log(x, 1, 0, start, 1.4426950408889634);
  }
};
struct DoubleLog10 {
  static Doubles f(Doubles x) {
    alignas(64) static constexpr double start[16] = {0.0,
                                                     0.039024107901706725,
                                                     0.06384769162673887,
                                                     0.0860206705779303,
                                                     0.10720996964786837,
                                                     0.12720659806412202,
                                                     0.14816857732677477,
                                                     0.16769071702924984,
                                                     -0.11550650149971492,
                                                     -0.09826506709302252,
                                                     -0.08171851411298509,
                                                     -0.06597629876440567,
                                                     -0.049641931422142765,
                                                     -0.03580483060622672,
                                                     -0.021512314690558417,
                                                     0.0};
    return double_log(x, 0x1.34413509f6p-2, 3.694239077158931e-13, start, 0.4342944819032518);
  }
};

ARR_VECTOR_MATH(double, op_exp, DoubleVectorLoop<DoubleExp>)
ARR_VECTOR_MATH(double, op_exp2, DoubleVectorLoop<DoubleExp2>)
ARR_VECTOR_MATH(double, op_expm1, DoubleVectorLoop<DoubleExpm1>)
ARR_VECTOR_MATH(double, op_log, DoubleVectorLoop<DoubleLog>)
ARR_VECTOR_MATH(double, op_log2, DoubleVectorLoop<DoubleLog2>)
ARR_VECTOR_MATH(double, op_log10, DoubleVectorLoop<DoubleLog10>)
ARR_VECTOR_MATH(double, op_sinh, DoubleVectorLoop<DoubleSinh>)
ARR_VECTOR_MATH(double, op_cosh, DoubleVectorLoop<DoubleCosh>)
ARR_VECTOR_MATH(double, op_tanh, DoubleVectorLoop<DoubleTanh>)
#endif

}  // namespace arr::host::ARR_LEVEL
