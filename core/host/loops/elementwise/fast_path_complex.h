// SPDX-License-Identifier: MIT
// Fast paths of complex functions. They split a block into an array of real parts and one of imaginary parts,
// so that the compiler can vectorise the formulas of math/complex.h for numbers whose squares neither
// overflow nor underflow. fast_path_complex.cpp instantiates them with all instructions of the level.
#pragma once

#include "host/loops/level.h"

namespace arr::host::ARR_LEVEL {

template <class F>
ARR_FN int not_midrange(F x, F y) {
  const F a = arr_absolute(x), b = arr_absolute(y), max_abs = a > b ? a : b;
  return !((max_abs < (sizeof(F) == 4 ? F(1e18) : F(1e150))) &
           (max_abs > (sizeof(F) == 4 ? F(1e-15) : F(1e-140))));
}
template <class F>
ARR_FN arr_cplx<F> fast_sqrt(F x, F y, int& wrong) {
  wrong |= not_midrange(x, y);
  const F a = arr_absolute(x), t = arr_sqrt((a + arr_sqrt(x * x + y * y)) * F(0.5)), s = y / (t + t);
  const F size = arr_absolute(s), turned = arr_copysign(t, y);
  return {x >= 0 ? t : size, x >= 0 ? s : turned};
}
// log |z|. Near |z| = 1 it comes from z z* - 1 computed exactly, or from `above`, that value, if `known`.
template <class F>
ARR_FN F fast_log_abs(F x, F y, F above, bool known) {
  const F a = arr_absolute(x), b = arr_absolute(y), square = x * x + y * y;
  const bool near = known | ((square > F(0.25)) & (square < F(4)));
  const F exact = arr_norm_minus_one(a > b ? a : b, a > b ? b : a);
  // One of the two terms is 0. Selecting one of two results would compile to branches and not be vectorised.
  return F(0.5) * (arr_log1p(known ? above : near ? exact : F(0)) + arr_log(near ? F(1) : square));
}
template <class F>
ARR_FN arr_cplx<F> fast_log(F x, F y, int& wrong) {
  wrong |= not_midrange(x, y);
  return {fast_log_abs(x, y, F(0), false), arr_atan2(y, x)};
}
template <class F>
ARR_FN arr_cplx<F> fast_asin(F x, F y, int& wrong) {
  const arr_cplx<F> m = fast_sqrt(1 - x, -y, wrong), p = fast_sqrt(1 + x, y, wrong);
  return {arr_atan2(x, m.re * p.re - m.im * p.im), arr_asinh(m.re * p.im - m.im * p.re)};
}
template <class F>
ARR_FN arr_cplx<F> fast_acos(F x, F y, int& wrong) {
  const arr_cplx<F> m = fast_sqrt(1 - x, -y, wrong), p = fast_sqrt(1 + x, y, wrong);
  return {2 * arr_atan2(m.re, p.re), arr_asinh(p.re * m.im - p.im * m.re)};
}
// True unless exp, sin and cos of these arguments are ordinary numbers.
template <class F>
ARR_FN int exp_may_overflow(F size, F angle) {
  return !((arr_absolute(size) < (sizeof(F) == 4 ? F(80) : F(700))) & (arr_absolute(angle) < F(1e4)));
}
// GCC merges the sine and cosine of one number into a sincos call, which has no vector form. Adding x * 0 to
// one argument prevents that.
template <class F>
ARR_FN arr_cplx<F> fast_exp(F x, F y, int& wrong) {
  wrong |= exp_may_overflow(x, y);
  const F size = arr_exp(x);
  return {size * arr_cos(y + x * 0), size * arr_sin(y)};
}
template <class F>
ARR_FN arr_cplx<F> fast_sinh(F x, F y, int& wrong) {
  wrong |= exp_may_overflow(x, y);
  return {arr_sinh(x) * arr_cos(y + x * 0), arr_cosh(x) * arr_sin(y)};
}
template <class F>
ARR_FN arr_cplx<F> fast_cosh(F x, F y, int& wrong) {
  wrong |= exp_may_overflow(x, y);
  return {arr_cosh(x) * arr_cos(y + x * 0), arr_sinh(x) * arr_sin(y)};
}
// Kahan's procedure CTANH.
template <class F>
ARR_FN arr_cplx<F> fast_tanh(F x, F y, int& wrong) {
  wrong |= exp_may_overflow(x, y) | !(arr_absolute(x) < F(20));
  const F tangent = arr_sin(y) / arr_cos(y + x * 0), beta = 1 + tangent * tangent, s = arr_sinh(x);
  const F rho = arr_sqrt(1 + s * s), denominator = 1 + beta * s * s;
  return {beta * rho * s / denominator, tangent / denominator};
}

struct fast_abs {
  template <class F>
  ARR_FN static F f(F x, F y, int& wrong) {
    wrong |= not_midrange(x, y);
    return arr_sqrt(x * x + y * y);
  }
};

// The fast path of a complex function Form::f(re, im, wrong).
template <class Form, class F>
struct ComplexFastPath {
  typedef arr_cplx<F> Result;
  static constexpr bool exists = true;
  static bool run(const arr_cplx<F>* z, Result* r);
};
// The same for a function with a real result.
template <class Form, class F>
struct RealResultFastPath {
  typedef F Result;
  static constexpr bool exists = true;
  static bool run(const arr_cplx<F>* z, Result* r);
};
#ifdef ARR_INSTANTIATE_FAST_PATHS
template <class Form, class F>
bool RealResultFastPath<Form, F>::run(const arr_cplx<F>* z, F* r) {
  constexpr int64_t n = fast_path_block<arr_cplx<F>>;
  F x[n], y[n];
  int wrong = 0;
  for (int64_t i = 0; i < n; ++i) {
    x[i] = z[i].re;
    y[i] = z[i].im;
  }
  for (int64_t i = 0; i < n; ++i) r[i] = Form::f(x[i], y[i], wrong);
  return wrong == 0;
}
template struct RealResultFastPath<fast_abs, float>;
template struct RealResultFastPath<fast_abs, double>;
template <class Form, class F>
bool ComplexFastPath<Form, F>::run(const arr_cplx<F>* z, arr_cplx<F>* r) {
  constexpr int64_t n = fast_path_block<arr_cplx<F>>;
  F x[n], y[n], u[n], v[n];
  int wrong = 0;
  for (int64_t i = 0; i < n; ++i) {
    x[i] = z[i].re;
    y[i] = z[i].im;
  }
  for (int64_t i = 0; i < n; ++i) {
    const arr_cplx<F> w = Form::f(x[i], y[i], wrong);
    u[i] = w.re;
    v[i] = w.im;
  }
  for (int64_t i = 0; i < n; ++i) r[i] = {u[i], v[i]};
  return wrong == 0;
}
#define ARR_INSTANTIATE_FAST_PATH(op)                \
  template struct ComplexFastPath<fast_##op, float>; \
  template struct ComplexFastPath<fast_##op, double>;
#else
#define ARR_INSTANTIATE_FAST_PATH(op)
#endif
#define ARR_COMPLEX_FAST_PATH(op, ...)                                 \
  struct fast_##op {                                                   \
    template <class F>                                                 \
    ARR_FN static arr_cplx<F> f(F x, F y, int& wrong) {                \
      __VA_ARGS__                                                      \
    }                                                                  \
  };                                                                   \
  template <class F>                                                   \
  struct FastPath<op, arr_cplx<F>> : ComplexFastPath<fast_##op, F> {}; \
  ARR_INSTANTIATE_FAST_PATH(op)
