// SPDX-License-Identifier: MIT
// Kernels whose accesses to memory are checked (ARR_CHECK=1): what is wrong is found and named, and what is
// right passes with the results it has unchecked.
#include "support.h"

namespace arr::host_kernels::test {
namespace {

Options checked() {
  Options options;
  options.check = true;
  return options;
}

// Launches k(int* a, const int* b, int n); a and b are arrays of these sizes in one allocation with ample
// room around both, so that what is wrong does no harm.
struct Arrays {
  static constexpr size_t room = 4096;
  std::vector<int> memory = std::vector<int>(4 * room);
  int* a = memory.data() + room;
  int* b = memory.data() + 2 * room;

  Caught operator()(const Kernel& k, Size grid, Size block, size_t na, size_t nb, int n,
                    uint64_t shared_bytes = 0) {
    const int* readable = b;
    void* args[] = {&a, &readable, &n};
    const Extent extents[] = {
        {reinterpret_cast<const char*>(a), na * 4}, {reinterpret_cast<const char*>(b), nb * 4}, {}};
    return catch_error([&] { launch(k, grid.v, block.v, shared_bytes, args, 3, extents); });
  }
};

std::string kernel_of(const std::string& body) {
  return std::string(body.find("std::") != std::string::npos ? "#include <cstring>\n" : "") +
         "extern \"C\" __global__ void k(int* a, const int* b, int n) {\n" + body + "}\n";
}

struct WrongCase {
  const char *name, *body, *expected;
  uint32_t grid, block;
  uint64_t shared;
};
void PrintTo(const WrongCase& c, std::ostream* out) { *out << c.name; }
class CheckFinds : public testing::TestWithParam<WrongCase> {};

TEST_P(CheckFinds, OneLine) {
  const WrongCase& c = GetParam();
  Arrays run;
  const Caught caught = run(make(kernel_of(c.body), "k", checked()), c.grid, c.block, 64, 64, 64, c.shared);
  EXPECT_EQ(caught.text, std::string("kernel 'k': ") + c.expected);
  EXPECT_EQ(caught.status, ARR_E_DEVICE);
}

constexpr WrongCase wrong_cases[] = {
    {"OffByOneWrite", "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i <= n)\n    a[i] = i;\n",
     "write of 4 bytes at offset 256 of argument args[0], an array of 256 bytes, in line 4, block (2,0,0), "
     "thread (0,0,0)",
     3, 32, 0},
    {"NegativeIndexRead", "  int i = threadIdx.x;\n  a[i] = b[i - 1];\n",
     "read of 4 bytes at offset -4 of argument args[1], an array of 256 bytes, in line 3, block (0,0,0), "
     "thread "
     "(0,0,0)",
     1, 32, 0},
    {"AtomicBeyond", "  atomicAdd(a + n + threadIdx.x, 1);\n",
     "atomic access of 4 bytes at offset 256 of argument args[0], an array of 256 bytes, in line 2, block "
     "(0,0,0), thread (0,0,0)",
     1, 1, 0},
    {"InADeviceFunction",
     "  auto get = [&](int i) {\n    return __ldg(b + i);\n  };\n  if (threadIdx.x == 1) a[0] = get(-3);\n",
     "read of 4 bytes at offset -12 of argument args[1], an array of 256 bytes, in line 3, block (0,0,0), "
     "thread "
     "(1,0,0)",
     1, 2, 0},
    {"WideAccessOverTheEnd", "  reinterpret_cast<long long*>(a + 1)[31] = 0;\n",
     "write of 8 bytes at offset 252 of argument args[0], an array of 256 bytes, in line 2, block (0,0,0), "
     "thread "
     "(0,0,0)",
     1, 1, 0},
    {"CopyBeyond", "  memcpy(a + 60, b, n / 2);\n",
     "write of 32 bytes at offset 240 of argument args[0], an array of 256 bytes, in line 2, block (0,0,0), "
     "thread "
     "(0,0,0)",
     1, 1, 0},
    {"CopyByTheStandardHeader", "  std::memmove(a, b - 1, n);\n",
     "read of 64 bytes at offset -4 of argument args[1], an array of 256 bytes, in line 3, block (0,0,0), "
     "thread "
     "(0,0,0)",
     1, 1, 0},
    {"SetBeyond", "  memset(a + threadIdx.x, 1, 4 * n);\n",
     "write of 256 bytes at offset 4 of argument args[0], an array of 256 bytes, in line 2, block (0,0,0), "
     "thread "
     "(1,0,0)",
     1, 32, 0},
    {"NullPointer", "  int* volatile p = (int*)(long)(n - 64);\n  if (n > 0)\n    *p = 1;\n",
     "write of 4 bytes at address 0, a null pointer, in line 4, block (0,0,0), thread (0,0,0)", 1, 1, 0},
    {"MissingBarrier",
     "  __shared__ int s[64];\n  int t = threadIdx.x;\n  s[t] = b[t];\n  for (int h = 32; h > 0; h /= 2) {\n"
     "    __syncthreads();\n    if (t < h)\n      s[t] += s[t + h];\n  }\n  a[t] = s[0];\n",
     "race in shared memory s at offset 0 of 256 bytes: write by thread (0,0,0) in line 8 and read by thread "
     "(1,0,0) in line 10 without a barrier between them, block (0,0,0)",
     1, 64, 0},
    {"RaceOfWrites", "  __shared__ int s;\n  s = threadIdx.x;\n  __syncthreads();\n  a[threadIdx.x] = s;\n",
     "race in shared memory s at offset 0 of 4 bytes: write by thread (0,0,0) in line 3 and write by thread "
     "(1,0,0) in line 3 without a barrier between them, block (0,0,0)",
     1, 32, 0},
    {"RaceInDynamic",
     "  extern __shared__ int d[];\n  d[threadIdx.x] = 1;\n  a[threadIdx.x] = d[31 - threadIdx.x];\n",
     "race in dynamic shared memory at offset 64 of 128 bytes: read by thread (15,0,0) in line 4 and write "
     "by "
     "thread (16,0,0) in line 3 without a barrier between them, block (0,0,0)",
     1, 32, 128},
    {"AtomicAgainstPlain",
     "  __shared__ int s;\n  if (threadIdx.x == 0) s = 0;\n  atomicAdd(&s, 1);\n  __syncthreads();\n  a[0] = "
     "n;\n",
     "race in shared memory s at offset 0 of 4 bytes: write by thread (0,0,0) in line 3 and atomic access by "
     "thread (1,0,0) in line 4 without a barrier between them, block (0,0,0)",
     1, 32, 0},
    {"SyncwarpIsForOneWarp",
     "  __shared__ int s[64];\n  s[threadIdx.x] = 1;\n  __syncwarp();\n  a[threadIdx.x] = s[63 - "
     "threadIdx.x];\n",
     "race in shared memory s at offset 128 of 256 bytes: read by thread (31,0,0) in line 5 and write by "
     "thread "
     "(32,0,0) in line 3 without a barrier between them, block (0,0,0)",
     1, 64, 0},
    {"BeyondDynamic", "  extern __shared__ int d[];\n  d[threadIdx.x + 1] = 1;\n",
     "write of 4 bytes at offset 128 of dynamic shared memory, which has 128 bytes, in line 3, block "
     "(0,0,0), "
     "thread (31,0,0)",
     1, 32, 128},
};
INSTANTIATE_TEST_SUITE_P(All, CheckFinds, testing::ValuesIn(wrong_cases),
                         [](const auto& c) { return c.param.name; });

struct GoodCase {
  const char *name, *source;
  uint32_t block;
  uint64_t shared;
};
void PrintTo(const GoodCase& c, std::ostream* out) { *out << c.name; }
class CheckPasses : public testing::TestWithParam<GoodCase> {};

TEST_P(CheckPasses, AsWithoutChecks) {
  const GoodCase& c = GetParam();
  Arrays one, other;
  for (size_t i = 0; i < 64; i++) one.b[i] = other.b[i] = static_cast<int>(i * i % 61);
  const Caught with = one(make(c.source, "k", checked()), 3, c.block, 64, 64, 64, c.shared);
  EXPECT_EQ(with.text, "");
  const Caught without = other(make(c.source, "k"), 3, c.block, 64, 64, 64, c.shared);
  EXPECT_EQ(without.text, "");
  EXPECT_EQ(one.memory, other.memory);
  EXPECT_NE(one.memory, Arrays().memory);
}

constexpr GoodCase good_cases[] = {
    {"Plain",
     "extern \"C\" __global__ void k(int* a, const int* b, int n) { int i = threadIdx.x + blockIdx.x * "
     "blockDim.x; if (i < n) a[i] = b[i] + 1; }",
     32, 0},
    {"TreeReduction", R"(
extern "C" __global__ void k(int* a, const int* b, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = b[t];
  __syncthreads();
  for (int h = 32; h > 0; h /= 2) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (t == 0) a[blockIdx.x] = s[0];
})",
     64, 0},
    {"WarpSynchronous", R"(
extern "C" __global__ void k(int* a, const int* b, int n) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = b[t];
  __syncwarp();
  for (int h = 16; h > 0; h /= 2) {
    int other = s[t ^ h];
    __syncwarp();
    s[t] = s[t] + other;
    __syncwarp();
  }
  a[t] = s[t];
})",
     64, 0},
    {"ShufflesOrder", R"(
extern "C" __global__ void k(int* a, const int* b, int n) {
  __shared__ int s[2];
  int t = threadIdx.x, v = b[t];
  if (t % 32 == 5) s[t / 32] = v;
  v += __shfl_xor_sync(~0u, v, 1);
  a[t] = v + s[t / 32];
})",
     64, 0},
    {"HalfWarps", R"(
extern "C" __global__ void k(int* a, const int* b, int n) {
  extern __shared__ int d[];
  int t = threadIdx.x;
  unsigned half = t & 16 ? 0xffff0000u : 0xffffu;
  d[t] = b[t];
  __syncwarp(half);
  a[t] = d[t ^ 15];
})",
     64, 256},
    {"Histogram", R"(
extern "C" __global__ void k(int* a, const int* b, int n) {
  __shared__ unsigned long long wide;
  __shared__ int bins[64];
  __shared__ float sum;
  int t = threadIdx.x;
  bins[t] = 0;
  if (t == 0) wide = 0, sum = 0;
  __syncthreads();
  atomicAdd(&bins[b[t]], 1);
  atomicMax(&wide, (unsigned long long)b[t]);
  atomicAdd(&sum, 1.0f);
  atomicCAS(&bins[63], 0, 0);
  __syncthreads();
  a[t] = bins[t] + int(wide) + int(sum);
})",
     64, 0},
    {"VariablesAndLocals", R"(
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int offsets[2];
struct Pair { int x[3]; };
__device__ __noinline__ int pick(const int* from, int i) { return from[i]; }
extern "C" __global__ void k(int* a, const int* b, int n) {
  int local[16];
  Pair p = {{1, 2, 3}}, q = p;
  for (int i = 0; i < 16; i++) local[i] = b[i];
  int* kept = (int*)malloc(16);
  int* made = new int(threadIdx.x);
  kept[1] = *made;
  a[threadIdx.x] = pick(local, threadIdx.x % 16) + table[threadIdx.x % 4] + offsets[0] + q.x[n % 3] + kept[1];
  free(kept);
  delete made;
})",
     64, 0},
    {"Malloc", R"(
extern "C" __global__ void k(int* a, const int* b, int n) {
  int* kept = (int*)malloc(16);
  kept[threadIdx.x % 4] = b[threadIdx.x];
  a[threadIdx.x] = kept[threadIdx.x % 4];
  free(kept);
})",
     64, 0},
    {"TwoBarriersAndCounts", R"(
extern "C" __global__ void k(int* a, const int* b, int n) {
  __shared__ int2 s[8][8];
  int x = threadIdx.x % 8, y = threadIdx.x / 8;
  s[y][x] = make_int2(b[threadIdx.x], n);
  int even = __syncthreads_count(b[threadIdx.x] % 2 == 0);
  int2 got = s[x][y];
  __syncthreads();
  s[x][y] = got;
  __syncthreads();
  a[threadIdx.x] = s[y][x].x + even;
})",
     64, 0},
};
INSTANTIATE_TEST_SUITE_P(All, CheckPasses, testing::ValuesIn(good_cases),
                         [](const auto& c) { return c.param.name; });

