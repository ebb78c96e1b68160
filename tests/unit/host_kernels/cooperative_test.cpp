// SPDX-License-Identifier: MIT
// Cooperative launches: all blocks alive at once, barriers of the grid, and what ends them with an error.
#include <atomic>
#include <numeric>
#include <thread>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

template <class... A>
void run_together(const Kernel& k, Size grid, Size block, A... a) {
  void* args[sizeof...(A) + 1] = {&a..., nullptr};
  launch(k, grid.v, block.v, 0, args, static_cast<int>(sizeof...(A)), nullptr, true);
}

constexpr const char* source = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// Every block's sum, which stays in shared memory, and after the barrier all of them.
extern "C" __global__ void sums(const int* in, int* parts, int* out, int rounds) {
  __shared__ int room[64], mine;
  cg::grid_group grid = cg::this_grid();
  const unsigned t = threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    room[t] = in[grid.thread_rank()] + r;
    for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
      __syncthreads();
      if (t < d) room[t] += room[t + d];
    }
    if (t == 0) parts[blockIdx.x] = mine = room[0];
    grid.sync();
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; b++) total += parts[b];
    out[grid.thread_rank()] = grid.is_valid() ? total * 2 - mine : -1;
    grid.sync();
  }
}
extern "C" __global__ void some_return(int* parts, int* out) {
  cg::grid_group grid = cg::this_grid();
  const unsigned b = blockIdx.x, t = threadIdx.x;
  if (t >= 40 || (t < b && t < 32)) return;  // the first thread of most blocks, and half a warp
  if (t == 35) parts[b] = (int)(b + 1);
  grid.sync();
  if (t % 2) {
    out[b * 40 + t] = parts[gridDim.x - 1 - b];
    return;
  }
  auto token = grid.barrier_arrive();
  grid.barrier_wait(static_cast<cg::grid_group::arrival_token&&>(token));
  out[b * 40 + t] = -parts[b + 1 < gridDim.x ? b + 1 : 0];
}
// A barrier of one's own, which only blocks that are all alive get through.
extern "C" __global__ void by_hand(int* arrived, int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < (int)gridDim.x) {
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = *arrived;
}
extern "C" __global__ void plain(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = (int)cg::this_grid().is_valid();
}
extern "C" __global__ void a_block_ends(int* out) {
  if (blockIdx.x == 1) return;
  cg::this_grid().sync();
  out[0] = 1;
}
extern "C" __global__ void a_block_fails(int* out, int n) {
  if (blockIdx.x == 2) assert(n > 3);
  cg::this_grid().sync();
  out[0] = 1;
}
extern "C" __global__ void mixed(int* out) {
  if (threadIdx.x < 32) {
    cg::this_grid().sync();
    out[0] = 1;
  } else {
    __syncthreads();
    out[1] = 1;
  }
})";
const std::shared_ptr<Image>& image() {
  static const auto made = compile(source, {});
  return made;
}

TEST(HostKernelCooperative, ManyBarriersAndSharedMemory) {
  EXPECT_EQ(log(*image()), "") << "a kernel has no loop form";
  for (const uint32_t blocks : {1U, 2U, 13U, 64U}) {
    std::vector<int> in(blocks * 64), parts(blocks), out(blocks * 64);
    std::iota(in.begin(), in.end(), 3);
    constexpr int rounds = 50;
    run_together(kernel(image(), "sums"), blocks, 64, in.data(), parts.data(), out.data(), rounds);
    const int all = std::accumulate(in.begin(), in.end(), 0) + static_cast<int>(in.size()) * (rounds - 1);
    for (uint32_t b = 0; b < blocks; b++) {
      const int mine = std::accumulate(in.begin() + b * 64, in.begin() + b * 64 + 64, 64 * (rounds - 1));
      for (uint32_t t = 0; t < 64; t++) ASSERT_EQ(out[b * 64 + t], 2 * all - mine) << b << " of " << blocks;
    }
  }
}

TEST(HostKernelCooperative, ThreadsThatReturnAreNotWaitedFor) {
  constexpr int blocks = 6;
  std::vector<int> parts(blocks), out(blocks * 40, -100);
  run_together(kernel(image(), "some_return"), blocks, 96, parts.data(), out.data());
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < 40; t++) {
      const int want = t < b ? -100 : t % 2 != 0 ? blocks - b : -((b + 1) % blocks + 1);
      ASSERT_EQ(out[static_cast<size_t>(b * 40 + t)], want) << b << " " << t;
    }
}

