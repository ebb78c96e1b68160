// SPDX-License-Identifier: MIT
// The 16-bit types.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void half_axpy(const __half* x, __half* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(__float2half(a), x[i], y[i]);
}
extern "C" __global__ void half2_multiply(const __half2* x, const __half2* y, __half2* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = __hmul2(x[i], y[i]);
}
extern "C" __global__ void bfloat_sum(const __nv_bfloat16* x, float* out, int n) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += __bfloat162float(x[i]);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x == 0) *out = sum;
}
extern "C" __global__ void half_relu(const __half* x, __half* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hgt(x[i], __half(0.0f)) ? x[i] : __half(0.0f);
}
