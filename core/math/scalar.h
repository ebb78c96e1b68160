// SPDX-License-Identifier: MIT
// Scalar types and casts of every dtype, in the subset of C++ that the host compiler and NVRTC both take.
// Every generated CUDA kernel begins with this text, so it includes nothing.
#ifndef ARR_MATH_SCALAR_H
#define ARR_MATH_SCALAR_H

#if defined(__CUDACC_RTC__) || defined(__CUDACC__)
#define ARR_FN __device__ __forceinline__
#else
#define ARR_FN inline __attribute__((always_inline))
#endif
// A function of many instructions. CUDA kernels call it, so that they have it once and not once for each
// element that a thread computes: NVRTC took a minute for beta of int8.
#if defined(__CUDACC_RTC__) && !defined(__ARR_HOST__)
#define ARR_LARGE_FN __device__ __noinline__ inline
#else
#define ARR_LARGE_FN ARR_FN
#endif

// NVRTC has the functions of the C library built in, but not the compilers' __builtin_ names for them.
#if defined(__CUDACC_RTC__) && !defined(__ARR_HOST__)
#define ARR_COPY(to, from, bytes) memcpy(to, from, bytes)
#define ARR_INF __longlong_as_double(0x7ff0000000000000LL)
#else
#define ARR_COPY(to, from, bytes) __builtin_memcpy(to, from, bytes)
#define ARR_INF (__builtin_huge_val())
#endif

// A product that is rounded before it is used. Kernels are compiled so that every product is; where others
// link the compiled code (ARR_JOINS), a product and a sum may be contracted.
#if defined(ARR_JOINS) && defined(__CUDACC_RTC__) && !defined(__ARR_HOST__)
ARR_FN float arr_product(float x, float y) { return __fmul_rn(x, y); }
ARR_FN double arr_product(double x, double y) { return __dmul_rn(x, y); }
#else
template <class F>
ARR_FN F arr_product(F x, F y) {
  return x * y;
}
#endif

// 16-bit floats are storage only: programs compute in float32.
struct arr_half {
  unsigned short bits;
};
struct arr_bfloat {
  unsigned short bits;
};

template <class To, class From>
ARR_FN To arr_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  ARR_COPY(&to, &from, sizeof(To));
  return to;
}

#if (defined(__CUDACC_RTC__) || defined(__CUDACC__)) && !defined(__ARR_HOST__)
ARR_FN float arr_half_to_float(arr_half h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h.bits));
  return f;
}
ARR_FN arr_half arr_half_from_float(float f) {
  arr_half h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(f));
  return h;
}
#else
// Without branches, so that the loops over them vectorise: shift the exponent by a multiplication, which
// also normalises subnormals.
ARR_FN float arr_half_to_float(arr_half h) {
  unsigned body = (unsigned)(h.bits & 0x7fffu) << 13;
  float scaled = arr_bits<float>(body) * 0x1p112f;
  unsigned special = body >= 0x0f800000u ? 0x7f800000u | body : arr_bits<unsigned>(scaled);
  return arr_bits<float>(special | (unsigned)(h.bits & 0x8000u) << 16);
}
ARR_FN arr_half arr_half_from_float(float f) {
  unsigned u = arr_bits<unsigned>(f), sign = u >> 16 & 0x8000u, a = u & 0x7fffffffu;
  // Normal results: round to nearest even on the 13 dropped bits. Subnormal: an addition rounds.
  unsigned normal = (a - 0x38000000u + 0xfffu + (a >> 13 & 1u)) >> 13;
  unsigned small = arr_bits<unsigned>(arr_bits<float>(a) + 0.5f) - 0x3f000000u;
  unsigned r = a < 0x38800000u ? small : normal;
  r = a >= 0x47800000u ? 0x7c00u : r;
  r = a > 0x7f800000u ? 0x7e00u | (a >> 13 & 0x1ffu) : r;
  arr_half h = {(unsigned short)(sign | r)};
  return h;
}
#endif

