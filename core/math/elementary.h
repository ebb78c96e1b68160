// SPDX-License-Identifier: MIT
// More functions that formulas of core/table call. It comes after math.h, in generated CUDA kernels only
// where one of these functions is called.
#ifndef ARR_MATH_ELEMENTARY_H
#define ARR_MATH_ELEMENTARY_H

// Chebyshev series by Clenshaw's recurrence; coefficients from the highest down. A loop that the compiler
// unrolls: no table in memory.
template <class... Rest>
ARR_FN double arr_series(double t, double b1, double b2, double c, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return t * b1 - b2 + c;
  } else {
    return arr_series(t, 2 * t * b1 - b2 + c, b1, rest...);
  }
}

// --------------------------------------------------------------------------- the bits of a float

template <class T>
struct arr_layout;
template <>
struct arr_layout<float> {
  typedef unsigned bits;
  static const int digits = 23, bias = 126;
};
template <>
struct arr_layout<double> {
  typedef unsigned long long bits;
  static const int digits = 52, bias = 1022;
};
template <>
struct arr_layout<arr_half> {
  typedef unsigned short bits;
  static const int digits = 10, bias = 14;
};
template <>
struct arr_layout<arr_bfloat> {
  typedef unsigned short bits;
  static const int digits = 7, bias = 126;
};
template <class T>
struct arr_bits_of {
  typedef typename arr_layout<T>::bits U;
  static const U sign = (U)(U(1) << (8 * sizeof(U) - 1));
  static const U fraction = (U)((U(1) << arr_layout<T>::digits) - 1);
  static const U exponent = (U)(U(~sign) & U(~fraction));  // of infinity
};

// 2^e for -1022 <= e <= 1023.
ARR_FN double arr_power_of_two(int e) {
  return arr_bits<double>((unsigned long long)(unsigned)(e + 1023) << 52);
}
// x 2^e, rounded once. A float is scaled as a double, where nothing is lost. A double goes in three steps, of
// which only one can round: the first by more than 2^-1022 only where the result is no less than a denormal.
ARR_FN float arr_scale(float x, int e) {
  return (float)((double)x * arr_power_of_two(e < -500 ? -500 : e > 500 ? 500 : e));
}
ARR_FN double arr_scale(double x, int e) {
  int first = e < -1022 ? -969 : e > 1023 ? 1023 : e, rest = e - first;
  int second = rest < -1022 ? -969 : rest > 1023 ? 1023 : rest, third = rest - second;
  third = third < -1022 ? -1022 : third > 1023 ? 1023 : third;
  return x * arr_power_of_two(first) * arr_power_of_two(second) * arr_power_of_two(third);
}
// Exponents beyond these overflow or underflow whatever x is.
template <class T>
ARR_FN T arr_ldexp(T x, long long e) {
  return arr_scale(x, (int)(e > 5000 ? 5000 : e < -5000 ? -5000 : e));
}

