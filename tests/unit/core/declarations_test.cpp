// SPDX-License-Identifier: MIT
// Kernels and variables found in a source's tokens.
#include <gtest/gtest.h>

#include "runtime/declarations.h"

namespace arr {
namespace {

std::string shown(const std::optional<std::vector<KernelParam>>& params) {
  if (!params) return "unknown";
  std::string out;
  for (const KernelParam& p : *params) {
    if (!out.empty()) out += ", ";
    out += p.readonly ? "const " : "";
    out += p.dtype == DType::none ? "?" : name(p.dtype);
    out += p.pointer ? "*" : "";
    out += text(" ", p.bytes);
  }
  return out;
}

std::string params(const char* source, const char* kernel) {
  return shown(parameters_of(declarations_of(source), kernel));
}

TEST(Declarations, ScalarsAndPointers) {
  EXPECT_EQ(params("extern \"C\" __global__ void k(const float* __restrict__ x, double *y, int n, unsigned "
                   "long long m, "
                   "bool b, const char c, short int s, uint8_t u, size_t z) {}",
                   "k"),
            "const float32* 8, float64* 8, int32 4, uint64 8, bool 1, int8 1, int16 2, uint8 1, uint64 8");
  EXPECT_EQ(
      params(
          "__global__ void k(float const *x, float *const y, float** z, void* v, Thing t, Thing* p, int a[], "
          "const __half* h, std::pair<int, int> q)",
          "k"),
      "const float32* 8, float32* 8, ?* 8, ?* 8, ? 0, ?* 8, int32* 8, const float16* 8, ? 0");
  EXPECT_EQ(params("__global__ void k() {}", "k"), "");
  EXPECT_EQ(params("__global__ void k(void) {}", "k"), "");
  EXPECT_EQ(params("__global__ void k(int, unsigned, float *) {}", "k"), "int32 4, uint32 4, float32* 8");
}

TEST(Declarations, NamesOfKernels) {
  const char* source =
      "namespace a { namespace b { __global__ __launch_bounds__(128, 2) void k(int n) { if (n) { } } } }\n"
      "// __global__ void hidden(double x) {}\n"
      "static __global__ void __attribute__((used)) s(float x);\n"
      "__global__ void s(float x) {}\n"
      "__global__ void twice(int) {}\n__global__ void twice(float) {}\n";
  EXPECT_EQ(params(source, "a::b::k"), "int32 4");
  EXPECT_EQ(params(source, "k"), "int32 4");
  EXPECT_EQ(params(source, "s"), "float32 4");
  EXPECT_EQ(params(source, "twice"), "unknown");
  EXPECT_EQ(params(source, "hidden"), "unknown");
  EXPECT_EQ(params(source, "b"), "unknown");
}

TEST(Declarations, Templates) {
  const char* source =
      "template <class T, int N = 4, typename U = float> __global__ void t(T* x, const T v, U u, Box<T> b) "
      "{}\n"
      "__global__ void plain(T* x) {}\n";
  EXPECT_EQ(params(source, "t<double>"), "float64* 8, float64 8, ? 0, ? 0");
  EXPECT_EQ(params(source, "&t<unsigned int, 3, long long>"), "uint32* 8, uint32 4, int64 8, ? 0");
  EXPECT_EQ(params(source, "t<const float, 3, short>"), "const float32* 8, float32 4, int16 2, ? 0");
  EXPECT_EQ(params(source, "t<float*, 3>"), "?* 8, float32* 8, ? 0, ? 0");
  EXPECT_EQ(params(source, "plain"), "?* 8");
}

TEST(Declarations, Variables) {
  for (const char* with :
       {"__constant__ int a[3];", "__device__ float x = 2;", "namespace n { __device__ int x; }",
        "extern \"C\" { __managed__ int x{1}; }", "__device__ __align__(16) char buffer[64];"}) {
    EXPECT_TRUE(declarations_of(with).variables) << with;
  }
  for (const char* without :
       {"__device__ int f(int x) { int y = 2; return x; }", "// __device__ int x;\n",
        "__global__ void k(int n = 3) {}", "struct S { __device__ int get() const { return 1; } };",
        "template <class T> __device__ T zero = T(0);", "__global__ void k() { __shared__ int s[4]; }",
        "#define V __device__ int x;\n"}) {
    EXPECT_FALSE(declarations_of(without).variables) << without;
  }
}

// The scan ends and stays inside of any text.
TEST(Declarations, BrokenText) {
  const std::string whole =
      "template <class T = int> namespace a { extern \"C\" { __global__ void k(const float* x, int n = (3, "
      "4)) {";
  for (size_t n = 0; n <= whole.size(); ++n) {
    const Declarations d = declarations_of(whole.substr(0, n));
    (void)parameters_of(d, "k<int, (3>");
    (void)parameters_of(d, ">>,<");
  }
  SUCCEED();
}

}  // namespace
}  // namespace arr