ARR_FN float arr_bfloat_to_float(arr_bfloat b) { return arr_bits<float>((unsigned)b.bits << 16); }
ARR_FN arr_bfloat arr_bfloat_from_float(float f) {
  unsigned u = arr_bits<unsigned>(f);
  unsigned rounded = (u + 0x7fffu + (u >> 16 & 1u)) >> 16;
  arr_bfloat b = {(unsigned short)((u & 0x7fffffffu) > 0x7f800000u ? (u >> 16 | 0x40u) : rounded)};
  return b;
}

// Converts a double to 16 bits: to float, rounded to odd, so that only the second rounding matters.
ARR_FN float arr_round_to_odd(double x) {
  float f = (float)x;
  unsigned u = arr_bits<unsigned>(f);
  double back = (double)f, size = back < 0 ? -back : back;
  u -= size > (x < 0 ? -x : x) ? 1u : 0u;
  u |= back != x && x == x ? 1u : 0u;
  return arr_bits<float>(u);
}

// Complex numbers in C may lie at any multiple of their part's size; on a GPU they are loaded as one.
#if (defined(__CUDACC_RTC__) || defined(__CUDACC__)) && !defined(__ARR_HOST__)
#define ARR_CPLX_ALIGN(F) alignas(2 * sizeof(F))
#else
#define ARR_CPLX_ALIGN(F)
#endif

