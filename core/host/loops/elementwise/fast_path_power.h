// SPDX-License-Identifier: MIT
// Fast paths of x to the power y: for integers on every level, for float64 with AVX-512, and for whole
// exponents of float64 without. See fast_path.h.
#pragma once

#include <type_traits>

#include "host/loops/elementwise/fast_path.h"
#include "host/loops/elementwise/powers_of_two.h"

namespace arr::host::ARR_LEVEL {

// Squares as often as the largest exponent has bits. Wrong for negative exponents. Multiplies in W, because
// no level has an instruction that multiplies vectors of bytes.
template <class T, class W>
struct IntegerPowerFastPath {
  typedef T Result;
  static constexpr bool exists = true;
  static bool run(const T* x, const T* y, T* r) {
    using U = std::make_unsigned_t<W>;
    std::make_unsigned_t<T> any = 0;
    for (int64_t i = 0; i < fast_path_block<T>; ++i)
      any = static_cast<decltype(any)>(any | static_cast<decltype(any)>(y[i]));
    if (std::is_signed_v<T> && static_cast<T>(any) < 0) return false;
    U power[fast_path_block<T>], result[fast_path_block<T>];
    for (int64_t i = 0; i < fast_path_block<T>; ++i) {
      power[i] = static_cast<U>(x[i]);
      result[i] = (y[i] & 1) != 0 ? power[i] : U(1);
    }
    int bit = 1;
    for (auto left = any >> 1; left != 0; left >>= 1, ++bit)
      for (int64_t i = 0; i < fast_path_block<T>; ++i) {
        // 1ULL makes the product unsigned: a product of two shorts is a signed int, which could overflow.
        power[i] = static_cast<U>(1ULL * power[i] * power[i]);
        const U factor = (y[i] >> bit & 1) != 0 ? power[i] : U(1);
        result[i] = static_cast<U>(1ULL * result[i] * factor);
      }
    for (int64_t i = 0; i < fast_path_block<T>; ++i) r[i] = static_cast<T>(result[i]);
    return true;
  }
};
#define ARR_WHOLE_POWER(type, wide) \
  template <>                       \
  struct FastPath<op_power, type> : IntegerPowerFastPath<type, wide> {};
ARR_WHOLE_POWER(signed char, short)
ARR_WHOLE_POWER(unsigned char, short)
ARR_WHOLE_POWER(short, short)
ARR_WHOLE_POWER(int, int)
ARR_WHOLE_POWER(long long, long long)
ARR_WHOLE_POWER(unsigned short, short)
ARR_WHOLE_POWER(unsigned, int)
ARR_WHOLE_POWER(unsigned long long, long long)
#undef ARR_WHOLE_POWER

#ifdef __AVX512F__
// 2^(y log2 x) with the logarithm as a sum of two doubles: a relative error of 2^-65 in it is half a unit in
// the last place if y log2 x is 1,000. Logarithm and power use tables of 16 entries, which fit into two
// registers each, as in P. Tang's "Table-driven implementation of the logarithm function" (1990). Wrong for
// nan, infinite y, denormal x, and results near or beyond the largest and smallest numbers.
struct DoublePowerFastPath {
  typedef double Result;
  static constexpr bool exists = true;
  static constexpr int64_t first =
      0x3fe6600000000000;  // bits of the smallest mantissa, chosen so that 1 is inside an interval

  struct Sum {
    __m512d high, low;
  };
  static __m512d look_up(const double* table, __m512i index) {
    return _mm512_permutex2var_pd(_mm512_load_pd(table), index, _mm512_load_pd(table + 8));
  }
  static __m512d all(double v) { return _mm512_set1_pd(v); }