template <class F>
struct FastPath<op_absolute, arr_cplx<F>> : RealResultFastPath<fast_abs, F> {};
ARR_COMPLEX_FAST_PATH(op_sqrt, return fast_sqrt(x, y, wrong);)
ARR_COMPLEX_FAST_PATH(op_reciprocal, const arr_cplx<F> z = {x, y};
                      wrong |= !arr_is_midrange(arr_largest_part(z)); return arr_plain_reciprocal(z);)
ARR_COMPLEX_FAST_PATH(op_log, return fast_log(x, y, wrong);)
// A number on an axis has the logarithm of a real one.
ARR_COMPLEX_FAST_PATH(op_log2, const arr_cplx<F> l = fast_log(x, y, wrong); wrong |= (x == 0) | (y == 0);
                      return {l.re * F(1.4426950408889634074), l.im* F(1.4426950408889634074)};)
ARR_COMPLEX_FAST_PATH(op_log10, const arr_cplx<F> l = fast_log(x, y, wrong); wrong |= (x == 0) | (y == 0);
                      return {l.re * F(0.43429448190325182765), l.im* F(0.43429448190325182765)};)
ARR_COMPLEX_FAST_PATH(op_log1p, const F one = x + 1; wrong |= not_midrange(one, y);
                      const bool small = (arr_absolute(x) < F(0.5)) & (arr_absolute(y) < F(0.5));
                      return {fast_log_abs(one, y, x*(2 + x) + y * y, small), arr_atan2(y, one)};)