// Complex numbers; F is float or double. Ordered as NumPy orders them: by real, then by imaginary part.
template <class F>
struct ARR_CPLX_ALIGN(F) arr_cplx {
  F re, im;
  arr_cplx() = default;
  ARR_FN constexpr arr_cplx(F r) : re(r), im(0) {}
  ARR_FN constexpr arr_cplx(F r, F i) : re(r), im(i) {}
};
template <class F>
ARR_FN arr_cplx<F> operator+(arr_cplx<F> a, arr_cplx<F> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class F>
ARR_FN arr_cplx<F> operator-(arr_cplx<F> a, arr_cplx<F> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class F>
ARR_FN arr_cplx<F> operator-(arr_cplx<F> a) {
  return {-a.re, -a.im};
}
template <class F>
ARR_FN arr_cplx<F> operator*(arr_cplx<F> a, arr_cplx<F> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class F>
ARR_FN arr_cplx<F> operator/(arr_cplx<F> a, F b) {
  return {a.re / b, a.im / b};
}
// Smith's algorithm (R. L. Smith, CACM 5(8), 1962): no intermediate overflow, except near the ends of the
// range.
template <class F>
ARR_FN arr_cplx<F> arr_plain_quotient(arr_cplx<F> a, arr_cplx<F> b) {
  // Without branches, because elements of a vector would take both sides. A divisor of 0 results in
  // infinities and nan.
  F are = b.re < 0 ? -b.re : b.re, aim = b.im < 0 ? -b.im : b.im;
  bool wide = are >= aim, none = (are == 0) & (aim == 0);
  F p = wide ? b.re : b.im, q = wide ? b.im : b.re, x = wide ? a.re : a.im, y = wide ? a.im : a.re;
  F ratio = q / p, scale = F(1) / (none ? F(0) : p + q * ratio), part = none ? F(0) : x * ratio;
  // The difference in either order: for equal numbers it is +0, and its negative would be -0.
  F re = (x + (none ? F(0) : y * ratio)) * scale, im = ((wide ? y : part) - (wide ? part : y)) * scale;
  return {re, im};
}
template <class F>
ARR_FN F arr_largest_part(arr_cplx<F> z) {
  F a = z.re < 0 ? -z.re : z.re, b = z.im < 0 ? -z.im : z.im;
  return a > b ? a : b;
}
// True if the largest part of a number is far enough from the ends of the range for Smith's algorithm, with
// some digits to spare; nan and infinities are not.
template <class F>
ARR_FN bool arr_is_midrange(F largest) {
  return (largest >= (sizeof(F) == 4 ? F(0x1p-100) : F(0x1p-960))) &
         (largest <= (sizeof(F) == 4 ? F(0x1p120) : F(0x1p1000)));
}
template <class F>
ARR_FN arr_cplx<F> operator/(arr_cplx<F> a, arr_cplx<F> b) {
  const F largest = arr_largest_part(a);
  const bool plain = ((largest == 0) | arr_is_midrange(largest)) & arr_is_midrange(arr_largest_part(b));
  return plain ? arr_plain_quotient(a, b) : arr_annex_g_quotient(a, b);  // of complex.h
}
template <class F>
ARR_FN bool operator==(arr_cplx<F> a, arr_cplx<F> b) {
  return (a.re == b.re) & (a.im == b.im);
}
template <class F>
ARR_FN bool operator!=(arr_cplx<F> a, arr_cplx<F> b) {
  return !(a == b);
}
template <class F>
ARR_FN bool operator<(arr_cplx<F> a, arr_cplx<F> b) {
  return ((a.re < b.re) & (a.im == a.im) & (b.im == b.im)) | ((a.re == b.re) & (a.im < b.im));
}
template <class F>
ARR_FN bool operator<=(arr_cplx<F> a, arr_cplx<F> b) {
  return ((a.re < b.re) & (a.im == a.im) & (b.im == b.im)) | ((a.re == b.re) & (a.im <= b.im));
}
template <class F>
ARR_FN bool operator>(arr_cplx<F> a, arr_cplx<F> b) {
  return b < a;
}
template <class F>
ARR_FN bool operator>=(arr_cplx<F> a, arr_cplx<F> b) {
  return b <= a;
}

// The real type of T.
template <class T>
struct arr_real_of {
  typedef T type;
};
template <class F>
struct arr_real_of<arr_cplx<F>> {
  typedef F type;
};

// arr_cast<To>(x): conversion between any two scalar types; to bool tests for non-zero, from complex to
// real drops the imaginary part.
template <class To>
struct arr_caster {
  template <class From>
  ARR_FN static To from(From x) {
    return (To)x;
  }
  template <class F>
  ARR_FN static To from(arr_cplx<F> x) {
    return (To)x.re;
  }
  ARR_FN static To from(arr_half x) { return (To)arr_half_to_float(x); }
  ARR_FN static To from(arr_bfloat x) { return (To)arr_bfloat_to_float(x); }
};
template <>
struct arr_caster<bool> {
  template <class From>
  ARR_FN static bool from(From x) {
    return x != From(0);
  }
  ARR_FN static bool from(bool x) { return x; }
  ARR_FN static bool from(arr_half x) { return (x.bits & 0x7fffu) != 0; }
  ARR_FN static bool from(arr_bfloat x) { return (x.bits & 0x7fffu) != 0; }
};
template <>
struct arr_caster<arr_half> {
  template <class From>
  ARR_FN static arr_half from(From x) {
    return arr_half_from_float(arr_caster<float>::from(x));
  }
  ARR_FN static arr_half from(arr_half x) { return x; }
  ARR_FN static arr_half from(double x) { return arr_half_from_float(arr_round_to_odd(x)); }
};
template <>
struct arr_caster<arr_bfloat> {
  template <class From>
  ARR_FN static arr_bfloat from(From x) {
    return arr_bfloat_from_float(arr_caster<float>::from(x));
  }
  ARR_FN static arr_bfloat from(arr_bfloat x) { return x; }
  ARR_FN static arr_bfloat from(double x) { return arr_bfloat_from_float(arr_round_to_odd(x)); }
};
template <class F>
struct arr_caster<arr_cplx<F>> {
  template <class From>
  ARR_FN static arr_cplx<F> from(From x) {
    return arr_cplx<F>(arr_caster<F>::from(x), F(0));
  }
  template <class G>
  ARR_FN static arr_cplx<F> from(arr_cplx<G> x) {
    return arr_cplx<F>((F)x.re, (F)x.im);
  }
};
template <class To, class From>
ARR_FN To arr_cast(From x) {
  return arr_caster<To>::from(x);
}

#endif
