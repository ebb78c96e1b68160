// SPDX-License-Identifier: MIT
// cuRAND's device functions: the numbers of each state behind its seed, subsequence and offset, skips,
// distributions.
#include <curand_kernel.h>

template <class State>
__device__ void bits_of(unsigned long long seed, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  State s;
  curand_init(seed, i, 3 * i, &s);
  for (int k = 0; k < 8; k++) out[8 * i + k] = curand(&s);
}
extern "C" __global__ void bits_xorwow(unsigned long long seed, unsigned* out, int n) {
  bits_of<curandState>(seed, out, n);
}
extern "C" __global__ void bits_mrg(unsigned long long seed, unsigned* out, int n) {
  bits_of<curandStateMRG32k3a_t>(seed, out, n);
}
extern "C" __global__ void bits_philox(unsigned long long seed, unsigned* out, int n) {
  bits_of<curandStatePhilox4_32_10_t>(seed, out, n);
}

template <class State>
__device__ void skips_of(unsigned* out) {
  const unsigned long long far = 0x123456789abcdefull;
  State s;
  curand_init(7, 5, 11, &s);
  skipahead(far, &s);
  out[0] = curand(&s);
  skipahead_sequence(9, &s);
  out[1] = curand(&s);
}
extern "C" __global__ void skips(unsigned* out) {
  if (threadIdx.x == 0) skips_of<curandState_t>(out);
  if (threadIdx.x == 1) skips_of<curandStateMRG32k3a>(out + 2);
  if (threadIdx.x == 2) skips_of<curandStatePhilox4_32_10>(out + 4);
  if (threadIdx.x == 3) {
    curandStateMRG32k3a s;
    curand_init(7, 0, 0, &s);
    skipahead_subsequence(3, &s);
    out[6] = curand(&s);
  }
}

template <class State>
__device__ void distributions_of(int which, float* f, double* d, unsigned* u) {
  State s;
  curand_init(1234, which, 0, &s);
  f[0] = curand_uniform(&s), d[0] = curand_uniform_double(&s);
  f[1] = curand_normal(&s), f[2] = curand_normal(&s);
  d[1] = curand_normal_double(&s), d[2] = curand_normal_double(&s);
  f[3] = curand_log_normal(&s, 0.5f, 0.25f), d[3] = curand_log_normal_double(&s, 0.5, 0.25);
  const float2 two = curand_normal2(&s);
  const double2 twice = curand_normal2_double(&s);
  f[4] = two.x, f[5] = two.y, d[4] = twice.x, d[5] = twice.y;
  u[0] = curand_poisson(&s, 3.5), u[1] = curand_poisson(&s, 1e6), u[2] = curand(&s);
}
extern "C" __global__ void distributions(float* f, double* d, unsigned* u) {
  const int t = threadIdx.x;
  if (t == 0) distributions_of<curandState>(0, f, d, u);
  if (t == 1) distributions_of<curandStateMRG32k3a>(1, f + 6, d + 6, u + 3);
  if (t == 2) distributions_of<curandStatePhilox4_32_10>(2, f + 12, d + 12, u + 6);
}

extern "C" __global__ void fours(unsigned* bits, float* f, double* d) {
  curandStatePhilox4_32_10_t s;
  curand_init(99, threadIdx.x, threadIdx.x, &s);
  const uint4 b = curand4(&s);
  const float4 v = curand_uniform4(&s);
  const double2 w = curand_uniform2_double(&s);
  const float4 z = curand_normal4(&s);
  const int i = 4 * threadIdx.x;
  bits[i] = b.x, bits[i + 1] = b.y, bits[i + 2] = b.z, bits[i + 3] = b.w;
  f[2 * i] = v.x, f[2 * i + 1] = v.y, f[2 * i + 2] = v.z, f[2 * i + 3] = v.w;
  f[2 * i + 4] = z.x, f[2 * i + 5] = z.y, f[2 * i + 6] = z.z, f[2 * i + 7] = z.w;
  d[i / 2] = w.x, d[i / 2 + 1] = w.y;
}