template <class T>
ARR_FN bool arr_signbit(T x) {
  typedef arr_bits_of<T> B;
  return (arr_bits<typename B::U>(x) & B::sign) != 0;
}
// Floats of one sign lie in the order of their bits.
template <class T>
ARR_FN T arr_nextafter(T x, T y) {
  typedef arr_bits_of<T> B;
  typedef typename B::U U;
  U a = arr_bits<U>(x), b = arr_bits<U>(y), size = (U)(a & U(~B::sign)), other = (U)(b & U(~B::sign));
  if ((size > B::exponent) | (other > B::exponent)) {
    return size > B::exponent ? x : y;
  }
  if ((a == b) | ((size | other) == 0)) return y;
  bool outward = (size == 0) | (((a ^ b) & B::sign) == 0 && other > size);
  U next = size == 0 ? (U)((b & B::sign) | 1u) : outward ? (U)(a + 1u) : (U)(a - 1u);
  return arr_bits<T>(next);
}
template <class T>
ARR_FN T arr_next_away_from_zero(T x) {
  typedef arr_bits_of<T> B;
  typedef typename B::U U;
  U a = arr_bits<U>(x);
  return arr_bits<T>((U)((a & U(~B::sign)) == 0 ? 1u : a + 1u));
}
// NumPy: away from zero, but with float16 upwards.
template <class T>
ARR_FN T arr_spacing(T x) {
  return arr_isfinite(x) ? arr_next_away_from_zero(x) - x : x - x;
}
ARR_FN arr_bfloat arr_spacing(arr_bfloat x) {
  float f = arr_bfloat_to_float(x);
  return arr_bfloat_from_float(arr_isfinite(f) ? arr_bfloat_to_float(arr_next_away_from_zero(x)) - f : f - f);
}
ARR_FN arr_half arr_spacing(arr_half x) {
  float f = arr_half_to_float(x);
  arr_half top = {0x7c00u};
  return arr_half_from_float(arr_isfinite(f) ? arr_half_to_float(arr_nextafter(x, top)) - f : f - f);
}
template <class T>
ARR_FN T arr_fraction(T x) {
  return arr_copysign(arr_isinf(x) ? T(0) : x - arr_trunc(x), x);
}
// x = mantissa 2^exponent with 1/2 <= |mantissa| < 1. Subnormals grow first.
template <class T>
ARR_FN T arr_normal(T x) {
  return arr_absolute(x) < (sizeof(T) == 4 ? T(0x1p-126) : T(0x1p-1022)) ? x * T(0x1p60) : x;
}
template <class T>
ARR_FN T arr_mantissa(T x) {
  typedef arr_bits_of<T> B;
  typedef typename B::U U;
  U half = (U)((U)arr_layout<T>::bias << arr_layout<T>::digits);
  T m = arr_bits<T>((U)((arr_bits<U>(arr_normal(x)) & U(~B::exponent)) | half));
  return (x == 0) | !arr_isfinite(x) ? x : m;
}
template <class T>
ARR_FN int arr_exponent(T x) {
  typedef arr_bits_of<T> B;
  T n = arr_normal(x);
  int e = (int)((arr_bits<typename B::U>(n) & B::exponent) >> arr_layout<T>::digits) - arr_layout<T>::bias;
  return (x == 0) | !arr_isfinite(x)                                ? 0
         : arr_bits<typename B::U>(n) == arr_bits<typename B::U>(x) ? e
                                                                    : e - 60;
}

// ------------------------------------------------------------------------------------ integers

