// SPDX-License-Identifier: MIT
// Parts of CUDA besides the language: mathematics, intrinsics, types, allocation, printing, headers.
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

struct MathCase {
  const char* expression;  // of x
  double (*expected)(double);
  double low, high;
};
void PrintTo(const MathCase& c, std::ostream* out) { *out << c.expression; }
class Mathematics : public testing::TestWithParam<MathCase> {};

// Against the C library in double: within 4 units in the last place, which is what its vector forms promise.
TEST_P(Mathematics, BothPrecisions) {
  const MathCase& c = GetParam();
  const std::string e = c.expression;
  const auto image = compile(
      "template <class T> __global__ void f(const T* in, T* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) { T x = in[i]; out[i] = " +
          e + "; }\n}\n",
      {{}, {"f<float>", "f<double>"}});
  const auto check = [&](auto zero, const char* name) {
    using T = decltype(zero);
    std::vector<T> in(1000), out(1000);
    for (size_t i = 0; i < 1000; i++) in[i] = T(c.low + (c.high - c.low) * double(i) / 999);
    run(kernel(image, name), 4, 256, in.data(), out.data(), 1000);
    for (size_t i = 0; i < 1000; i++) {
      const double exact = c.expected(double(in[i]));
      const double unit = std::max(std::abs(exact), 1e-30) * double(std::numeric_limits<T>::epsilon());
      ASSERT_NEAR(double(out[i]), exact, 4 * unit + 1e-16) << e << " at " << in[i];
    }
  };
  check(0.0f, "f<float>");
  check(0.0, "f<double>");
}

constexpr MathCase math_cases[] = {
    {"exp(x)", [](double x) { return std::exp(x); }, -20, 20},
    {"log(x)", [](double x) { return std::log(x); }, 0.01, 100},
    {"sin(x)", [](double x) { return std::sin(x); }, 0.1, 3},
    {"cos(x)", [](double x) { return std::cos(x); }, -1.5, 1.5},
    {"tan(x)", [](double x) { return std::tan(x); }, 0.01, 1.5},
    {"pow(x, (decltype(x))1.5)", [](double x) { return std::pow(x, 1.5); }, 0.01, 50},
    {"exp2(x)", [](double x) { return std::exp2(x); }, -10, 10},
    {"log2(x)", [](double x) { return std::log2(x); }, 2, 100},
    {"log10(x)", [](double x) { return std::log10(x); }, 2, 100},
    {"log1p(x)", [](double x) { return std::log1p(x); }, 0.001, 10},
    {"expm1(x)", [](double x) { return std::expm1(x); }, 0.001, 5},
    {"asin(x)", [](double x) { return std::asin(x); }, 0.01, 0.99},
    {"acos(x)", [](double x) { return std::acos(x); }, -0.9, 0.9},
    {"atan(x)", [](double x) { return std::atan(x); }, 0.1, 30},
    {"atan2(x, x + 1)", [](double x) { return std::atan2(x, x + 1); }, 1, 2},
    {"sinh(x)", [](double x) { return std::sinh(x); }, 0.1, 5},
    {"cosh(x)", [](double x) { return std::cosh(x); }, -5, 5},
    {"tanh(x)", [](double x) { return std::tanh(x); }, 0.01, 5},
    {"erf(x)", [](double x) { return std::erf(x); }, 0.01, 3},
    {"erfc(x)", [](double x) { return std::erfc(x); }, -2, 2},
    {"cbrt(x)", [](double x) { return std::cbrt(x); }, 0.1, 100},
    {"hypot(x, x)", [](double x) { return std::hypot(x, x); }, 1, 9},
    {"sqrt(x)", [](double x) { return std::sqrt(x); }, 0, 100},
    {"rsqrt(x)", [](double x) { return 1 / std::sqrt(x); }, 0.1, 100},
    {"floor(x) + 2 * ceil(x) + 4 * trunc(x)",
     [](double x) { return std::floor(x) + 2 * std::ceil(x) + 4 * std::trunc(x); }, -9, 9},
    {"round(x) + rint(x)", [](double x) { return std::round(x) + std::rint(x); }, -9.25, 9.25},
    {"fmod(x, (decltype(x))2)", [](double x) { return std::fmod(x, 2); }, 1, 9},
    {"fabs(x) + abs(x)", [](double x) { return 2 * std::abs(x); }, -3, 3},
    {"fma(x, x, -x)", [](double x) { return std::fma(x, x, -x); }, 2, 5},
    {"min(x, (decltype(x))1) + max(x, (decltype(x))2)",
     [](double x) { return std::min(x, 1.0) + std::max(x, 2.0); }, -4, 4},
    {"fmin(x, (decltype(x))1) + fmax(x, (decltype(x))2)",
     [](double x) { return std::fmin(x, 1.0) + std::fmax(x, 2.0); }, -4, 4},
};
INSTANTIATE_TEST_SUITE_P(All, Mathematics, testing::ValuesIn(math_cases));

