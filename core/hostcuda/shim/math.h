// SPDX-License-Identifier: MIT
// libm by its own prototypes: <math.h> would cost more than a hundred milliseconds per kernel. Functions that
// the C library has in vector form are declared so that loops over them vectorise without fast-math. Embedded
// before every kernel source. ARR_STD says that the source includes C++ headers, which come before this text;
// then their overloads are used.

// ARR_VECTOR_MATH is the minor number of the glibc 2.x in use where it has x86 vector functions, else 0.
#if ARR_VECTOR_MATH >= 22 && !defined(__clang__)
#define ARR_SIMD __attribute__((simd("notinbranch")))
#else
#define ARR_SIMD
#endif
#if ARR_VECTOR_MATH >= 35 && !defined(__clang__)
#define ARR_SIMD_35 ARR_SIMD
#else
#define ARR_SIMD_35
#endif

// C libraries other than glibc declare these functions without it, and C++ wants one form.
#if defined(ARR_STD) && !defined(__GLIBC__)
#define ARR_LIBM_NOEXCEPT
#else
#define ARR_LIBM_NOEXCEPT noexcept(true)
#endif

extern "C" {
// clang-format off
#define ARR_M1(name, simd)                 \
  double name(double) ARR_LIBM_NOEXCEPT simd; \
  float name##f(float) ARR_LIBM_NOEXCEPT simd;
#define ARR_M2(name, simd)                         \
  double name(double, double) ARR_LIBM_NOEXCEPT simd; \
  float name##f(float, float) ARR_LIBM_NOEXCEPT simd;
ARR_M1(exp, ARR_SIMD) ARR_M1(log, ARR_SIMD) ARR_M1(sin, ARR_SIMD) ARR_M1(cos, ARR_SIMD)
ARR_M2(pow, ARR_SIMD) ARR_M1(exp2, ARR_SIMD_35) ARR_M1(exp10, ARR_SIMD_35) ARR_M1(expm1, ARR_SIMD_35)
ARR_M1(log2, ARR_SIMD_35) ARR_M1(log10, ARR_SIMD_35) ARR_M1(log1p, ARR_SIMD_35) ARR_M1(tan, ARR_SIMD_35)
ARR_M1(asin, ARR_SIMD_35) ARR_M1(acos, ARR_SIMD_35) ARR_M1(atan, ARR_SIMD_35) ARR_M1(sinh, ARR_SIMD_35)
ARR_M1(cosh, ARR_SIMD_35) ARR_M1(tanh, ARR_SIMD_35) ARR_M1(asinh, ARR_SIMD_35)
ARR_M1(acosh, ARR_SIMD_35) ARR_M1(atanh, ARR_SIMD_35) ARR_M1(cbrt, ARR_SIMD_35) ARR_M1(erf, ARR_SIMD_35)
ARR_M1(erfc, ARR_SIMD_35) ARR_M2(atan2, ARR_SIMD_35) ARR_M2(hypot, ARR_SIMD_35) ARR_M1(sqrt,)
ARR_M1(floor,) ARR_M1(ceil,) ARR_M1(trunc,) ARR_M1(rint,) ARR_M1(nearbyint,) ARR_M1(round,)
ARR_M1(fabs,) ARR_M1(lgamma,) ARR_M1(tgamma,) ARR_M1(logb,) ARR_M1(j0,) ARR_M1(j1,) ARR_M1(y0,)
ARR_M1(y1,) ARR_M2(fmod,) ARR_M2(remainder,) ARR_M2(fmin,) ARR_M2(fmax,) ARR_M2(fdim,) ARR_M2(copysign,)
ARR_M2(nextafter,)
double fma(double, double, double) ARR_LIBM_NOEXCEPT;
float fmaf(float, float, float) ARR_LIBM_NOEXCEPT;
double ldexp(double, int) ARR_LIBM_NOEXCEPT;
float ldexpf(float, int) ARR_LIBM_NOEXCEPT;
double scalbn(double, int) ARR_LIBM_NOEXCEPT;
float scalbnf(float, int) ARR_LIBM_NOEXCEPT;
double frexp(double, int*) ARR_LIBM_NOEXCEPT;
float frexpf(float, int*) ARR_LIBM_NOEXCEPT;
double modf(double, double*) ARR_LIBM_NOEXCEPT;
float modff(float, float*) ARR_LIBM_NOEXCEPT;
int ilogb(double) ARR_LIBM_NOEXCEPT;
int ilogbf(float) ARR_LIBM_NOEXCEPT;
long lround(double) ARR_LIBM_NOEXCEPT;
long lroundf(float) ARR_LIBM_NOEXCEPT;
long lrint(double) ARR_LIBM_NOEXCEPT;
long lrintf(float) ARR_LIBM_NOEXCEPT;
long long llround(double) ARR_LIBM_NOEXCEPT;
long long llroundf(float) ARR_LIBM_NOEXCEPT;
long long llrint(double) ARR_LIBM_NOEXCEPT;
long long llrintf(float) ARR_LIBM_NOEXCEPT;
}

