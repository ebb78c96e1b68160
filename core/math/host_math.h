// SPDX-License-Identifier: MIT
// Declares the C library's mathematical functions for core/math/libm.h on the host, with libmvec's vector
// forms if glibc has them. <math.h> must not be included before, because it declares the vector forms only
// with -ffast-math.
#ifndef ARR_MATH_HOST_MATH_H
#define ARR_MATH_HOST_MATH_H

#include <features.h>

#if defined(__GLIBC__) && !defined(__clang__) && defined(__x86_64__)
#define ARR_SIMD __attribute__((simd("notinbranch")))
#else
#define ARR_SIMD
#endif
#ifdef __GLIBC__  // others declare them without; C++ requires equal declarations
#define ARR_LIBM_NOEXCEPT noexcept(true)
#else
#define ARR_LIBM_NOEXCEPT
#endif

extern "C" {
#define ARR_LIBM1(name)                                  \
  extern double name(double) ARR_LIBM_NOEXCEPT ARR_SIMD; \
  extern float name##f(float) ARR_LIBM_NOEXCEPT ARR_SIMD;
#define ARR_LIBM2(name)                                          \
  extern double name(double, double) ARR_LIBM_NOEXCEPT ARR_SIMD; \
  extern float name##f(float, float) ARR_LIBM_NOEXCEPT ARR_SIMD;
#define ARR_LIBM1_SCALAR(name)                  \
  extern double name(double) ARR_LIBM_NOEXCEPT; \
  extern float name##f(float) ARR_LIBM_NOEXCEPT;
#define ARR_LIBM2_SCALAR(name)                          \
  extern double name(double, double) ARR_LIBM_NOEXCEPT; \
  extern float name##f(float, float) ARR_LIBM_NOEXCEPT;
ARR_LIBM1(exp)
ARR_LIBM1(log)
ARR_LIBM1(exp2)
ARR_LIBM1(expm1)
ARR_LIBM1(log2)
ARR_LIBM1(log10)
ARR_LIBM1(log1p)
ARR_LIBM1(cbrt)
ARR_LIBM1(exp10)
ARR_LIBM1(erf)
ARR_LIBM1(erfc)
ARR_LIBM1(tan)
ARR_LIBM1(asin)
ARR_LIBM1(acos)
ARR_LIBM1(atan)
ARR_LIBM1(asinh)
ARR_LIBM1(acosh)
ARR_LIBM1(atanh)
ARR_LIBM1(sin)
ARR_LIBM1(cos)
ARR_LIBM1(sinh)
ARR_LIBM1(cosh)
ARR_LIBM1(tanh)
ARR_LIBM2(pow)
ARR_LIBM2(atan2)
ARR_LIBM2(hypot)
ARR_LIBM1_SCALAR(sqrt)
ARR_LIBM1_SCALAR(floor)
ARR_LIBM1_SCALAR(ceil)
ARR_LIBM1_SCALAR(rint)
ARR_LIBM1_SCALAR(trunc)
extern double tgamma(double) ARR_LIBM_NOEXCEPT;
extern double lgamma_r(double, int*) ARR_LIBM_NOEXCEPT;
ARR_LIBM2_SCALAR(fmod)
ARR_LIBM2_SCALAR(copysign)
}

#endif
