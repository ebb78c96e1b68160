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
