// SPDX-License-Identifier: MIT
// Loops over the threads of a block become vector instructions, as the compiler itself reports.
#include <gtest/gtest.h>

#include "host/kernels/compiler.h"
#include "host/kernels/translation.h"
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

// What the compiler says of loops that it turned into vectors.
std::string report(const std::string& text, std::vector<Unit> units) {
  const Compiler compiler = host_compiler({});
  if (!compiler.fission.empty()) {
    for (Unit& u : units) u.loop = true, u.fiber = false;
  }
  std::vector<std::string> flags = host_options(compiler, {}).flags;
  flags.emplace_back(compiler.is_clang ? "-Rpass=loop-vectorize" : "-fopt-info-vec-optimized");
  const bool fission = !compiler.fission.empty();
  if (fission) flags.push_back("-fpass-plugin=" + compiler.fission);
  const Compiled made =
      compile_image(compiler, flags, translation_unit(read_source(text), "", units, false, fission, false));
  EXPECT_TRUE(made.ok) << made.log;
  return made.log;
}
bool vectors(const std::string& log) {
  return log.find("loop vectorized") != std::string::npos || log.find("vectorized loop") != std::string::npos;
}

TEST(HostKernelVectors, OfAKernelAlone) {
  EXPECT_TRUE(vectors(report(saxpy_source, {{"saxpy", true, true}})));
}

TEST(HostKernelVectors, OfMathematicalFunctions) {
  EXPECT_TRUE(vectors(report(sigmoid, {{"sigmoid", true, true}})));
}

// What saves threadIdx over a barrier must not make other kernels' pointers ones that may point to it.
TEST(HostKernelVectors, BesideAKernelWithABarrier) {
  const std::vector<Unit> units = {{"saxpy", true, true}, {"turn", false, true}};
  EXPECT_TRUE(vectors(report(std::string(saxpy_source) + turn, units)));
}

}  // namespace
}  // namespace arr::host_kernels::test