  // log2 of normal numbers.
  static Sum logarithm(__m512d size) {
    // 12-bit numbers near the inverses of the intervals' centres, and minus their logarithms, whose high
    // parts are multiples of 2^-40.
    alignas(64) static constexpr double inverse[16] = {
        1.39892578125,  1.34033203125,  1.286376953125, 1.23681640625, 1.190673828125, 1.14794921875,
        1.108154296875, 1.071044921875, 1.036376953125, 1.0,           0.9482421875,   0.89501953125,
        0.84765625,     0.804931640625, 0.766357421875, 0.7314453125};
    alignas(64) static constexpr double start[16] = {-0.48431942364368297, -0.42259043389185535,
                                                     -0.3633134643732774,  -0.30663136171187944,
                                                     -0.25177825703576673, -0.1990588236521944,
                                                     -0.14815877293767699, -0.09901899101896561,
                                                     -0.051548838439885,   0.0,
                                                     0.07667251458042301,  0.16000892945976375,
                                                     0.2384487675553828,   0.31306182832940976,
                                                     0.38391068641703896,  0.4511780915408963};
    alignas(64) static constexpr double rest[16] = {-5.842516427311571e-13,  -7.056323634975128e-13,
                                                    -2.001161858425773e-13,  -6.215444048719438e-13,
                                                    -1.0093937304672228e-13, -8.269519836799846e-13,
                                                    -2.1635892397289882e-13, -2.650335215524515e-13,
                                                    -5.15847114079399e-13,   0.0,
                                                    3.847289352709459e-13,   3.505369416996955e-13,
                                                    1.3788253208610732e-13,  2.0294101161737215e-13,
                                                    8.458713351601401e-13,   3.52669147030809e-13};
    const __m512i bits = _mm512_castpd_si512(size), above = _mm512_sub_epi64(bits, _mm512_set1_epi64(first));
    const __m512i top = _mm512_and_si512(above, _mm512_set1_epi64(static_cast<int64_t>(0xfff0000000000000)));
    const __m512d z = _mm512_castsi512_pd(_mm512_sub_epi64(bits, top));
    const __m512i index = _mm512_srai_epi64(above, 48);
    const __m512d whole =
        _mm512_add_pd(_mm512_cvtepi64_pd(_mm512_srai_epi64(index, 4)), look_up(start, index));  // exact
    // z c = 1 + r + e, exactly.
    const __m512d c = look_up(inverse, index), product = _mm512_mul_pd(z, c);
    const __m512d e = _mm512_fmsub_pd(z, c, product), r = _mm512_sub_pd(product, all(1));
    // a = (r + e) / ln 2 and b = -a r / 2, as sums of two.
    constexpr double high = 1.4426950408889634, low = 2.0355273740931033e-17;
    const __m512d a = _mm512_mul_pd(r, all(high)), half = _mm512_mul_pd(r, all(-0.5));
    __m512d a_low = _mm512_fmsub_pd(r, all(high), a);
    a_low = _mm512_fmadd_pd(r, all(low), _mm512_fmadd_pd(e, all(high), a_low));
    const __m512d b = _mm512_mul_pd(half, a);
    __m512d b_low = _mm512_fmsub_pd(half, a, b);
    b_low = _mm512_fmadd_pd(half, a_low, _mm512_fmadd_pd(_mm512_mul_pd(e, all(-0.5)), a, b_low));
    // The remaining terms of the series: a r^2 (1/3 - r / 4 + ...).
    const __m512d s = _mm512_mul_pd(r, r), t = _mm512_mul_pd(s, s);
    const auto pair = [&](double c0, double c1) { return _mm512_fmadd_pd(r, all(c1), all(c0)); };
    __m512d p = _mm512_fmadd_pd(s, all(0.09106226291801561), pair(0.11111100952396354, -0.10016593424630973));
    p = _mm512_fmadd_pd(t, p,
                        _mm512_fmadd_pd(s, pair(0.14285714288209136, -0.12499988994908484),
                                        pair(0.19999999999999835, -0.16666666669369373)));
    p = _mm512_fmadd_pd(s, p, pair(0.3333333333333333, -0.2499999999999982));
    // Fast two-sums: each term is smaller than the number it is added to, or that number is 0.
    const __m512d one = _mm512_add_pd(whole, a), sum = _mm512_add_pd(one, b);
    const __m512d one_low = _mm512_sub_pd(a, _mm512_sub_pd(one, whole));
    const __m512d sum_low = _mm512_sub_pd(b, _mm512_sub_pd(sum, one));
    const __m512d small =
        _mm512_add_pd(_mm512_add_pd(look_up(rest, index), one_low), _mm512_add_pd(sum_low, b_low));
    return {sum, _mm512_fmadd_pd(_mm512_mul_pd(a, s), p, _mm512_add_pd(small, a_low))};
  }

