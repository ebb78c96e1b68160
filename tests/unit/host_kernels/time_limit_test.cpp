// SPDX-License-Identifier: MIT
// A launch that takes longer than ARR_KERNEL_TIMEOUT ends with an error; one whose threads wait for each
// other at barriers ends at once. A program of its own: the limit is read once.
#include <chrono>
#include <cstdlib>
#include <vector>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

constexpr const char* endless = R"(
extern "C" {
__global__ void flag(volatile int* flag, int* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x == 0)
    while (flag[0] == 0) {}
  if (threadIdx.x == 1) flag[0] = 1;
}
__global__ void by_atomics(int* flag, int* out) {
  out[threadIdx.x] = 1;
  while (atomicCAS(flag, 1, 2) != 1) {}
}
__global__ void shared(int* flag, int* out) {
  __shared__ volatile int s;
  out[threadIdx.x] = 1;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  if (threadIdx.x == 0)
    while (s == 0) {}
  else
    s = 1;
  __syncthreads();
}
__global__ void sleeps(volatile int* flag, int* out) {
  out[threadIdx.x] = 1;
  while (flag[0] == 0) __nanosleep(100);
}
__global__ void nothing(int* flag, int* out) {
  out[threadIdx.x] = 1;
  for (;;) {}
}
__global__ void counts(int* flag, unsigned* out) {
  out[threadIdx.x] = 1;
  for (unsigned long long x = 1; x != 0; x += 2) out[threadIdx.x] |= x;
}
__global__ void barriers(int* flag, int* out) {
  out[threadIdx.x] = 1;
  for (;;) __syncthreads();
}
__global__ void many_blocks(int* flag, int* out) {
  out[threadIdx.x] = 1;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 1000; i++) sum += *(volatile int*)flag;
  if (sum != 0) out[threadIdx.x] = 1;
}
__global__ void fine(int* flag, int* out) { out[threadIdx.x] = 3; }
})";

TEST(HostKernelTimeLimit, EndsALaunchAndNamesTheLine) {
  const auto image = compile(endless, {});
  struct Case {
    const char* name;
    int first_line, last_line;  // 0: the line is not checked
    uint32_t blocks;
  };
  const Case cases[] = {{"flag", 5, 6, 1},      {"by_atomics", 0, 0, 1}, {"by_atomics", 0, 0, 5},
                        {"shared", 18, 19, 1},  {"sleeps", 0, 0, 1},     {"nothing", 30, 30, 1},
                        {"counts", 34, 34, 1},  {"barriers", 38, 38, 1}, {"many_blocks", 0, 0, 1000000},
                        {"nothing", 30, 30, 70}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    if (c.name == std::string("nothing") && !by_pass()) continue;  // g++ adds no check to an empty loop
    std::vector<int> flag(4, 0), out(64, 0);
    const auto start = std::chrono::steady_clock::now();
    const Caught caught =
        catch_error([&] { run(kernel(image, c.name), c.blocks, 64, flag.data(), out.data()); });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(caught.status, ARR_E_DEVICE);
    const std::string before = "kernel '" + std::string(c.name) + "': stopped",
                      after = " after 0.25 seconds (ARR_KERNEL_TIMEOUT)";
    EXPECT_EQ(caught.text.substr(0, before.size()), before);
    EXPECT_EQ(caught.text.substr(caught.text.size() - std::min(after.size(), caught.text.size())), after);
    bool named = c.first_line == 0;
    for (int line = c.first_line; line <= c.last_line; line++)
      named = named || caught.text == before + " in line " + std::to_string(line) + after;
    EXPECT_TRUE(named) << caught.text;
    EXPECT_GE(took.count(), 0.25);
    // The arrays stay valid, what was written is there, and the next launch is not affected.
    EXPECT_EQ(out[0], 1);
    run(kernel(image, "fine"), 1, 64, flag.data(), out.data());
    EXPECT_EQ(out[63], 3);
  }
}

