// SPDX-License-Identifier: MIT
// Functions of complex numbers. It comes after math.h and elementary.h, in generated CUDA kernels only where
// there are complex numbers. Branch cuts and the signs of zeros on them are those of W. Kahan, "Branch cuts
// for complex elementary functions" (1987); infinities and nan are those of C99, Annex G, as in NumPy.
#ifndef ARR_MATH_COMPLEX_H
#define ARR_MATH_COMPLEX_H

// ------------------------------------------------- products and quotients at the ends of the range

// NumPy's products, quotients and reciprocals are nan if a factor is infinite or an intermediate result
// overflows. Here infinities follow C99's Annex G.5.1: a product with an infinite factor is infinite, unless
// the other factor is 0 or nan; a finite number divided by an infinite one is 0; and finite numbers have
// their exact value, rounded.

// A power of two that brings a finite number's parts to where they may be multiplied and divided: down from
// the upper end of the range, up from the lower.
template <class F>
ARR_FN F arr_midrange_scale(arr_cplx<F> z) {
  const F largest = arr_largest_part(z);
  if (arr_is_midrange(largest)) return 1;
  return largest > 1 ? (sizeof(F) == 4 ? F(0x1p-10) : F(0x1p-60)) : (sizeof(F) == 4 ? F(0x1p50) : F(0x1p120));
}
// A part of a number with an infinite part: 1 with its sign if it is infinite, 0 with its sign if it is
// finite.
template <class F>
ARR_FN F arr_unit_of(F part, bool infinite) {
  return arr_isnan(part) || infinite ? arr_copysign(F(arr_isinf(part) ? 1 : 0), part) : part;
}
template <class F>
ARR_FN arr_cplx<F> arr_unit_of(arr_cplx<F> z) {
  const bool infinite = arr_isinf(z);
  return {arr_unit_of(z.re, infinite), arr_unit_of(z.im, infinite)};
}
// The product where operator* is nan or infinite.
template <class F>
ARR_FN arr_cplx<F> arr_annex_g_product(arr_cplx<F> x, arr_cplx<F> y) {
  if (arr_isfinite(x) && arr_isfinite(y)) {
    // A partial product was infinite, but its difference from the other need not be. Small parts that
    // underflow here do not matter.
    const F large = sizeof(F) == 4 ? F(0x1p40) : F(0x1p400);
    const F down = sizeof(F) == 4 ? F(0x1p-70) : F(0x1p-600);
    const F sx = arr_largest_part(x) > large ? down : F(1), sy = arr_largest_part(y) > large ? down : F(1);
    const arr_cplx<F> p = arr_cplx<F>(x.re * sx, x.im * sx) * arr_cplx<F>(y.re * sy, y.im * sy);
    return {p.re / sx / sy, p.im / sx / sy};
  }
  const arr_cplx<F> plain = x * y;
  if (!(arr_isnan(plain.re) && arr_isnan(plain.im)) || !(arr_isinf(x) || arr_isinf(y))) return plain;
  const arr_cplx<F> p = arr_unit_of(x) * arr_unit_of(y);
  return {(F)ARR_INF * p.re, (F)ARR_INF * p.im};
}
template <class F>
ARR_FN arr_cplx<F> arr_infinite_product(arr_cplx<F> x, arr_cplx<F> y) {
  const arr_cplx<F> plain = x * y;
  return arr_isfinite(plain) ? plain : arr_annex_g_product(x, y);
}
template <class F>
ARR_FN arr_cplx<F> arr_annex_g_quotient(arr_cplx<F> a, arr_cplx<F> b) {
  if (arr_isfinite(a) && arr_isfinite(b)) {
    const F up = arr_midrange_scale(a), scale = arr_midrange_scale(b), f = scale / up;
    const arr_cplx<F> q =
        arr_plain_quotient(arr_cplx<F>(a.re * up, a.im * up), arr_cplx<F>(b.re * scale, b.im * scale));
    return {q.re * f, q.im * f};
  }
  const arr_cplx<F> plain = arr_plain_quotient(a, b);
  if (!(arr_isnan(plain.re) && arr_isnan(plain.im))) return plain;
  const bool above = arr_isinf(a) && arr_isfinite(b), below = arr_isfinite(a) && arr_isinf(b);
  if (!above && !below) return plain;
  // Halved, because the sum of the largest numbers overflows.
  const arr_cplx<F> x = arr_unit_of(a), y = arr_unit_of(b);
  const arr_cplx<F> p =
      arr_cplx<F>(x.re * F(0.5), x.im * F(0.5)) * arr_cplx<F>(y.re * F(0.5), y.im * F(-0.5));
  const F factor = above ? (F)ARR_INF : F(0);
  return {factor * p.re, factor * p.im};
}
// z to the power n: 2^e is taken out of z, so that only the result can overflow or underflow.
template <class F>
ARR_FN arr_cplx<F> arr_annex_g_power(arr_cplx<F> z, int n) {
  const int e = arr_exponent(arr_largest_part(z));
  arr_cplx<F> p = {arr_ldexp(z.re, -e), arr_ldexp(z.im, -e)}, result = F(1);
  for (int left = n < 0 ? -n : n; left != 0; left >>= 1, p = p * p) result = left & 1 ? result * p : result;
  if (n < 0) result = arr_plain_quotient(arr_cplx<F>(1), result);
  return {arr_ldexp(result.re, (long long)e * n), arr_ldexp(result.im, (long long)e * n)};
}

