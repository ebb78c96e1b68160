// SPDX-License-Identifier: MIT
// Elementary functions of a whole AVX-512 register, right for every operand. A call of the maths library per
// register costs about as much as the computation. Polynomials are minimax in the relative error on their
// intervals; tables have sixteen entries, which fit into one or two registers.
#pragma once

#include "host/loops/elementwise/fast_path.h"

namespace arr::host::ARR_LEVEL {

// run(n, x, r) computes any number of elements; r may be x.
template <class Op, class T>
struct VectorMath {
  static constexpr bool exists = false;
};

#ifdef __AVX512F__
typedef __m512 Floats;
typedef __m512d Doubles;

template <class V>
V broadcast(double x);
template <>
inline Floats broadcast<Floats>(double x) {
  return _mm512_set1_ps(static_cast<float>(x));
}
template <>
inline Doubles broadcast<Doubles>(double x) {
  return _mm512_set1_pd(x);
}

// x y + z, rounded once.
inline Floats fma(Floats x, Floats y, Floats z) { return _mm512_fmadd_ps(x, y, z); }
inline Doubles fma(Doubles x, Doubles y, Doubles z) { return _mm512_fmadd_pd(x, y, z); }

// min(most, x) and max(least, x). nan is kept, because the instructions return their second operand if one is
// nan.
inline Floats clamp_max(double max, Floats x) { return _mm512_min_ps(broadcast<Floats>(max), x); }
inline Floats clamp_min(double min, Floats x) { return _mm512_max_ps(broadcast<Floats>(min), x); }
inline Doubles clamp_max(double max, Doubles x) { return _mm512_min_pd(broadcast<Doubles>(max), x); }
inline Doubles clamp_min(double min, Doubles x) { return _mm512_max_pd(broadcast<Doubles>(min), x); }

// x * 2^floor(k)
inline Floats scale_by_power_of_two(Floats x, Floats k) { return _mm512_scalef_ps(x, k); }
inline Doubles scale_by_power_of_two(Doubles x, Doubles k) { return _mm512_scalef_pd(x, k); }

// `size` >= 0 with the sign of x.
inline Floats copy_sign(Floats size, Floats x) {
  return _mm512_or_ps(size, _mm512_and_ps(x, broadcast<Floats>(-0.0)));
}
inline Doubles copy_sign(Doubles size, Doubles x) {
  return _mm512_or_pd(size, _mm512_and_pd(x, broadcast<Doubles>(-0.0)));
}

// x in the lanes of the mask, y in the others.
inline Floats select(__mmask16 mask, Floats x, Floats y) { return _mm512_mask_mov_ps(y, mask, x); }
inline Doubles select(__mmask8 mask, Doubles x, Doubles y) { return _mm512_mask_mov_pd(y, mask, x); }

// table[i % 16] in each lane.
inline Floats table_lookup(const float* table, __m512i i) {
  return _mm512_permutexvar_ps(i, _mm512_load_ps(table));
}
inline Doubles table_lookup(const double* table, __m512i i) {
  return _mm512_permutex2var_pd(_mm512_load_pd(table), i, _mm512_load_pd(table + 8));
}

// The polynomial with coefficients c, more ... from the lowest up, at v.
template <class V>
V polynomial(V /*v*/, double c) {
  return broadcast<V>(c);
}
template <class V, class... More>
V polynomial(V v, double c, More... more) {
  return fma(polynomial(v, more...), v, broadcast<V>(c));
}

// Loops that apply F::f to each register.
template <class F>
struct FloatVectorLoop {
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
struct DoubleVectorLoop {
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
#define ARR_VECTOR_MATH(T, op, F) \
  template <>                     \
  struct VectorMath<op, T> : F {};
#endif

}  // namespace arr::host::ARR_LEVEL
