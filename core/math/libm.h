// SPDX-License-Identifier: MIT
// The C library's functions of float and double, under one name for both, in the subset of C++ that the host
// compiler and NVRTC both take. It comes after scalar.h in every generated CUDA kernel. It includes nothing:
// a file that includes it declares the C library's functions first (NVRTC has them built in).
//
// CUDA's functions and the vector forms on the host may differ by one or two units in the last place. Users
// notice that if the exact value is a short number, such as 10^-3, the cube root of 27 or log10(1000). Those
// values are made exact here.
#ifndef ARR_MATH_LIBM_H
#define ARR_MATH_LIBM_H

#define ARR_REAL_FUNCTION(name, function)                     \
  ARR_FN float arr_##name(float x) { return function##f(x); } \
  ARR_FN double arr_##name(double x) { return function(x); }
#define ARR_REAL_FUNCTION_2(name, function)                               \
  ARR_FN float arr_##name(float x, float y) { return function##f(x, y); } \
  ARR_FN double arr_##name(double x, double y) { return function(x, y); }
ARR_REAL_FUNCTION(sqrt, sqrt)
ARR_REAL_FUNCTION(exp, exp)
ARR_REAL_FUNCTION(exp2, exp2)
ARR_REAL_FUNCTION(expm1, expm1)
ARR_REAL_FUNCTION(log, log)
ARR_REAL_FUNCTION(log1p, log1p)
ARR_REAL_FUNCTION(sin, sin)
ARR_REAL_FUNCTION(cos, cos)
ARR_REAL_FUNCTION(tan, tan)
ARR_REAL_FUNCTION(asin, asin)
ARR_REAL_FUNCTION(acos, acos)
ARR_REAL_FUNCTION(atan, atan)
ARR_REAL_FUNCTION(sinh, sinh)
ARR_REAL_FUNCTION(cosh, cosh)
ARR_REAL_FUNCTION(tanh, tanh)
ARR_REAL_FUNCTION(asinh, asinh)
ARR_REAL_FUNCTION(acosh, acosh)
ARR_REAL_FUNCTION(atanh, atanh)
ARR_REAL_FUNCTION(erf, erf)
ARR_REAL_FUNCTION(erfc, erfc)
ARR_REAL_FUNCTION(floor, floor)
ARR_REAL_FUNCTION(ceil, ceil)
ARR_REAL_FUNCTION(rint, rint)
ARR_REAL_FUNCTION(trunc, trunc)
ARR_REAL_FUNCTION_2(atan2, atan2)
ARR_REAL_FUNCTION_2(fmod, fmod)
ARR_REAL_FUNCTION_2(copysign, copysign)
#undef ARR_REAL_FUNCTION
#undef ARR_REAL_FUNCTION_2
// Integers are already integral.
template <class T>
ARR_FN T arr_floor(T x) {
  return x;
}
template <class T>
ARR_FN T arr_ceil(T x) {
  return x;
}
template <class T>
ARR_FN T arr_trunc(T x) {
  return x;
}

// ------------------------------------------------------------------------- products of two parts

// The rounding error of a product, x y - product, where product is x y rounded: TwoProduct of T. J. Dekker,
// "A floating-point technique for extending the available precision" (1971), by a fused multiply-add where
// there is one. Factors near the end of the range overflow in the split.
template <class F>
ARR_FN F arr_two_product_error(F x, F y, F product) {
#if defined(__FMA__)
  if constexpr (sizeof(F) == 4) return __builtin_fmaf(x, y, -product);
  return (F)__builtin_fma(x, y, -product);
#elif defined(__CUDA_ARCH__)
  return (F)fma(x, y, -product);
#else
  const F split = sizeof(F) == 4 ? F(4097) : F(134217729);
  F cx = arr_product(split, x), xh = cx - (cx - x), xl = x - xh;
  F cy = arr_product(split, y), yh = cy - (cy - y), yl = y - yh;
  return ((xh * yh - product) + xh * yl + xl * yh) + xl * yl;
#endif
}
// high + low, with low at most half a unit of high, is a number of twice the digits.
template <class F>
struct arr_two_parts {
  F high, low;
};
template <class F>
ARR_FN arr_two_parts<F> arr_times(arr_two_parts<F> x, arr_two_parts<F> y) {
  const F high = arr_product(x.high, y.high);
  const F low = arr_two_product_error(x.high, y.high, high) + (x.high * y.low + x.low * y.high);
  const F sum = high + low;
  return {sum, low - (sum - high)};
}
template <class F>
ARR_FN F arr_inverse(arr_two_parts<F> x) {
  const F q = 1 / x.high, one = arr_product(q, x.high);
  return q + q * ((1 - one) - arr_two_product_error(q, x.high, one) - q * x.low);
}

// --------------------------------------------------------------------------------------- corrected

