// SPDX-License-Identifier: MIT
// Floating-point numbers of 8 bits.
#include <cuda_fp8.h>

extern "C" __global__ void to_bytes(const double* x, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __nv_cvt_double_to_fp8(x[i], __NV_SATFINITE, __NV_E4M3);
  out[n + i] = __nv_cvt_double_to_fp8(x[i], __NV_NOSAT, __NV_E4M3);
  out[2 * n + i] = __nv_cvt_double_to_fp8(x[i], __NV_SATFINITE, __NV_E5M2);
  out[3 * n + i] = __nv_cvt_double_to_fp8(x[i], __NV_NOSAT, __NV_E5M2);
  out[4 * n + i] = __nv_fp8_e4m3(static_cast<float>(x[i])).__x;
  out[5 * n + i] = __nv_fp8_e5m2(static_cast<float>(x[i])).__x;
}
extern "C" __global__ void from_bytes(float* four, float* five, float* half_of_four) {
  const unsigned char b = threadIdx.x;
  __nv_fp8_e4m3 x;
  __nv_fp8_e5m2 y;
  x.__x = y.__x = b;
  four[b] = static_cast<float>(x);
  five[b] = static_cast<float>(y);
  half_of_four[b] = __half2float(__half(__nv_cvt_fp8_to_halfraw(b, __NV_E4M3)));
}
extern "C" __global__ void several(const float4* x, unsigned* packed, float4* back, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_fp8x4_e4m3 four(x[i]);
  packed[i] = four.__x;
  const __nv_fp8x2_e5m2 low(make_float2(x[i].x, x[i].y));
  const float2 two = static_cast<float2>(low);
  const float4 all = static_cast<float4>(four);
  back[i] = make_float4(all.x, all.w, two.x, two.y);
}
extern "C" __global__ void powers(const double* x, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float f = static_cast<float>(x[i]);
  out[i] = __nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf);
  out[n + i] = __nv_cvt_float_to_e8m0(f, __NV_NOSAT, cudaRoundPosInf);
  out[2 * n + i] = __nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundZero);
  out[3 * n + i] = __nv_cvt_float_to_e8m0(f, __NV_NOSAT, cudaRoundZero);
  out[4 * n + i] = __nv_fp8_e8m0(x[i]).__x;
  out[5 * n + i] = __nv_fp8_e8m0(static_cast<long long>(i) << (i & 31)).__x;
}
extern "C" __global__ void from_powers(float* out, float* pairs) {
  __nv_fp8_e8m0 x;
  __nv_fp8x4_e8m0 four;
  x.__x = threadIdx.x;
  four.__x = threadIdx.x * 0x01010101u;
  out[threadIdx.x] = static_cast<float>(x);
  pairs[threadIdx.x] = static_cast<float4>(four).w;
}
extern "C" __global__ void constructed(const float4* x, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = x[i];
  const float2 low = make_float2(v.x, v.y), high = make_float2(v.z, v.w);
  out[6 * i] = __nv_fp8x4_e4m3(make_double4_16a(v.x, v.y, v.z, v.w)).__x;
  out[6 * i + 1] = __nv_fp8x4_e4m3(make_double4_32a(v.x, v.y, v.z, v.w)).__x;
  out[6 * i + 2] = __nv_fp8x4_e4m3(__float22bfloat162_rn(low), __float22bfloat162_rn(high)).__x;
  out[6 * i + 3] = __nv_fp8x4_e8m0(v).__x;
  out[6 * i + 4] = __nv_fp8x4_e8m0(__float22bfloat162_rn(low), __float22bfloat162_rn(high)).__x;
  out[6 * i + 5] = __nv_fp8x4_e8m0(__float22half2_rn(low), __float22half2_rn(high)).__x;
}
