// SPDX-License-Identifier: MIT
// Arithmetic, mathematics and comparisons of the 16-bit types: row k of `out`. What is there of pairs must be
// what it is of their parts: *_pairs counts where it is not.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define INDEX                                    \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return
#define ROW(k, value) out[(k)*n + i] = value

template <class H>
__device__ void arithmetic(H a, H b, H c, H* out, int i, int n) {
  ROW(0, __hadd(a, b)), ROW(1, __hsub(a, b)), ROW(2, __hmul(a, b)), ROW(3, __hdiv(a, b)),
      ROW(4, __hfma(a, b, c));
  ROW(5, __hadd_sat(a, b)), ROW(6, __hsub_sat(a, b)), ROW(7, __hmul_sat(a, b)), ROW(8, __hfma_sat(a, b, c));
  ROW(9, __hfma_relu(a, b, c)), ROW(10, __hadd_rn(a, b)), ROW(11, __hsub_rn(a, b)), ROW(12, __hmul_rn(a, b));
  ROW(13, __hmax(a, b)), ROW(14, __hmin(a, b)), ROW(15, __hmax_nan(a, b)), ROW(16, __hmin_nan(a, b));
  ROW(17, __hneg(a)), ROW(18, __habs(a)), ROW(19, a / b), ROW(20, -a);
}
extern "C" __global__ void half_arithmetic(const half* a, const half* b, const half* c, half* out, int n) {
  INDEX;
  arithmetic(a[i], b[i], c[i], out, i, n);
}
extern "C" __global__ void bfloat_arithmetic(const nv_bfloat16* a, const nv_bfloat16* b, const nv_bfloat16* c,
                                             nv_bfloat16* out, int n) {
  INDEX;
  arithmetic(a[i], b[i], c[i], out, i, n);
}

template <class H>
__device__ void exact(H a, H* out, int i, int n) {
  ROW(0, hsqrt(a)), ROW(1, htrunc(a)), ROW(2, hceil(a)), ROW(3, hfloor(a)), ROW(4, hrint(a));
}
template <class H>
__device__ void mathematics(H a, H* out, int i, int n) {
  ROW(0, hrsqrt(a)), ROW(1, hrcp(a)), ROW(2, hexp(a)), ROW(3, hexp2(a)), ROW(4, hexp10(a)), ROW(5, hlog(a));
  ROW(6, hlog2(a)), ROW(7, hlog10(a)), ROW(8, hsin(a)), ROW(9, hcos(a)), ROW(10, htanh(a));
}
#define OF_ONE(name, word, H)                                           \
  extern "C" __global__ void word##_##name(const H* a, H* out, int n) { \
    INDEX;                                                              \
    name(a[i], out, i, n);                                              \
  }
OF_ONE(exact, half, __half)
OF_ONE(exact, bfloat, __nv_bfloat16)
OF_ONE(mathematics, half, __half)
OF_ONE(mathematics, bfloat, __nv_bfloat16)

template <class H>
__device__ unsigned order(H a, H b) {
  return __heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | __hgt(a, b) << 4 |
         __hge(a, b) << 5 | __hequ(a, b) << 6 | __hneu(a, b) << 7 | __hltu(a, b) << 8 | __hleu(a, b) << 9 |
         __hgtu(a, b) << 10 | __hgeu(a, b) << 11 | (a == b) << 12 | (a != b) << 13 | (a < b) << 14 |
         (a <= b) << 15 | (a > b) << 16 | (a >= b) << 17 | __hisnan(a) << 18 | (__hisinf(a) + 1) << 19 |
         (a ? 1 : 0) << 21;
}
extern "C" __global__ void half_order(const half* a, const half* b, unsigned* out, int n) {
  INDEX;
  out[i] = order(a[i], b[i]);
}
extern "C" __global__ void bfloat_order(const nv_bfloat16* a, const nv_bfloat16* b, unsigned* out, int n) {
  INDEX;
  out[i] = order(a[i], b[i]);
}

