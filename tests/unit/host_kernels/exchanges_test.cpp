// SPDX-License-Identifier: MIT
// Warnings about values that threads of a warp exchange with no barrier between.
#include "support.h"

namespace arr::host_kernels::test {
namespace {

struct Exchange {
  const char *what, *body;
  const char* warning;  // the line that reads and the variable; "": none
};
void PrintTo(const Exchange& e, std::ostream* out) { *out << e.what; }
class HostKernelExchange : public testing::TestWithParam<Exchange> {};

TEST_P(HostKernelExchange, IsWarnedOf) {
  if (!by_pass()) GTEST_SKIP() << "the pass finds them";
  const std::string source =
      std::string(
          "extern \"C\" __global__ void k(const float* in, float* out) {\n  int t = threadIdx.x;\n  ") +
      GetParam().body + "\n}\n";
  const std::string said = log(*compile(source, {}));
  if (GetParam().warning[0] == 0)
    EXPECT_EQ(said.find("no barrier between"), std::string::npos) << said;
  else
    EXPECT_NE(said.find(GetParam().warning), std::string::npos) << said;
}

constexpr Exchange exchanges[] = {
    {"a transposed square",
     "__shared__ float s[8][9];\n"
     "  for (int i = 0; i < 8; ++i) s[i][t] = in[i * 8 + t];\n"
     "  for (int i = 0; i < 8; ++i) out[i * 8 + t] = s[t][i];",
     "kernel.cu:5: warning: __shared__ s"},
    {"the same with a barrier",
     "__shared__ float s[8][9];\n"
     "  for (int i = 0; i < 8; ++i) s[i][t] = in[i * 8 + t];\n  __syncthreads();\n"
     "  for (int i = 0; i < 8; ++i) out[i * 8 + t] = s[t][i];",
     ""},
    {"the same with a barrier of warps",
     "__shared__ float s[8][9];\n"
     "  for (int i = 0; i < 8; ++i) s[i][t] = in[i * 8 + t];\n  __syncwarp();\n"
     "  for (int i = 0; i < 8; ++i) out[i * 8 + t] = s[t][i];",
     ""},
    {"the end of a reduction in step",
     "__shared__ float s[64];\n  s[t] = in[t];\n  __syncthreads();\n"
     "  if (t < 32) {\n    s[t] += s[t + 32];\n    s[t] += s[t + 16];\n    s[t] += s[t + 8];\n  }\n"
     "  out[t] = s[0];",
     "warning: __shared__ s"},
    {"dynamic shared memory", "extern __shared__ float s[];\n  s[t] = in[t];\n  out[t] = s[t ^ 1];",
     "kernel.cu:5: warning: extern __shared__ memory"},
    {"a reduction",
     "__shared__ float s[256];\n  s[t] = in[t];\n  __syncthreads();\n"
     "  for (int n = 128; n > 0; n /= 2) {\n    if (t < n) s[t] += s[t + n];\n    __syncthreads();\n  }\n"
     "  out[t] = s[0];",
     ""},
    {"a reduction whose loop is unrolled",
     "__shared__ float s[64];\n  s[t] = in[t];\n  __syncthreads();\n"
     "  if (t < 32) s[t] += s[t + 32];\n  __syncthreads();\n  if (t < 16) s[t] += s[t + 16];\n"
     "  __syncthreads();\n  if (t < 8) s[t] += s[t + 8];\n  __syncthreads();\n  out[t] = s[0];",
     ""},
    {"each thread's own row",
     "__shared__ float s[64][8];\n  for (int i = 0; i < 8; ++i) s[t][i] = in[t * 8 + i];\n"
     "  for (int i = 0; i < 8; ++i) out[t * 8 + i] = s[t][7 - i];",
     ""},
    {"two elements of each thread",
     "__shared__ float s[512];\n  s[t] = in[t];\n  s[t + 256] = in[t + 256];\n  out[t] = s[t] + s[t + 256];",
     ""},
    {"two buffers",
     "__shared__ float s[2][64];\n  int now = 0;\n  s[0][t] = in[t];\n  __syncthreads();\n  float sum = 0;\n"
     "  for (int i = 1; i < 9; ++i) {\n    s[now ^ 1][t] = in[i * 64 + t];\n    sum += s[now][63 - t];\n"
     "    __syncthreads();\n    now ^= 1;\n  }\n  out[t] = sum;",
     ""},
    {"a product by tiles",
     "__shared__ float a[16][16], b[16][16];\n  int x = t % 16, y = t / 16;\n  float sum = 0;\n"
     "  for (int k = 0; k < 4; ++k) {\n    a[y][x] = in[k * 256 + t];\n    b[y][x] = in[k * 256 + 255 - t];\n"
     "    __syncthreads();\n    for (int i = 0; i < 16; ++i) sum += a[y][i] * b[i][x];\n    "
     "__syncthreads();\n  }\n"
     "  out[t] = sum;",
     ""},
    {"a step of a sorting network",
     "__shared__ float s[64];\n  s[t] = in[t];\n  __syncthreads();\n"
     "  if (t % 2 == 0 && s[t] > s[t + 1]) {\n    float x = s[t];\n    s[t] = s[t + 1];\n    s[t + 1] = x;\n "
     " }\n"
     "  __syncthreads();\n  out[t] = s[t];",
     ""},
    {"pairs that a guard chooses",
     "__shared__ float s[64];\n  s[t] = in[t];\n  __syncthreads();\n  int other = t ^ 8;\n"
     "  if (other > t && s[t] > s[other]) {\n    float x = s[t];\n    s[t] = s[other];\n    s[other] = x;\n  "
     "}\n"
     "  __syncthreads();\n  out[t] = s[t];",
     ""},
    {"a stencil with a border",
     "__shared__ float s[66];\n  s[t + 1] = in[t];\n  if (t == 0) s[0] = 0;\n  if (t == 63) s[65] = 0;\n"
     "  __syncthreads();\n  out[t] = s[t] + s[t + 1] + s[t + 2];",
     ""},
    {"a stencil without a barrier",
     "__shared__ float s[66];\n  s[t + 1] = in[t];\n  out[t] = s[t] + s[t + 1] + s[t + 2];",
     "kernel.cu:5: warning: __shared__ s"},
    {"tiles through two pointers, behind a bound",
     "extern __shared__ float s[];\n  unsigned u = threadIdx.x, y = 8 * threadIdx.y, q = u & 7;\n"
     "  if (u - q + 7 >= gridDim.x) return;\n  float *v = &s[y * 33 + u], *h = &s[(y + q) * 33 + u - q];\n"
     "  for (unsigned k = 0; k < 8; ++k) v[k * 33] = in[k * 32 + u];\n"
     "  for (unsigned k = 0; k < 8; ++k) out[k * 32 + u] = h[k];",
     "kernel.cu:8: warning: extern __shared__ memory"},
    {"the same two pointers with a barrier of warps",
     "extern __shared__ float s[];\n  unsigned u = threadIdx.x, y = 8 * threadIdx.y, q = u & 7;\n"
     "  if (u - q + 7 >= gridDim.x) return;\n  float *v = &s[y * 33 + u], *h = &s[(y + q) * 33 + u - q];\n"
     "  for (unsigned k = 0; k < 8; ++k) v[k * 33] = in[k * 32 + u];\n"
     "  __syncwarp();\n  for (unsigned k = 0; k < 8; ++k) out[k * 32 + u] = h[k];",
     ""},
    {"rows and columns in two branches of one bound",
     "__shared__ float s[8][9];\n  if (t < gridDim.x)\n    for (int i = 0; i < 8; ++i) s[i][t] = in[i * 8 + "
     "t];\n"
     "  if (t < gridDim.x)\n    for (int i = 0; i < 8; ++i) out[i * 8 + t] = s[t][i];",
     "kernel.cu:7: warning: __shared__ s"},
    {"one thread of each pair, by a number of the source",
     "__shared__ float s[64];\n  s[t] = in[t];\n  __syncthreads();\n"
     "  if (t % 2 < 1) {\n    s[t] = 0;\n    out[t] = s[t ^ 1];\n  }",
     ""},
};
INSTANTIATE_TEST_SUITE_P(Table, HostKernelExchange, testing::ValuesIn(exchanges),
                         [](const auto& c) { return std::to_string(c.index); });

}  // namespace
}  // namespace arr::host_kernels::test
