// SPDX-License-Identifier: MIT
// CUDA's special functions that the C library lacks, by the formulas of core/math, which come before this.
// Embedded where a source names one of them; source.cpp knows the names.

// clang-format off
#define ARR_S1(name, value)                                                        \
  ARR_INLINE double name(double x) { return value; }                               \
  ARR_INLINE float name##f(float x) { return float(name(double(x))); }             \
  ARR_INLINE float name(float x) { return name##f(x); }
ARR_S1(erfinv, arr_formulas::arr_erfinv(x)) ARR_S1(erfcinv, arr_formulas::arr_erfcinv(x))
ARR_S1(normcdfinv, arr_formulas::arr_ndtri(x))
ARR_S1(cyl_bessel_i0, arr_formulas::arr_i0(x))
ARR_S1(cyl_bessel_i1, x == 0 ? x : arr_formulas::arr_i1(x))
    // clang-format on
