// SPDX-License-Identifier: MIT
// Arithmetic and conversions rounded to the nearest value, down, up and to zero: row k of `out`.
#define ROW(k, value) out[(k)*n + i] = value
#define MODES(k, name, ...)                                                       \
  ROW(4 * (k), name##_rn(__VA_ARGS__)), ROW(4 * (k) + 1, name##_rd(__VA_ARGS__)), \
      ROW(4 * (k) + 2, name##_ru(__VA_ARGS__)), ROW(4 * (k) + 3, name##_rz(__VA_ARGS__))
#define INDEX                                    \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return
extern "C" __global__ void directed_float(const float* a, const float* b, const float* c, float* out, int n) {
  INDEX;
  MODES(0, __fadd, a[i], b[i]), MODES(1, __fsub, a[i], b[i]), MODES(2, __fmul, a[i], b[i]);
  MODES(3, __fdiv, a[i], b[i]), MODES(4, __fmaf, a[i], b[i], c[i]), MODES(5, __frcp, a[i]);
  MODES(6, __fsqrt, a[i]);
}
extern "C" __global__ void directed_double(const double* a, const double* b, const double* c, double* out,
                                           int n) {
  INDEX;
  MODES(0, __dadd, a[i], b[i]), MODES(1, __dsub, a[i], b[i]), MODES(2, __dmul, a[i], b[i]);
  MODES(3, __ddiv, a[i], b[i]), MODES(4, __fma, a[i], b[i], c[i]), MODES(5, __drcp, a[i]);
  MODES(6, __dsqrt, a[i]);
}
extern "C" __global__ void directed_from(const long long* k, const double* d, float* out, int n) {
  INDEX;
  int w = (int)(k[i] >> 32);
  unsigned u = (unsigned)w;
  unsigned long long v = (unsigned long long)k[i];
  MODES(0, __int2float, w), MODES(1, __uint2float, u), MODES(2, __ll2float, k[i]), MODES(3, __ull2float, v);
  MODES(4, __double2float, d[i]);
}
extern "C" __global__ void directed_from_wide(const long long* k, double* out, int n) {
  INDEX;
  MODES(0, __ll2double, k[i]), MODES(1, __ull2double, (unsigned long long)k[i]);
}
extern "C" __global__ void root_reciprocal(const float* a, float* out, int n) {
  INDEX;
  out[i] = __frsqrt_rn(a[i]);
}
