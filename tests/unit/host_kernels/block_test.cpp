// SPDX-License-Identifier: MIT
// Kernels with barriers, shared memory and warp functions, each against a GPU's result.
#include <bit>
#include <numeric>
#include <thread>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

TEST(HostKernelBlock, TreeReductionInStaticShared) {
  const Kernel k = make(R"(
extern "C" __global__ void reduce(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
})",
                        "reduce");
  EXPECT_EQ(k.on_fibers, !by_pass());
  const int n = 60001;
  std::vector<float> in(size_t(n), 0.0f), out(size_t(n + 255) / 256);
  for (int i = 0; i < n; i++) in[size_t(i)] = float(i % 3);
  run(k, uint32_t(out.size()), 256, in.data(), out.data(), n);
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0.0), std::accumulate(in.begin(), in.end(), 0.0));
}

TEST(HostKernelBlock, LineInformationKeepsTheForm) {
  Options options;
  options.compiler_options = {"-lineinfo"};
  const Kernel k = make(R"(
__device__ int warp_sum(int v) {
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
  return v;
}
extern "C" __global__ void sums(const int* in, int* out) {
  __shared__ int s[32];
  const int w = threadIdx.x / 32, lane = threadIdx.x % 32, sum = warp_sum(in[threadIdx.x]);
  if (lane == 0) s[w] = sum;
  __syncthreads();
  if (w == 0) {
    const int all = warp_sum(lane < blockDim.x / 32 ? s[lane] : 0);
    if (lane == 0) *out = all;
  }
})",
                        "sums", options);
  EXPECT_EQ(k.on_fibers, !by_pass()) << log(*k.image);
  std::vector<int> in(256);
  std::iota(in.begin(), in.end(), 0);
  int out = 0;
  run(k, 1, 256, in.data(), &out);
  EXPECT_EQ(out, 255 * 128);
}

TEST(HostKernelBlock, TiledMatmul) {
  const Kernel k = make(R"(
#define TILE 16
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float acc = 0.f;
  for (int t = 0; t < n / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * n + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * n + col];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < TILE; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * n + col] = acc;
})",
                        "matmul");
  const size_t n = 64;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (size_t i = 0; i < n * n; i++) a[i] = float(i % 7) - 3, b[i] = float(i % 5) - 2;
  run(k, {4, 4}, {16, 16}, a.data(), b.data(), c.data(), int(n));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      float sum = 0;
      for (size_t l = 0; l < n; l++) sum += a[i * n + l] * b[l * n + j];
      ASSERT_EQ(c[i * n + j], sum);
    }
}

// Threads that have returned are not waited for.
TEST(HostKernelBlock, EarlyReturnBeforeABarrier) {
  const Kernel k = make(R"(
extern "C" __global__ void early(int* o, int n) {
  __shared__ int s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = -1;
  if (i >= n) return;
  s[t] = i * 2;
  __syncthreads();
  int u = (t + 1) % blockDim.x;
  o[i] = blockIdx.x * blockDim.x + u < n ? s[u] : -7;
})",
                        "early");
  const int n = 300;
  std::vector<int> out(size_t(n), 0);
  run(k, 3, 128, out.data(), n);
  for (int i = 0; i < n; i++) {
    const int u = i / 128 * 128 + (i + 1) % 128;
    ASSERT_EQ(out[size_t(i)], u < n ? u * 2 : -7) << i;
  }
}

TEST(HostKernelBlock, BarrierInALoopAndInADeviceFunction) {
  const Kernel k = make(R"(
__device__ int step(int* s, int t, int d) {
  int v = t >= d ? s[t - d] : 0;
  __syncthreads();
  s[t] += v;
  __syncthreads();
  return s[t];
}
extern "C" __global__ void scan(int* o, int n) {
  __shared__ int s[192];
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  s[t] = t % 5;
  __syncthreads();
  int v = 0;
  for (int d = 1; d < n; d *= 2) v = step(s, t, d);
  o[blockIdx.x * n + t] = v;
})",
                        "scan");
  std::vector<int> out(192 * 2);
  run(k, 2, {8, 6, 4}, out.data(), 192);
  int sum = 0;
  for (int t = 0; t < 192; t++) {
    sum += t % 5;
    ASSERT_EQ(out[size_t(t)], sum);
    ASSERT_EQ(out[size_t(t) + 192], sum);
  }
}