template <class T>
ARR_FN typename arr_wrapping<T>::type arr_magnitude(T x) {
  typedef typename arr_wrapping<T>::type U;
  return x < T(0) ? (U)(U(0) - (U)x) : (U)x;
}
// Bits added in pairs, then in fours and so on: no branch and no table, so that loops vectorise.
ARR_FN unsigned char arr_count_bits(unsigned char x) {
  x = (unsigned char)(x - (x >> 1 & 0x55));
  x = (unsigned char)((x & 0x33) + (x >> 2 & 0x33));
  return (unsigned char)((x + (x >> 4)) & 0x0f);
}
ARR_FN unsigned char arr_count_bits(unsigned short x) {
  x = (unsigned short)(x - (x >> 1 & 0x5555));
  x = (unsigned short)((x & 0x3333) + (x >> 2 & 0x3333));
  x = (unsigned short)((x + (x >> 4)) & 0x0f0f);
  return (unsigned char)((x + (x >> 8)) & 0xff);
}
ARR_FN unsigned char arr_count_bits(unsigned x) {
  x = x - (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  return (unsigned char)(((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24);
}
ARR_FN unsigned char arr_count_bits(unsigned long long x) {
#ifdef __POPCNT__  // an instruction per number is quicker than several per vector
  return (unsigned char)__builtin_popcountll(x);
#else
  return (unsigned char)(arr_count_bits((unsigned)x) + arr_count_bits((unsigned)(x >> 32)));
#endif
}
template <class T>
ARR_FN unsigned char arr_bitwise_count(T x) {
  // Narrower elements give more of them per vector.
  if constexpr (sizeof(T) == 1) {
    return arr_count_bits((unsigned char)arr_magnitude(x));
  } else if constexpr (sizeof(T) == 2) {
    return arr_count_bits((unsigned short)arr_magnitude(x));
  } else {
    return arr_count_bits(arr_magnitude(x));
  }
}
template <class T>
ARR_FN typename arr_wrapping<T>::type arr_divisor(T x, T y) {
  auto a = arr_magnitude(x), b = arr_magnitude(y);
  while (b != 0) {
    auto r = a % b;
    a = b;
    b = r;
  }
  return a;
}
template <class T>
ARR_FN T arr_gcd(T x, T y) {
  return (T)arr_divisor(x, y);
}
template <class T>
ARR_FN T arr_lcm(T x, T y) {
  auto d = arr_divisor(x, y);
  return d == 0 ? (T)0 : (T)(arr_magnitude(x) / d * arr_magnitude(y));
}

// ------------------------------------------------------------------------------ any real or complex

// Smith's division without the zeros of 1 + 0i, and without the signs that they would produce.
template <class F>
ARR_FN arr_cplx<F> arr_plain_reciprocal(arr_cplx<F> x) {
  auto wide = arr_absolute(x.re) >= arr_absolute(x.im);
  auto p = wide ? x.re : x.im, q = wide ? x.im : x.re, ratio = q / p, scale = p + q * ratio;
  auto one = 1 / scale, other = ratio / scale;
  return {wide ? one : other, wide ? -other : -one};
}
template <class T>
ARR_FN T arr_reciprocal(T x) {
  if constexpr (arr_is_float<T>::value) {
    return T(1) / x;
  } else if constexpr (arr_is_complex<T>::value) {
    // For 0 and infinite numbers it may be nan in both parts where quotients have a value.
    if (arr_isinf(x) || x == T(0)) {
      const T plain = arr_plain_reciprocal(x);
      return arr_isnan(plain.re) && arr_isnan(plain.im) ? arr_annex_g_quotient(T(1), x) : plain;
    }
    const auto scale = arr_midrange_scale(x);
    const T r = arr_plain_reciprocal(T(x.re * scale, x.im * scale));
    return {r.re * scale, r.im * scale};
  } else {
    return x == T(1) ? T(1) : arr_is_signed<T>::value && x == T(-1) ? T(-1) : T(0);
  }
}
// The remainder of division towards zero, as C has it.
template <class T>
ARR_FN T arr_c_remainder(T x, T y) {
  if constexpr (arr_is_float<T>::value) {
    return arr_fmod(x, y);
  } else if constexpr (arr_is_signed<T>::value) {
    return (y == 0) | (y == T(-1)) ? (T)0 : (T)(x % y);
  } else {
    return y == 0 ? (T)0 : (T)(x % y);
  }
}
// -0 is smaller than +0, in whatever order they come (IEEE 754-2019, minimum and minimumNumber).
template <class T>
ARR_FN T arr_minimum(T x, T y) {
  if constexpr (arr_is_float<T>::value) {
    // Computes both orders if neither is smaller: the signs of two zeros are combined, and a nan is kept.
    typedef typename arr_layout<T>::bits U;
    return arr_bits<T>((U)(arr_bits<U>(x < y ? x : y) | arr_bits<U>(y < x ? y : x)));
  } else {
    return arr_smaller(x, y);
  }
}
template <class T>
ARR_FN T arr_maximum(T x, T y) {
  if constexpr (arr_is_float<T>::value) return -arr_minimum(-x, -y);
  return arr_larger(x, y);
}
template <class T>
ARR_FN T arr_fmin(T x, T y) {
  const T r = arr_choose((x <= y) | arr_isnan(y), x, y);
  if constexpr (arr_is_float<T>::value) {
    typedef typename arr_layout<T>::bits U;
    return arr_bits<T>((U)(arr_bits<U>(r) | (x == y ? arr_bits<U>(y) : U(0))));
  } else {
    return r;
  }
}
template <class T>
ARR_FN T arr_fmax(T x, T y) {
  if constexpr (arr_is_float<T>::value) return -arr_fmin(-x, -y);
  return arr_choose((x >= y) | arr_isnan(y), x, y);
}
ARR_FN bool arr_minimum(bool x, bool y) { return x & y; }
ARR_FN bool arr_maximum(bool x, bool y) { return x | y; }
ARR_FN bool arr_fmin(bool x, bool y) { return x & y; }
ARR_FN bool arr_fmax(bool x, bool y) { return x | y; }
template <class T>
ARR_FN T arr_heaviside(T x, T y) {
  return x > 0 ? T(1) : x < 0 ? T(0) : x == 0 ? y : x;
}
template <class T>
ARR_FN typename arr_real_of<T>::type arr_angle(T x) {
  return arr_atan2(arr_imag(x), arr_real(x));
}
// The larger term factored out, the rest is the logarithm of 1 + something below 1.
template <class T>
ARR_FN T arr_logaddexp(T x, T y) {
  T d = x - y, rest = arr_log1p(arr_exp(-arr_absolute(d))), top = d > 0 ? x : y;
  return x == y ? x + T(0.69314718055994530942) : d == d ? top + rest : d;
}
template <class T>
ARR_FN T arr_logaddexp2(T x, T y) {
  T d = x - y, rest = arr_log1p(arr_exp2(-arr_absolute(d))) * T(1.4426950408889634074), top = d > 0 ? x : y;
  return x == y ? x + T(1) : d == d ? top + rest : d;
}
// sin(pi x) with the argument reduced before it is multiplied: exact at whole and half numbers.
template <class T>
ARR_FN T arr_sinpi(T x) {
  if constexpr (arr_is_complex<T>::value) {
    typedef decltype(x.re) F;
    const F pi = F(3.14159265358979323846), r = x.re - 2 * arr_rint(x.re * F(0.5));
    // sin(pi - w) = sin(w): next to whole numbers the difference is exact, and a multiple of pi is not.
    const bool far = arr_absolute(r) > F(0.5);
    return arr_sin(T((far ? arr_copysign(F(1), r) - r : r) * pi, (far ? -x.im : x.im) * pi));
  } else {
    T r = x - 2 * arr_rint(x * T(0.5)), size = arr_absolute(r);
    T near = size > T(0.5) ? T(1) - size : size;
    return arr_copysign(arr_sin(near * T(3.14159265358979323846)), r);
  }
}
template <class T>
ARR_FN T arr_sinc(T x) {
  if (x == T(0)) return T(1);
  if constexpr (arr_is_complex<T>::value) {
    typedef decltype(x.re) F;
    const F pi = F(3.14159265358979323846), grows = arr_absolute(x.im) * pi;
    if (!(grows > (sizeof(F) == 4 ? F(40) : F(300))) || !arr_isfinite(x)) return arr_sinpi(x) / pi / x;
    // The sine alone would overflow: half of its exponential is applied after the division.
    const F a = (x.re - 2 * arr_rint(x.re * F(0.5))) * pi, max_exponent = sizeof(F) == 4 ? F(88) : F(709);
    const F e = arr_exp(grows * F(0.5) < max_exponent ? grows * F(0.5) : max_exponent), half = e * F(0.5);
    const T q = T(arr_sin(a) * half, arr_copysign(arr_cos(a) * half, arr_cos(a) * x.im)) / pi / x;
    return {q.re * e, q.im * e};
  } else {
    return arr_sinpi(x) / (x * T(3.14159265358979323846));
  }
}

#endif
