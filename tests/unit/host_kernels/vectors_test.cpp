// SPDX-License-Identifier: MIT
// Loops over the threads of a block become vector instructions, as the compiler itself reports.
#include <gtest/gtest.h>

#include "hostcuda/compile/compiler.h"
#include "hostcuda/source/translation.h"
#include "support.h"

namespace arr::host_kernels::test {
namespace {

constexpr const char* sigmoid = R"(
extern "C" __global__ void sigmoid(int n, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1.0f / (1.0f + expf(-x[i]));
}
)";
constexpr const char* turn = R"(
extern "C" __global__ void turn(float* x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  x[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
)";

// The compiler's messages with more flags.
std::string messages(const std::string& text, std::vector<Unit> units, const std::vector<std::string>& more) {
  const Compiler compiler = host_compiler({});
  if (!compiler.fission.empty()) {
    for (Unit& u : units) u.loop = true, u.fiber = false;
  }
  std::vector<std::string> flags = host_options(compiler, {}).flags;
  flags.insert(flags.end(), more.begin(), more.end());
  const bool fission = !compiler.fission.empty();
  if (fission) flags.push_back("-fpass-plugin=" + compiler.fission);
  const Compiled made =
      compile_image(compiler, flags, translation_unit(read_source(text), "", units, false, fission, false));
  EXPECT_TRUE(made.ok) << made.log;
  return made.log;
}
// Its report on loops that it turned into vectors.
std::string report(const std::string& text, const std::vector<Unit>& units) {
  const char* how = host_compiler({}).is_clang ? "-Rpass=loop-vectorize" : "-fopt-info-vec-optimized";
  return messages(text, units, {how});
}
// A kernel's code before or after loops become vectors, for a processor with or without masks for them.
std::string code(const std::string& text, const char* name, const char* when, const char* processor) {
  return messages(
      text, {{name, false, true}},
      {std::string("-march=") + processor, "-mllvm", std::string("-print-") + when + "=loop-vectorize"});
}
bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }
bool vectors(const std::string& log) {
  return log.find("loop vectorized") != std::string::npos || log.find("vectorized loop") != std::string::npos;
}

TEST(HostKernelVectors, OfAKernelAlone) {
  EXPECT_TRUE(vectors(report(saxpy_source, {{"saxpy", true, true}})));
}

TEST(HostKernelVectors, OfMathematicalFunctions) {
  EXPECT_TRUE(vectors(report(sigmoid, {{"sigmoid", true, true}})));
}

// The memory that keeps threadIdx over a barrier must not become one that other kernels' pointers may point
// to.
TEST(HostKernelVectors, BesideAKernelWithABarrier) {
  const std::vector<Unit> units = {{"saxpy", true, true}, {"turn", false, true}};
  EXPECT_TRUE(vectors(report(std::string(saxpy_source) + turn, units)));
}

constexpr const char* tiles = R"(
extern "C" __global__ void columns(int w, int h, const float* in, float* out) {
  __shared__ float s[8][33];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx;
  float before = 0;
  for (int top = 0; top < h; top += 8) {
    int y = top + ty;
    float here = in[y * w + x];
    s[ty][tx + 1] = here;
    if (tx == 0) s[ty][0] = in[y * w + x - 1];
    __syncthreads();
    out[y * w + x] = s[ty][tx] + here + before;
    before = here;
    __syncthreads();
  }
}
extern "C" __global__ void without_edges(int w, int h, const float* in, float* out) {
  __shared__ float s[8][33];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx;
  float before = 0;
  for (int top = 0; top < h; top += 8) {
    int y = top + ty;
    float here = in[y * w + x];
    s[ty][tx + 1] = here;
    __syncthreads();
    out[y * w + x] = s[ty][tx] + here + before;
    before = here;
    __syncthreads();
  }
}
extern "C" __global__ void guarded(int w, int n, const float* in, float* out) {
  __shared__ float s[8][33];
  int tx = threadIdx.x, ty = threadIdx.y, at = (blockIdx.y * 8 + ty) * w + blockIdx.x * 32 + tx;
  s[ty][tx] = in[at];
  __syncthreads();
  if (tx < n) out[at] = s[ty][31 - tx];
}
extern "C" __global__ void once(int w, const float* in, float* out) {
  __shared__ float s[8][33];
  int tx = threadIdx.x, ty = threadIdx.y, at = (blockIdx.y * 8 + ty) * w + blockIdx.x * 32 + tx;
  float here = in[at];
  s[ty][tx] = here;
  __syncthreads();
  out[at] = s[ty][31 - tx] + here;
}
)";

// A statement of the first thread leaves the loop over its row: nothing asks how far it is to that thread.
TEST(HostKernelVectors, EdgesOfTilesDoNotSplitRows) {
  if (!by_pass()) GTEST_SKIP() << "the pass does that";
  const auto limits = [](const char* name) {
    const std::string text = code(tiles, name, "before", "x86-64-v3");
    int count = 0;
    for (size_t at = 0; (at = text.find("call i64 @llvm.umin.i64", at)) != std::string::npos; at++) count++;
    return count;
  };
  EXPECT_EQ(limits("columns"), limits("without_edges"));
}

