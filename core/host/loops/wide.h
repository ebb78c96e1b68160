// SPDX-License-Identifier: MIT
// Functions of a whole register of AVX-512, right for every operand: to call the maths library for each
// register costs about as much as what it computes. Polynomials are those of least largest relative error on
// their intervals; tables have sixteen entries, which a register or two hold.
#pragma once

#include "host/loops/quick.h"

namespace arr::host::ARR_LEVEL {

// run(n, x, r) computes any number of elements; r may be x.
template <class Op, class T>
struct Wide {
  static constexpr bool exists = false;
};

#ifdef __AVX512F__
typedef __m512 Floats;
typedef __m512d Doubles;

template <class V>
V wide(double x);
template <>
inline Floats wide<Floats>(double x) {
  return _mm512_set1_ps(static_cast<float>(x));
}
template <>
inline Doubles wide<Doubles>(double x) {
  return _mm512_set1_pd(x);
}

// x y + z, rounded once.
inline Floats wide_fma(Floats x, Floats y, Floats z) { return _mm512_fmadd_ps(x, y, z); }
inline Doubles wide_fma(Doubles x, Doubles y, Doubles z) { return _mm512_fmadd_pd(x, y, z); }

// nan stays nan: of two the instructions hand on the second where one is nan.
inline Floats wide_min(double most, Floats x) { return _mm512_min_ps(wide<Floats>(most), x); }
inline Floats wide_max(double least, Floats x) { return _mm512_max_ps(wide<Floats>(least), x); }
inline Doubles wide_min(double most, Doubles x) { return _mm512_min_pd(wide<Doubles>(most), x); }
inline Doubles wide_max(double least, Doubles x) { return _mm512_max_pd(wide<Doubles>(least), x); }

// 2 to the power of k, rounded down, times x.
inline Floats wide_scale(Floats x, Floats k) { return _mm512_scalef_ps(x, k); }
inline Doubles wide_scale(Doubles x, Doubles k) { return _mm512_scalef_pd(x, k); }

// `size`, negative where x is, -0 included.
inline Floats wide_sign(Floats size, Floats x) {
  return _mm512_or_ps(size, _mm512_and_ps(x, wide<Floats>(-0.0)));
}
inline Doubles wide_sign(Doubles size, Doubles x) {
  return _mm512_or_pd(size, _mm512_and_pd(x, wide<Doubles>(-0.0)));
}

// x where the mask says so, or else y.
inline Floats wide_choose(__mmask16 mask, Floats x, Floats y) { return _mm512_mask_mov_ps(y, mask, x); }
inline Doubles wide_choose(__mmask8 mask, Doubles x, Doubles y) { return _mm512_mask_mov_pd(y, mask, x); }

// The entries of a table that the last four bits of i name.
inline Floats wide_entries(const float* table, __m512i i) {
  return _mm512_permutexvar_ps(i, _mm512_load_ps(table));
}
inline Doubles wide_entries(const double* table, __m512i i) {
  return _mm512_permutex2var_pd(_mm512_load_pd(table), i, _mm512_load_pd(table + 8));
}

// The polynomial of v with the coefficients from the lowest up.
template <class V>
V wide_polynomial(V /*v*/, double c) {
  return wide<V>(c);
}
template <class V, class... More>
V wide_polynomial(V v, double c, More... more) {
  return wide_fma(wide_polynomial(v, more...), v, wide<V>(c));
}

// Loops of F::f.
template <class F>
struct WideFloat {
  static constexpr bool exists = true;
  static void run(int64_t n, const void* in, void* out) {
    const auto* x = static_cast<const float*>(in);
    auto* r = static_cast<float*>(out);
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) _mm512_storeu_ps(r + i, F::f(_mm512_loadu_ps(x + i)));
    if (i == n) return;
    const auto rest = static_cast<__mmask16>((1U << (n - i)) - 1);
    _mm512_mask_storeu_ps(r + i, rest, F::f(_mm512_maskz_loadu_ps(rest, x + i)));
  }
};
template <class F>
struct WideDouble {
  static constexpr bool exists = true;
  static void run(int64_t n, const void* in, void* out) {
    const auto* x = static_cast<const double*>(in);
    auto* r = static_cast<double*>(out);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) _mm512_storeu_pd(r + i, F::f(_mm512_loadu_pd(x + i)));
    if (i == n) return;
    const auto rest = static_cast<__mmask8>((1U << (n - i)) - 1);
    _mm512_mask_storeu_pd(r + i, rest, F::f(_mm512_maskz_loadu_pd(rest, x + i)));
  }
};
#define ARR_WIDE(T, op, F) \
  template <>              \
  struct Wide<op, T> : F {};
#endif

}  // namespace arr::host::ARR_LEVEL