TEST(HostKernelShim, NotANumberAndInfinity) {
  const Kernel k = make(R"(
extern "C" __global__ void f(const float* x, int* o, float* m) {
  int i = threadIdx.x;
  o[i] = isnan(x[i]) + 2 * isinf(x[i]) + 4 * isfinite(x[i]) + 8 * signbit(x[i]);
  m[2 * i] = min(x[i], 1.f);
  m[2 * i + 1] = fmaxf(x[i], 1.f);
})",
                        "f");
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> x = {NAN, inf, -inf, -0.0f, 3}, m(10);
  std::vector<int> o(5);
  run(k, 1, 5, x.data(), o.data(), m.data());
  EXPECT_EQ(o[0] & 7, 1);
  EXPECT_EQ((std::vector<int>{o.begin() + 1, o.end()}), (std::vector<int>{2, 10, 12, 4}));
  EXPECT_EQ(m, (std::vector<float>{1, 1, 1, inf, -inf, 1, 0, 1, 1, 3}));
}

// Each expression is true on a GPU.
constexpr const char* const truths[] = {"__popc(0xf0f0u) == 8",
                                        "__popcll(~0ull) == 64",
                                        "__clz(1) == 31",
                                        "__clz(0) == 32",
                                        "__clzll(1) == 63",
                                        "__ffs(8) == 4",
                                        "__ffs(0) == 0",
                                        "__ffsll(1ll << 40) == 41",
                                        "__brev(1u) == 0x80000000u",
                                        "__brevll(2ull) == 0x4000000000000000ull",
                                        "__mulhi(-2, 3) == -1",
                                        "__umulhi(0x80000000u, 4u) == 2u",
                                        "__mul64hi(-1ll, 5ll) == -1",
                                        "__umul64hi(1ull << 63, 6ull) == 3ull",
                                        "__mul24(-3, 5) == -15",
                                        "__umul24(0x1000003u, 2u) == 6u",
                                        "__sad(3, -4, 10) == 17u",
                                        "__usad(3u, 9u, 1u) == 7u",
                                        "__hadd(3, 4) == 3",
                                        "__rhadd(3, 4) == 4",
                                        "__funnelshift_l(0x80000000u, 1u, 1) == 3u",
                                        "__funnelshift_r(0u, 1u, 1) == 0x80000000u",
                                        "__byte_perm(0x33221100u, 0x77665544u, 0x7531u) == 0x77553311u",
                                        "__float_as_int(1.0f) == 0x3f800000",
                                        "__int_as_float(0x40000000) == 2.0f",
                                        "__float_as_uint(-0.0f) == 0x80000000u",
                                        "__double_as_longlong(1.0) == 0x3ff0000000000000ll",
                                        "__hiloint2double(0x3ff00000, 0) == 1.0",
                                        "__double2hiint(2.0) == 0x40000000",
                                        "__double2loint(1.0) == 0",
                                        "__float2int_rn(2.5f) == 2",
                                        "__float2int_rz(-2.7f) == -2",
                                        "__float2int_ru(2.1f) == 3",
                                        "__float2int_rd(-2.1f) == -3",
                                        "__float2int_rz(3e9f) == 2147483647",
                                        "__float2uint_rz(-5.0f) == 0u",
                                        "__double2int_rn(-3e9) == -2147483647 - 1",
                                        "__float2int_rn(__int_as_float(0x7fc00000)) == 0",
                                        "__double2ll_rz(1e30) == 9223372036854775807ll",
                                        "__float2ull_rn(1e30f) == ~0ull",
                                        "__int2float_rn(7) == 7.0f",
                                        "__fmaf_rn(2.f, 3.f, 4.f) == 10.f",
                                        "__fadd_rn(1.f, 2.f) == 3.f",
                                        "__fdividef(6, 4) == 1.5f",
                                        "__saturatef(1.5f) == 1.f",
                                        "__saturatef(-2.f) == 0.f",
                                        "__frcp_rn(4.f) == 0.25f",
                                        "__fsqrt_rn(9.f) == 3.f",
                                        "abs(-5) == 5",
                                        "abs(-5ll) == 5ll",
                                        "llabs(-6ll) == 6",
                                        "min(3, 4u) == 3u",
                                        "max(-1, 2ll) == 2ll",
                                        "max(1.5, 2) == 2.0",
                                        "ldexpf(1.5f, 3) == 12.f",
                                        "make_float4(1, 2, 3, 4).w == 4",
                                        "make_uchar2(255, 1).x == 255",
                                        "sizeof(float3) == 12",
                                        "sizeof(float4) == 16",
                                        "alignof(double2) == 16",
                                        "alignof(int2) == 8",
                                        "sizeof(longlong3) == 24",
                                        "dim3(5).z == 1",
                                        "warpSize == 32",
                                        "__expf(0.f) == 1.f",
                                        "__powf(2.f, 3.f) == 8.f",
                                        "__CUDA_ARCH__ == 600",
                                        "sizeof(size_t) == 8"};