TEST(HostKernelBlock, BarrierUnderAUniformConditionAndLocalArrays) {
  const Kernel k = make(R"(
extern "C" __global__ void mixed(int* o) {
  __shared__ int s[64];
  int r[4] = {0, 0, 0, 0}, t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (blockIdx.x & 1) {
    int v = s[63 - t];
    __syncthreads();
    s[t] = v * 2;
    __syncthreads();
  }
  int k = 0;
  do {
    int v = s[(t + k) & 63];
    __syncthreads();
    r[k & 3] += v;
    s[t] = v + k;
    __syncthreads();
    k++;
  } while (k < 6);
  o[blockIdx.x * 64 + t] = r[0] + 10 * r[1] + 100 * r[2] + 1000 * r[3] + s[t];
})",
                        "mixed");
  std::vector<int> out(128);
  run(k, 2, 64, out.data());
  for (int b = 0; b < 2; b++) {
    std::vector<int> s(64), next(64);
    std::vector<std::array<int, 4>> r(64);
    for (int t = 0; t < 64; t++) s[size_t(t)] = b == 1 ? 2 * (63 - t) : t;
    for (int step = 0; step < 6; step++) {
      for (int t = 0; t < 64; t++) {
        const int v = s[size_t((t + step) & 63)];
        r[size_t(t)][size_t(step & 3)] += v;
        next[size_t(t)] = v + step;
      }
      s = next;
    }
    for (size_t t = 0; t < 64; t++)
      ASSERT_EQ(out[size_t(b) * 64 + t], r[t][0] + 10 * r[t][1] + 100 * r[t][2] + 1000 * r[t][3] + s[t]);
  }
}

// These values differ only by the way that a thread took: the values assigned are the same for all threads.
TEST(HostKernelBlock, ValuesThatDifferByTheWayTaken) {
  const Kernel k = make(R"(
extern "C" __global__ void ways(int* out, int* seen, int n) {
  const int t = threadIdx.x;
  int chosen = n * 3, repeated = n, left = n;
  if (t % 3 == 1) { seen[t] = 1; chosen = n + 7; }
  else if (t % 3 == 2) { seen[t] = 2; chosen = n - 5; }
  for (int q = 0; q < t % 4; q++) { seen[t] += 4; repeated = repeated * 5 + n; }
  for (int q = 0; q < 8; q++) { if (q == t % 5) { seen[t] += 64; break; } left += n; }
  __syncthreads();
  out[t] = chosen;
  __syncthreads();
  out[t + 96] = repeated;
  __syncthreads();
  out[t + 192] = left;
})",
                        "ways");
  EXPECT_EQ(k.on_fibers, !by_pass()) << log(*k.image);
  const int n = 11;
  std::vector<int> out(288), seen(96);
  run(k, 1, 96, out.data(), seen.data(), n);
  for (size_t t = 0; t < 96; t++) {
    const int chosen[] = {n * 3, n + 7, n - 5}, repeated[] = {n, 6 * n, 31 * n, 156 * n};
    EXPECT_EQ(out[t], chosen[t % 3]) << t;
    EXPECT_EQ(out[t + 96], repeated[t % 4]) << t;
    EXPECT_EQ(out[t + 192], n * static_cast<int>(t % 5 + 1)) << t;
    EXPECT_EQ(seen[t], static_cast<int>(t % 3 + t % 4 * 4 + 64)) << t;
  }
}

TEST(HostKernelBlock, CountersOfThreadsThatLeaveALoopAtDifferentTimes) {
  const Kernel k = make(R"(
extern "C" __global__ void counters(const int* in, int* out, int n, int step) {
  __shared__ int s[96];
  const int t = threadIdx.x;
  int rounds = 3, sum = 0;
  for (int j = t; j < n; j += 96, rounds += step) sum += in[j];
  s[t] = sum;
  __syncthreads();
  out[t] = s[95 - t];
  __syncthreads();
  out[t + 96] = rounds;
})",
                        "counters");
  EXPECT_EQ(k.on_fibers, !by_pass()) << log(*k.image);
  const int n = 3 * 96 + 40, step = 5;
  std::vector<int> in(n), out(192);
  std::iota(in.begin(), in.end(), 0);
  run(k, 1, 96, static_cast<const int*>(in.data()), out.data(), n, step);
  for (int t = 0; t < 96; t++) {
    int rounds = 3, sum = 0;
    for (int j = t; j < n; j += 96, rounds += step) sum += j;
    EXPECT_EQ(out[95 - static_cast<size_t>(t)], sum) << t;
    EXPECT_EQ(out[static_cast<size_t>(t) + 96], rounds) << t;
  }
}

TEST(HostKernelBlock, PredicatesOfABarrier) {
  const Kernel k = make(R"(
extern "C" __global__ void votes(int* o, int n) {
  int t = threadIdx.x;
  int count = __syncthreads_count(t % 3 == 0), any = __syncthreads_or(t == n), none = __syncthreads_or(t > 1000);
  int all = __syncthreads_and(t < 1000), most = __syncthreads_and(t != n);
  o[t] = count + 1000 * any + 10000 * all + 100000 * most + 1000000 * none;
})",
                        "votes");
  std::vector<int> out(100);
  run(k, 1, 100, out.data(), 50);
  EXPECT_EQ(out, std::vector<int>(100, 34 + 1000 + 10000));
}

