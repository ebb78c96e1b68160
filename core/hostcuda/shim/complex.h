// SPDX-License-Identifier: MIT
// CUDA's complex numbers in C's manner (cuCadd ... cuCabs). Embedded where a source includes cuComplex.h.

// clang-format off
// real: its type; f: "f" or nothing, the end of the functions' names.
#define ARR_COMPLEX(T, pair, real, f)                                                             \
  typedef pair T;                                                                                 \
  ARR_INLINE real cuCreal##f(T a) { return a.x; }                                                 \
  ARR_INLINE real cuCimag##f(T a) { return a.y; }                                                 \
  ARR_INLINE T make_##T(real x, real y) { return {x, y}; }                                        \
  ARR_INLINE T cuConj##f(T a) { return {a.x, -a.y}; }                                             \
  ARR_INLINE T cuCadd##f(T a, T b) { return {a.x + b.x, a.y + b.y}; }                             \
  ARR_INLINE T cuCsub##f(T a, T b) { return {a.x - b.x, a.y - b.y}; }                             \
  ARR_INLINE T cuCmul##f(T a, T b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }     \
  /* Scaled, so that no square overflows. */                                                      \
  ARR_INLINE T cuCdiv##f(T a, T b) {                                                              \
    const real s = 1 / (fabs##f(b.x) + fabs##f(b.y));                                             \
    const T c = {b.x * s, b.y * s}, p = {a.x * s, a.y * s};                                       \
    const real r = 1 / (c.x * c.x + c.y * c.y);                                                   \
    return {(p.x * c.x + p.y * c.y) * r, (p.y * c.x - p.x * c.y) * r};                            \
  }                                                                                               \
  ARR_INLINE real cuCabs##f(T a) { return hypot##f(a.x, a.y); }                                   \
  ARR_INLINE T cuCfma##f(T a, T b, T c) {                                                         \
    return {c.x + a.x * b.x - a.y * b.y, c.y + a.x * b.y + a.y * b.x};                            \
  }
ARR_COMPLEX(cuFloatComplex, float2, float, f)
ARR_COMPLEX(cuDoubleComplex, double2, double, )
typedef cuFloatComplex cuComplex;
ARR_INLINE cuComplex make_cuComplex(float x, float y) { return {x, y}; }
ARR_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
ARR_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {float(a.x), float(a.y)}; }
// clang-format on
