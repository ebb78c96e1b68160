// SPDX-License-Identifier: MIT
// Kernels of internal linkage: every thread of every block runs, whatever the compiler knows of their
// callers.
#include <numeric>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

struct Linkage {
  const char* what;
  std::string source;
  const char* name;
};

constexpr const char* plain_body = R"((int* o, int scale) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  o[y * gridDim.x * blockDim.x + x] = scale * (int)(y * gridDim.x * blockDim.x + x);
})";
// The same by way of shared memory: threads exchange their numbers with their neighbours in reverse.
constexpr const char* barrier_body = R"((int* o, int scale) {
  __shared__ int s[64];
  int n = blockDim.x * blockDim.y, t = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  s[n - 1 - t] = scale * (int)(y * gridDim.x * blockDim.x + x);
  __syncthreads();
  o[y * gridDim.x * blockDim.x + x] = s[n - 1 - t];
})";
constexpr const char* warp_body = R"((int* o, int scale) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int mine = scale * (int)(y * gridDim.x * blockDim.x + x);
  int there = __shfl_xor_sync(~0u, mine, 1);
  o[y * gridDim.x * blockDim.x + x] = __shfl_xor_sync(~0u, there, 1);
})";

std::vector<Linkage> linkages(const std::string& body) {
  return {
      {"external", "__global__ void k" + body, "k"},
      {"static", "static __global__ void k" + body, "k"},
      {"static after __global__", "__global__ static void k" + body, "k"},
      {"unnamed namespace", "namespace { __global__ void k" + body + " }", "k"},
      {"unnamed in a named namespace", "namespace a { namespace { __global__ void k" + body + " } }", "a::k"},
      {"static template", "template <int N> static __global__ void k" + body, "k<3>"},
      {"template over a type of an unnamed namespace",
       "namespace { struct S {}; } template <class T> __global__ void k" + body, "k<S>"},
      {"template over a static function",
       "static __device__ int f(int x) { return x; } template <int (*F)(int)> __global__ void k" + body,
       "k<f>"},
  };
}

void expect_every_thread_to_run(const std::string& body) {
  for (const Linkage& l : linkages(body)) {
    const Kernel k = make(l.source, l.name);
    for (const auto& [grid, block] : std::vector<std::pair<Size, Size>>{
             {{1}, {32}}, {{2}, {32}}, {{3, 2}, {32, 2}}, {{5, 3}, {16, 2}}, {{1, 4}, {1, 32}}}) {
      const size_t n = size_t{grid.v[0]} * grid.v[1] * block.v[0] * block.v[1];
      for (int scale : {1, 7}) {
        std::vector<int> o(n, -1), expected(n);
        for (size_t i = 0; i < n; i++) expected[i] = scale * static_cast<int>(i);
        run(k, grid, block, o.data(), scale);
        EXPECT_EQ(o, expected) << l.what << ", scale " << scale;
      }
    }
  }
}

TEST(HostKernelLinkage, EveryThreadRuns) { expect_every_thread_to_run(plain_body); }
TEST(HostKernelLinkage, EveryThreadMeetsBarriers) { expect_every_thread_to_run(barrier_body); }
TEST(HostKernelLinkage, EveryLaneExchanges) { expect_every_thread_to_run(warp_body); }

// Each kernel has a parameter that it does not use, and one caller.
TEST(HostKernelLinkage, TwoKernelsOfOneSourceKeepTheirParameters) {
  const auto image = compile(R"(
static __device__ int twice(int x) { return 2 * x; }
static __global__ void a(int* o, int unused, int v) { o[blockIdx.x * blockDim.x + threadIdx.x] = twice(v); }
static __global__ void b(int unused, int* o) { o[blockIdx.x * blockDim.x + threadIdx.x] = 5; }
)",
                             {});
  std::vector<int> o(6, 0);
  run(kernel(image, "a"), 2, 3, o.data(), 1, 4);
  EXPECT_EQ(o, std::vector<int>(6, 8));
  run(kernel(image, "b"), 3, 2, 1, o.data());
  EXPECT_EQ(o, std::vector<int>(6, 5));
}

