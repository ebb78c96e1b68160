// SPDX-License-Identifier: MIT
// Linear algebra, stencils, transforms and simulations.
#define TILE 16
extern "C" __global__ void matmul_tiled(const float* A, const float* B, float* C, int n) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < (n + TILE - 1) / TILE; t++) {
    int k = t * TILE;
    As[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? A[row * n + k + threadIdx.x] : 0.0f;
    Bs[threadIdx.y][threadIdx.x] = col < n && k + threadIdx.y < n ? B[(k + threadIdx.y) * n + col] : 0.0f;
    __syncthreads();
    for (int j = 0; j < TILE; j++) acc += As[threadIdx.y][j] * Bs[j][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) C[row * n + col] = acc;
}
extern "C" __global__ void matvec_warp(const float* A, const float* x, float* y, int m, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= m) return;
  float sum = 0.0f;
  for (int j = lane; j < n; j += 32) sum += A[row * n + j] * x[j];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0) y[row] = sum;
}
extern "C" __global__ void spmv_scalar(const int* start, const int* col, const float* value, const float* x,
                                       float* y, int m) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0.0f;
  for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[col[k]];
  y[row] = sum;
}
extern "C" __global__ void spmv_warp(const int* start, const int* col, const float* value, const float* x,
                                     float* y, int m) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  float sum = 0.0f;
  if (row < m)
    for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[col[k]];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0 && row < m) y[row] = sum;
}
extern "C" __global__ void lu_in_shared(double* A, int n) {  // no pivoting; a matrix per block
  extern __shared__ double s[];
  int t = threadIdx.x;
  double* mine = A + (long long)blockIdx.x * n * n;
  for (int i = t; i < n * n; i += blockDim.x) s[i] = mine[i];
  for (int k = 0; k < n; k++) {
    __syncthreads();
    for (int i = k + 1 + t; i < n; i += blockDim.x) s[i * n + k] /= s[k * n + k];
    __syncthreads();
    for (int e = t; e < (n - k - 1) * (n - k - 1); e += blockDim.x) {
      int i = k + 1 + e / (n - k - 1), j = k + 1 + e % (n - k - 1);
      s[i * n + j] -= s[i * n + k] * s[k * n + j];
    }
  }
  __syncthreads();
  for (int i = t; i < n * n; i += blockDim.x) mine[i] = s[i];
}
extern "C" __global__ void thomas(const double* a, const double* b, const double* c, double* d, int n,
                                  int systems) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  double cp[32], beta = b[s];
  d[s] /= beta;
  for (int i = 1; i < n; i++) {
    int at = i * systems + s;
    cp[i] = c[at - systems] / beta;
    beta = b[at] - a[at] * cp[i];
    d[at] = (d[at] - a[at] * d[at - systems]) / beta;
  }
  for (int i = n - 2; i >= 0; i--) d[i * systems + s] -= cp[i + 1] * d[(i + 1) * systems + s];
}
extern "C" __global__ void stencil_1d(const float* in, float* out, int n) {
  __shared__ float s[128 + 6];
  int i = blockIdx.x * 128 + threadIdx.x, at = threadIdx.x + 3;
  s[at] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < 3) {
    s[at - 3] = i >= 3 ? in[i - 3] : 0.0f;
    s[at + 128] = i + 128 < n ? in[i + 128] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int d = -3; d <= 3; d++) sum += s[at + d];
  if (i < n) out[i] = sum;
}
extern "C" __global__ void heat_2d(const float* in, float* out, int w, int h, float k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float c = in[y * w + x];
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    c += k * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x] - 4.0f * c);
  out[y * w + x] = c;
}
extern "C" __global__ void laplace_3d(const float* in, float* out, int n) {
  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y,
      z = threadIdx.z + blockIdx.z * blockDim.z;
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  int i = (z * n + y) * n + x;
  out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n] - 6.0f * in[i];
}
extern "C" __global__ void life(const unsigned char* in, unsigned char* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0) alive += in[(y + dy + h) % h * w + (x + dx + w) % w];
  out[y * w + x] = alive == 3 || (alive == 2 && in[y * w + x]);
}
__constant__ float weights[7] = {1, 2, 3, 4, 3, 2, 1};
extern "C" __global__ void convolve(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 7; k++)
    if (i + k - 3 >= 0 && i + k - 3 < n) sum += weights[k] * in[i + k - 3];
  out[i] = sum;
}
extern "C" __global__ void nbody(const float4* body, float3* force, int n) {
  __shared__ float4 tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  float4 me = body[i];
  float3 f = make_float3(0.0f, 0.0f, 0.0f);
  for (int base = 0; base < n; base += 64) {
    tile[threadIdx.x] = body[base + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; j++) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = tile[j].w * r * r * r;
      f.x += dx * s, f.y += dy * s, f.z += dz * s;
    }
    __syncthreads();
  }
  force[i] = f;
}
extern "C" __global__ void mandelbrot(int* out, int w, int h, int max_steps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  double cr = -2.0 + 3.0 * x / w, ci = -1.5 + 3.0 * y / h, zr = 0, zi = 0;
  int n = 0;
  for (; n < max_steps && __dadd_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)) <= 4.0; n++) {
    double next = __dadd_rn(__dsub_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)), cr);
    zi = __dadd_rn(__dmul_rn(__dmul_rn(2.0, zr), zi), ci);
    zr = next;
  }
  out[y * w + x] = n;
}
extern "C" __global__ void fft_radix2(float2* data, int log_n) {  // one block, n / 2 threads
  extern __shared__ float2 z[];
  int n = 1 << log_n, t = threadIdx.x;
  for (int i = t; i < n; i += blockDim.x) z[__brev(i) >> (32 - log_n)] = data[i];
  __syncthreads();
  for (int half = 1; half < n; half *= 2) {
    int k = t & (half - 1), a = ((t - k) << 1) + k, b = a + half;
    float s, c;
    sincosf(-3.14159265358979f * k / half, &s, &c);
    float2 u = z[a], v = z[b];
    float2 w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
    z[a] = make_float2(u.x + w.x, u.y + w.y);
    z[b] = make_float2(u.x - w.x, u.y - w.y);
    __syncthreads();
  }
  for (int i = t; i < n; i += blockDim.x) data[i] = z[i];
}
extern "C" __global__ void walsh_hadamard(int* data) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = data[t];
  for (int h = 1; h < 256; h *= 2) {
    __syncthreads();
    int mine = s[t], other = s[t ^ h];
    __syncthreads();
    s[t] = t & h ? other - mine : mine + other;
  }
  data[t] = s[t];
}
extern "C" __global__ void random_lcg(unsigned* state, unsigned* out, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = state[i];
  for (int k = 0; k < steps; k++) {
    s = s * 1664525u + 1013904223u;
    out[k * gridDim.x * blockDim.x + i] = s >> 8;
  }
  state[i] = s;
}
extern "C" __global__ void xorshift_pi(unsigned long long seed, int each, unsigned long long* inside) {
  unsigned long long x = seed + blockIdx.x * blockDim.x + threadIdx.x, hits = 0;
  for (int k = 0; k < each; k++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    long long a = (long long)(x & 0xffff), b = (long long)(x >> 16 & 0xffff);
    hits += a * a + b * b < (1ll << 32);
  }
  atomicAdd(inside, hits);
}
extern "C" __global__ void black_scholes(const float* spot, float* call, float strike, float rate,
                                         float sigma, float years, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float root = sigma * sqrtf(years),
        d1 = (logf(spot[i] / strike) + (rate + 0.5f * sigma * sigma) * years) / root;
  call[i] = spot[i] * normcdff(d1) - strike * expf(-rate * years) * normcdff(d1 - root);
}
extern "C" __global__ void collatz(int* steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i > n) return;
  long long v = i;
  int k = 0;
  while (v != 1) v = v % 2 ? 3 * v + 1 : v / 2, k++;
  steps[i - 1] = k;
}