TEST(HostKernelShim, IntegerAndConversionIntrinsics) {
  std::string body;
  int n = 0;
  for (const char* truth : truths) body += "  o[" + std::to_string(n++) + "] = " + truth + ";\n";
  const Kernel k = make("extern \"C\" __global__ void f(int* o) {\n" + body + "}\n", "f");
  std::vector<int> out(size_t(n), 0);
  run(k, 1, 1, out.data());
  for (size_t i = 0; i < out.size(); i++) EXPECT_EQ(out[i], 1) << truths[i];
}

TEST(HostKernelShim, AllocationInAKernel) {
  const Kernel k = make(R"(
struct Node { Node* next; int value; };
extern "C" __global__ void f(int* o) {
  Node* list = nullptr;
  for (int i = 0; i < 10; i++) list = new Node{list, i * (int)threadIdx.x};
  int* extra = (int*)malloc(4);
  *extra = 1;
  int sum = *extra;
  free(extra);
  while (list) { Node* next = list->next; sum += list->value; delete list; list = next; }
  o[threadIdx.x] = sum;
})",
                        "f");
  std::vector<int> out(40);
  run(k, 1, 40, out.data());
  for (int t = 0; t < 40; t++) EXPECT_EQ(out[size_t(t)], 45 * t + 1);
}

TEST(HostKernelShim, PrintfGoesToStandardOutput) {
  const Kernel k = make(R"(
extern "C" __global__ void f(double x) { printf("block %d thread %d x %.3f\n", blockIdx.x, threadIdx.x, x); })",
                        "f");
  testing::internal::CaptureStdout();
  run(k, 2, 1, 1.5);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("block 0 thread 0 x 1.500\n"), std::string::npos);
  EXPECT_NE(text.find("block 1 thread 0 x 1.500\n"), std::string::npos);
}

