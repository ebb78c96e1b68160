// SPDX-License-Identifier: MIT
// Special functions for formulas of core/table: of the error function's, the gamma function's and the
// logistic kind. It comes after elementary.h and bessel.h, in generated CUDA kernels only where one of
// these is called. Gamma and log-gamma are the C library's, which NVRTC has built in too.
#ifndef ARR_MATH_SPECIAL_H
#define ARR_MATH_SPECIAL_H

// ---------------------------------------------------------------------------------- error function

// exp(x^2) x sqrt(pi) erfc(x) for x > 12 (Abramowitz and Stegun 7.1.23).
ARR_FN double arr_erfc_tail(double x) {
  double u = 0.5 / (x * x);
  return 1 - u * (1 - 3 * u * (1 - 5 * u * (1 - 7 * u * (1 - 9 * u * (1 - 11 * u * (1 - 13 * u))))));
}
// Halley's iteration for erfc(x) = q, 0 < q <= 1/2, from S. Winitzki's "A handy approximation for the error
// function and its inverse" (2008); where erfc is near underflow, a fixed point of its logarithm.
ARR_LARGE_FN double arr_inverse_erfc(double q) {
  double l = arr_log(q * (2 - q)), a = 4.3307467508 + 0.5 * l;
  double x = arr_sqrt(arr_sqrt(a * a - l * 6.8027210884) - a);
  if (q < 1e-250) {
    double lq = arr_log(q);
    for (int i = 0; i < 6; ++i) x = arr_sqrt(arr_log(arr_erfc_tail(x) / (x * 1.7724538509055160273)) - lq);
    return x;
  }
  for (int i = 0; i < 3; ++i) {
    double f = (arr_erfc(x) - q) / (1.1283791670955125739 * arr_exp(-x * x));
    x += f / (1 - x * f);
  }
  return x;
}
ARR_LARGE_FN double arr_inverse_erf(double y) {
  double size = arr_absolute(y);
  if (!(size < 1)) return size == 1 ? arr_copysign(ARR_INF, y) : ARR_INF - ARR_INF;
  if (size > 0.5) return arr_copysign(arr_inverse_erfc(1 - size), y);
  double l = arr_log1p(-y * y), a = 4.3307467508 + 0.5 * l;
  double x = arr_sqrt(arr_sqrt(a * a - l * 6.8027210884) - a);
  if (size < 1e-8) return y * 0.88622692545275801365;
  for (int i = 0; i < 3; ++i) {
    double f = (arr_erf(x) - size) / (1.1283791670955125739 * arr_exp(-x * x));
    x -= f / (1 + x * f);
  }
  return arr_copysign(x, y);
}
template <class T>
ARR_FN T arr_erfinv(T y) {
  return (T)arr_inverse_erf((double)y);
}
template <class T>
ARR_FN T arr_erfcinv(T q) {
  double d = (double)q;
  if (!(d > 0 && d < 2)) return (T)(d == 0 ? ARR_INF : d == 2 ? -ARR_INF : ARR_INF - ARR_INF);
  return (T)(d <= 0.5 ? arr_inverse_erfc(d) : d >= 1.5 ? -arr_inverse_erfc(2 - d) : arr_inverse_erf(1 - d));
}
// x y + z, rounded once where there is a fused multiply-add.
ARR_FN double arr_multiply_add(double x, double y, double z) {
#if defined(__FMA__)
  return __builtin_fma(x, y, z);
#elif defined(__CUDA_ARCH__)
  return fma(x, y, z);
#else
  return x * y + z;
#endif
}
// 2^100 exp(-x^2 / 2) for 0 <= x <= 39. The rounding error of x^2 is added back: in the tail it counts a
// thousandfold. The exponent is split as by W. Cody and W. Waite (1980); the polynomial is the Chebyshev
// series of (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2.
ARR_FN double arr_scaled_gaussian(double x) {
  double square = x * x, lost = arr_two_product_error(x, x, square);
  double shift = 6755399441055744.0;  // 1.5 x 2^52: its last bit is worth 1
  double whole = arr_multiply_add(square, -0.72134752044448170, shift), n = whole - shift;
  double r = arr_multiply_add(n, -6.93147180369123816490e-01, -0.5 * square);
  r = arr_multiply_add(n, -1.90821492927058770002e-10, r);
  r = arr_multiply_add(lost, -0.5, r);
  double u = r * r;
  double even = arr_multiply_add(2.7620201591031547e-07, u, 2.4801521057868204e-05);
  even = arr_multiply_add(even, u, 0.0013888888917367081);
  even = arr_multiply_add(even, u, 0.041666666666623824);
  even = arr_multiply_add(even, u, 0.5000000000000001);
  double odd = arr_multiply_add(2.5100472505694996e-08, u, 2.7557268276905696e-06);
  odd = arr_multiply_add(odd, u, 0.00019841269863171557);
  odd = arr_multiply_add(odd, u, 0.008333333333330039);
  odd = arr_multiply_add(odd, u, 0.16666666666666669);
  double e = 1 + arr_multiply_add(arr_multiply_add(odd, r, even), u, r);
  return e * arr_bits<double>((arr_bits<unsigned long long>(whole) << 52) + (1123ull << 52));
}
// 1 - ndtr(x) for x >= 0, as exp(-x^2 / 2) g(x) with g = w (1 / sqrt(2 pi) + w p(t)), w = 1 / (x + 5) and t
// linear in w. One polynomial serves all x, as in J. Shepherd and J. Laframboise, "Chebyshev approximation of
// (1 + 2x) exp(x^2) erfc x" (1981); in the tail it matters little. p is the Chebyshev series on 0 <= x <= 39
// up to degree 21, with an error of 1e-17 of g; its even and odd powers are summed separately. The last
// digits of its first coefficient are chosen so that ndtr(0) is 1/2 exactly.
ARR_LARGE_FN double arr_normal_tail(double given) {
  double x = given > 39 ? 39 : given;  // ndtr(-39) is 0
  double s = x + 5, w = 1 / s, t = arr_multiply_add(w, -11.282051282051283, 1.2564102564102564), u = t * t;
  double even = arr_multiply_add(-1.4500226749112513e-09, u, 1.6781218659009662e-08);
  even = arr_multiply_add(even, u, -1.3107566374129038e-07);
  even = arr_multiply_add(even, u, 1.102384178346498e-06);
  even = arr_multiply_add(even, u, -1.1945328632070553e-05);
  even = arr_multiply_add(even, u, 0.00015575714255292426);
  even = arr_multiply_add(even, u, -0.0019975068627951465);
  even = arr_multiply_add(even, u, 0.014012997866872804);
  even = arr_multiply_add(even, u, 0.3839389798210183);
  even = arr_multiply_add(even, u, 1.9097829503800874);
  even = arr_multiply_add(even, u, 4.06548653529097);
  double odd = arr_multiply_add(4.2636029519401406e-10, u, -6.5117305673979955e-09);
  odd = arr_multiply_add(odd, u, 6.443377805986467e-08);
  odd = arr_multiply_add(odd, u, -5.628214584981407e-07);
  odd = arr_multiply_add(odd, u, 4.719048608636411e-06);
  odd = arr_multiply_add(odd, u, -3.5955486966701254e-05);
  odd = arr_multiply_add(odd, u, 0.00014525235172695194);
  odd = arr_multiply_add(odd, u, 0.0034060719032985684);
  odd = arr_multiply_add(odd, u, -0.10723408767634326);
  odd = arr_multiply_add(odd, u, -0.9692774012414833);
  odd = arr_multiply_add(odd, u, -3.0609279374688394);
  double g = w * arr_multiply_add(w, arr_multiply_add(odd, t, even), 0.39894228040143268);
  // Corrects the rounding errors of x + 5 and of its reciprocal by g' = x g - 1 / sqrt(2 pi).
  double error = arr_multiply_add(arr_two_product_error(w, s, 1.0), s, x - (s - 5));
  g = arr_multiply_add(error, arr_multiply_add(x, g, -0.39894228040143268), g);
  return g * arr_scaled_gaussian(x) * 7.888609052210118e-31;  // 2^-100
}
ARR_FN double arr_normal_cdf(double x) {
  double tail = arr_normal_tail(arr_absolute(x));  // one call on every path: vectors
  return x < 0 ? tail : 1 - tail;
}
template <class T>
ARR_FN T arr_ndtr(T x) {
  return (T)arr_normal_cdf((double)x);
}
template <class T>
ARR_FN T arr_log_ndtr(T a) {
  double x = (double)a;
  if (x > 0) return (T)arr_log1p(-arr_normal_tail(x));
  if (x > -18) return (T)arr_log(arr_normal_tail(-x));
  double t = x * 0.70710678118654752440;
  return (T)(x != x ? x : arr_log(arr_erfc_tail(-t) / (-x * 2.5066282746310005024)) - 0.5 * x * x);
}
template <class T>
ARR_FN T arr_ndtri(T a) {
  double p = (double)a;
  if (!(p > 0 && p < 1)) return (T)(p == 0 ? -ARR_INF : p == 1 ? ARR_INF : ARR_INF - ARR_INF);
  double x = p < 0.25   ? -arr_inverse_erfc(2 * p)
             : p > 0.75 ? arr_inverse_erfc(2 * (1 - p))
                        : arr_inverse_erf(2 * p - 1);
  return (T)(x * 1.4142135623730950488);
}

