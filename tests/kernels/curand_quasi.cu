// SPDX-License-Identifier: MIT
// cuRAND's Sobol' sequences, plain and scrambled, of 32 and 64 bits, and MTGP32, whose block draws together.
#include <curand_kernel.h>

__device__ double parts[3] = {0.25, 0.5, 1.0};
__device__ unsigned others[3] = {2, 0, 1};

// Thread i draws in dimension i % 3 behind 5 * i elements: eight numbers, and some of each distribution.
template <class State, class T>
__device__ void draws(State s, T* bits, float* f, double* d, unsigned* u, int i) {
  for (int k = 0; k < 8; k++) bits[8 * i + k] = curand(&s);
  skipahead(1000, &s);
  f[3 * i] = curand_uniform(&s), d[3 * i] = curand_uniform_double(&s);
  f[3 * i + 1] = curand_normal(&s), d[3 * i + 1] = curand_normal_double(&s);
  f[3 * i + 2] = curand_log_normal(&s, 0.5f, 0.25f), d[3 * i + 2] = curand_log_normal_double(&s, 0.5, 0.25);
  u[5 * i] = curand_poisson(&s, 0.75), u[5 * i + 1] = curand_poisson(&s, 700.5);
  u[5 * i + 2] = curand_poisson(&s, 3e6);
  curandHistogramM2_st histogram;
  histogram.V = parts, histogram.K = others;
  curandDistributionM2Shift_st shifted;
  shifted.histogram = &histogram, shifted.length = 3, shifted.shift = 7;
  curandDiscreteDistribution_st table, bell;
  table.method = CURAND_M2, table.M2 = &shifted;
  bell.method = CURAND_DISCRETE_GAUSS, bell.mean = 5000.25, bell.stddev = 70.5;
  u[5 * i + 3] = curand_discrete(&s, &table), u[5 * i + 4] = curand_discrete(&s, &bell);
}
extern "C" __global__ void sobol32(curandDirectionVectors32_t* vectors, unsigned* bits, float* f, double* d,
                                   unsigned* u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStateSobol32_t s;
  curand_init(vectors[i % 3], 5 * i, &s);
  draws(s, bits, f, d, u, i);
}
extern "C" __global__ void scrambled32(curandDirectionVectors32_t* vectors, unsigned* bits, float* f,
                                       double* d, unsigned* u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStateScrambledSobol32_t s;
  curand_init(vectors[i % 3], 0xe20866feu + i % 3, 5 * i, &s);
  draws(s, bits, f, d, u, i);
}
extern "C" __global__ void sobol64(curandDirectionVectors64_t* vectors, unsigned long long* bits, float* f,
                                   double* d, unsigned* u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStateSobol64_t s;
  curand_init(vectors[i % 3], 5 * i, &s);
  draws(s, bits, f, d, u, i);
}
extern "C" __global__ void scrambled64(curandDirectionVectors64_t* vectors, unsigned long long* bits,
                                       float* f, double* d, unsigned* u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandStateScrambledSobol64 s;
  curand_init(vectors[i % 3], 0x9e3779b97f4a7c15ull + i % 3, 5 * i, &s);
  draws(s, bits, f, d, u, i);
}

// Block i takes row i of the parameters. Then threads below 100 draw alone from places of the state.
extern "C" __global__ void mtgp32(curandStateMtgp32* states, mtgp32_kernel_params* parameters, unsigned* bits,
                                  float* f, double* d, int rounds) {
  curandStateMtgp32* s = &states[blockIdx.x];
  if (threadIdx.x == 0) s->k = parameters;
  __syncthreads();
  const int t = threadIdx.x, n = blockDim.x, all = gridDim.x * n, i = blockIdx.x * n + t;
  for (int k = 0; k < rounds; k++) bits[k * all + i] = curand(s);
  bits[rounds * all + i] = curand_mtgp32_specific(s, t, n);
  f[i] = curand_uniform(s), f[all + i] = curand_normal(s);
  d[i] = curand_uniform_double(s), d[all + i] = curand_normal_double(s);
}