TEST(HostKernelShim, StandardHeadersAndCudaHeaders) {
  const Kernel k = make(R"(
#include <cuda_runtime.h>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <memory>
template <class T> __device__ T half_of(T x) { static_assert(std::is_floating_point<T>::value, ""); return x / 2; }
extern "C" __global__ void f(float* o, int64_t n) {
  __shared__ float s[32];
  assert(n == 5);
  s[threadIdx.x] = std::sqrt(float(n)) + std::numeric_limits<float>::max() * 0 + exp(0.0f) + abs(-2.0f) + max(1, 2);
  __syncthreads();
  o[threadIdx.x] = half_of(s[31 - threadIdx.x]) + isnan(s[0]);
})",
                        "f");
  std::vector<float> out(32);
  run(k, 1, 32, out.data(), int64_t{5});
  EXPECT_NEAR(out[3], (std::sqrt(5.0f) + 5) / 2, 1e-5);
  const Caught c = catch_error([&] { run(k, 1, 32, out.data(), int64_t{6}); });
  EXPECT_NE(c.text.find("assertion 'n == 5' failed in line 12"), std::string::npos) << c.text;
}

TEST(HostKernelShim, NoAssertionsWithNdebug) {
  const Kernel k =
      make("extern \"C\" __global__ void f(int* o) { assert(false); *o = 3; }\n", "f", {{"-DNDEBUG"}, {}});
  int value = 0;
  run(k, 1, 1, &value);
  EXPECT_EQ(value, 3);
}

TEST(HostKernelShim, LaneThatPollsLetsOthersRun) {
  const Kernel k = make(R"(
extern "C" __global__ void f(int* o) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) while (flag != 63) __nanosleep(20);
  if (threadIdx.x == 63) flag = 63;
  o[threadIdx.x] = flag;
})",
                        "f");
  std::vector<int> out(64);
  run(k, 1, 64, out.data());
  EXPECT_EQ(out[0], 63);
}

// The same kernels by clang, where it is installed.
TEST(HostKernelShim, ByClang) {
  const char* paths[] = {"/usr/bin/clang++", "/usr/bin/clang++-14", "/usr/local/bin/clang++"};
  const char* found = nullptr;
  for (const char* path : paths)
    if (found == nullptr && access(path, X_OK) == 0) found = path;
  if (found == nullptr) GTEST_SKIP() << "clang++ is not installed";
  const char* before = getenv("ARR_HOST_CXX");
  const std::string old = before != nullptr ? before : "";
  setenv("ARR_HOST_CXX", found, 1);
  const auto image = compile(R"(
__constant__ float scale = 2;
extern __shared__ float all[];
template <class T> __global__ void sums(const T* in, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T v = i < n ? expf(in[i]) * scale : 0;
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) all[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) for (int w = 0; w < blockDim.x / 32; w++) out[blockIdx.x] += all[w];
}
extern "C" __global__ void plain(int* o) { assert(threadIdx.x < 100); o[threadIdx.x] = threadIdx.x; })",
                             {{}, {"sums<float>", "plain"}});
  before != nullptr ? setenv("ARR_HOST_CXX", old.c_str(), 1) : unsetenv("ARR_HOST_CXX");
  std::vector<float> in(500, 0.0f), out(2);
  run_shared(kernel(image, "sums<float>"), 2, 256, 64, in.data(), out.data(), 500);
  EXPECT_EQ(out, (std::vector<float>{512, 488}));
  const Kernel plain = kernel(image, "plain");
  EXPECT_FALSE(plain.on_fibers);
  std::vector<int> o(128);
  EXPECT_EQ(catch_error([&] { run(plain, 1, 128, o.data()); }).status, ARR_E_DEVICE);
}

}  // namespace
}  // namespace arr::host_kernels::test