// States are kept in memory beyond the kernel.
extern "C" __global__ void pi_by_dots(curandState* states, int* hits, int n) {
  __shared__ int part[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(42, i, 0, &states[i]);
  curandState s = states[i];
  int inside = 0;
  for (int k = 0; k < n; k++) {
    const float x = curand_uniform(&s), y = curand_uniform(&s);
    inside += x * x + y * y <= 1.0f;
  }
  states[i] = s;
  part[threadIdx.x] = inside;
  __syncthreads();
  for (int h = 32; h > 0; h /= 2) {
    if (threadIdx.x < h) part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) hits[blockIdx.x] = part[0];
}
extern "C" __global__ void poisson_means(double* out, double mean, int n) {
  curandStatePhilox4_32_10_t s;
  curand_init(5, threadIdx.x, 0, &s);
  double sum = 0, squares = 0;
  for (int k = 0; k < n; k++) {
    const double x = curand_poisson(&s, mean);
    sum += x, squares += x * x;
  }
  out[2 * threadIdx.x] = sum, out[2 * threadIdx.x + 1] = squares;
}
extern "C" __global__ void poisson_middle(unsigned* u, double mean, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStatePhilox4_32_10_t s;
  curand_init(5, i, 0, &s);
  u[i] = curand_poisson(&s, mean);
}
extern "C" __global__ void poisson_fours(unsigned* u, double mean, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStatePhilox4_32_10_t s;
  curand_init(5, i, 3, &s);
  const uint4 v = curand_poisson4(&s, mean);
  u[4 * i] = v.x, u[4 * i + 1] = v.y, u[4 * i + 2] = v.z, u[4 * i + 3] = v.w;
}

// The structures of cuRAND's host library over tables of the caller's.
struct Discrete {
  curandHistogramM2_st histogram;
  curandDistributionM2Shift_st shifted;
  curandDiscreteDistribution_st distribution;
  __device__ curandDiscreteDistribution_t of(double* v, unsigned* k, unsigned n, unsigned shift) {
    histogram.V = v, histogram.K = k;
    shifted.histogram = &histogram, shifted.length = n, shifted.shift = shift;
    distribution.M2 = &shifted, distribution.method = CURAND_M2;
    return &distribution;
  }
  __device__ curandDiscreteDistribution_t normal(double mean, double deviation) {
    distribution.mean = mean, distribution.stddev = deviation;
    distribution.method = CURAND_DISCRETE_GAUSS;
    return &distribution;
  }
};
template <class State>
__device__ void discrete_of(int which, curandDiscreteDistribution_t d, unsigned* out) {
  State s;
  curand_init(77, which, 5, &s);
  for (int i = 0; i < 200; i++) out[i] = curand_discrete(&s, d);
}
extern "C" __global__ void discrete(double* v, unsigned* k, unsigned n, unsigned* out) {
  const int t = threadIdx.x;
  Discrete table, bell;
  const curandDiscreteDistribution_t d = table.of(v, k, n, 1000), g = bell.normal(5000.25, 70.5);
  if (t == 0) discrete_of<curandState>(0, d, out), discrete_of<curandState>(0, g, out + 200);
  if (t == 1)
    discrete_of<curandStateMRG32k3a>(1, d, out + 400), discrete_of<curandStateMRG32k3a>(1, g, out + 600);
  if (t == 2) discrete_of<curandStatePhilox4_32_10>(2, d, out + 800);
  if (t == 3) {
    curandStatePhilox4_32_10_t s;
    curand_init(77, 2, 5, &s);
    for (int i = 0; i < 50; i++) {
      const uint4 x = i < 25 ? curand_discrete4(&s, d) : curand_discrete4(&s, g);
      out[1000 + 4 * i] = x.x, out[1001 + 4 * i] = x.y, out[1002 + 4 * i] = x.z, out[1003 + 4 * i] = x.w;
    }
  }
}
