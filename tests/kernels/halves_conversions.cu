// SPDX-License-Identifier: MIT
// Conversions of the 16-bit types from and to numbers, bits and pairs; their shuffles, loads and atomics. Row
// k of `out`.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define INDEX                                    \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return
#define ROW(k, value) out[(k)*n + i] = value
#define MODES(k, name, x)                                                                     \
  ROW(4 * (k), name##_rn(x)), ROW(4 * (k) + 1, name##_rd(x)), ROW(4 * (k) + 2, name##_ru(x)), \
      ROW(4 * (k) + 3, name##_rz(x))

#define CONVERSIONS(word, name, H, H2)                                                                    \
  extern "C" __global__ void word##_from(const long long* k, const double* d, H* out, int n) {            \
    INDEX;                                                                                                \
    unsigned long long u = (unsigned long long)k[i];                                                      \
    MODES(0, __ll2##name, k[i]), MODES(1, __ull2##name, u), MODES(2, __int2##name, (int)k[i]);            \
    MODES(3, __uint2##name, (unsigned)u), MODES(4, __short2##name, (short)k[i]);                          \
    MODES(5, __ushort2##name, (unsigned short)u), MODES(6, __float2##name, (float)d[i]);                  \
    ROW(28, __double2##name(d[i])), ROW(29, H(k[i])), ROW(30, H(u)), ROW(31, H((int)k[i]));               \
  }                                                                                                       \
  extern "C" __global__ void word##_to(const H* h, long long* out, int n) {                               \
    INDEX;                                                                                                \
    MODES(0, __##name##2ll, h[i]), MODES(1, (long long)__##name##2ull, h[i]),                             \
        MODES(2, __##name##2int, h[i]);                                                                   \
    MODES(3, __##name##2uint, h[i]), MODES(4, __##name##2short, h[i]), MODES(5, __##name##2ushort, h[i]); \
    ROW(24, __##name##2char_rz(h[i])), ROW(25, __##name##2uchar_rz(h[i])), ROW(26, (long long)h[i]);      \
    ROW(27, (int)h[i]), ROW(28, (short)h[i]), ROW(29, (unsigned char)h[i]);                               \
  }                                                                                                       \
  extern "C" __global__ void word##_bits(const H* h, unsigned short* out, int n) {                        \
    INDEX;                                                                                                \
    const H x = h[i], y = h[n - 1 - i];                                                                   \
    const H2 a = __halves2##name##2(x, y), b = __##name##2##name##2(x);                                   \
    ROW(0, __##name##_as_ushort(x)), ROW(1, (unsigned short)__##name##_as_short(__low2##name(a)));        \
    ROW(2, __##name##_as_ushort(__high2##name(a))), ROW(3, __##name##_as_ushort(__low2##name##2(a).y));   \
    ROW(4, __##name##_as_ushort(__high2##name##2(a).x)), ROW(5, __##name##_as_ushort(b.y));               \
    ROW(6, __##name##_as_ushort(__lows2##name##2(a, b).x)),                                               \
        ROW(7, __##name##_as_ushort(__highs2##name##2(a, b).x));                                          \
    ROW(8, __##name##_as_ushort(__ushort_as_##name((unsigned short)i)));                                  \
    ROW(9, __##name##_as_ushort(make_##name##2(y, x).y)),                                                 \
        ROW(10, __##name##_as_ushort(__short_as_##name((short)-i)));                                      \
  }                                                                                                       \
  extern "C" __global__ void word##_lanes(const H* h, H* out, H2* pairs) {                                \
    const int i = threadIdx.x, n = 32;                                                                    \
    const H x = __ldg(h + i);                                                                             \
    const H2 a(x, __ldcg(h + 31 - i));                                                                    \
    ROW(0, __shfl_sync(~0u, x, 5)), ROW(1, __shfl_up_sync(~0u, x, 3)),                                    \
        ROW(2, __shfl_down_sync(~0u, x, 2, 8));                                                           \
    ROW(3, __shfl_xor_sync(~0u, x, 1)), ROW(4, __shfl_xor_sync(~0u, a, 1).y);                             \
    __stcg(pairs + i, a);                                                                                 \
  }                                                                                                       \
  extern "C" __global__ void word##_atomics(H* one, H2* two) {                                            \
    atomicAdd(one, H(0.5f)), atomicAdd(two, H2(H(1.0f), H(-0.25f)));                                      \
  }
CONVERSIONS(half, half, __half, __half2)
CONVERSIONS(bfloat, bfloat16, __nv_bfloat16, __nv_bfloat162)

// Each from the other's number, and from two floats.
extern "C" __global__ void between(const __half* h, const float2* f, __nv_bfloat16* b, __half* back,
                                   __half2* pairs, float2* floats) {
  const int i = threadIdx.x;
  b[i] = __nv_bfloat16(h[i]);
  back[i] = __half(b[i]);
  pairs[i] = __float22half2_rn(f[i]);
  floats[i] = __half22float2(pairs[i]);
  floats[i].x += __low2float(pairs[i]) - __high2float(__floats2half2_rn(f[i].y, f[i].x));
}