  // 2^(high + low) for |high| below 1,020.
  static __m512d power_of_two(Sum w) {
    const __m512d shifted = _mm512_add_pd(w.high, all(0x1.8p48));  // in sixteenths
    const __m512i n = _mm512_castpd_si512(shifted);
    const __m512d f = _mm512_add_pd(_mm512_sub_pd(w.high, _mm512_sub_pd(shifted, all(0x1.8p48))), w.low);
    const __m512i exponent = _mm512_slli_epi64(_mm512_srai_epi64(n, 4), 52);
    const __m512d scale = look_up(power_of_two_table, n), s = _mm512_mul_pd(f, f);
    const auto pair = [&](double c0, double c1) { return _mm512_fmadd_pd(f, all(c1), all(c0)); };
    __m512d p =
        _mm512_fmadd_pd(s, all(1.5252910475374902e-05), pair(0.0013333558145552258, 0.00015403759788204762));
    p = _mm512_fmadd_pd(s, p, pair(0.05550410866482159, 0.009618129106490814));
    p = _mm512_fmadd_pd(s, p, pair(0.6931471805599453, 0.24022650695910086));
    const __m512d more = _mm512_fmadd_pd(scale, _mm512_mul_pd(f, p), look_up(power_of_two_errors, n));
    const __m512d value = _mm512_add_pd(scale, more);
    return _mm512_castsi512_pd(_mm512_add_epi64(_mm512_castpd_si512(value), exponent));
  }

  // Corrects the powers of zeros, infinities and negative numbers, as in FloatPowerFastPath.
  static __m512d of_others(__m512d r, __m512d x, __m512d y) {
    const __mmask8 zero = _mm512_fpclass_pd_mask(x, 0x06), infinite = _mm512_fpclass_pd_mask(x, 0x18);
    const __mmask8 above = _mm512_cmp_pd_mask(y, _mm512_setzero_pd(), _CMP_GT_OQ);
    const __mmask8 below = _mm512_cmp_pd_mask(y, _mm512_setzero_pd(), _CMP_LT_OQ);
    r = _mm512_mask_mov_pd(r, zero | infinite, all(1));
    r = _mm512_mask_mov_pd(r, static_cast<__mmask8>((zero & above) | (infinite & below)),
                           _mm512_setzero_pd());
    r = _mm512_mask_mov_pd(r, static_cast<__mmask8>((zero & below) | (infinite & above)),
                           all(__builtin_inf()));
    const __mmask8 negative = _mm512_movepi64_mask(_mm512_castpd_si512(x));
    const __mmask8 whole = _mm512_mask_cmp_pd_mask(
        negative, _mm512_roundscale_pd(y, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC), y, _CMP_EQ_OQ);
    const __mmask8 odd = _mm512_mask_test_epi64_mask(whole, _mm512_cvttpd_epi64(y), _mm512_set1_epi64(1));
    r = _mm512_mask_xor_pd(r, odd, r, all(-0.0));
    const auto neither = static_cast<__mmask8>(negative & ~whole & ~zero & ~infinite);
    return _mm512_mask_mov_pd(r, neither, all(__builtin_nan("")));
  }

