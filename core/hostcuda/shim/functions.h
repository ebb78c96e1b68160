// SPDX-License-Identifier: MIT
// CUDA's further mathematical functions, which the C library has under other rules or not at all; erfinv and
// its like are in special.h. Embedded before every kernel source.

extern "C" {
double nan(const char*) ARR_LIBM_NOEXCEPT;
float nanf(const char*) ARR_LIBM_NOEXCEPT;
double remquo(double, double, int*) ARR_LIBM_NOEXCEPT;
float remquof(float, float, int*) ARR_LIBM_NOEXCEPT;
double scalbln(double, long) ARR_LIBM_NOEXCEPT;
float scalblnf(float, long) ARR_LIBM_NOEXCEPT;
double jn(int, double) ARR_LIBM_NOEXCEPT;
double yn(int, double) ARR_LIBM_NOEXCEPT;
}
#define __tanhf tanhf

// clang-format off
#ifndef ARR_STD
// An integer counts as the type of the other argument, as NVRTC's overloads have it, and as double where that is
// an integer too or there is none, as nvcc's have it.
template <class T>
constexpr bool arr_is_whole = false;
#define ARR_WHOLE(type) \
  template <>           \
  constexpr bool arr_is_whole<type> = true;
ARR_WHOLE(bool) ARR_WHOLE(char) ARR_WHOLE(signed char) ARR_WHOLE(unsigned char) ARR_WHOLE(short)
ARR_WHOLE(unsigned short) ARR_WHOLE(int) ARR_WHOLE(unsigned) ARR_WHOLE(long) ARR_WHOLE(unsigned long)
ARR_WHOLE(long long) ARR_WHOLE(unsigned long long)
template <int>
struct arr_choice {};
template <>
struct arr_choice<1> {
  typedef float type;
};
template <>
struct arr_choice<2> {
  typedef double type;
};
template <class T>
constexpr int arr_bit = arr_is_whole<T>;  // 1 whole, 2 float, 4 double
template <>
constexpr int arr_bit<float> = 2;
template <>
constexpr int arr_bit<double> = 4;
template <class A, class B, int Kinds = arr_bit<A> | arr_bit<B>>
using arr_mixed = typename arr_choice<!arr_bit<A> || !arr_bit<B>     ? 0
                                      : Kinds == 3               ? 1
                                      : Kinds == 1 || Kinds == 5 ? 2
                                                                 : 0>::type;
#define ARR_W1(name)  \
  template <class A>  \
  ARR_INLINE typename arr_choice<2 * arr_is_whole<A>>::type name(A x) { return name(double(x)); }
ARR_W1(exp) ARR_W1(log) ARR_W1(sin) ARR_W1(cos) ARR_W1(exp2) ARR_W1(expm1) ARR_W1(log2) ARR_W1(log10)
ARR_W1(log1p) ARR_W1(tan) ARR_W1(asin) ARR_W1(acos) ARR_W1(atan) ARR_W1(sinh) ARR_W1(cosh) ARR_W1(tanh)
ARR_W1(asinh) ARR_W1(acosh) ARR_W1(atanh) ARR_W1(cbrt) ARR_W1(erf) ARR_W1(erfc) ARR_W1(sqrt)
ARR_W1(floor) ARR_W1(ceil) ARR_W1(trunc) ARR_W1(rint) ARR_W1(nearbyint) ARR_W1(round) ARR_W1(fabs)
ARR_W1(lgamma) ARR_W1(tgamma) ARR_W1(logb)
#define ARR_W2(name)          \
  template <class A, class B> \
  ARR_INLINE arr_mixed<A, B> name(A x, B y) { typedef arr_mixed<A, B> T; return name(T(x), T(y)); }
