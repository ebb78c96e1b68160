// SPDX-License-Identifier: MIT
// Kernels without barriers: indexing, arguments, names, launch limits.
#include <cmath>
#include <numeric>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

TEST(HostKernels, SaxpyEveryElement) {
  const Kernel k = make(R"(
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
})",
                        "saxpy");
  EXPECT_FALSE(k.on_fibers);
  EXPECT_EQ(k.arg_bytes, (std::vector<uint32_t>{4, 4, 8, 8}));
  const int n = 100003;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; i++) x[size_t(i)] = float(i % 97), y[size_t(i)] = float(i % 13);
  run(k, (n + 255) / 256, 256, n, 2.0f, x.data(), y.data());
  for (int i = 0; i < n; i++) ASSERT_EQ(y[size_t(i)], 2.0f * float(i % 97) + float(i % 13)) << i;
}

TEST(HostKernels, ReduceWithBarriers) {
  const Kernel k = make(R"(
extern "C" __global__ void reduce(const float* in, float* out, int n) {
  __shared__ float s[256];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = i < n ? in[i] : 0.f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
})",
                        "reduce");
  EXPECT_TRUE(k.on_fibers);
  const int n = 1 << 16;
  std::vector<float> in(n), out(n / 256);
  for (int i = 0; i < n; i++) in[size_t(i)] = float(i % 3);
  run(k, n / 256, 256, static_cast<const float*>(in.data()), out.data(), n);
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0.0), std::accumulate(in.begin(), in.end(), 0.0));
}

}  // namespace
}  // namespace arr::host_kernels::test