#ifndef ARR_STD
#define ARR_O1(name) \
  ARR_INLINE float name(float x) { return name##f(x); }
ARR_O1(exp) ARR_O1(log) ARR_O1(sin) ARR_O1(cos) ARR_O1(exp2) ARR_O1(expm1) ARR_O1(log2) ARR_O1(log10)
ARR_O1(log1p) ARR_O1(tan) ARR_O1(asin) ARR_O1(acos) ARR_O1(atan) ARR_O1(sinh) ARR_O1(cosh) ARR_O1(tanh)
ARR_O1(asinh) ARR_O1(acosh) ARR_O1(atanh) ARR_O1(cbrt) ARR_O1(erf) ARR_O1(erfc) ARR_O1(sqrt)
ARR_O1(floor) ARR_O1(ceil) ARR_O1(trunc) ARR_O1(rint) ARR_O1(nearbyint) ARR_O1(round) ARR_O1(fabs)
ARR_O1(lgamma) ARR_O1(tgamma) ARR_O1(logb)
#define ARR_O2(name)                                                       \
  ARR_INLINE float name(float x, float y) { return name##f(x, y); }        \
  ARR_INLINE double name(double x, float y) { return name(x, double(y)); } \
  ARR_INLINE double name(float x, double y) { return name(double(x), y); }
ARR_O2(fmod) ARR_O2(remainder) ARR_O2(fmin) ARR_O2(fmax) ARR_O2(fdim) ARR_O2(copysign) ARR_O2(atan2)
ARR_O2(hypot) ARR_O2(pow)
ARR_INLINE float pow(float x, int n) { return powf(x, float(n)); }
ARR_INLINE double pow(double x, int n) { return pow(x, double(n)); }
ARR_INLINE float fma(float x, float y, float z) { return fmaf(x, y, z); }
ARR_INLINE float ldexp(float x, int n) { return ldexpf(x, n); }
ARR_INLINE float frexp(float x, int* n) { return frexpf(x, n); }
ARR_INLINE float modf(float x, float* n) { return modff(x, n); }
ARR_INLINE int abs(int x) { return x < 0 ? -x : x; }
ARR_INLINE long abs(long x) { return x < 0 ? -x : x; }
ARR_INLINE long long abs(long long x) { return x < 0 ? -x : x; }
ARR_INLINE float abs(float x) { return fabsf(x); }
ARR_INLINE double abs(double x) { return fabs(x); }
#define ARR_TEST(name, type, value) \
  ARR_INLINE bool name(type x) { return value; }
ARR_TEST(isnan, float, __builtin_isnan(x)) ARR_TEST(isnan, double, __builtin_isnan(x))
ARR_TEST(isinf, float, __builtin_isinf(x) != 0) ARR_TEST(isinf, double, __builtin_isinf(x) != 0)
ARR_TEST(isfinite, float, __builtin_isfinite(x)) ARR_TEST(isfinite, double, __builtin_isfinite(x))
ARR_TEST(signbit, float, __builtin_signbit(x) != 0) ARR_TEST(signbit, double, __builtin_signbit(x) != 0)
ARR_INLINE long long llabs(long long x) { return x < 0 ? -x : x; }
#endif

// min and max: the usual conversions for mixed integers, and of a NaN and a number the number.
template <class A, class B>
using arr_common = decltype(true ? A() : B());
template <class A, class B>
ARR_INLINE constexpr arr_common<A, B> min(A a, B b) {
  arr_common<A, B> x = a, y = b;
  return x < y || y != y ? x : y;
}
template <class A, class B>
ARR_INLINE constexpr arr_common<A, B> max(A a, B b) {
  arr_common<A, B> x = a, y = b;
  return x > y || y != y ? x : y;
}

ARR_INLINE float rsqrtf(float x) { return 1.0f / sqrtf(x); }
ARR_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
ARR_INLINE float rsqrt(float x) { return 1.0f / sqrtf(x); }
ARR_INLINE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
ARR_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
ARR_INLINE float normcdff(float x) { return 0.5f * erfcf(-0.70710678118654752440f * x); }
ARR_INLINE double normcdf(double x) { return 0.5 * erfc(-0.70710678118654752440 * x); }
// glibc has external functions of the names sincos and __expf .. __powf: renamed, never redeclared.
ARR_INLINE void arr_sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
ARR_INLINE void arr_sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
ARR_INLINE void arr_sincos(float x, float* s, float* c) { arr_sincosf(x, s, c); }
#define sincos arr_sincos
#define sincosf arr_sincosf
#define __sincosf arr_sincosf
#define __expf expf
#define __exp10f exp10f
#define __logf logf
#define __log2f log2f
#define __log10f log10f
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
#define __fdividef(x, y) ((float)(x) / (float)(y))
ARR_INLINE float fdividef(float x, float y) { return x / y; }
ARR_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// Arithmetic that must not be contracted into a fused multiply-add: the barrier hides the product.
#ifdef __x86_64__
#define ARR_HIDE(r) asm("" : "+x"(r))
#else
#define ARR_HIDE(r) asm("" : "+w"(r))
#endif
#define ARR_ROUNDED(name, type, op)           \
  ARR_INLINE type name##_rn(type a, type b) { \
    type r = a op b;                          \
    ARR_HIDE(r);                              \
    return r;                                 \
  }
ARR_ROUNDED(__fadd, float, +) ARR_ROUNDED(__fsub, float, -) ARR_ROUNDED(__fmul, float, *)
ARR_ROUNDED(__fdiv, float, /) ARR_ROUNDED(__dadd, double, +) ARR_ROUNDED(__dsub, double, -)
ARR_ROUNDED(__dmul, double, *) ARR_ROUNDED(__ddiv, double, /)
ARR_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
ARR_INLINE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
ARR_INLINE float __frcp_rn(float x) { return 1.0f / x; }
ARR_INLINE double __drcp_rn(double x) { return 1.0 / x; }
ARR_INLINE float __fsqrt_rn(float x) { return sqrtf(x); }
ARR_INLINE double __dsqrt_rn(double x) { return sqrt(x); }