template <class T>
__device__ bool same_bits(T a, T b) {
  const char *p = (const char*)&a, *q = (const char*)&b;
  bool same = true;
  for (int k = 0; k < (int)sizeof(T); k++) same = same && p[k] == q[k];
  return same;
}
#define PAIR(name2, name, ...) differ += !same_bits(name2, H2(name, __VA_ARGS__))
#define PAIR1(f2, f) PAIR(f2(a), f(a.x), f(a.y))
#define PAIR2(f2, f) PAIR(f2(a, b), f(a.x, b.x), f(a.y, b.y))
#define PAIR3(f2, f) PAIR(f2(a, b, c), f(a.x, b.x, c.x), f(a.y, b.y, c.y))
#define ORDER(op)                                                                                          \
  PAIR(__h##op##2(a, b), H(__h##op(a.x, b.x) ? 1.0f : 0.0f), H(__h##op(a.y, b.y) ? 1.0f : 0.0f));          \
  differ +=                                                                                                \
      __h##op##2_mask(a, b) != (__h##op(a.x, b.x) ? 65535u : 0u) + (__h##op(a.y, b.y) ? 4294901760u : 0u); \
  differ += __hb##op##2(a, b) != (__h##op(a.x, b.x) && __h##op(a.y, b.y))
template <class H2, class H>
__device__ int pairs(H x, H y, H z, H u) {
  int differ = 0;
  H2 a(x, y), b(y, z), c(z, u);
  PAIR2(__hadd2, __hadd), PAIR2(__hsub2, __hsub), PAIR2(__hmul2, __hmul), PAIR2(__h2div, __hdiv);
  PAIR2(__hadd2_sat, __hadd_sat), PAIR2(__hsub2_sat, __hsub_sat), PAIR2(__hmul2_sat, __hmul_sat);
  PAIR2(__hadd2_rn, __hadd_rn), PAIR2(__hsub2_rn, __hsub_rn), PAIR2(__hmul2_rn, __hmul_rn);
  PAIR3(__hfma2, __hfma), PAIR3(__hfma2_sat, __hfma_sat), PAIR3(__hfma2_relu, __hfma_relu);
  PAIR2(__hmax2, __hmax), PAIR2(__hmin2, __hmin), PAIR2(__hmax2_nan, __hmax_nan),
      PAIR2(__hmin2_nan, __hmin_nan);
  PAIR1(__hneg2, __hneg), PAIR1(__habs2, __habs), PAIR1(h2sqrt, hsqrt), PAIR1(h2trunc, htrunc),
      PAIR1(h2ceil, hceil);
  PAIR1(h2floor, hfloor), PAIR1(h2rint, hrint);
  PAIR(__hisnan2(a), H(__hisnan(x) ? 1.0f : 0.0f), H(__hisnan(y) ? 1.0f : 0.0f));
  ORDER(eq), ORDER(ne), ORDER(lt), ORDER(le), ORDER(gt), ORDER(ge), ORDER(equ), ORDER(neu), ORDER(ltu),
      ORDER(leu);
  ORDER(gtu), ORDER(geu);
  differ += (a == b) != (x == y && y == z), differ += (a < b) != (x < y && y < z);
  PAIR(__hcmadd(a, b, c), __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
       __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
  PAIR(__lowhigh2highlow(a), y, x);
  PAIR(a + b, x + y, y + z), PAIR(-a, -x, -y);
  return differ;
}
extern "C" __global__ void half_pairs(const half* a, const half* b, const half* c, int* out, int n) {
  INDEX;
  out[i] = pairs<half2>(a[i], b[i], c[i], a[n - 1 - i]);
}
extern "C" __global__ void bfloat_pairs(const nv_bfloat16* a, const nv_bfloat16* b, const nv_bfloat16* c,
                                        int* out, int n) {
  INDEX;
  out[i] = pairs<nv_bfloat162>(a[i], b[i], c[i], a[n - 1 - i]);
}
