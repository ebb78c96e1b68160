// SPDX-License-Identifier: MIT
// Reductions of a block by five methods, over a grid, and what is built on them.
extern "C" __global__ void sum_tree(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void sum_interleaved(const int* in, int* out, int n) {
  extern __shared__ int d[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  d[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int k = 1; k < (int)blockDim.x; k *= 2) {
    if (t % (2 * k) == 0) d[t] += d[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = d[0];
}
__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  return v;
}
extern "C" __global__ void sum_shuffle(const float* in, float* out, int n) {
  __shared__ float s[32];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = warp_sum(i < n ? in[i] : 0.0f);
  if (lane == 0) s[w] = v;
  __syncthreads();
  if (w == 0) {
    v = warp_sum(lane < (int)(blockDim.x >> 5) ? s[lane] : 0.0f);
    if (lane == 0) out[blockIdx.x] = v;
  }
}
extern "C" __global__ void sum_atomic(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}
extern "C" __global__ void sum_shared_atomic(const int* in, int* out, int n) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  atomicAdd(&total, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}
__device__ unsigned blocks_done = 0;
extern "C" __global__ void sum_last_block(const int* in, volatile int* parts, int* out, int n) {
  __shared__ int s[128];
  __shared__ bool last;
  int t = threadIdx.x, mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) mine += in[i];
  s[t] = mine;
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    parts[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int sum = 0;
    for (int b = 0; b < (int)gridDim.x; b++) sum += parts[b];
    *out = sum;
  }
}
extern "C" __global__ void max_and_index(const float* in, float* value, int* index, int n) {
  __shared__ float v[128];
  __shared__ int at[128];
  int t = threadIdx.x;
  v[t] = -1e30f;
  at[t] = -1;
  for (int i = t; i < n; i += blockDim.x)
    if (in[i] > v[t]) v[t] = in[i], at[t] = i;
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) {
    if (t < k && (v[t + k] > v[t] || (v[t + k] == v[t] && at[t + k] < at[t])))
      v[t] = v[t + k], at[t] = at[t + k];
    __syncthreads();
  }
  if (t == 0) *value = v[0], *index = at[0];
}
extern "C" __global__ void dot(const double* a, const double* b, double* out, int n) {
  __shared__ double s[64];
  int t = threadIdx.x;
  double sum = 0;
  for (int i = t; i < n; i += 64) sum += a[i] * b[i];
  s[t] = sum;
  for (int k = 32; k > 0; k >>= 1) {
    __syncthreads();
    if (t < k) s[t] += s[t + k];
  }
  if (t == 0) *out = s[0];
}
extern "C" __global__ void mean_variance(const float* in, float* out, int n) {  // Welford, merged in a tree
  __shared__ float m[64], q[64];
  __shared__ int c[64];
  int t = threadIdx.x, count = 0;
  float mean = 0, square = 0;
  for (int i = t; i < n; i += 64) {
    count++;
    float d = in[i] - mean;
    mean += d / count;
    square += d * (in[i] - mean);
  }
  m[t] = mean, q[t] = square, c[t] = count;
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (t < k && c[t + k] > 0) {
      float d = m[t + k] - m[t];
      int both = c[t] + c[t + k];
      m[t] += d * c[t + k] / both;
      q[t] += q[t + k] + d * d * c[t] * c[t + k] / both;
      c[t] = both;
    }
    __syncthreads();
  }
  if (t == 0) out[0] = m[0], out[1] = q[0] / c[0];
}