ARR_W2(fmod) ARR_W2(remainder) ARR_W2(fmin) ARR_W2(fmax) ARR_W2(fdim) ARR_W2(copysign) ARR_W2(atan2)
ARR_W2(hypot) ARR_W2(pow)
ARR_INLINE float nextafter(float x, float y) { return nextafterf(x, y); }
ARR_INLINE float remquo(float x, float y, int* n) { return remquof(x, y, n); }
ARR_INLINE float scalbn(float x, int n) { return scalbnf(x, n); }
ARR_INLINE float scalbln(float x, long n) { return scalblnf(x, n); }
ARR_INLINE int ilogb(float x) { return ilogbf(x); }
ARR_INLINE long lround(float x) { return lroundf(x); }
ARR_INLINE long lrint(float x) { return lrintf(x); }
ARR_INLINE long long llround(float x) { return llroundf(x); }
ARR_INLINE long long llrint(float x) { return llrintf(x); }
ARR_INLINE long labs(long x) { return x < 0 ? -x : x; }
#endif
#define ARR_MIN_MAX(type, min_name, max_name)                              \
  ARR_INLINE type min_name(type a, type b) { return b < a ? b : a; }      \
  ARR_INLINE type max_name(type a, type b) { return a < b ? b : a; }
ARR_MIN_MAX(unsigned, umin, umax) ARR_MIN_MAX(long long, llmin, llmax)
ARR_MIN_MAX(unsigned long long, ullmin, ullmax)
ARR_INLINE float fdivide(float x, float y) { return x / y; }
ARR_INLINE double fdivide(double x, double y) { return x / y; }
ARR_INLINE float normcdf(float x) { return normcdff(x); }
ARR_INLINE float rcbrt(float x) { return rcbrtf(x); }
// clang-format on

// The nearest half of a whole number is taken off exactly. Of a zero the sign is x's for the sine, plus for
// the cosine.
ARR_INLINE void arr_sincospi(double x, double* s, double* c) {
  const double n = rint(x + x), rest = 3.14159265358979323846 * (x - 0.5 * n), quarter = n - 4 * floor(n / 4);
  const double a = sin(rest), b = cos(rest);
  const bool swap = quarter == 1 || quarter == 3;
  const double u = swap ? b : a, v = swap ? a : b;
  const double sine = quarter >= 2 ? -u : u, cosine = quarter == 1 || quarter == 2 ? -v : v;
  *s = sine == 0 ? copysign(0.0, x) : sine;
  *c = cosine + 0.0;
}
ARR_INLINE void sincospi(double x, double* s, double* c) { arr_sincospi(x, s, c); }
ARR_INLINE void sincospif(float x, float* s, float* c) {
  double sine, cosine;
  arr_sincospi(double(x), &sine, &cosine);
  *s = float(sine), *c = float(cosine);
}
ARR_INLINE void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
ARR_INLINE double sinpi(double x) {
  double s, c;
  arr_sincospi(x, &s, &c);
  return s;
}
ARR_INLINE double cospi(double x) {
  double s, c;
  arr_sincospi(x, &s, &c);
  return c;
}
ARR_INLINE float sinpif(float x) { return float(sinpi(double(x))); }
ARR_INLINE float cospif(float x) { return float(cospi(double(x))); }
ARR_INLINE float sinpi(float x) { return sinpif(x); }
ARR_INLINE float cospi(float x) { return cospif(x); }

// Bessel functions of negative order are NaN in CUDA; the C library has values for them.
ARR_INLINE double arr_jn(int n, double x) { return n < 0 ? double(__builtin_nan("")) : jn(n, x); }
ARR_INLINE double arr_yn(int n, double x) { return n < 0 ? double(__builtin_nan("")) : yn(n, x); }
ARR_INLINE float arr_jnf(int n, float x) { return float(arr_jn(n, double(x))); }
ARR_INLINE float arr_ynf(int n, float x) { return float(arr_yn(n, double(x))); }
#define jn(n, x) arr_jn(n, x)
#define yn(n, x) arr_yn(n, x)
#define jnf(n, x) arr_jnf(n, x)
#define ynf(n, x) arr_ynf(n, x)