// A warp is two vectors of 16 floats: not half of a round of four vectors, which would leave it to single
// threads.
TEST(HostKernelVectors, RoundsOfAWarpAreOneVector) {
  if (!by_pass()) GTEST_SKIP() << "the pass does that";
  const std::string log = messages(tiles, {{"columns", false, true}, {"once", false, true}},
                                   {"-march=x86-64-v4", "-Rpass=loop-vectorize"});
  EXPECT_TRUE(holds(log, "interleaved count: 1)")) << log;
  EXPECT_FALSE(holds(log, "interleaved count: 2)")) << log;  // 4: a loop of the shim
}

// 31 threads that a guard lets through are two vectors, not one and 15 single threads.
TEST(HostKernelVectors, TailsOfRowsAreMaskedWhereThatIsCheap) {
  if (!by_pass()) GTEST_SKIP() << "the pass does that";
  EXPECT_TRUE(holds(code(tiles, "guarded", "after", "x86-64-v4"), "call void @llvm.masked.store"));
  EXPECT_FALSE(holds(code(tiles, "guarded", "after", "x86-64-v3"), "call void @llvm.masked.store"));
  EXPECT_FALSE(holds(code(tiles, "once", "after", "x86-64-v4"), "call void @llvm.masked.store"));
}

// Numbers of threads that could wrap would be compared with 2^32 before each row.
TEST(HostKernelVectors, PlacesOfKeptValuesAreSumsThatDoNotWrap) {
  if (!by_pass()) GTEST_SKIP() << "the pass does that";
  EXPECT_FALSE(holds(code(tiles, "once", "before", "x86-64-v3"), ", 4294967295"));
}

// An address by a division that is the same for all threads, in a branch that the first ones do not take.
TEST(HostKernelVectors, OfDivisionsInABranch) {
  const auto image = compile(R"(
template <class T>
__device__ void divide(const int* in, int* out, T a, T b, int first) {
  const int t = threadIdx.x;
  if (t < first) return;
  out[t] = in[(a + 1) % b];
  out[64 + t] = in[a / b];
  out[128 + t] = in[(a % b * 3 + 1) / b];
}
extern "C" __global__ void of_int(const int* i, int* o, int a, int b, int n) { divide(i, o, a, b, n); }
extern "C" __global__ void of_unsigned(const int* i, int* o, unsigned a, unsigned b, int n) { divide(i, o, a, b, n); }
extern "C" __global__ void of_long(const int* i, int* o, long long a, long long b, int n) { divide(i, o, a, b, n); }
extern "C" __global__ void in_a_loop(const int* i, int* o, unsigned a, unsigned b, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 3; k++)
    if ((int)threadIdx.x >= n) s[threadIdx.x] += i[(a + k) % b];
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
})",
                             {});
  std::vector<int> in(20), o(192);
  for (size_t i = 0; i < in.size(); i++) in[i] = 100 + static_cast<int>(i);
  const auto fill = [&] { std::fill(o.begin(), o.end(), -1); };
  const auto check = [&](const char* name, int a, int b, int first) {
    for (int t = 0; t < 64; t++) {
      const auto at = static_cast<size_t>(t);
      const bool there = t >= first;
      ASSERT_EQ(o[at], there ? 100 + (a + 1) % b : -1) << name << t;
      ASSERT_EQ(o[64 + at], there ? 100 + a / b : -1) << name << t;
      ASSERT_EQ(o[128 + at], there ? 100 + (a % b * 3 + 1) / b : -1) << name << t;
    }
  };
  for (const int first : {0, 1, 5, 33}) {
    fill();
    run(kernel(image, "of_int"), 1, 64, in.data(), o.data(), 23, 5, first);
    check("of_int", 23, 5, first);
    fill();
    run(kernel(image, "of_unsigned"), 1, 64, in.data(), o.data(), 23U, 5U, first);
    check("of_unsigned", 23, 5, first);
    fill();
    run(kernel(image, "of_long"), 1, 64, in.data(), o.data(), 23LL, 5LL, first);
    check("of_long", 23, 5, first);
    fill();
    run(kernel(image, "in_a_loop"), 1, 64, in.data(), o.data(), 23U, 5U, first);
    for (int t = 0; t < 64; t++) ASSERT_EQ(o[static_cast<size_t>(t)], t >= first ? 300 + 3 + 4 + 0 : 0) << t;
  }
  // Divisions that cannot be made, and that no thread makes.
  fill();
  run(kernel(image, "of_int"), 1, 64, in.data(), o.data(), 1, 0, 64);
  run(kernel(image, "of_long"), 1, 64, in.data(), o.data(), INT64_MIN, int64_t{-1}, 64);
  run(kernel(image, "of_unsigned"), 1, 64, in.data(), o.data(), 1U, 0U, 64);
  for (const int v : o) ASSERT_EQ(v, -1);
}

}  // namespace
}  // namespace arr::host_kernels::test