// A block of a cooperative launch that does not end, and others that wait for it.
TEST(HostKernelTimeLimit, EndsBlocksThatWaitForEachOther) {
  const auto image = compile(R"(
#include <cooperative_groups.h>
extern "C" __global__ void meet(volatile int* flag) {
  if (blockIdx.x == 1)
    while (flag[0] == 0) {}
  cooperative_groups::this_grid().sync();
})",
                             {});
  int flag = 0;
  int* p = &flag;
  void* args[] = {&p};
  const uint32_t grid[3] = {3, 1, 1}, block[3] = {32, 1, 1};
  const Caught caught =
      catch_error([&] { launch(kernel(image, "meet"), grid, block, 0, args, 1, nullptr, true); });
  EXPECT_EQ(caught.status, ARR_E_DEVICE);
  EXPECT_NE(caught.text.find("ARR_KERNEL_TIMEOUT"), std::string::npos) << caught.text;
}

// The checks of accesses have calls in the same code.
TEST(HostKernelTimeLimit, EndsCheckedKernels) {
  Options checked;
  checked.check = true;
  const auto image = compile(R"(
extern "C" __global__ void counts() {
  __shared__ volatile int s;
  for (s = 0;; s = s + 2) {}
})",
                             checked);
  const Caught caught = catch_error([&] { run(kernel(image, "counts"), 1, 1); });
  EXPECT_EQ(caught.status, ARR_E_DEVICE);
  EXPECT_EQ(caught.text.rfind("kernel 'counts': stopped", 0), 0)
      << caught.text;  // in ours, where there is no line
}

// Kernels that end in time have the same results as without a limit.
TEST(HostKernelTimeLimit, LeavesOthersAlone) {
  // In a process of its own, as CTest runs it: under a sanitizer on a loaded machine 0.25 s are short.
  setenv("ARR_KERNEL_TIMEOUT", "60", 1);
  const auto image = compile(R"(
extern "C" __global__ void sum(const float* x, float* out) {
  __shared__ float part[256];
  part[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
})",
                             {});
  const std::vector<float> x(256 * 40, 0.5F);
  std::vector<float> out(40, 0);
  for (int round = 0; round < 50; round++) {
    std::fill(out.begin(), out.end(), 0.0F);
    EXPECT_EQ(catch_error([&] { run(kernel(image, "sum"), 40, 256, x.data(), out.data()); }).text, "");
    EXPECT_EQ(out, std::vector<float>(40, 128.0F));
  }
}

// Barriers that no thread can complete: at once, by the lines at which the threads wait.
TEST(HostKernelTimeLimit, EndAtOnceAtBarriersOfPartsOfABlock) {
  const auto image = compile(R"(
#include <cuda/atomic>
#include <cuda/barrier>
extern "C" {
__global__ void numbered(int* out) {
  if (threadIdx.x < 32) asm volatile("bar.sync 1, 96;" ::: "memory");
  out[threadIdx.x] = 1;
}
__global__ void phase(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, 65);
  __syncthreads();
  b.arrive_and_wait();
}
__global__ void value(int* out) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> a;
  if (threadIdx.x == 0) a = 3;
  __syncthreads();
  if (threadIdx.x < 2)
    a.wait(3);
  else
    __syncthreads();
}
__global__ void comes(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ cuda::atomic<int, cuda::thread_scope_block> a;
  if (threadIdx.x == 0) init(&b, 64), a = 3;
  __syncthreads();
  if (threadIdx.x < 5) a.wait(3);
  if (threadIdx.x == 5) {
    while (out[100] == 0) __nanosleep(10);
    a = 4;
  }
  if (threadIdx.x == 63) atomicExch(out + 100, 1);
  b.arrive_and_wait();
  out[threadIdx.x] = 5;
}
})",
                             {});
  struct Case {
    const char *name, *where;
  };
  for (const Case& c :
       {Case{"numbered", "threads 0-31 wait at barrier 1 in line 6"},
        Case{"phase", "threads 0-63 wait at cuda::barrier in line 13"},
        Case{"value",
             "threads 0-1 wait at cuda::atomic in line 20, threads 2-63 wait at __syncthreads in line 22"}}) {
    std::vector<int> out(128, 0);
    const Caught caught = catch_error([&] { run(kernel(image, c.name), 1, 64, out.data()); });
    EXPECT_EQ(caught.status, ARR_E_DEVICE);
    EXPECT_EQ(caught.text,  // at once: the limit has another text
              "kernel '" + std::string(c.name) + "': block (0,0,0) cannot go on: " + std::string(c.where));
  }
  std::vector<int> out(128, 0);
  EXPECT_EQ(catch_error([&] { run(kernel(image, "comes"), 1, 64, out.data()); }).text, "");
  EXPECT_EQ(out[63], 5);
}

}  // namespace
}  // namespace arr::host_kernels::test
