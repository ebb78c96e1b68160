// SPDX-License-Identifier: MIT
// Kernels that fail while they run: assertions, traps, deadlocks. Each names the kernel, block and threads,
// and leaves the library fit for the next launch.
#include "support.h"

namespace arr::host_kernels::test {
namespace {

struct FailureCase {
  const char *name, *body, *expected;
  uint32_t grid, block;
};
void PrintTo(const FailureCase& c, std::ostream* out) { *out << c.name; }
class Failure : public testing::TestWithParam<FailureCase> {};

TEST_P(Failure, TextAndNextLaunch) {
  const FailureCase& c = GetParam();
  const std::string source =
      std::string("extern \"C\" __global__ void k(int* o, int n) {\n") + c.body + "}\n";
  const Kernel k = make(source, "k");
  std::vector<int> out(4096);
  const Caught caught = catch_error([&] { run(k, c.grid, c.block, out.data(), -1); });
  EXPECT_EQ(caught.text, c.expected);
  EXPECT_EQ(caught.status, ARR_E_DEVICE);
  const Kernel good = make(R"(
extern "C" __global__ void good(int* o) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  o[threadIdx.x] = __shfl_xor_sync(~0u, s[63 - threadIdx.x], 1);
})",
                           "good");
  run(good, 1, 64, out.data());
  for (int t = 0; t < 64; t++) ASSERT_EQ(out[size_t(t)], 63 - (t ^ 1));
}

constexpr FailureCase failure_cases[] = {
    {"AssertInALoop", "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  assert(i != 70);\n  o[i] = i;\n",
     "kernel 'k': assertion 'i != 70' failed in line 3, block (1,0,0), thread (6,0,0)", 4, 64},
    {"AssertOnAFiber",
     "  __syncthreads();\n  assert(threadIdx.x < 40 || blockIdx.x != 2);\n  __syncthreads();\n",
     "kernel 'k': assertion 'threadIdx.x < 40 || blockIdx.x != 2' failed in line 3, block (2,0,0), thread "
     "(40,0,0)",
     3, 64},
    {"Trap", "  if (threadIdx.x == 5) __trap();\n  o[threadIdx.x] = n;\n",
     "kernel 'k': __trap was called in line 2, block (0,0,0), thread (5,0,0)", 1, 32},
    {"BarrierAgainstShuffle",
     "  if (threadIdx.x < 16) {\n    o[0] = __shfl_down_sync(0xffffffffu, n, 1);\n  } else {\n    "
     "__syncthreads();\n  }\n",
     "kernel 'k': block (0,0,0) cannot go on: threads 0-15 wait at __shfl_sync(mask 0xffffffff) in line 3, "
     "threads "
     "16-31 wait at __syncthreads in line 5",
     1, 32},
    {"DifferentMasks",
     "  if (threadIdx.x == 3) __syncwarp(0xfu);\n  else if (threadIdx.x < 3) __syncwarp(0x1fu);\n",
     "kernel 'k': block (0,0,0) cannot go on: thread 3 waits at __syncwarp(mask 0xf) in line 2, threads 0-2 "
     "wait at "
     "__syncwarp(mask 0x1f) in line 3",
     1, 4},
    {"DifferentOperations", "  o[0] = threadIdx.x & 1 ? __any_sync(~0u, 1) : __shfl_sync(~0u, n, 0);\n",
     "kernel 'k': block (0,0,0) cannot go on: threads 0,2 wait at __shfl_sync(mask 0xffffffff) in line 2, "
     "threads 1,3 "
     "wait at __ballot_sync(mask 0xffffffff) in line 2",
     1, 4},
    {"OwnLaneLeftOut", "  __syncthreads();\n  if (threadIdx.x == 37) __syncwarp(1u);\n",
     "kernel 'k': the mask of a warp function leaves out the calling lane, in line 3, block (0,0,0), thread "
     "(37,0,0)",
     1, 64},
    {"OwnLaneLeftOutInAWarpAlone",
     "  if (threadIdx.x < 32) {\n    int v = __shfl_sync(~0u, n, 0);\n"
     "    v += __shfl_sync(threadIdx.x == 7 ? 1u : ~0u, v, 0);\n    o[threadIdx.x] = v;\n  }\n",
     "kernel 'k': the mask of a warp function leaves out the calling lane, in line 4, block (0,0,0), thread "
     "(7,0,0)",
     1, 64},
};
INSTANTIATE_TEST_SUITE_P(All, Failure, testing::ValuesIn(failure_cases),
                         [](const auto& c) { return c.param.name; });

// Each warp function, where all threads come to it: of a constant mask, and of one of each lane's own.
TEST(HostKernelFailure, OwnLaneLeftOutOfEachFunction) {
  for (const char* call :
       {"__ballot_sync(M, 1)", "__any_sync(M, 1)", "__all_sync(M, 1)", "(__syncwarp(M), 1)",
        "__shfl_sync(M, n, 0)", "__shfl_up_sync(M, n, 1)", "__shfl_down_sync(M, n, 1)",
        "__shfl_xor_sync(M, n, 1)", "(int)__shfl_xor_sync(M, 0.5 * n, 1)", "__match_any_sync(M, n)",
        "__match_all_sync(M, n, &n)", "__reduce_add_sync(M, n)"})
    for (const char* mask : {"0xfff0u", "(2u << threadIdx.x) - 3"}) {
      const Kernel k = make(std::string("#define M ") + mask +
                                "\n__global__ void k(int* o, int n) {\n  o[threadIdx.x] = " + call + ";\n}\n",
                            "k");
      std::vector<int> out(32);
      EXPECT_EQ(
          catch_error([&] { run(k, 1, 32, out.data(), 1); }).text,
          std::string("kernel 'k': the mask of a warp function leaves out the calling lane, in line 3, block "
                      "(0,0,0), thread (") +
              (mask[0] == '0' ? "0" : "1") + ",0,0)")
          << call << " " << mask;
    }
}

// Other blocks may have run, but nothing of a failed launch is lost or done twice.
TEST(HostKernelFailure, OneReportFromManyFailingBlocks) {
  const Kernel k = make(R"(
extern "C" __global__ void k(int* o) {
  atomicAdd(&o[blockIdx.x], 1);
  __syncthreads();
  assert(false);
})",
                        "k");
  std::vector<int> out(500);
  const Caught c = catch_error([&] { run(k, 500, 32, out.data()); });
  EXPECT_EQ(c.text.find("kernel 'k': assertion 'false' failed in line 5, block ("), 0u) << c.text;
  for (int v : out) EXPECT_TRUE(v == 0 || v == 32);
}

// Not a deadlock: barriers are counted, so different calls of one barrier meet.
TEST(HostKernelFailure, BarriersInBothBranchesMeet) {
  const Kernel k = make(R"(
extern "C" __global__ void k(int* o) {
  if (threadIdx.x & 1) __syncthreads(); else __syncthreads();
  o[threadIdx.x] = 1;
})",
                        "k");
  std::vector<int> out(64);
  run(k, 1, 64, out.data());
  EXPECT_EQ(out, std::vector<int>(64, 1));
}

}  // namespace
}  // namespace arr::host_kernels::test