// ---------------------------------------------------------------------------------- gamma function

ARR_LARGE_FN double arr_log_gamma(double x) {
#ifdef __CUDACC_RTC__
  return lgamma(x);
#else
  int sign;  // lgamma's own is one for all threads
  return lgamma_r(x, &sign);
#endif
}
template <class T>
ARR_LARGE_FN T arr_gamma(T x) {
  double d = (double)x;
  // The factorials up to 22! are doubles, and tgamma may be a unit off.
  if ((d == arr_floor(d)) & (d >= 1) & (d <= 23)) {
    double product = 1;
    for (double k = 2; k < d; k++) product *= k;
    return (T)product;
  }
  return (T)(d < 0 && (d == arr_floor(d) || arr_isinf(d)) ? ARR_INF - ARR_INF : tgamma(d));
}
template <class T>
ARR_FN T arr_gammaln(T x) {
  return x == -(T)ARR_INF ? x : (T)arr_log_gamma((double)x);
}
// The remainder of Stirling's formula for log(gamma(x)), x >= 10 (Abramowitz and Stegun 6.1.41).
ARR_FN double arr_stirling_correction(double x) {
  double u = 1 / (x * x);
  return (0.083333333333333333 -
          u * (0.0027777777777777778 -
               u * (7.9365079365079365e-4 -
                    u * (5.9523809523809524e-4 -
                         u * (8.4175084175084175e-4 -
                              u * (0.0019175269175269175 - u * 0.0064102564102564103)))))) /
         x;
}
// True where gamma has no value. beta is infinite there, unless gamma(x + y) has none either.
ARR_FN bool arr_is_pole(double x) { return x <= 0 && x == arr_floor(x); }
// log(beta) of positive numbers, with the large terms of Stirling's formulas cancelled by hand.
ARR_LARGE_FN double arr_log_beta_positive(double x, double y) {
  double a = x < y ? x : y, b = x < y ? y : x;
  if (arr_isinf(b)) return -ARR_INF;
  if (b < 10) return arr_log_gamma(a) + arr_log_gamma(b) - arr_log_gamma(a + b);
  double rest = arr_stirling_correction(b) - arr_stirling_correction(a + b), share = arr_log1p(a / b);
  if (a < 10) return arr_log_gamma(a) + a - a * arr_log(a + b) - (b - 0.5) * share + rest;
  return 0.91893853320467274178 - 0.5 * arr_log(b) - (a - 0.5) * arr_log1p(b / a) - b * share + rest +
         arr_stirling_correction(a);
}
// log(a beta(a, b)) for a just below 0 and b of 10 and more: the reflection has the logarithm of b itself,
// whose rounding errors the exponential would make large.
ARR_LARGE_FN double arr_log_beta_below_zero(double a, double b) {
  return arr_log_gamma(1 + a) + a - a * arr_log(a + b) - (b - 0.5) * arr_log1p(a / b) +
         arr_stirling_correction(b) - arr_stirling_correction(a + b);
}
ARR_FN bool arr_beta_below_zero(double a, double b) { return a < 0 && a > -0.5 && b >= 10 && !arr_isinf(b); }
// beta(x, y) = factor / below times beta(p, q), or by it, with p and q above 0: gamma's reflection of what is
// below it. SciPy's loses the sign of one negative argument where it works with logarithms.
struct arr_beta_form {
  double factor, below, p, q;
  bool divides;
};
ARR_LARGE_FN arr_beta_form arr_reflected_beta(double x, double y) {
  const double pi = 3.14159265358979323846;
  double a = x < y ? x : y, b = x < y ? y : x, s = a + b;
  if (a > 1e-9) return {1, 1, a, b, false};
  if (a == -ARR_INF) return {ARR_INF - ARR_INF, 1, 1, 1, false};
  // A pole of gamma(a) that one of gamma(a + b) cancels: the limit along a + t, of which the sines' ratio is
  // left. Any other pole is infinite.
  if (arr_is_pole(a) && b > 0 && b == arr_floor(b) && s <= 0) {
    return {arr_floor(b * 0.5) * 2 == b ? 1.0 : -1.0, 1, b, 1 - s, false};
  }
  if (arr_is_pole(a) || arr_is_pole(b)) return {ARR_INF, 1, 1, 1, false};
  // Next to 0: 1 / a + 1 / b of both, and else 1 / a.
  double larger = arr_absolute(a) < arr_absolute(b) ? b : a,
         smaller = arr_absolute(a) < arr_absolute(b) ? a : b;
  if (arr_absolute(larger) < 1e-9) return {s / larger, smaller, 1, 1, false};
  if (arr_absolute(smaller) < 1e-280 && !arr_isinf(b)) return {1, smaller, 1, 1, false};
  if (a > 0) return {1, 1, a, b, false};
  double sine = arr_sinpi(a);
  if (s > 0) return {pi / sine, b, 1 - a, s, true};
  // Next to a zero the rounding error of a + b matters.
  double whole = arr_rint(s), zero = arr_sinpi((s - whole) + ((larger - s) + smaller));
  zero = arr_rint(whole * 0.5) * 2 == whole ? zero : -zero;
  if (zero == 0) return {0, 1, 1, 1, false};
  if (b > 0) return {zero / sine, 1, b, 1 - s, false};
  return {pi * zero / (sine * arr_sinpi(b)), 1 - s, 1 - a, 1 - b, true};
}
template <class T>
ARR_LARGE_FN T arr_betaln(T x, T y) {
  if (arr_isnan(x) | arr_isnan(y)) return x + y;
  double smaller = (double)(x < y ? x : y), larger = (double)(x < y ? y : x);
  if (arr_beta_below_zero(smaller, larger))
    return (T)(arr_log_beta_below_zero(smaller, larger) - arr_log(-smaller));
  const arr_beta_form f = arr_reflected_beta((double)x, (double)y);
  if (f.factor == 1 && f.below == 1) return (T)arr_log_beta_positive(f.p, f.q);
  double l = f.p == 1 && f.q == 1 ? 0 : arr_log_beta_positive(f.p, f.q);
  return (T)(arr_log(arr_absolute(f.factor)) - arr_log(arr_absolute(f.below)) + (f.divides ? -l : l));
}
template <class T>
ARR_LARGE_FN T arr_beta(T x, T y) {
  if (arr_isnan(x) | arr_isnan(y)) return x + y;
  double smaller = (double)(x < y ? x : y), larger = (double)(x < y ? y : x);
  if (arr_beta_below_zero(smaller, larger))
    return (T)(arr_exp(arr_log_beta_below_zero(smaller, larger)) / smaller);
  const arr_beta_form f = arr_reflected_beta((double)x, (double)y);
  double a = f.p, b = f.q, s = a + b, lost = a > b ? (a - s) + b : (b - s) + a;
  if (f.factor == 0 || (a == 1 && b == 1)) return (T)(f.factor / f.below);
  if (f.factor == 1 && f.below == 1 && (a == 1 || b == 1)) return (T)(1 / (a == 1 ? b : a));
  if (s > 170) {
    double l = arr_log_beta_positive(a, b), e = arr_exp(f.divides ? -0.5 * l : 0.5 * l);
    return (T)(f.factor == 1 && f.below == 1 ? arr_exp(l) : e * (f.factor / f.below) * e);
  }
  // The rounding error of a + b counts in proportion to the growth of log(gamma) there.
  double r = tgamma(a) / tgamma(s) * tgamma(b);
  r = s > 2 ? r * (1 - lost * arr_log(s)) : r;
  return (T)(f.divides ? f.factor / (f.below * r) : f.factor / f.below * r);
}
// Between 1 and 2 a Chebyshev series of psi(x) / (x - x0), x0 its zero, given to twice the digits;
// elsewhere recurrence, the asymptotic series and reflection (Abramowitz and Stegun 6.3.5, 6.3.18, 6.3.7).
ARR_FN double arr_psi_near(double x) {
  return ((x - 1.4616321449683622) - 9.549995429965697e-17) *
         arr_series(
             2 * x - 3, 0.0, 0.0, -8.11148420346509e-17, 4.727736178601912e-16, -2.7555431377438815e-15,
             1.606064636295075e-14, -9.360993131036438e-14, 5.456147570322795e-13, -3.18023536582553e-12,
             1.853735192053638e-11, -1.080593028883266e-10, 6.299717236108931e-10, -3.673295918565179e-09,
             2.1425009322359472e-08, -1.2502886813559594e-07, 7.302769272465923e-07, -4.2721034029993324e-06,
             2.5060543468359146e-05, -0.00014773492650606044, 0.0008788656937820505, -0.005320077271596548,
             0.03336889902393011, -0.2270640863346444, 0.983570260441567);
}
ARR_LARGE_FN double arr_psi(double a) {
  double x = a < 0 ? 1 - a : a, sum = 0;
  if (a == 0) return arr_copysign(ARR_INF, -a);
  if (a < 0) {
    double r = a - arr_rint(a);
    if (r == 0 || arr_isinf(a)) return ARR_INF - ARR_INF;
    sum = -3.14159265358979323846 / arr_tan(3.14159265358979323846 * r);
  }
  if (x < 1) return sum + (arr_psi_near(x + 1) - 1 / x);
  if (x >= 10) {
    double u = 1 / (x * x);
    double rest =
        u *
        (0.083333333333333333 -
         u * (0.0083333333333333333 -
              u * (0.0039682539682539683 -
                   u * (0.0041666666666666667 - u * (0.0075757575757575758 - u * 0.021092796092796093)))));
    return arr_isinf(x) ? x : sum + (arr_log(x) - 0.5 / x - rest);
  }
  double more = 0;
  while (x > 2) {
    x -= 1;
    more += 1 / x;
  }
  return sum + (more + arr_psi_near(x));
}
template <class T>
ARR_FN T arr_digamma(T x) {
  return (T)arr_psi((double)x);
}

