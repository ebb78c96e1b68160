// SPDX-License-Identifier: MIT
// Element-wise patterns: indices in one to three dimensions, strides, vector types, templates, structs,
// constants.
struct Affine {
  float scale, shift;
  int clamp;
};
__constant__ float coefficients[4] = {1.0f, -0.5f, 0.25f, -0.125f};
__device__ int counter = 5;

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void saxpy_stride(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}
extern "C" __global__ void index_3d(int* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = x + 10 * y + 100 * z;
}
extern "C" __global__ void transpose_naive(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
extern "C" __global__ void transpose_tiled(const float* in, float* out, int w, int h) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < h && y < w) out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}
extern "C" __global__ void scale_float4(const float4* in, float4* out, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = in[i];
  out[i] = make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
}
extern "C" __global__ void struct_by_value(const float* x, float* y, Affine f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = f.scale * x[i] + f.shift;
    y[i] = f.clamp && v < 0.0f ? 0.0f : v;
  }
}
extern "C" __global__ void constant_memory(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = ((coefficients[3] * x[i] + coefficients[2]) * x[i] + coefficients[1]) * x[i] + coefficients[0];
}
extern "C" __global__ void device_global(int* out) {
  out[threadIdx.x] = atomicAdd(&counter, 0) * (int)threadIdx.x;
}

template <int N>
struct Power {
  __device__ static int of(int x) { return x * Power<N - 1>::of(x); }
};
template <>
struct Power<0> {
  __device__ static int of(int) { return 1; }
};
template <typename T, int N>
__device__ void power_of(const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (T)Power<N>::of((int)x[i]);
}
extern "C" __global__ void template_power(const int* x, int* y, int n) { power_of<int, 3>(x, y, n); }

template <class F>
__device__ int apply_twice(F f, int x) {
  return f(f(x));
}
extern "C" __global__ void lambdas(int* out, int k) {
  int t = threadIdx.x;
  auto step = [=](int v) { return v * k + t; };
  out[t] = apply_twice(step, 1);
}
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }

extern "C" __global__ void gather(const float* table, const int* at, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __ldg(&table[at[i]]);
}
extern "C" __global__ void bit_tricks(const unsigned* x, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  out[i] = __popc(v) + 100u * (unsigned)__clz((int)v) + 10000u * (unsigned)__ffs((int)v) +
           (__brev(v) & 1u) * 1000000u;
}
// The spaces of addresses, and shared ones as PTX takes them.
extern "C" __global__ void address_spaces(const int* in, int* out) {
  __shared__ int room[64];
  int own[2] = {in[threadIdx.x], 7};
  room[threadIdx.x] = 0;
  __syncthreads();
  int* there = (int*)__cvta_shared_to_generic((unsigned)__cvta_generic_to_shared(&room[63 - threadIdx.x]));
  *there = own[in[threadIdx.x] & 1];
  __syncthreads();
  const int bits = (__isShared(there) != 0) + 2 * (__isLocal(&own[in[0] & 1]) != 0) +
                   4 * (__isGlobal(in) != 0) + 8 * (__isGlobal(there) != 0);
  out[threadIdx.x] = room[threadIdx.x] * 100 + bits;
}
