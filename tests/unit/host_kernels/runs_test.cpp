// SPDX-License-Identifier: MIT
// Neighbouring blocks that run as one loop over their threads, by the pass, and kernels that must not.
#include <algorithm>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

// Each adds 1 + its own index to every element of a matrix of h rows of w, and to nothing else.
constexpr const char* every_element = R"(
extern "C" {
__global__ void flat(float* x, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w * h) x[i] += 1 + i;
}
__global__ void flat_wide(float* x, int w, int h) {
  size_t i = size_t(blockDim.x) * blockIdx.x + threadIdx.x;
  if (i < size_t(w) * h) x[i] += 1 + i;
}
__global__ void strides(float* x, int w, int h) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w * h; i += blockDim.x * gridDim.x) x[i] += 1 + i;
}
__global__ void from_behind(float* x, int w, int h) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < w * h; i += blockDim.x * gridDim.x)
    x[w * h - 1 - i] += w * h - i;
}
__global__ void two_axes(float* x, int w, int h) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < w && row < h) x[row * w + column] += 1 + row * w + column;
}
__global__ void strides_of_two_axes(float* x, int w, int h) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < h; row += blockDim.y * gridDim.y)
    for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < w; column += blockDim.x * gridDim.x)
      x[row * w + column] += 1 + row * w + column;
}
// The block's number is of use by itself: each block is alone.
__global__ void rows(float* x, int w, int h) {
  for (int row = blockIdx.x; row < h; row += gridDim.x)
    for (int column = threadIdx.x; column < w; column += blockDim.x) x[row * w + column] += 1 + row * w + column;
}
__global__ void by_remainder(float* x, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = i; k < w * h; k += blockDim.x * gridDim.x)
    if ((k - i) % (blockDim.x * gridDim.x) == 0) x[k] += 1 + blockIdx.x * blockDim.x + threadIdx.x + (k - i);
}
})";

TEST(HostKernelRuns, TouchEveryElementOnce) {
  const auto image = compile(every_element, {});
  struct Case {
    const char* name;
    Size grid, block;
  };
  const int w = 733, h = 61;  // 44,713 elements
  const Case cases[] = {{"flat", 44713, 1},
                        {"flat", 1355, 33},
                        {"flat", 45, 1024},
                        {"flat", 350, {32, 4}},
                        {"flat_wide", 1355, 33},
                        {"strides", 1, 1},
                        {"strides", 700, 33},
                        {"strides", 1024, 256},
                        {"strides", 2, 256},
                        {"from_behind", 97, 64},
                        {"two_axes", {46, 16}, {16, 4}},
                        {"two_axes", {1, 1}, {1024, 1}},
                        {"two_axes", {3, 61}, {256, 1}},
                        {"two_axes", {733, 31, 1}, {1, 2, 1}},
                        {"strides_of_two_axes", {5, 3}, {16, 4}},
                        {"strides_of_two_axes", {40, 2}, {32, 8}},
                        {"rows", 17, 64},
                        {"by_remainder", 20, 96}};
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::Message() << c.name << " " << c.grid.v[0] << "," << c.grid.v[1] << " of "
                                    << c.block.v[0]);
    std::vector<float> x(size_t(w * h) + 1, 0.0f);
    // A block of several rows does flat's work several times over.
    const float times = std::string(c.name) == "flat" ? float(c.block.v[1]) : 1.0f;
    run(kernel(image, c.name), c.grid, c.block, x.data(), w, h);
    if (std::string(c.name) == "two_axes" && c.grid.v[1] * c.block.v[1] < h) {
      EXPECT_EQ(x[size_t(w)], 0.0f);
      continue;
    }
    const uint32_t reached = std::string(c.name).find("flat") == 0 ? c.grid.v[0] * c.block.v[0] : ~0u;
    for (uint32_t i = 0; i < uint32_t(w * h); i++)
      ASSERT_EQ(x[i], i < reached ? times * float(1 + i) : 0.0f) << i;
    EXPECT_EQ(x[size_t(w * h)], 0.0f);
  }
}

// CUDA does not say which thread's value stays: it tells in which order the host went through them. Rounds of
// both blocks one after the other, or all of a block's first.
TEST(HostKernelRuns, AreOneLoopByThePass) {
  if (!by_pass()) GTEST_SKIP() << "blocks are joined by the pass only";
  const Kernel k = make(R"(
extern "C" __global__ void last(int n, int zero, const int* value, int* x) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i % 2] = value[i];
}
extern "C" __global__ void last_alone(int n, int zero, const int* value, int* x) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    x[i % 2] = value[i] + zero * (int)blockIdx.x;
})",
                        "last");
  std::vector<int> value(20);
  for (int i = 0; i < 20; i++) value[size_t(i)] = i;
  for (const auto& [name, expected] : {std::pair{"last", 19}, {"last_alone", 11}}) {
    std::vector<int> x(8, 0);
    // The first block of a launch is alone: blocks 1 and 2 of three make a run.
    run(kernel(k.image, name), 3, 4, 20, 0, value.data(), x.data());
    EXPECT_EQ(x[1], expected) << name;
  }
}

// A block that waits for the last thread of the one before, in a row of its own.
TEST(HostKernelRuns, BlocksThatWaitForLowerOnes) {
  const Kernel k = make(R"(
extern "C" __global__ void chain(int* done, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = threadIdx.y;
  while (i >= (int)blockDim.x && atomicAdd(done + i - blockDim.x, 0) < 2) {}
  if (i < n) atomicAdd(out + i, 1 + row);
  atomicAdd(done + i, 1);
})",
                        "chain");
  std::vector<int> done(4096, 0), out(4096, 0);
  run(k, 64, {64, 2}, done.data(), out.data(), 4096);
  for (size_t i = 0; i < 4096; i++) ASSERT_EQ(out[i], 3) << i;
}

}  // namespace
}  // namespace arr::host_kernels::test