TEST(HostKernelCooperative, AllBlocksAreAliveAtOnce) {
  std::vector<int> out(20 * 32), arrived(1);
  run_together(kernel(image(), "by_hand"), 20, 32, arrived.data(), out.data());
  for (const int o : out) ASSERT_EQ(o, 20);
  run_together(kernel(image(), "plain"), {4, 1, 1}, 32, out.data());
  for (size_t i = 0; i < 128; i++) ASSERT_EQ(out[i], 1);
  run(kernel(image(), "plain"), {4, 1, 1}, 32, out.data());
  for (size_t i = 0; i < 128; i++) ASSERT_EQ(out[i], 0);
}

TEST(HostKernelCooperative, OfThreeDimensionsAndByTwoThreadsAtOnce) {
  const Kernel k = kernel(image(), "sums");
  std::atomic<int> good{0};
  const auto work = [&] {
    for (int i = 0; i < 10; i++) {
      std::vector<int> in(64, i), parts(2), out(128);
      in.resize(128, 1);
      run_together(k, {2, 1, 1}, {8, 4, 2}, in.data(), parts.data(), out.data(), 0);
      std::fill(out.begin(), out.end(), 0);
      run_together(k, 2, 64, in.data(), parts.data(), out.data(), 1);
      good += out[0] == 64 * i + 128 && out[127] == 128 * i + 64;
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(good, 20);
}

TEST(HostKernelCooperative, WhatCannotGoOnIsAnError) {
  std::vector<int> out(2);
  const auto said = [&](const char* name, bool together, auto... more) {
    const Caught c = catch_error([&] {
      together ? run_together(kernel(image(), name), 3, 64, out.data(), more...)
               : run(kernel(image(), name), 3, 64, out.data(), more...);
    });
    EXPECT_EQ(c.status, ARR_E_DEVICE);
    return c.text;
  };
  EXPECT_EQ(said("a_block_ends", true),
            "kernel 'a_block_ends': block (0,0,0) waits at grid.sync in line 52, but block (1,0,0) has ended "
            "without it");
  EXPECT_EQ(
      said("a_block_ends", false),
      "kernel 'a_block_ends': grid.sync() in a launch that is not cooperative, in line 52, block (0,0,0), "
      "thread (0,0,0)");
  EXPECT_EQ(said("a_block_fails", true, 3),
            "kernel 'a_block_fails': assertion 'n > 3' failed in line 56, block (2,0,0), thread (0,0,0)");
  EXPECT_EQ(said("mixed", true),
            "kernel 'mixed': block (0,0,0) cannot go on: threads 0-31 wait at grid.sync in line 62, threads "
            "32-63 wait at __syncthreads in line 65");
  EXPECT_EQ(out, (std::vector<int>{0, 0}));
}

TEST(HostKernelCooperative, AsManyBlocksAsAGpuOfSoManyCores) {
  EXPECT_EQ(resident_blocks(1), 32);
  EXPECT_EQ(resident_blocks(32), 32);
  EXPECT_EQ(resident_blocks(33), 16);
  EXPECT_EQ(resident_blocks(256), 4);
  EXPECT_EQ(resident_blocks(513), 1);
  EXPECT_EQ(resident_blocks(1024), 1);
}

// A barrier of the grid is one of the block; and races are found in each block.
TEST(HostKernelCooperative, Checked) {
  const char* raced = R"(
#include <cooperative_groups.h>
extern "C" __global__ void k(int* out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = (int)threadIdx.x;
  if (n == 1) cooperative_groups::this_grid().sync();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
})";
  Options options;
  options.check = true;
  const Kernel k = make(raced, "k", options);
  std::vector<int> out(4 * 64);
  const Extent extents[2] = {{reinterpret_cast<const char*>(out.data()), 4 * out.size(), true, "out"}, {}};
  const auto go = [&](int n) {
    int* o = out.data();
    void* args[] = {&o, &n};
    const uint32_t grid[] = {4, 1, 1}, block[] = {64, 1, 1};
    launch(k, grid, block, 0, args, 2, extents, true);
  };
  go(1);
  for (int i = 0; i < 256; i++) ASSERT_EQ(out[static_cast<size_t>(i)], 63 - i % 64);
  const Caught c = catch_error([&] { go(0); });
  EXPECT_EQ(c.text.find("kernel 'k': race in shared memory s at offset "), 0U) << c.text;
  EXPECT_NE(c.text.find("block ("), std::string::npos) << c.text;
}

}  // namespace
}  // namespace arr::host_kernels::test