  static bool run(const double* x, const double* y, double* r) {
    unsigned wrong = 0;
    for (int64_t i = 0; i < fast_path_block<double>; i += 8) {
      const __m512d a = _mm512_loadu_pd(x + i), b = _mm512_loadu_pd(y + i);
      const __mmask8 others = _mm512_fpclass_pd_mask(a, 0x1e);  // zeros and infinities
      // nan and denormals; nan and infinities
      wrong |= static_cast<unsigned>(_mm512_fpclass_pd_mask(a, 0xa1) | _mm512_fpclass_pd_mask(b, 0x99));
      const Sum log = logarithm(_mm512_abs_pd(a));
      const __m512d w = _mm512_mul_pd(log.high, b);
      const Sum exponent = {w, _mm512_fmadd_pd(log.low, b, _mm512_fmsub_pd(log.high, b, w))};
      wrong |= static_cast<unsigned>(_mm512_cmp_pd_mask(_mm512_abs_pd(w), all(1020), _CMP_NLT_UQ) & ~others);
      __m512d p = power_of_two(exponent);
      if ((_mm512_movepi64_mask(_mm512_castpd_si512(a)) | others) != 0) p = of_others(p, a, b);
      _mm512_storeu_pd(r + i, p);
    }
    return wrong == 0;
  }
};
#else
// Whole exponents of at most 64, by squaring numbers of two parts: results that are short numbers are exact,
// which those of vector forms of pow are not. Wrong where a result overflows or is denormal.
struct DoublePowerFastPath {
  typedef double Result;
  typedef arr_two_parts<double> Parts;
  static constexpr bool exists = true;
  static constexpr int64_t count = fast_path_block<double>;
  struct Block {
    double high[count], low[count];
    [[nodiscard]] Parts at(int64_t i) const { return {high[i], low[i]}; }
    void set(int64_t i, Parts x) { high[i] = x.high, low[i] = x.low; }
  };

  static bool run(const double* x, const double* y, double* r) {
    if (y[0] != arr_floor(y[0])) return false;
    int wrong = 0, bits = 0, n[count];
    for (int64_t i = 0; i < count; ++i) {
      const double size = arr_absolute(y[i]);
      wrong |= !((size <= 64) & (arr_floor(size) == size));
      n[i] = static_cast<int>(size <= 64 ? size : 0.0);
      bits |= n[i];
    }
    if (wrong != 0) return false;
    Block p, product;
    for (int64_t i = 0; i < count; ++i) {
      p.set(i, {x[i], 0});
      product.set(i, {(n[i] & 1) != 0 ? x[i] : 1.0, 0});
    }
    for (int bit = 2; bit <= bits; bit *= 2)
      for (int64_t i = 0; i < count; ++i) {
        p.set(i, arr_times(p.at(i), p.at(i)));
        const Parts more = arr_times(product.at(i), p.at(i)), less = product.at(i);
        const bool factor = (n[i] & bit) != 0;
        product.set(i, {factor ? more.high : less.high, factor ? more.low : less.low});
      }
    return finish(x, y, product, r);
  }

 private:
  static bool finish(const double* x, const double* y, const Block& product, double* r) {
    int wrong = 0;
    for (int64_t i = 0; i < count; ++i) {
      const double inverse = arr_inverse(product.at(i)), power = y[i] < 0 ? inverse : product.high[i];
      const double half = y[i] * 0.5,
                   of_zero = arr_floor(half) == half ? 0.0 : x[i];  // x to the power y where x is 0
      const bool zero = (x[i] == 0) & (y[i] > 0);
      wrong |= !(zero | ((arr_absolute(power) > 2.3e-308) & (arr_absolute(power) < 1.7e308)));
      r[i] = zero ? of_zero : power;
    }
    return wrong == 0;
  }
};
#endif
template <>
struct FastPath<op_power, double> : DoublePowerFastPath {};
template <>
struct FastPath<op_float_power, double> : DoublePowerFastPath {};

}  // namespace arr::host::ARR_LEVEL