TEST(HostKernelBlock, DynamicSharedAtBlockScopeInATemplate) {
  const auto image = compile(R"(
template <class T> __global__ void dot(const T* a, const T* b, T* o, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* s = reinterpret_cast<T*>(raw);
  T acc = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) acc += a[i] * b[i];
  s[threadIdx.x] = acc;
  __syncthreads();
  for (int k = blockDim.x / 2; k; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (!threadIdx.x) o[blockIdx.x] = s[0];
}
template <class T> __global__ void reverse(T* o) {
  extern __shared__ T s[];
  s[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
})",
                             {{}, {"dot<float>", "dot<double>", "reverse<int>", "reverse<double>"}});
  std::vector<float> a(1000, 2.0f), b(1000, 3.0f), o(4);
  run_shared(kernel(image, "dot<float>"), 4, 128, 128 * 4, a.data(), b.data(), o.data(), 1000);
  EXPECT_EQ(o[0] + o[1] + o[2] + o[3], 6000.0f);
  std::vector<double> d(200);
  std::iota(d.begin(), d.end(), 0.0);
  run_shared(kernel(image, "reverse<double>"), 1, 200, 200 * 8, d.data());
  for (size_t i = 0; i < 200; i++) EXPECT_EQ(d[i], double(199 - i));
  std::vector<int> v(33);
  std::iota(v.begin(), v.end(), 0);
  run_shared(kernel(image, "reverse<int>"), 1, 33, 33 * 4, v.data());
  for (size_t i = 0; i < 33; i++) EXPECT_EQ(v[i], int(32 - i));
}

// All extern __shared__ arrays begin at the same address, whatever their types and scopes.
TEST(HostKernelBlock, DynamicSharedAtNamespaceScope) {
  const Kernel k = make(R"(
extern __shared__ float all[];
extern __shared__ unsigned char bytes[];
__device__ void put(int t) { all[t] = t * 0.5f; }
extern "C" __global__ void f(float* o, int* same) {
  extern __shared__ double local[];
  put(threadIdx.x);
  __syncthreads();
  float* view = reinterpret_cast<float*>(bytes);
  o[threadIdx.x] = view[blockDim.x - 1 - threadIdx.x];
  if (threadIdx.x == 0) *same = (void*)all == (void*)bytes && (void*)local == (void*)all;
})",
                        "f");
  std::vector<float> out(64);
  int same = 0;
  run_shared(k, 1, 64, 256, out.data(), &same);
  EXPECT_EQ(same, 1);
  for (size_t t = 0; t < 64; t++) EXPECT_EQ(out[t], float(63 - t) * 0.5f);
}

TEST(HostKernelBlock, MoreDynamicSharedWhenAskedFor) {
  Kernel k = make(R"(
extern "C" __global__ void f(int* o) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < 50000; i += blockDim.x) s[i] = i;
  __syncthreads();
  o[threadIdx.x] = s[49999 - threadIdx.x];
})",
                  "f");
  std::vector<int> out(64);
  k.max_shared_bytes = 232448;
  run_shared(k, 1, 64, 200000, out.data());
  EXPECT_EQ(out[5], 49994);
  EXPECT_EQ(catch_error([&] { run_shared(k, 1, 64, 232449, out.data()); }).text,
            "kernel 'f': 232449 bytes of dynamic shared memory, the max is 232448");
}

TEST(HostKernelBlock, SharedVolatileAlignedAndInNamespaces) {
  const Kernel k = make(R"(
struct Pair { float value; int index; };
static __shared__ Pair best;
extern "C" __global__ void f(int* o) {
  __shared__ alignas(64) float a[3];
  volatile __shared__ int flag;
  __shared__ __align__(16) Pair pairs[2];
  if (threadIdx.x == 0) { flag = 5; best = {1.5f, 7}; a[0] = 2; pairs[1] = {3, 4}; }
  __syncthreads();
  o[threadIdx.x] = flag + best.index + (int)a[0] + pairs[1].index + ((unsigned long long)a % 64 == 0 ? 1000 : 0);
})",
                        "f");
  std::vector<int> out(40);
  run(k, 1, 40, out.data());
  EXPECT_EQ(out, std::vector<int>(40, 1018));
}

TEST(HostKernelBlock, SixteenThreadsAtOnceWithBarriers) {
  const Kernel k = make(R"(
extern "C" __global__ void rotate(int* o, int by) {
  __shared__ int s[96];
  s[threadIdx.x] = threadIdx.x;
  for (int i = 0; i < by; i++) {
    __syncthreads();
    int v = s[(threadIdx.x + 1) % 96];
    __syncthreads();
    s[threadIdx.x] = v;
  }
  o[blockIdx.x * 96 + threadIdx.x] = s[threadIdx.x];
})",
                        "rotate");
  std::vector<std::thread> threads;
  std::vector<int> wrong(16);
  for (int t = 0; t < 16; t++)
    threads.emplace_back([&, t] {
      std::vector<int> out(96 * 8);
      for (int round = 0; round < 10; round++) {
        run(k, 8, 96, out.data(), t);
        for (int i = 0; i < 96 * 8; i++) wrong[size_t(t)] += out[size_t(i)] != (i % 96 + t) % 96 ? 1 : 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(16));
}

}  // namespace
}  // namespace arr::host_kernels::test