// exp(x^2) erfc(x). The rounding error of x^2 is added back; where erfc nears its end, the first terms of
// 1 - 1 / 2 x^2 + 3 / 4 x^4 - ... over x sqrt(pi).
ARR_INLINE double erfcx(double x) {
  if (x >= 26) {
    const double u = 0.5 / (x * x);
    const double series = 1 - u * (1 - 3 * u * (1 - 5 * u * (1 - 7 * u * (1 - 9 * u * (1 - 11 * u)))));
    return series / (x * 1.77245385090551602730);
  }
  if (x < -27) return __builtin_huge_val();
  const double square = x * x, lost = fma(x, x, -square), e = exp(square);
  return (e < 1e308 ? fma(e, lost, e) : e) * erfc(x);
}
ARR_INLINE float erfcxf(float x) { return float(erfcx(double(x))); }
ARR_INLINE float erfcx(float x) { return erfcxf(x); }

// Root of the sum of squares, or one over it. Numbers are divided by the power of two of the largest; an
// infinite one outweighs a NaN.
ARR_INLINE double arr_norm(const double* p, int n, bool over) {
  double max_abs = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    const double size = fabs(p[i]);
    max_abs = size > max_abs ? size : max_abs;
  }
  if (max_abs > 1.7976931348623157e308) return over ? 0.0 : max_abs;
  const int e = max_abs > 0 ? ilogb(max_abs) : 0;
  for (int i = 0; i < n; i++) {
    const double part = scalbn(p[i], -e);
    sum = fma(part, part, sum);
  }
  return over ? scalbn(1 / sqrt(sum), -e) : scalbn(sqrt(sum), e);
}
ARR_INLINE float arr_norm(const float* p, int n, bool over) {
  float max_abs = 0;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const float size = fabsf(p[i]);
    max_abs = size > max_abs ? size : max_abs;
    sum += double(p[i]) * double(p[i]);
  }
  if (max_abs > 3.402823466e38f) return over ? 0.0f : max_abs;
  return float(over ? 1 / sqrt(sum) : sqrt(sum));
}
#define ARR_NORMS(T, f, of)                                                             \
  ARR_INLINE T of##norm##f(int n, const T* p) { return arr_norm(p, n, ARR_OVER_##of); } \
  ARR_INLINE T of##norm3d##f(T a, T b, T c) {                                           \
    const T p[] = {a, b, c};                                                            \
    return arr_norm(p, 3, ARR_OVER_##of);                                               \
  }                                                                                     \
  ARR_INLINE T of##norm4d##f(T a, T b, T c, T d) {                                      \
    const T p[] = {a, b, c, d};                                                         \
    return arr_norm(p, 4, ARR_OVER_##of);                                               \
  }
#define ARR_OVER_ false
#define ARR_OVER_r true
ARR_NORMS(double, , )
ARR_NORMS(double, , r)
ARR_NORMS(float, f, )
ARR_NORMS(float, f, r)
ARR_INLINE double rhypot(double x, double y) {
  const double p[] = {x, y};
  return arr_norm(p, 2, true);
}
ARR_INLINE float rhypotf(float x, float y) {
  const float p[] = {x, y};
  return arr_norm(p, 2, true);
}
ARR_INLINE float rhypot(float x, float y) { return rhypotf(x, y); }
#define ARR_FLOAT_NORMS(of)                                                               \
  ARR_INLINE float of##norm(int n, const float* p) { return of##normf(n, p); }            \
  ARR_INLINE float of##norm3d(float a, float b, float c) { return of##norm3df(a, b, c); } \
  ARR_INLINE float of##norm4d(float a, float b, float c, float d) { return of##norm4df(a, b, c, d); }
ARR_FLOAT_NORMS()
ARR_FLOAT_NORMS(r)
