// SPDX-License-Identifier: MIT
// Kernels that wait for ever end with an error after the time of ARR_HOST_WAIT_LIMIT, and those that compute
// or wait for what will come do not. A program of its own: the limit is read once.
#include <chrono>
#include <vector>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

constexpr const char* waiting = R"(
extern "C" {
__global__ void global(volatile int* flag, int* out) {
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
__global__ void on_fibers(volatile int* flag, int* out) {
  out[threadIdx.x] = 1;
  while (flag[0] == 0) __nanosleep(100);
}
__global__ void fine(int* flag, int* out) { out[threadIdx.x] = 3; }
})";

TEST(HostKernelWaits, EndAfterTheLimitAndNameTheLine) {
  const auto image = compile(waiting, {});
  struct Case {
    const char* name;
    int line;
    uint32_t blocks;
  };
  const Case cases[] = {{"global", 6, 1},
                        {"by_atomics", 11, 1},
                        {"by_atomics", 11, 5},
                        {"shared", 19, 1},
                        {"on_fibers", 26, 1}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<int> flag(4, 0), out(64, 0);
    const auto start = std::chrono::steady_clock::now();
    const Caught caught =
        catch_error([&] { run(kernel(image, c.name), c.blocks, 64, flag.data(), out.data()); });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(caught.status, ARR_E_DEVICE);
    const std::string line = std::to_string(c.line);
    EXPECT_EQ(caught.text, "kernel '" + std::string(c.name) + "': a thread waits in line " + line +
                               " for what no other thread does, for 0.5 seconds (ARR_HOST_WAIT_LIMIT)");
    EXPECT_GE(took.count(), 0.4);
    // The arrays stay valid, what was written is there, and the next launch is not affected.
    EXPECT_EQ(out[0], 1);
    run(kernel(image, "fine"), 1, 64, flag.data(), out.data());
    EXPECT_EQ(out[63], 3);
  }
}

// Barriers that no thread can complete: at once, by the lines at which the threads wait.
TEST(HostKernelWaits, EndAtOnceAtBarriersOfPartsOfABlock) {
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

// Longer than the limit, with nothing but registers that change, or memory.
TEST(HostKernelWaits, DoNotEndWhatComputes) {
  const auto image = compile(R"(
extern "C" {
__global__ void collatz(unsigned long long n, unsigned long long* out) {
  unsigned long long x = n, steps = 0;
  while (steps < n) { x = x % 2 == 0 ? x / 2 : 3 * x + 1; steps++; }
  out[0] = x;
}
__global__ void in_memory(unsigned long long n, volatile unsigned long long* out) {
  while (out[0] < n) out[0] = out[0] + 1;
}
__global__ void clocks(unsigned long long n, unsigned long long* out) {
  long long start = clock64();
  while ((unsigned long long)(clock64() - start) < n) {}
  out[0] = 1;
}
})",
                             {});
  struct Case {
    const char* name;
    unsigned long long n;
  };
  for (const Case& c :
       {Case{"collatz", 500000000}, Case{"in_memory", 700000000}, Case{"clocks", 4000000000}}) {
    unsigned long long out = 0;
    const Caught caught = catch_error([&] { run(kernel(image, c.name), 1, 1, c.n, &out); });
    EXPECT_EQ(caught.text, "") << c.name;
    EXPECT_NE(out, 0) << c.name;
  }
}

// A block that waits for one that computes for longer than the limit.
TEST(HostKernelWaits, DoNotEndWhatWaitsForAnotherBlock) {
  const auto image = compile(R"(
extern "C" __global__ void chain(volatile int* done, unsigned long long n, unsigned long long* out) {
  if (blockIdx.x == 0) {
    unsigned long long x = n, steps = 0;
    while (steps < n) { x = x % 2 == 0 ? x / 2 : 3 * x + 1; steps++; }
    out[0] = x;
    done[0] = 1;
  } else {
    while (done[0] == 0) {}
  }
})",
                             {});
  int done = 0;
  unsigned long long out = 0;
  const Kernel k = kernel(image, "chain");
  void* args[] = {nullptr, nullptr, nullptr};
  int* flag = &done;
  unsigned long long n = 500000000, *to = &out;
  args[0] = &flag;
  args[1] = &n;
  args[2] = &to;
  const uint32_t grid[3] = {2, 1, 1}, block[3] = {1, 1, 1};
  const Caught caught =
      catch_error([&] { launch(k, grid, block, 0, args, 3, nullptr, true); });  // cooperative: both are alive
  EXPECT_EQ(caught.text, "");
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace arr::host_kernels::test