ARR_COMPLEX_FAST_PATH(op_arcsin, return fast_asin(x, y, wrong);)
ARR_COMPLEX_FAST_PATH(op_arccos, return fast_acos(x, y, wrong);)
ARR_COMPLEX_FAST_PATH(op_arcsinh, const arr_cplx<F> s = fast_asin(-y, x, wrong); return {s.im, -s.re};)
ARR_COMPLEX_FAST_PATH(op_arccosh, const arr_cplx<F> c = fast_acos(x, y, wrong);
                      return {arr_absolute(c.im), arr_copysign(c.re, y)};)
ARR_COMPLEX_FAST_PATH(op_exp, return fast_exp(x, y, wrong);)
ARR_COMPLEX_FAST_PATH(op_sinh, return fast_sinh(x, y, wrong);)
ARR_COMPLEX_FAST_PATH(op_cosh, return fast_cosh(x, y, wrong);)
ARR_COMPLEX_FAST_PATH(op_sin, const arr_cplx<F> h = fast_sinh(-y, x, wrong); return {h.im, -h.re};)
ARR_COMPLEX_FAST_PATH(op_cos, return fast_cosh(-y, x, wrong);)
ARR_COMPLEX_FAST_PATH(op_tanh, return fast_tanh(x, y, wrong);)
ARR_COMPLEX_FAST_PATH(op_tan, const arr_cplx<F> h = fast_tanh(-y, x, wrong); return {h.im, -h.re};)
#undef ARR_COMPLEX_FAST_PATH
#undef ARR_INSTANTIATE_FAST_PATH

// Products and quotients by the plain operators. They may be wrong if a result is nan or infinite, or if a
// part of an operand is not 0 and near an end of the range. complex.cpp compiles them, so they round as its
// other loops do.
template <class F>
ARR_FN bool all_finite(const arr_cplx<F>* z) {
  const F* part = &z->re;
  int others = 0;
  for (int64_t i = 0; i < 2 * fast_path_block<arr_cplx<F>>; ++i)
    others |= !(arr_absolute(part[i]) < (F)ARR_INF);
  return others == 0;
}
template <class F>
ARR_FN bool all_midrange(const arr_cplx<F>* z) {
  const F* part = &z->re;
  int others = 0;
  for (int64_t i = 0; i < 2 * fast_path_block<arr_cplx<F>>; ++i) {
    const F size = arr_absolute(part[i]);
    others |= !((size == 0) | arr_is_midrange(size));
  }
  return others == 0;
}
template <class F>
struct FastPath<op_multiply, arr_cplx<F>> {
  typedef arr_cplx<F> Result;
  static constexpr bool exists = true, writes_result_directly = true;
  static bool run(const Result* x, const Result* y, Result* r) {
#pragma GCC ivdep
    for (int64_t i = 0; i < fast_path_block<Result>; ++i) r[i] = x[i] * y[i];
    return all_finite(r);
  }
};
template <class F>
struct FastPath<op_square, arr_cplx<F>> {
  typedef arr_cplx<F> Result;
  static constexpr bool exists = true, writes_result_directly = true;
  static bool run(const Result* x, Result* r) {
#pragma GCC ivdep
    for (int64_t i = 0; i < fast_path_block<Result>; ++i) r[i] = x[i] * x[i];
    return all_finite(r);
  }
};
template <class F>
struct FastPath<op_divide, arr_cplx<F>> {
  typedef arr_cplx<F> Result;
  static constexpr bool exists = true, writes_result_directly = true;
  static bool run(const Result* x, const Result* y, Result* r) {
    if (!all_midrange(x) || !all_midrange(y)) return false;
#pragma GCC ivdep
    for (int64_t i = 0; i < fast_path_block<Result>; ++i) r[i] = arr_plain_quotient(x[i], y[i]);
    return true;
  }
};

}  // namespace arr::host::ARR_LEVEL