#ifdef __CUDA_ARCH__
// x to the whole power y of at most 1024. Wrong where that overflows or is denormal.
ARR_LARGE_FN double arr_whole_power(double x, double y) {
  arr_two_parts<double> p = {x, 0}, r = {1, 0};
  for (int n = (int)arr_copysign(y, 1.0); n != 0; n >>= 1, p = arr_times(p, p))
    if (n & 1) r = arr_times(r, p);
  return y < 0 ? arr_inverse(r) : r.high;
}
#endif
ARR_FN float arr_pow(float x, float y) { return powf(x, y); }
ARR_FN double arr_pow(double x, double y) {
#ifdef __CUDA_ARCH__  // CUDA's is a unit off for one in twenty small whole numbers, also for y = 1
  if (y == 0.5 && x > 0) return sqrt(x);
  if (y == floor(y) && arr_copysign(y, 1.0) <= 1024) {
    const double r = arr_whole_power(x, y), size = arr_copysign(r, 1.0);
    if (size > 2.3e-308 && size < 1.7e308) return r;
  }
#endif
  return pow(x, y);
}

// Vector forms may be off by a unit where one of the two is 0.
ARR_FN float arr_hypot(float x, float y) {
  const float r = hypotf(x, y);
  return x == 0 ? (y < 0 ? -y : y) + 0.0F : y == 0 ? (x < 0 ? -x : x) : r;
}
ARR_FN double arr_hypot(double x, double y) {
  double r = hypot(x, y);
#ifdef __CUDA_ARCH__  // CUDA's is a unit off for one in six Pythagorean triples: a step of Newton's iteration
  if (r > 1e-140 && r < 1e150) {
    const double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    const double rr = r * r, aa = a * a, bb = b * b;
    const double errors = arr_two_product_error(r, r, rr) - arr_two_product_error(a, a, aa);
    r -= (((rr - aa) - bb) + (errors - arr_two_product_error(b, b, bb))) / (2 * r);
  }
#endif
  return x == 0 ? (y < 0 ? -y : y) + 0.0 : y == 0 ? (x < 0 ? -x : x) : r;
}

ARR_FN float arr_log2(float x) { return log2f(x); }
ARR_FN double arr_log2(double x) {
#ifdef __CUDA_ARCH__  // CUDA's is a unit off for one in six powers of two
  int exponent;
  if (frexp(x, &exponent) == 0.5) return exponent - 1;
#endif
  return log2(x);
}
// A value within two units of an integer is replaced by it: the float next to a power of ten has the same
// logarithm after rounding.
template <class F>
ARR_FN F arr_nearly_whole(F x) {
  const F k = arr_rint(x), unit = sizeof(F) == 4 ? F(1.2e-7) : F(2.22e-16);
  return arr_copysign(x - k, F(1)) <= 2 * unit * arr_copysign(k, F(1)) ? k : x;
}
ARR_FN float arr_log10(float x) {
#ifdef __CUDA_ARCH__
  return arr_nearly_whole(log10f(x));
#else
  return log10f(x);
#endif
}
ARR_FN double arr_log10(double x) { return arr_nearly_whole(log10(x)); }

// x where the bits of mask are 1, y where they are 0. A condition would become a branch, into which the
// compiler moves the computation of an operand, and the loop would not vectorise.
ARR_FN double arr_choose_bits(unsigned long long mask, double x, double y) {
  return arr_bits<double>((arr_bits<unsigned long long>(x) & mask) |
                          (arr_bits<unsigned long long>(y) & ~mask));
}
// 10 to the power x where that, or its inverse, is a double; r elsewhere.
ARR_FN double arr_exact_exp10(double x, double r) {
  typedef unsigned long long U;
  const double size = arr_copysign(x, 1.0);
  const U whole = -(U)((size <= 22) & (arr_floor(x) == x)), negative = -(arr_bits<U>(x) >> 63);
  const int n = (int)arr_choose_bits(whole, size, 0.0);
  const double fours = 1.0 + 9999 * (n >> 2 & 1), eights = 1.0 + 99999999 * (n >> 3 & 1);
  const double root = 1.0 + 99999999 * (n >> 4 & 1);
  const double p = (1.0 + 9 * (n & 1)) * (1.0 + 99 * (n >> 1 & 1)) * fours * eights * root * root;
  return arr_choose_bits(whole, arr_choose_bits(negative, 1.0, p) / arr_choose_bits(negative, p, 1.0), r);
}
ARR_FN float arr_exp10(float x) {
#ifdef __CUDA_ARCH__
  const float size = arr_copysign(x, 1.0F);
  if (size > 10 || size != arr_floor(size)) return exp10f(x);
  float p = 1;
  for (int k = 0; k < (int)size; ++k) p *= 10;
  return x < 0 ? 1 / p : p;
#else  // the vector form is up to four units off
  return (float)exp((double)x * 2.302585092994045684);
#endif
}
ARR_FN double arr_exp10(double x) { return arr_exact_exp10(x, exp10(x)); }

// A step of Newton's iteration from the C library's value r. Denormal errors would be lost.
template <class F>
ARR_FN F arr_refined_cbrt(F x, F r) {
  const F s = arr_product(r, r), c = arr_product(s, r), size = arr_copysign(x, F(1));
  const F over = (c - x) + (arr_two_product_error(s, r, c) + arr_two_product_error(r, r, s) * r);
  const bool usual =
      (size > (sizeof(F) == 4 ? F(1e-24) : F(1e-290))) & (size < (sizeof(F) == 4 ? F(1e38) : F(1e308)));
  return usual ? r - over / (3 * s) : r;
}
ARR_FN float arr_cbrt(float x) { return arr_refined_cbrt(x, cbrtf(x)); }
ARR_FN double arr_cbrt(double x) { return arr_refined_cbrt(x, cbrt(x)); }

#endif