// The image that is made before a name is asked for has no kernel at all.
TEST(HostKernelLinkage, HelpersWithBarriersBesideTemplatesOnly) {
  for (const char* helper :
       {"__device__ void f() { __syncthreads(); }", "__device__ inline void f() { __syncthreads(); }",
        "__device__ void deep() { __syncthreads(); } __device__ void f() { deep(); }",
        "__device__ float f() { return __shfl_down_sync(0xffffffffu, float(threadIdx.x), 1); }",
        "__device__ int f() { return blockIdx.x; } __device__ int (*unused)() = f;"}) {
    const Kernel k =
        make(std::string(helper) + "template <class T> __global__ void k(T* x) { f(); x[threadIdx.x] = 1; }",
             "k<float>");
    std::vector<float> x(32, 0);
    run(k, 1, 32, x.data());
    EXPECT_EQ(x, std::vector<float>(32, 1)) << helper;
  }
}

// A function that no kernel calls does not keep the others from being loops.
TEST(HostKernelLinkage, UnusedCallersOfBarriers) {
  const auto image = compile(R"(
__device__ void wait() { __syncthreads(); }
__device__ void unused() { wait(); }
__global__ void k(int* o) { wait(); o[threadIdx.x] = threadIdx.x; }
)",
                             {});
  std::vector<int> o(3, -1);
  run(kernel(image, "k"), 1, 3, o.data());
  EXPECT_EQ(o, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(log(*image).find("fibers"), std::string::npos) << log(*image);
}

// As name expressions of NVRTC choose among kernels of one name.
TEST(HostKernelLinkage, OverloadsByTheirParameters) {
  const auto image = compile(R"(
namespace a { __global__ void f(float* o, int n) { o[threadIdx.x] = n; } }
using a::f;
__global__ void f(double* o, int n) { __syncthreads(); o[threadIdx.x] = 2 * n; }
template <class T> __global__ void g(T* o, int n) { o[threadIdx.x] = 3 * n; }
template <class T> __global__ void g(T* o, T n) { o[threadIdx.x] = 4 * n; }
)",
                             {});
  std::vector<float> x(2);
  std::vector<double> y(2);
  for (const char* name : {"(void (*)(float*, int))f", "(void (*)(float *, int))&f",
                           "(void(*)(float*,int))a::f", "static_cast<void (*)(float*, int)>(f)"}) {
    run(kernel(image, name), 1, 2, x.data(), 5);
    EXPECT_EQ(x, std::vector<float>(2, 5)) << name;
    x.assign(2, 0);
  }
  run(kernel(image, "(void (*)(double*, int))f"), 1, 2, y.data(), 5);
  EXPECT_EQ(y, std::vector<double>(2, 10));
  run(kernel(image, "(void (*)(float*, int))g<float>"), 1, 2, x.data(), 5);
  EXPECT_EQ(x, std::vector<float>(2, 15));
  run(kernel(image, "(void (*)(float*, float))g<float>"), 1, 2, x.data(), 5.0f);
  EXPECT_EQ(x, std::vector<float>(2, 20));
  EXPECT_NE(catch_error([&] { kernel(image, "(void (*)(char*))f"); }).status, ARR_OK);
}

// Explicit instantiations, which sources for NVRTC have; the kernels have their templates' names.
TEST(HostKernelLinkage, ExplicitInstantiations) {
  const auto image = compile(R"(
namespace a {
template <class T, int N> __global__ void f(T* o) { o[threadIdx.x] = T(N); }
template <class T> __device__ T twice(T x) { return x + x; }
}
template __global__ void a::f<float, 8>(float*);
template __global__ void a::f<double,
    9>(double* o);
template __device__ int a::twice<int>(int);
__global__ void line(int* o) { *o = a::twice(__LINE__); })",
                             {});
  std::vector<float> x(2);
  std::vector<double> y(2);
  int o = 0;
  run(kernel(image, "a::f<float, 8>"), 1, 2, x.data());
  run(kernel(image, "a::f<double, 9>"), 1, 2, y.data());
  run(kernel(image, "line"), 1, 1, &o);
  EXPECT_EQ(x, std::vector<float>(2, 8));
  EXPECT_EQ(y, std::vector<double>(2, 9));
  EXPECT_EQ(o, 20);
}

}  // namespace
}  // namespace arr::host_kernels::test