template <class F>
ARR_FN arr_cplx<F> arr_exp(arr_cplx<F> x) {
  if (x.im == 0) return {arr_exp(x.re), x.im};
  if (x.re == -(F)ARR_INF && !arr_isfinite(x.im)) return {0, arr_copysign(F(0), x.im)};
  if (x.re == (F)ARR_INF && !arr_isfinite(x.im)) return {x.re, x.im - x.im};
  // In two steps, because the magnitude alone may overflow while its product with a small sine does not.
  F half = arr_exp(x.re * F(0.5)), size = arr_exp(x.re), c = arr_cos(x.im), s = arr_sin(x.im);
  if (arr_isinf(size) && x.re < F(2000)) return {half * c * half, half * s * half};
  return {size * c, size * s};
}
// |z|^2 - 1 = a^2 + b^2 - 1 for 1/2 < |z| < 2 and a >= b >= 0. The squares are split to keep their last
// digits (Dekker 1971, as arr_two_product_error()).
template <class F>
ARR_FN F arr_norm_minus_one(F a, F b) {
  F split = sizeof(F) == 4 ? F(4097) : F(134217729);
  F ca = arr_product(split, a), ah = ca - (ca - a), al = a - ah, aa = arr_product(a, a);
  F cb = arr_product(split, b), bh = cb - (cb - b), bl = b - bh, bb = arr_product(b, b);
  F ra = ((ah * ah - aa) + 2 * ah * al) + al * al, rb = ((bh * bh - bb) + 2 * bh * bl) + bl * bl;
  // aa >= bb, and aa is near 1 or at least a quarter: aa - 1 is exact or nearly so.
  F top = aa - 1, sum = top + bb, lost = arr_absolute(top) > bb ? (top - sum) + bb : (bb - sum) + top;
  F cut = (aa - (top + 1)) + lost;
  return sum + ((ra + rb) + cut);
}
template <class F>
ARR_FN F arr_log_abs(arr_cplx<F> x) {
  F size = arr_hypot(x.re, x.im);
  if (!(size > F(0.5) && size < F(2))) {
    // The magnitude of large numbers overflows, that of subnormal ones has few digits.
    F a = arr_absolute(x.re), b = arr_absolute(x.im), max_abs = a > b ? a : b;
    F up = sizeof(F) == 4 ? F(0x1p60) : F(0x1p200), down = F(1) / up;
    if (max_abs > up && arr_isfinite(max_abs)) {
      return arr_log(arr_hypot(x.re * down, x.im * down)) + arr_log(up);
    }
    if (max_abs < down && max_abs > 0) return arr_log(arr_hypot(x.re * up, x.im * up)) - arr_log(up);
    return arr_log(size);
  }
  // Near the unit circle the logarithm of the rounded magnitude would lose its digits.
  F a = arr_absolute(x.re), b = arr_absolute(x.im);
  return F(0.5) * arr_log1p(arr_norm_minus_one(a > b ? a : b, a > b ? b : a));
}
template <class F>
ARR_FN arr_cplx<F> arr_log(arr_cplx<F> x) {
  return {arr_log_abs(x), arr_atan2(x.im, x.re)};
}
// The magnitude of a number on an axis, whose logarithm is the real one, exact where that is; -1 if it is on
// none.
template <class F>
ARR_FN F arr_size_on_axis(arr_cplx<F> x) {
  return x.im == 0 ? arr_absolute(x.re) : x.re == 0 ? arr_absolute(x.im) : F(-1);
}
template <class F>
ARR_FN arr_cplx<F> arr_log2(arr_cplx<F> x) {
  const F size = arr_size_on_axis(x), per_e = F(1.4426950408889634074);
  if (size >= 0) return {arr_log2(size), arr_atan2(x.im, x.re) * per_e};
  arr_cplx<F> l = arr_log(x);
  return {l.re * per_e, l.im * per_e};
}
template <class F>
ARR_FN arr_cplx<F> arr_log10(arr_cplx<F> x) {
  const F size = arr_size_on_axis(x), per_e = F(0.43429448190325182765);
  if (size >= 0) return {arr_log10(size), arr_atan2(x.im, x.re) * per_e};
  arr_cplx<F> l = arr_log(x);
  return {l.re * per_e, l.im * per_e};
}
// |1 + z|^2 - 1 = x (2 + x) + y^2 where that is small.
template <class F>
ARR_FN arr_cplx<F> arr_log1p(arr_cplx<F> x) {
  F a = arr_absolute(x.re), b = arr_absolute(x.im), angle = arr_atan2(x.im, x.re + 1);
  if (a < F(0.5) && b < F(0.5)) return {F(0.5) * arr_log1p(x.re * (2 + x.re) + x.im * x.im), angle};
  return {arr_log_abs(arr_cplx<F>(x.re + 1, x.im)), angle};
}
// The angle y ln 2 is the sum of two numbers, because its rounding error alone would be several units of the
// sine of a large angle. Angles near the end of the range have no digits left for it.
template <class F>
ARR_FN arr_cplx<F> arr_exp2(arr_cplx<F> x) {
  F ln2 = F(0.69314718055994530942),
    rest = sizeof(F) == 4 ? F(-1.9046542999577681e-09) : F(2.3190468138462996e-17);
  F size = arr_exp2(x.re);
  if (x.im == 0) return {size, x.im};
  if (!arr_isfinite(size) || !arr_isfinite(x.im)) return arr_exp(arr_cplx<F>(x.re * ln2, x.im * ln2));
  F angle = arr_product(x.im, ln2), huge = sizeof(F) == 4 ? F(1e30) : F(1e290);
  F lost = arr_absolute(x.im) < huge ? arr_two_product_error(x.im, ln2, angle) : F(0);
  F more = lost + x.im * rest;
  F c = arr_cos(angle), s = arr_sin(angle), dc = arr_cos(more), ds = arr_sin(more);
  return {size * (c * dc - s * ds), size * (s * dc + c * ds)};
}
// exp(x) cos(y) - 1 = (exp(x) - 1) cos(y) - 2 sin(y/2)^2.
template <class F>
ARR_FN arr_cplx<F> arr_expm1(arr_cplx<F> x) {
  if (x.im == 0) return {arr_expm1(x.re), x.im};
  if (x.re > F(80)) {
    arr_cplx<F> e = arr_exp(x);
    return {arr_isfinite(x.im) ? e.re - 1 : x.im - x.im, e.im};
  }
  F s = arr_sin(x.im * F(0.5));
  return {arr_expm1(x.re) * arr_cos(x.im) - 2 * s * s, arr_exp(x.re) * arr_sin(x.im)};
}
// The branch cut is the negative real axis; the sign of a zero imaginary part selects its side.
template <class F>
ARR_FN arr_cplx<F> arr_sqrt(arr_cplx<F> x) {
  if (arr_isinf(x.im)) return {(F)ARR_INF, x.im};
  if (x.re == 0 && x.im == 0) return {0, x.im};
  if (x.re == -(F)ARR_INF) return {x.im == x.im ? 0 : x.im, arr_copysign((F)ARR_INF, x.im)};
  if (x.re == (F)ARR_INF) return {x.re, x.im == x.im ? arr_copysign(F(0), x.im) : x.im};
  // A quarter of large parts keeps the hypotenuse from overflow; tiny ones grow, out of the subnormals.
  F a = arr_absolute(x.re), b = arr_absolute(x.im);
  bool tiny = a < F(1e-30) && b<F(1e-30), large = a> F(1e30) || b > F(1e30);
  F scale = tiny ? F(0x1p78) : large ? F(0.25) : F(1), unscale = tiny ? F(0x1p-39) : large ? F(2) : F(1);
  F re = x.re * scale, im = x.im * scale;
  F t = arr_sqrt((arr_absolute(re) + arr_hypot(re, im)) * F(0.5)), s = im / (t + t);
  t *= unscale;
  s *= unscale;
  return re >= 0 ? arr_cplx<F>(t, s) : arr_cplx<F>(arr_absolute(s), arr_copysign(t, x.im));
}

