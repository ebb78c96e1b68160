// SPDX-License-Identifier: MIT
// Quicker forms of complex functions, for parts that lie apart and so become vectors: the formulas of
// math/complex.h for numbers whose squares neither overflow nor underflow. They are compiled in
// quick_parts.cpp, with the level's own instructions.
#pragma once

#include "host/loops/level.h"

namespace arr::host::ARR_LEVEL {

template <class F>
ARR_FN int far_from_one(F x, F y) {
  const F a = arr_absolute(x), b = arr_absolute(y), most = a > b ? a : b;
  return !((most < (sizeof(F) == 4 ? F(1e18) : F(1e150))) & (most > (sizeof(F) == 4 ? F(1e-15) : F(1e-140))));
}
template <class F>
ARR_FN arr_cplx<F> quick_sqrt(F x, F y, int& wrong) {
  wrong |= far_from_one(x, y);
  const F a = arr_absolute(x), t = arr_sqrt((a + arr_sqrt(x * x + y * y)) * F(0.5)), s = y / (t + t);
  const F size = arr_absolute(s), turned = arr_copysign(t, y);
  return {x >= 0 ? t : size, x >= 0 ? s : turned};
}
// log |z|; where it is near 0, of what z z* - 1 is exactly, which `above` may bring.
template <class F>
ARR_FN F quick_log_size(F x, F y, F above, bool known) {
  const F a = arr_absolute(x), b = arr_absolute(y), square = x * x + y * y;
  const bool near = known | ((square > F(0.25)) & (square < F(4)));
  const F exact = arr_norm_minus_one(a > b ? a : b, a > b ? b : a);
  // One of the two is 0: a choice between the results would be branches, which are no vectors.
  return F(0.5) * (arr_log1p(known ? above : near ? exact : F(0)) + arr_log(near ? F(1) : square));
}
template <class F>
ARR_FN arr_cplx<F> quick_log(F x, F y, int& wrong) {
  wrong |= far_from_one(x, y);
  return {quick_log_size(x, y, F(0), false), arr_atan2(y, x)};
}
template <class F>
ARR_FN arr_cplx<F> quick_asin(F x, F y, int& wrong) {
  const arr_cplx<F> m = quick_sqrt(1 - x, -y, wrong), p = quick_sqrt(1 + x, y, wrong);
  return {arr_atan2(x, m.re * p.re - m.im * p.im), arr_asinh(m.re * p.im - m.im * p.re)};
}
template <class F>
ARR_FN arr_cplx<F> quick_acos(F x, F y, int& wrong) {
  const arr_cplx<F> m = quick_sqrt(1 - x, -y, wrong), p = quick_sqrt(1 + x, y, wrong);
  return {2 * arr_atan2(m.re, p.re), arr_asinh(p.re * m.im - p.im * m.re)};
}
// Sizes and angles of which exponentials, sines and cosines are ordinary numbers.
template <class F>
ARR_FN int far_from_zero(F size, F angle) {
  return !((arr_absolute(size) < (sizeof(F) == 4 ? F(80) : F(700))) & (arr_absolute(angle) < F(1e4)));
}
// Of sine and cosine of the very same number GCC makes one call, which has no vector form: x 0 tells them
// apart.
template <class F>
ARR_FN arr_cplx<F> quick_exp(F x, F y, int& wrong) {
  wrong |= far_from_zero(x, y);
  const F size = arr_exp(x);
  return {size * arr_cos(y + x * 0), size * arr_sin(y)};
}
template <class F>
ARR_FN arr_cplx<F> quick_sinh(F x, F y, int& wrong) {
  wrong |= far_from_zero(x, y);
  return {arr_sinh(x) * arr_cos(y + x * 0), arr_cosh(x) * arr_sin(y)};
}
template <class F>
ARR_FN arr_cplx<F> quick_cosh(F x, F y, int& wrong) {
  wrong |= far_from_zero(x, y);
  return {arr_cosh(x) * arr_cos(y + x * 0), arr_sinh(x) * arr_sin(y)};
}
// Kahan's procedure CTANH.
template <class F>
ARR_FN arr_cplx<F> quick_tanh(F x, F y, int& wrong) {
  wrong |= far_from_zero(x, y) | !(arr_absolute(x) < F(20));
  const F tangent = arr_sin(y) / arr_cos(y + x * 0), beta = 1 + tangent * tangent, s = arr_sinh(x);
  const F rho = arr_sqrt(1 + s * s), denominator = 1 + beta * s * s;
  return {beta * rho * s / denominator, tangent / denominator};
}

struct quick_size {
  template <class F>
  ARR_FN static F f(F x, F y, int& wrong) {
    wrong |= far_from_one(x, y);
    return arr_sqrt(x * x + y * y);
  }
};

// f(x, y, wrong) of a number's parts.
template <class Form, class F>
struct OfParts {
  typedef arr_cplx<F> Result;
  static constexpr bool exists = true;
  static bool run(const arr_cplx<F>* z, Result* r);
};
// The same where it is real.
template <class Form, class F>
struct RealOfParts {
  typedef F Result;
  static constexpr bool exists = true;
  static bool run(const arr_cplx<F>* z, Result* r);
};
#ifdef ARR_MAKES_PARTS
template <class Form, class F>
bool RealOfParts<Form, F>::run(const arr_cplx<F>* z, F* r) {
  constexpr int64_t n = piece<arr_cplx<F>>;
  F x[n], y[n];
  int wrong = 0;
  for (int64_t i = 0; i < n; ++i) {
    x[i] = z[i].re;
    y[i] = z[i].im;
  }
  for (int64_t i = 0; i < n; ++i) r[i] = Form::f(x[i], y[i], wrong);
  return wrong == 0;
}
template struct RealOfParts<quick_size, float>;
template struct RealOfParts<quick_size, double>;
template <class Form, class F>
bool OfParts<Form, F>::run(const arr_cplx<F>* z, arr_cplx<F>* r) {
  constexpr int64_t n = piece<arr_cplx<F>>;
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
#define ARR_MADE(op)                          \
  template struct OfParts<quick_##op, float>; \
  template struct OfParts<quick_##op, double>;
#else
#define ARR_MADE(op)
#endif
#define ARR_OF_PARTS(op, ...)                                \
  struct quick_##op {                                        \
    template <class F>                                       \
    ARR_FN static arr_cplx<F> f(F x, F y, int& wrong) {      \
      __VA_ARGS__                                            \
    }                                                        \
  };                                                         \
  template <class F>                                         \
  struct Quick<op, arr_cplx<F>> : OfParts<quick_##op, F> {}; \
  ARR_MADE(op)
template <class F>
struct Quick<op_absolute, arr_cplx<F>> : RealOfParts<quick_size, F> {};
ARR_OF_PARTS(op_sqrt, return quick_sqrt(x, y, wrong);)
ARR_OF_PARTS(op_reciprocal, const arr_cplx<F> z = {x, y}; wrong |= !arr_is_midrange(arr_largest_part(z));
             return arr_plain_reciprocal(z);)
ARR_OF_PARTS(op_log, return quick_log(x, y, wrong);)
ARR_OF_PARTS(op_log2, const arr_cplx<F> l = quick_log(x, y, wrong);
             return {l.re * F(1.4426950408889634074), l.im* F(1.4426950408889634074)};)
ARR_OF_PARTS(op_log10, const arr_cplx<F> l = quick_log(x, y, wrong);
             return {l.re * F(0.43429448190325182765), l.im* F(0.43429448190325182765)};)
ARR_OF_PARTS(op_log1p, const F one = x + 1; wrong |= far_from_one(one, y);
             const bool small = (arr_absolute(x) < F(0.5)) & (arr_absolute(y) < F(0.5));
             return {quick_log_size(one, y, x*(2 + x) + y * y, small), arr_atan2(y, one)};)
ARR_OF_PARTS(op_arcsin, return quick_asin(x, y, wrong);)
ARR_OF_PARTS(op_arccos, return quick_acos(x, y, wrong);)
ARR_OF_PARTS(op_arcsinh, const arr_cplx<F> s = quick_asin(-y, x, wrong); return {s.im, -s.re};)
ARR_OF_PARTS(op_arccosh, const arr_cplx<F> c = quick_acos(x, y, wrong);
             return {arr_absolute(c.im), arr_copysign(c.re, y)};)
ARR_OF_PARTS(op_exp, return quick_exp(x, y, wrong);)
ARR_OF_PARTS(op_sinh, return quick_sinh(x, y, wrong);)
ARR_OF_PARTS(op_cosh, return quick_cosh(x, y, wrong);)
ARR_OF_PARTS(op_sin, const arr_cplx<F> h = quick_sinh(-y, x, wrong); return {h.im, -h.re};)
ARR_OF_PARTS(op_cos, return quick_cosh(-y, x, wrong);)
ARR_OF_PARTS(op_tanh, return quick_tanh(x, y, wrong);)
ARR_OF_PARTS(op_tan, const arr_cplx<F> h = quick_tanh(-y, x, wrong); return {h.im, -h.re};)
#undef ARR_OF_PARTS
#undef ARR_MADE

// Products and quotients as operators make them, and where they do not do: a nan, or a part of an operand
// that is not 0 and at an end of the range. They are compiled in complex.cpp, and rounded as its other loops
// are.
template <class F>
ARR_FN bool any_nan(const arr_cplx<F>* z) {
  const F* part = &z->re;
  int found = 0;
  for (int64_t i = 0; i < 2 * piece<arr_cplx<F>>; ++i) found |= part[i] != part[i];
  return found != 0;
}
template <class F>
ARR_FN bool all_midrange(const arr_cplx<F>* z) {
  const F* part = &z->re;
  int others = 0;
  for (int64_t i = 0; i < 2 * piece<arr_cplx<F>>; ++i) {
    const F size = arr_absolute(part[i]);
    others |= !((size == 0) | arr_is_midrange(size));
  }
  return others == 0;
}
template <class F>
struct Quick<op_multiply, arr_cplx<F>> {
  typedef arr_cplx<F> Result;
  static constexpr bool exists = true, writes_directly = true;
  static bool run(const Result* x, const Result* y, Result* r) {
#pragma GCC ivdep
    for (int64_t i = 0; i < piece<Result>; ++i) r[i] = x[i] * y[i];
    return !any_nan(r);
  }
};
template <class F>
struct Quick<op_square, arr_cplx<F>> {
  typedef arr_cplx<F> Result;
  static constexpr bool exists = true, writes_directly = true;
  static bool run(const Result* x, Result* r) {
#pragma GCC ivdep
    for (int64_t i = 0; i < piece<Result>; ++i) r[i] = x[i] * x[i];
    return !any_nan(r);
  }
};
template <class F>
struct Quick<op_divide, arr_cplx<F>> {
  typedef arr_cplx<F> Result;
  static constexpr bool exists = true, writes_directly = true;
  static bool run(const Result* x, const Result* y, Result* r) {
    if (!all_midrange(x) || !all_midrange(y)) return false;
#pragma GCC ivdep
    for (int64_t i = 0; i < piece<Result>; ++i) r[i] = arr_plain_quotient(x[i], y[i]);
    return true;
  }
};

}  // namespace arr::host::ARR_LEVEL
