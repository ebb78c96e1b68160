// SPDX-License-Identifier: MIT
// Warp functions and atomics.
#include <bit>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

TEST(HostKernelWarp, ShufflesOfEveryKindAndWidth) {
  const Kernel k = make(R"(
extern "C" __global__ void f(int* o, int width) {
  int t = threadIdx.x, v = t * 3 + 1;
  const unsigned all = 0xffffffffu;
  o[t * 4] = __shfl_sync(all, v, 5, width);
  o[t * 4 + 1] = __shfl_up_sync(all, v, 3, width);
  o[t * 4 + 2] = __shfl_down_sync(all, v, 3, width);
  o[t * 4 + 3] = __shfl_xor_sync(all, v, 9, width);
})",
                        "f");
  EXPECT_EQ(k.on_fibers, !by_pass());
  for (int width : {32, 16, 8}) {
    std::vector<int> out(64 * 4);
    run(k, 1, 64, out.data(), width);
    for (int t = 0; t < 64; t++) {
      const int lane = t % 32, warp = t - lane, base = lane / width * width;
      const auto value = [&](int from) { return (warp + from) * 3 + 1; };
      const int x = lane ^ 9;
      ASSERT_EQ(out[size_t(t) * 4], value(base + 5 % width)) << t << " " << width;
      ASSERT_EQ(out[size_t(t) * 4 + 1], value(lane - 3 < base ? lane : lane - 3));
      ASSERT_EQ(out[size_t(t) * 4 + 2], value(lane + 3 >= base + width ? lane : lane + 3));
      ASSERT_EQ(out[size_t(t) * 4 + 3], value(x >= base + width ? lane : x));
    }
  }
}

TEST(HostKernelWarp, WideTypes) {
  const Kernel k = make(R"(
struct Pair { float a; short b; };
extern "C" __global__ void f(double* d, long long* l, float* p) {
  int t = threadIdx.x;
  d[t] = __shfl_xor_sync(~0u, t + 0.25, 1);
  l[t] = __shfl_down_sync(~0u, (long long)t << 40, 1);
  Pair q = __shfl_sync(~0u, Pair{t * 0.5f, (short)-t}, 3);
  p[t] = q.a + q.b;
})",
                        "f");
  std::vector<double> d(32);
  std::vector<int64_t> l(32);
  std::vector<float> p(32);
  run(k, 1, 32, d.data(), l.data(), p.data());
  for (int t = 0; t < 32; t++) {
    EXPECT_EQ(d[size_t(t)], (t ^ 1) + 0.25);
    EXPECT_EQ(l[size_t(t)], int64_t(t == 31 ? 31 : t + 1) << 40);
    EXPECT_EQ(p[size_t(t)], -1.5f);
  }
}

// A warp function waits for its own warp only, and for the lanes of its mask only.
TEST(HostKernelWarp, OneWarpAndHalfWarps) {
  const Kernel k = make(R"(
__device__ float warp_sum(float v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  return v;
}
extern "C" __global__ void f(const float* in, float* out, int* halves, int n) {
  __shared__ float s[32];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = warp_sum(i < n ? in[i] : 0.f);
  if (lane == 0) s[w] = v;
  __syncthreads();
  if (w == 0) {
    v = warp_sum(lane < blockDim.x / 32 ? s[lane] : 0.f);
    if (lane == 0) out[blockIdx.x] = v;
  }
  int x = lane;
  if (lane < 16) {
    for (int k = 0; k < 3; k++) x += __shfl_xor_sync(0x0000ffffu, x, 1);
  } else {
    x += __shfl_xor_sync(0xffff0000u, x, 2);
    __syncwarp(0xffff0000u);
  }
  halves[i] = x;
})",
                        "f");
  std::vector<float> in(512, 1.0f), out(2);
  std::vector<int> halves(512);
  run(k, 2, 256, in.data(), out.data(), halves.data(), 500);
  EXPECT_EQ(out, (std::vector<float>{256, 244}));
  for (int i = 0; i < 512; i++) {
    const int lane = i % 32, pair = lane + (lane ^ 1);
    ASSERT_EQ(halves[size_t(i)], lane < 16 ? pair * 4 : lane + (lane ^ 2)) << i;
  }
}