// ------------------------------------------------------------- trigonometric and hyperbolic functions

// cosh and sinh of x, together with a factor that makes them overflow only where the product does.
template <class F>
struct arr_hyperbolic {
  F cosh, sinh, factor;
  ARR_FN explicit arr_hyperbolic(F x) : cosh(arr_cosh(x)), sinh(arr_sinh(x)), factor(1) {
    if (!arr_isinf(cosh) || !(arr_absolute(x) < F(2000))) return;
    factor = arr_exp(arr_absolute(x) * F(0.5));
    cosh = factor * F(0.5);
    sinh = arr_copysign(cosh, x);
  }
};
template <class F>
ARR_FN arr_cplx<F> arr_sinh(arr_cplx<F> z) {
  F x = z.re, y = z.im;
  if (y == 0) return {arr_sinh(x), y};
  if (!arr_isfinite(y)) {
    if (x == 0) return {x, y - y};
    return {arr_isinf(x) ? x : y - y, y - y};
  }
  if (x == 0) return {arr_copysign(F(0), x * arr_cos(y)), arr_sin(y)};
  const arr_hyperbolic<F> h(x);
  return {h.sinh * arr_cos(y) * h.factor, h.cosh * arr_sin(y) * h.factor};
}
template <class F>
ARR_FN arr_cplx<F> arr_cosh(arr_cplx<F> z) {
  F x = z.re, y = z.im;
  if (y == 0) return {arr_cosh(x), arr_copysign(F(0), x) * y};
  if (!arr_isfinite(y)) {
    if (x == 0) return {y - y, x};
    return {arr_isinf(x) ? arr_absolute(x) : y - y, y - y};
  }
  if (x == 0) return {arr_cos(y), x * arr_sin(y)};
  const arr_hyperbolic<F> h(x);
  return {h.cosh * arr_cos(y) * h.factor, h.sinh * arr_sin(y) * h.factor};
}
// Kahan's procedure CTANH.
template <class F>
ARR_FN arr_cplx<F> arr_tanh(arr_cplx<F> x) {
  if (arr_isinf(x.re) && !arr_isfinite(x.im)) return {arr_copysign(F(1), x.re), arr_copysign(F(0), x.im)};
  if (x.im == 0) return {arr_tanh(x.re), x.im};
  if (!arr_isfinite(x.im)) return {x.re == 0 ? x.re : x.im - x.im, x.im - x.im};
  if (arr_absolute(x.re) > F(22)) {
    return {arr_copysign(F(1), x.re), 4 * arr_sin(x.im) * arr_cos(x.im) * arr_exp(-2 * arr_absolute(x.re))};
  }
  F tangent = arr_sin(x.im) / arr_cos(x.im), beta = 1 + tangent * tangent, s = arr_sinh(x.re);
  F rho = arr_sqrt(1 + s * s), denominator = 1 + beta * s * s;
  return {beta * rho * s / denominator, tangent / denominator};
}
// f(z) = -i fh(i z) for the sine and the tangent, cos(z) = cosh(i z).
template <class F>
ARR_FN arr_cplx<F> arr_sin(arr_cplx<F> x) {
  arr_cplx<F> h = arr_sinh(arr_cplx<F>(-x.im, x.re));
  return {h.im, -h.re};
}
template <class F>
ARR_FN arr_cplx<F> arr_cos(arr_cplx<F> x) {
  return arr_cosh(arr_cplx<F>(-x.im, x.re));
}
template <class F>
ARR_FN arr_cplx<F> arr_tan(arr_cplx<F> x) {
  arr_cplx<F> h = arr_tanh(arr_cplx<F>(-x.im, x.re));
  return {h.im, -h.re};
}