// Memory that nothing is known about is not the checks' business; arrays' ends still are.
TEST(HostKernelCheck, RawPointersAllowUnknownMemory) {
  const Kernel k = make(kernel_of("  a[threadIdx.x] = b[threadIdx.x];\n"), "k", checked());
  Arrays run;
  const int* b = run.b;
  int n = 0;
  void* args[] = {&run.a, &b, &n};
  const Extent extents[] = {{reinterpret_cast<const char*>(run.a), 256}, {}, {}};
  const Size grid = 1, block = 64;
  launch(k, grid.v, block.v, 0, args, 3, extents);
  launch(k, grid.v, block.v, 0, args, 3);
}

TEST(HostKernelCheck, NextLaunchIsNotAffected) {
  const Kernel k = make(kernel_of("  __syncthreads();\n  a[threadIdx.x + n] = 1;\n"), "k", checked());
  Arrays run;
  EXPECT_NE(run(k, 100, 64, 64, 64, 1).text, "");
  EXPECT_EQ(run(k, 100, 64, 64, 64, 0).text, "");
  const Kernel plain = make(kernel_of("  __syncthreads();\n  a[threadIdx.x + n] = 1;\n"), "k");
  EXPECT_EQ(run(plain, 100, 64, 64, 64, 1).text, "");
}

// All shared variables of PTX are one, which has no name.
TEST(HostKernelCheck, RaceInPtx) {
  const std::string ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {
  .shared .align 4 .b8 s[128];
  .reg .b32 %r<4>;
  .reg .b64 %d<2>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, s;
  shl.b32 %r3, %r1, 2;
  add.s32 %r2, %r2, %r3;
  st.shared.u32 [%r2], %r1;
  xor.b32 %r2, %r2, 4;
  ld.shared.u32 %r3, [%r2];
  ld.param.u64 %d1, [a];
  st.global.u32 [%d1], %r3;
  ret;
}
)";
  const SourceUnit unit{"kernel.ptx", ptx, true};
  Arrays run;
  const Kernel k = kernel(compile(std::span(&unit, 1), checked()), "k");
  const std::string said = run(k, 1, 32, 64, 64, 1).text;
  EXPECT_EQ(said.find("kernel 'k': race in shared memory at offset "), 0U) << said;
}

}  // namespace
}  // namespace arr::host_kernels::test