TEST(HostKernelWarp, VotesMatchesAndReductions) {
  const Kernel k = make(R"(
extern "C" __global__ void f(unsigned* o) {
  int t = threadIdx.x, all = 0;
  unsigned* r = o + t * 12;
  r[0] = __ballot_sync(~0u, t % 3 == 0);
  r[1] = __any_sync(~0u, t == 40);
  r[2] = __all_sync(~0u, t < 40);
  r[3] = __activemask();
  r[4] = __match_any_sync(~0u, t / 8);
  r[5] = __match_all_sync(~0u, t / 32, &all) + all;
  r[6] = __reduce_add_sync(~0u, (unsigned)t);
  r[7] = __reduce_min_sync(~0u, -t);
  r[8] = __reduce_max_sync(~0u, (unsigned)t);
  r[9] = __reduce_or_sync(~0u, 1u << (t & 31));
  r[10] = __reduce_xor_sync(~0u, (unsigned)t);
  r[11] = __reduce_and_sync(~0u, (unsigned)t | 64u);
})",
                        "f");
  std::vector<uint32_t> out(48 * 12);  // one full warp and half a warp
  run(k, 1, 48, out.data());
  for (uint32_t t = 0; t < 48; t++) {
    const uint32_t first = t / 32 * 32, n = first == 0 ? 32 : 16, live = n == 32 ? ~0u : 0xffffu;
    uint32_t ballot = 0, match = 0, sum = 0, x = 0;
    for (uint32_t i = first; i < first + n; i++) {
      ballot |= i % 3 == 0 ? 1u << (i - first) : 0;
      match |= i / 8 == t / 8 ? 1u << (i - first) : 0;
      sum += i;
      x ^= i;
    }
    const std::vector<uint32_t> expected = {ballot,        first == 32, first == 0, live,
                                            match,         live + 1,    sum,        0u - (first + n - 1),
                                            first + n - 1, live,        x,          first + 64};
    ASSERT_EQ(std::vector<uint32_t>(out.begin() + t * 12, out.begin() + t * 12 + 12), expected) << t;
  }
}

TEST(HostKernelWarp, ExitedLanesAreNotWaitedFor) {
  const Kernel k = make(R"(
extern "C" __global__ void f(unsigned* o) {
  if (threadIdx.x % 2) return;
  o[threadIdx.x] = __ballot_sync(~0u, 1);
})",
                        "f");
  std::vector<uint32_t> out(32);
  run(k, 1, 32, out.data());
  for (size_t t = 0; t < 32; t += 2) EXPECT_EQ(out[t], 0x55555555u);
}

struct AtomicCase {
  const char *type, *call;
  double start, expected;  // after threads 0..99 of 4 blocks have called it with their index i = 0..399
};
void PrintTo(const AtomicCase& c, std::ostream* out) { *out << c.call << " on " << c.type; }
class Atomics : public testing::TestWithParam<AtomicCase> {};

TEST_P(Atomics, FinalValue) {
  const AtomicCase& c = GetParam();
  const std::string type = c.type;
  const Kernel k =
      make("extern \"C\" __global__ void f(" + type +
               "* p) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " + c.call + ";\n}\n",
           "f");
  EXPECT_FALSE(k.on_fibers);
  const auto check = [&](auto value) {
    value = static_cast<decltype(value)>(c.start);
    run(k, 4, 100, &value);
    EXPECT_EQ(value, static_cast<decltype(value)>(c.expected)) << c.call << " on " << c.type;
  };
  if (type == "int") check(int32_t{});
  if (type == "unsigned") check(uint32_t{});
  if (type == "long long") check(int64_t{});
  if (type == "unsigned long long") check(uint64_t{});
  if (type == "float") check(float{});
  if (type == "double") check(double{});
}

std::vector<AtomicCase> atomic_cases() {
  std::vector<AtomicCase> cases;
  for (const char* type : {"int", "unsigned", "long long", "unsigned long long"}) {
    for (const AtomicCase& c :
         std::initializer_list<AtomicCase>{{type, "atomicAdd(p, i)", 5, 79805},
                                           {type, "atomicSub(p, 1)", 500, 100},
                                           {type, "atomicMax(p, i)", 7, 399},
                                           {type, "atomicMin(p, i + 3)", 900, 3},
                                           {type, "atomicAnd(p, ~(1 << (i & 7)))", 4351, 4096},
                                           {type, "atomicOr(p, 1 << (i & 7))", 256, 511},
                                           {type, "atomicXor(p, i)", 6, 6},
                                           {type, "atomicAdd(p, 1), atomicCAS(p, 401, 9)", 1, 9},
                                           {type, "atomicExch(p, 77)", 1, 77}})
      cases.push_back(c);
  }
  for (const char* type : {"float", "double"}) {
    cases.push_back({type, "atomicAdd(p, i)", 0.5, 79800.5});
    cases.push_back({type, "atomicAdd_block(p, 0.25f)", 0, 100});
    cases.push_back({type, "atomicExch(p, 1.5f)", 0, 1.5});
  }
  cases.push_back({"unsigned", "atomicInc(p, 6)", 0, 400 % 7});
  cases.push_back({"unsigned", "atomicDec(p, 6)", 0, 6});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, Atomics, testing::ValuesIn(atomic_cases()));

TEST(HostKernelWarp, AtomicsReturnTheOldValueOnce) {
  const Kernel k = make(R"(
extern "C" __global__ void f(int* counter, int* seen) { atomicAdd(&seen[atomicAdd(counter, 1)], 1); })",
                        "f");
  int counter = 0;
  std::vector<int> seen(20000);
  run(k, 200, 100, &counter, seen.data());
  EXPECT_EQ(seen, std::vector<int>(20000, 1));
}

}  // namespace
}  // namespace arr::host_kernels::test