// ------------------------------------------------------------------- logistic functions, entropies

template <class T>
ARR_FN T arr_expit(T x) {
  T e = arr_exp(-arr_absolute(x));
  return x < 0 ? e / (T(1) + e) : T(1) / (T(1) + e);
}
template <class T>
ARR_FN T arr_log_expit(T x) {
  T l = arr_log1p(arr_exp(-arr_absolute(x)));
  return x < 0 ? x - l : -l;
}
// Near 1/2 the quotient is near 1, and its logarithm would lose its digits.
template <class T>
ARR_FN T arr_logit(T p) {
  T s = 2 * p - 1;
  return arr_absolute(s) < T(0.5) ? 2 * arr_atanh(s) : arr_log(p / (T(1) - p));
}
// log(1 + f) + e log(2) + c of 1 + f in 1 / sqrt(2) .. sqrt(2) and a tiny c, to 0.84 ulp. The first is
// 2 artanh(s) with s = f / (2 + f), of which f holds most, exactly; the rest is a minimax polynomial.
ARR_FN float arr_log_sum(float f, float e, float c) {
  const float half = 0.5f * f * f, s = f / (2 + f), z = s * s;
  const float r = z * (0.6666666f + z * (0.40000334f + z * (0.2853731f + z * 0.23582152f)));
  return e * 0x1.62e3p-1f + (f - (half - (s * (half + r) + (e * 0x1.2fefa2p-17f + c))));
}
// These logarithms are factors of products, in which the library's error of 4 ulp would grow to 9.
ARR_FN float arr_log_accurate(float x) {
  const bool tiny = x < 0x1p-126f;
  const unsigned u = arr_bits<unsigned>(tiny ? x * 0x1p24f : x) - 0x3f3504f3u;
  const float e = (float)((int)u >> 23) - (tiny ? 24.0f : 0.0f);
  const float l = arr_log_sum(arr_bits<float>((u & 0x7fffffu) + 0x3f3504f3u) - 1, e, 0);
  return x > 0 ? arr_isfinite(x) ? l : x : x == 0 ? (float)-ARR_INF : (float)(ARR_INF - ARR_INF);
}
ARR_FN float arr_log1p_accurate(float x) {
  const float t = 1 + x, lost = x < 1 ? x - (t - 1) : 1 - (t - x);
  const unsigned u = arr_bits<unsigned>(t) - 0x3f3504f3u;
  const float e = (float)((int)u >> 23), f = arr_bits<float>((u & 0x7fffffu) + 0x3f3504f3u) - 1;
  const float l = arr_log_sum(e == 0 ? x : f, e, e == 0 ? 0 : lost / t);
  return x > -1 ? arr_isfinite(x) ? l : x : x == -1 ? (float)-ARR_INF : (float)(ARR_INF - ARR_INF);
}
ARR_FN double arr_log_accurate(double x) { return arr_log(x); }
ARR_FN double arr_log1p_accurate(double x) { return arr_log1p(x); }
template <class T>
ARR_FN T arr_xlogy(T x, T y) {
  return (x == T(0)) & !arr_isnan(y) ? x : x * arr_log_accurate(y);
}
template <class T>
ARR_FN T arr_xlog1py(T x, T y) {
  return (x == T(0)) & !arr_isnan(y) ? x : x * arr_log1p_accurate(y);
}
template <class T>
ARR_FN T arr_entr(T x) {
  return x > 0 ? -x * arr_log_accurate(x) : x == 0 ? T(0) : x < 0 ? (T)-ARR_INF : x;
}
// log(x / y) of positive numbers, also where the quotient overflows or loses digits.
template <class T>
ARR_FN T arr_log_ratio(T x, T y) {
  T r = x / y, min_ratio = sizeof(T) == 4 ? T(1e-37) : T(1e-307);
  return (r > min_ratio) & arr_isfinite(r) ? arr_log(r) : arr_log(x) - arr_log(y);
}
template <class T>
ARR_FN T arr_rel_entr(T x, T y) {
  if (arr_isnan(x) | arr_isnan(y)) return x + y;
  return (x > 0) & (y > 0) ? x * arr_log_ratio(x, y) : (x == 0) & (y >= 0) ? T(0) : (T)ARR_INF;
}
template <class T>
ARR_FN T arr_kl_div(T x, T y) {
  if (arr_isnan(x) | arr_isnan(y)) return x + y;
  // For the largest numbers x log(x / y) alone overflows, but its sum with the other terms does not.
  const bool large = (x > (sizeof(T) == 4 ? T(1e30) : T(1e300)));
  const T part = large ? T(0x1p-12) : T(1), a = x * part, b = y * part;
  const T sum = (a * arr_log_ratio(x, y) - a + b) * (large ? T(0x1p12) : T(1));
  // With one infinity the limit is infinite, with two there is none.
  return (x > 0) & (y > 0) & ((sum == sum) | (x == y)) ? sum : (x == 0) & (y >= 0) ? y : (T)ARR_INF;
}
template <class T>
ARR_FN T arr_huber(T delta, T r) {
  T size = arr_absolute(r);
  return delta < 0 ? (T)ARR_INF : size <= delta ? T(0.5) * r * r : delta * (size - T(0.5) * delta);
}
// delta^2 (sqrt(1 + u^2) - 1) with u = r / delta, without the difference.
template <class T>
ARR_FN T arr_pseudo_huber(T delta, T r) {
  T u = r / delta, h = arr_hypot(T(1), u);
  if (delta < 0) return (T)ARR_INF;
  if ((delta == 0) | (r == 0)) return T(0);
  if ((delta > 0) & (arr_absolute(r) == (T)ARR_INF)) return (T)ARR_INF;
  if (arr_absolute(u) <= T(1)) return r * (r / (h + T(1)));  // u alone may be too small for a float
  // Then the 1 is below a unit in the last place, and closer to infinity u itself may overflow.
  return arr_absolute(u) > T(1e17) ? delta * arr_absolute(r) : delta * (r * (u / (h + T(1))));
}

#endif
