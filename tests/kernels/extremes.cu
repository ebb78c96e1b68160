// SPDX-License-Identifier: MIT
// Fused minima and maxima of integers and of two halfwords (DPX), sums of two floats, vectors of 32 bytes'
// alignment, assumptions. Row k of `out`.
#define INDEX                                    \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return
#define ROW(k, value) out[(k)*n + i] = (unsigned)(value)
extern "C" __global__ void fused_extremes(const unsigned* a, const unsigned* b, const unsigned* c,
                                          unsigned* out, int n) {
  INDEX;
  const unsigned x = a[i], y = b[i], z = c[i];
  const int s = (int)x, t = (int)y, u = (int)z;
  ROW(0, __viaddmax_s32(s, t, u)), ROW(1, __viaddmin_s32(s, t, u)), ROW(2, __vimax3_s32(s, t, u));
  ROW(3, __vimin3_s32(s, t, u)), ROW(4, __viaddmax_u32(x, y, z)), ROW(5, __viaddmin_u32(x, y, z));
  ROW(6, __vimax3_u32(x, y, z)), ROW(7, __vimin3_u32(x, y, z)), ROW(8, __viaddmax_s32_relu(s, t, u));
  ROW(9, __viaddmin_s32_relu(s, t, u)), ROW(10, __vimax3_s32_relu(s, t, u)),
      ROW(11, __vimin3_s32_relu(s, t, u));
  ROW(12, __vimax_s32_relu(s, t)), ROW(13, __vimin_s32_relu(s, t));
  ROW(14, __viaddmax_s16x2(x, y, z)), ROW(15, __viaddmin_s16x2(x, y, z)), ROW(16, __vimax3_s16x2(x, y, z));
  ROW(17, __vimin3_s16x2(x, y, z)), ROW(18, __viaddmax_u16x2(x, y, z)), ROW(19, __viaddmin_u16x2(x, y, z));
  ROW(20, __vimax3_u16x2(x, y, z)), ROW(21, __vimin3_u16x2(x, y, z)), ROW(22, __viaddmax_s16x2_relu(x, y, z));
  ROW(23, __viaddmin_s16x2_relu(x, y, z)), ROW(24, __vimax3_s16x2_relu(x, y, z));
  ROW(25, __vimin3_s16x2_relu(x, y, z)), ROW(26, __vimax_s16x2_relu(x, y)), ROW(27, __vimin_s16x2_relu(x, y));
  bool p, q;
  ROW(28, __vibmax_s32(s, t, &p)), ROW(29, p), ROW(30, __vibmin_s32(s, t, &p)), ROW(31, p);
  ROW(32, __vibmax_u32(x, y, &p)), ROW(33, p), ROW(34, __vibmin_u32(x, y, &p)), ROW(35, p);
  ROW(36, __vibmax_s16x2(x, y, &p, &q)), ROW(37, 2 * p + q), ROW(38, __vibmin_s16x2(x, y, &p, &q)),
      ROW(39, 2 * p + q);
  ROW(40, __vibmax_u16x2(x, y, &p, &q)), ROW(41, 2 * p + q), ROW(42, __vibmin_u16x2(x, y, &p, &q)),
      ROW(43, 2 * p + q);
}
extern "C" __global__ void aligned_vectors(double* out) {
  __builtin_assume(blockDim.x == 32);
  const int i = threadIdx.x;
  double4_32a a = make_double4_32a(i, 1, 2, 3);
  double4_16a b = make_double4_16a(a.x, 4, 5, 6);
  longlong4_32a c = {i, 2, 3, 4};
  ulong4_16a d = {1, 2, 3, (unsigned long)i};
  out[i] = a.x + b.w + c.w + (double)d.w;
  out[32 + i] = (double)(alignof(double4_32a) * 100 + alignof(double4_16a) + sizeof(longlong4_32a));
}
extern "C" __global__ void uniform_votes(const int* x, int* out) {
  const int i = threadIdx.x;
  out[i] = __uni_sync(~0u, x[i]);
}