// ---------------------------------------------------------------------------------- their inverses

// True where the inverse sine and cosine are log(2 z) except for an angle, and their products would overflow.
template <class F>
ARR_FN bool arr_is_large(arr_cplx<F> z) {
  return arr_largest_part(z) > (sizeof(F) == 4 ? F(0x1p60) : F(0x1p500));
}
// Kahan's CASIN, CACOS, CATANH: sums of terms of one sign, so that no digits cancel in either part.
template <class F>
ARR_FN arr_cplx<F> arr_asin(arr_cplx<F> z) {
  F x = z.re, y = z.im;
  if (arr_isinf(x) || arr_isinf(y)) return {arr_atan2(x, arr_absolute(y)), arr_copysign((F)ARR_INF, y)};
  if (arr_isnan(z)) return {x == 0 ? x : x + y, x + y};
  if (arr_is_large(z))
    return {arr_atan2(x, arr_absolute(y)), arr_copysign(arr_log_abs(z) + F(0.69314718055994530942), y)};
  arr_cplx<F> m = arr_sqrt(arr_cplx<F>(1 - x, -y)), p = arr_sqrt(arr_cplx<F>(1 + x, y));
  return {arr_atan2(x, m.re * p.re - m.im * p.im), arr_asinh(m.re * p.im - m.im * p.re)};
}
template <class F>
ARR_FN arr_cplx<F> arr_acos(arr_cplx<F> z) {
  F x = z.re, y = z.im;
  if (arr_isinf(x) || arr_isinf(y)) return {arr_atan2(arr_absolute(y), x), -arr_copysign((F)ARR_INF, y)};
  if (arr_isnan(z)) return {x == 0 ? F(1.57079632679489661923) : x + y, x + y};
  if (arr_is_large(z))
    return {arr_atan2(arr_absolute(y), x), -arr_copysign(arr_log_abs(z) + F(0.69314718055994530942), y)};
  arr_cplx<F> m = arr_sqrt(arr_cplx<F>(1 - x, -y)), p = arr_sqrt(arr_cplx<F>(1 + x, y));
  return {2 * arr_atan2(m.re, p.re), arr_asinh(p.re * m.im - p.im * m.re)};
}
template <class F>
ARR_FN arr_cplx<F> arr_atanh(arr_cplx<F> z) {
  F half_pi = F(1.57079632679489661923), x = arr_absolute(z.re), y = arr_absolute(z.im), re, im;
  F large = sizeof(F) == 4 ? F(0x1p60) : F(0x1p500);
  if (arr_isinf(y) || x > large || y > large) {
    // 1 / z, its real part in an order that neither overflows nor underflows early.
    F max_abs = x > y ? x : y, a = x / max_abs, b = y / max_abs;
    re = arr_isinf(x) || arr_isinf(y) ? F(0) : a / (a * a + b * b) / max_abs;
    im = half_pi;
    if (arr_isnan(z) && !arr_isinf(y)) re = arr_isinf(x) ? re : y + x, im = y + x;
  } else if (arr_isnan(z)) {
    return {z.re == 0 ? z.re : z.re + z.im, z.re + z.im};
  } else if (x == 1 && y < F(1e-10)) {
    re = y == 0 ? (F)ARR_INF : F(0.5) * (F(0.69314718055994530942) - arr_log(y));
    im = y == 0 ? F(0) : F(0.5) * (half_pi + arr_atan2(y, F(2)));
  } else {
    re = F(0.25) * arr_log1p(4 * x / ((1 - x) * (1 - x) + y * y));
    im = F(0.5) * arr_atan2(2 * y, (1 - x) * (1 + x) - y * y);
  }
  return {arr_copysign(re, z.re), arr_copysign(im, z.im)};
}
// f(z) = -i fh(i z) backwards; arccosh is arccos turned to the side of positive real parts.
template <class F>
ARR_FN arr_cplx<F> arr_asinh(arr_cplx<F> z) {
  arr_cplx<F> s = arr_asin(arr_cplx<F>(-z.im, z.re));
  return {s.im, -s.re};
}
template <class F>
ARR_FN arr_cplx<F> arr_atan(arr_cplx<F> z) {
  arr_cplx<F> t = arr_atanh(arr_cplx<F>(-z.im, z.re));
  return {t.im, -t.re};
}
template <class F>
ARR_FN arr_cplx<F> arr_acosh(arr_cplx<F> z) {
  arr_cplx<F> c = arr_acos(z);
  return {arr_absolute(c.im), arr_copysign(c.re, z.im)};
}
template <class F>
ARR_FN arr_cplx<F> arr_rint(arr_cplx<F> x) {
  return {arr_rint(x.re), arr_rint(x.im)};
}

#endif
