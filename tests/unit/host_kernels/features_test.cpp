// SPDX-License-Identifier: MIT
// Device features beyond plain C++: 16-bit types, cooperative groups, converged lanes.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "support.h"

namespace arr::host_kernels::test {
namespace {

TEST(HostKernelHalf, EveryValueThroughFloatAndBack) {
  const Kernel k = make(R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void f(float* h, float* b, int* same) {
  unsigned short u = (unsigned short)(blockIdx.x * blockDim.x + threadIdx.x);
  __half x = __ushort_as_half(u);
  __nv_bfloat16 y = __ushort_as_bfloat16(u);
  h[u] = __half2float(x);
  b[u] = __bfloat162float(y);
  same[u] = (h[u] != h[u] || __half_as_ushort(__float2half(h[u])) == u) &&
            (b[u] != b[u] || __bfloat16_as_ushort(__float2bfloat16(b[u])) == u);
})",
                        "f");
  std::vector<float> h(65536), b(65536);
  std::vector<int> same(65536);
  run(k, 256, 256, h.data(), b.data(), same.data());
  for (size_t u = 0; u < h.size(); u++) {
    const int e = static_cast<int>(u >> 10 & 31), m = static_cast<int>(u & 1023);
    float want =
        e == 0 ? std::ldexp(static_cast<float>(m), -24) : std::ldexp(static_cast<float>(1024 + m), e - 25);
    if (e == 31) want = m == 0 ? INFINITY : NAN;
    if ((u & 0x8000) != 0) want = -want;
    if (std::isnan(want))
      ASSERT_TRUE(std::isnan(h[u])) << u;
    else
      ASSERT_EQ(h[u], want) << u;
    ASSERT_EQ(same[u], 1) << u;
  }
}

TEST(HostKernelHalf, RoundsOnceAndHasItsFunctions) {
  const Kernel k = make(R"(
#include <cuda_fp16.h>
extern "C" __global__ void f(float* o) {
  __half a = 2049, b = 0.0999755859375, c(1.0009765625f);
  half2 v = __floats2half2_rn(1.5f, -2.0f), w = __hfma2(v, v, __half2half2(__half(0.5f)));
  o[0] = a;                     // to even: 2048
  o[1] = a + __half(3);
  o[2] = __hfma(b, b, c);
  o[3] = __low2float(w);
  o[4] = __high2float(w);
  o[5] = __hlt(b, c) && __hgt(c, b) && a != b;
  o[6] = hsqrt(__half(2.0f));
  o[7] = __float2half(65520.0f);
  o[8] = __hmax(b, c) * __hmin(b, c);
  o[9] = double(1.00048828125 + 1e-12) > 1 ? __half(1.00048828125 + 1e-12) : a;
})",
                        "f");
  std::vector<float> o(10);
  run(k, 1, 1, o.data());
  EXPECT_EQ(o[0], 2048);
  EXPECT_EQ(o[1], 2052);
  EXPECT_EQ(o[3], 2.75f);
  EXPECT_EQ(o[4], 4.5f);
  EXPECT_EQ(o[5], 1);
  EXPECT_EQ(o[6], 1.4140625f);
  EXPECT_TRUE(std::isinf(o[7]));
  EXPECT_EQ(o[9], 1.0009765625f);  // a double is rounded once
}

constexpr const char* wide_tiles = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void ends(int* o) {
  auto tile = cg::tiled_partition<128>(cg::this_thread_block());
  const int t = threadIdx.x;
  tile.sync();
  if (t >= 100 && t < 128) return;  // a warp in part, behind others that wait already
  if (t == 3 || (t >= 160 && t < 192)) return;
  o[t] = 1 + tile.all(t != 3) + 2 * tile.any(t == 128) + 4 * tile.shfl(t, 40);
}
extern "C" __global__ void apart(int* o) {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (threadIdx.x < 32)
    tile.sync();
  else
    __syncthreads();
  o[threadIdx.x] = 1;
})";
TEST(HostKernelGroups, TilesOfSeveralWarps) {
  const auto image = compile(wide_tiles, {});
  std::vector<int> o(256, -1);
  run(kernel(image, "ends"), 1, 256, o.data());
  for (int t = 0; t < 256; t++) {
    const bool ended = t == 3 || (t >= 100 && t < 128) || (t >= 160 && t < 192);
    // Thread 168 has ended: who would read of it has its own value.
    ASSERT_EQ(o[size_t(t)], ended ? -1 : t < 128 ? 2 + 4 * 40 : 4 + 4 * t) << t;
  }
  const Caught c = catch_error([&] { run(kernel(image, "apart"), 1, 128, o.data()); });
  EXPECT_EQ(
      c.text,
      "kernel 'apart': block (0,0,0) cannot go on: threads 0-31 wait at a function of a tile of several "
      "warps in line 15, threads 32-127 wait at __syncthreads in line 17");
}

TEST(HostKernelGroups, BlockTilesAndCoalesced) {
  const Kernel k = make(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
extern "C" __global__ void f(int* o, int* counter) {
  __shared__ int s[96];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int t = block.thread_rank();
  s[t] = t;
  block.sync();
  int v = s[95 - t];
  o[t] = cg::reduce(tile, v, cg::plus<int>());
  o[96 + t] = tile.shfl_up(v, 1) * 100 + tile.meta_group_rank();
  o[192 + t] = tile.ballot(v & 1);
  if (t % 3 == 0) {
    auto active = cg::coalesced_threads();
    int at = 0;
    if (active.thread_rank() == 0) at = atomicAdd(counter, (int)active.size());
    at = active.shfl(at, 0) + active.thread_rank();
    o[288 + at] = t;
  }
})",
                        "f");
  std::vector<int> o(384, -1);
  int counter = 0;
  run(k, 1, 96, o.data(), &counter);
  for (int t = 0; t < 96; t++) {
    const int first = t / 8 * 8, lane = t % 8;
    int sum = 0, odd = 0;
    for (int l = 0; l < 8; l++) sum += 95 - first - l, odd |= ((95 - first - l) & 1) << l;
    ASSERT_EQ(o[size_t(t)], sum);
    ASSERT_EQ(o[size_t(96 + t)], (95 - t + (lane > 0 ? 1 : 0)) * 100 + t / 8);
    ASSERT_EQ(o[size_t(192 + t)], odd);
  }
  EXPECT_EQ(counter, 32);
  std::vector<int> seen(o.begin() + 288, o.begin() + 320);
  std::sort(seen.begin(), seen.end());
  for (int i = 0; i < 32; i++) ASSERT_EQ(seen[size_t(i)], 3 * i);
}

constexpr const char* spaces = R"(
__device__ int variable[4];
__device__ int of(const void* p) { return (int)(__isShared(p) + 2 * __isLocal(p) + 4 * __isGlobal(p)); }
__device__ int there_and_back(int* p, int v) {
  size_t number = __cvta_generic_to_shared(p);
  *(int*)__cvta_shared_to_generic(number) = v;
  return number < 0xffffffffu && __cvta_generic_to_shared((char*)p + 3) == number + 3 ? *p : -1;
}
extern "C" __global__ void k(int* o, int n) {
  __shared__ int fixed[64];
  extern __shared__ int dynamic[];
  int own[4] = {n, n, n, n};
  const int t = threadIdx.x;
  fixed[t] = dynamic[t] = 0;
  __syncthreads();
  int* p = o + 8 * t;
  p[0] = of(&fixed[t]);
  p[1] = of(&dynamic[t]);
  p[2] = of(&own[t & 3]);
  p[3] = of(&o[t]);
  p[4] = of(&variable[t & 3]);
  p[5] = there_and_back(&fixed[t], t + 10);
  p[6] = there_and_back(&dynamic[t], t + 20);
  __syncthreads();
  p[7] = fixed[63 - t] + dynamic[63 - t] + (*(int*)__cvta_global_to_generic(__cvta_generic_to_global(&variable[1])));
}
extern "C" __global__ void bad(int* o) { *o = (int)__cvta_generic_to_shared(o); }
extern "C" __global__ void worse(int* o) { *o = *(int*)__cvta_shared_to_generic(77 << 20); })";
constexpr const char* namespace_spaces = R"(
extern __shared__ float dynamic[];
extern "C" __global__ void k(int* o) {
  dynamic[threadIdx.x] = (float)threadIdx.x;
  float* same = (float*)__cvta_shared_to_generic(__cvta_generic_to_shared(&dynamic[threadIdx.x]));
  o[threadIdx.x] = (int)*same + 100 * (int)__isShared(&dynamic[31]);
})";
TEST(HostKernelSpaces, SharedAndLocalMemory) {
  const auto image = compile(spaces, {});
  std::vector<int> o(512);
  run_shared(kernel(image, "k"), 2, 64, 256, o.data(), 3);
  for (int t = 0; t < 64; t++) {
    const int* p = o.data() + static_cast<size_t>(8 * t);
    const std::vector<int> got(p, p + 8), want = {1, 1, 2, 4, 4, t + 10, t + 20, 2 * (63 - t) + 30};
    ASSERT_EQ(got, want) << t;
  }
  run_shared(make(namespace_spaces, "k"), 1, 32, 128, o.data());
  for (int t = 0; t < 32; t++) ASSERT_EQ(o[static_cast<size_t>(t)], 100 + t);
  const auto said = [&](const char* name) {
    return catch_error([&] { run(kernel(image, name), 1, 1, o.data()); }).text;
  };
  EXPECT_EQ(said("bad"),
            "kernel 'bad': __cvta_generic_to_shared of an address that is not in shared memory, in line 27, "
            "block (0,0,0), thread (0,0,0)");
  EXPECT_EQ(said("worse"),
            "kernel 'worse': __cvta_shared_to_generic of a number that is not an address in shared memory, "
            "in line 28, "
            "block (0,0,0), thread (0,0,0)");
}

// A thread's lanes part and meet again: only those that are here count.
TEST(HostKernelGroups, ActiveLanesAreThoseInTheBranch) {
  const Kernel k = make(R"(
extern "C" __global__ void f(unsigned* o) {
  unsigned t = threadIdx.x;
  o[t] = 0;
  if (t & 1) o[t] = __activemask();
  else if (t & 2) o[t] = __activemask();
  __syncwarp();
  o[t + 64] = __activemask();
})",
                        "f");
  std::vector<uint32_t> o(128);
  run(k, 1, 64, o.data());
  for (size_t t = 0; t < 64; t++) {
    ASSERT_EQ(o[t], (t & 1) != 0 ? 0xaaaaaaaau : (t & 2) != 0 ? 0x44444444u : 0u) << t;
    ASSERT_EQ(o[t + 64], ~0u);
  }
}

// Sources choose their text by these, as NVRTC of CUDA 13.0 defines them.
TEST(HostKernelMacros, VersionsOfNvrtc) {
  const Kernel k = make(R"(
#if CUDART_VERSION < 3000
struct double3 { double x, y, z; };
#endif
__global__ void k(int* o) {
  const int list[] = {__CUDA_ARCH_LIST__};
  o[0] = CUDART_VERSION, o[1] = __CUDACC_VER_MAJOR__, o[2] = __CUDACC_VER_MINOR__;
  o[3] = __CUDA_API_VER_MAJOR__, o[4] = __CUDA_API_VER_MINOR__, o[5] = list[0] - __CUDA_ARCH__;
  o[6] = __CUDACC_VER_BUILD__ > 0, o[7] = __CUDACC_RTC__ + 2 * __CUDACC__;
})",
                        "k");
  std::vector<int> o(8, -1);
  run(k, 1, 1, o.data());
  EXPECT_EQ(o, (std::vector<int>{13000, 13, 0, 13, 0, 0, 1, 3}));
}

// Headers that real sources include for host code beside their kernels.
TEST(HostKernelMacros, HeadersOfTypes) {
  for (const char* header : {"driver_types.h", "builtin_types.h", "device_types.h", "host_defines.h"})
    EXPECT_EQ(catch_error([&] {
                compile(std::string("#include <") + header + ">\n__global__ void k(int* o) { *o = 1; }", {});
              }).text,
              "")
        << header;
}

// Types that host interfaces name, as nccl.h does behind cuda_runtime.h.
TEST(HostKernelMacros, TypesOfHostInterfaces) {
  const Kernel k = make(R"(
#include <cuda_runtime.h>
extern "C" cudaError_t send(const void* data, size_t n, cudaStream_t stream, cudaEvent_t* event);
inline cudaError_t copy(void* to, const void* from, cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost && to != from ? cudaSuccess : cudaErrorInvalidValue;
}
__global__ void k(int* o) { *o = copy(o, 0, cudaMemcpyDeviceToHost) == cudaSuccess && CUDA_SUCCESS == 0; })",
                        "k");
  int o = 0;
  run(k, 1, 1, &o);
  EXPECT_EQ(o, 1);
}

// A library's header that brings CUDA's own, on the include paths.
TEST(HostKernelMacros, HeadersThatBringCuda) {
  const std::string folder = testing::TempDir() + "arr_headers_" + std::to_string(getpid());
  std::filesystem::create_directories(folder + "/fabric");
  std::ofstream(folder + "/fabric.h") << R"(
#ifndef FABRIC_H
#define FABRIC_H
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#if CUDART_VERSION >= 11000
#include <cuda_bf16.h>
#endif
#if __cplusplus && CUDART_VERSION >= 11080
#include <cuda_fp8.h>
#endif
#include "fabric/types.h"
extern "C" fabric_status fabric_send(const void* data, size_t n, fabric_type type, cudaStream_t stream);
#endif
)";
  std::ofstream(folder + "/fabric/types.h") << R"(
#include <driver_types.h>
typedef enum { fabric_ok, fabric_failed } fabric_status;
typedef enum { fabric_half, fabric_bfloat } fabric_type;
template <class T> struct fabric_of;
template <> struct fabric_of<half> { static const fabric_type type = fabric_half; };
template <> struct fabric_of<__nv_bfloat16> { static const fabric_type type = fabric_bfloat; };
inline fabric_status fabric_check(cudaError_t e) { return e == cudaSuccess ? fabric_ok : fabric_failed; }
)";
  Options how;
  how.compiler_options.push_back("-I" + folder);
  const auto image = compile(R"(
#include <fabric.h>
#include "fabric.h"
__global__ void k(int* o) { *o = 10 * fabric_of<__nv_bfloat16>::type + fabric_check(cudaErrorNotReady) + sizeof(__nv_fp8_e4m3); }
)",
                             how);
  int o = 0;
  run(kernel(image, "k"), 1, 1, &o);
  EXPECT_EQ(o, 12);
  std::filesystem::remove_all(folder);
}

// NCCL's own header, where the machine has it: on the include paths, and in the system's folders.
TEST(HostKernelMacros, NcclsHeader) {
  constexpr const char* source = R"(
#include <nccl.h>
struct Peers { ncclComm_t comm; ncclUniqueId id; cudaStream_t stream; };
inline ncclResult_t sum_over_ranks(float* x, size_t n, const Peers& p) {
  return ncclAllReduce(x, x, n, ncclFloat32, ncclSum, p.comm, p.stream);
}
__global__ void k(int* o) { *o = sizeof(ncclUniqueId) + (ncclSum == 0) + ncclBfloat16; }
)";
  int found = 0;
  for (const std::string folder : {"/usr/local/include", "/usr/include", "/usr/local/cuda/include"}) {
    if (!std::filesystem::exists(folder + "/nccl.h")) continue;
    for (const bool given : {true, false}) {
      if (!given && folder == "/usr/local/cuda/include") continue;
      Options how;
      if (given) how.compiler_options.push_back("-I" + folder);
      int o = 0;
      run(kernel(compile(source, how), "k"), 1, 1, &o);
      EXPECT_EQ(o, 138) << folder << given;
      found++;
    }
  }
  if (found == 0) GTEST_SKIP() << "no nccl.h here";
}

// A macro's text may have the statement, over several lines, and lines behind it keep their numbers.
TEST(HostKernelPtx, InMacrosAndBranches) {
  const Kernel k = make(R"(
#define LANE(x)                  \
  asm volatile(                  \
      "mov.u32 %0, %%laneid;\n"  \
      : "=r"(x))
__global__ void k(unsigned* o) {
  unsigned lane;
  LANE(lane);
  if (lane & 1)
    asm("{\n\t"
        ".reg .u32 r<2>;  // two registers\n\t"
        "add.u32 r0, %0, 1; /* one */ mul.lo.u32 r1, r0, %1;\n\t"
        "mov.u32 %0, r1;\n\t}"
        : "+r"(lane)
        : "n"(3));
  else
    asm("" ::: "memory");
  o[threadIdx.x] = lane + 1000 * __LINE__;
})",
                        "k");
  std::vector<uint32_t> o(32);
  run(k, 1, 32, o.data());
  for (uint32_t t = 0; t < 32; t++) EXPECT_EQ(o[t], (t % 2 == 1 ? 3 * (t + 1) : t) + 18000) << t;
}

// CuPy's arrays are passed as structs of data, number of elements, extents and strides in bytes.
TEST(HostKernelCupy, ArrayOfAnyStrides) {
  const Kernel k = make(R"(
#include <cupy/carray.cuh>
__global__ void k(CArray<int, 2> a, CArray<int, 1, true> out) {
  CIndexer<2> unused;
  (void)unused;
  const int i = threadIdx.x;
  const long at[2] = {i / 3, i % 3};
  if (i < a.size()) out[i] = a[at] + 100 * a[i] + a.shape()[1];
})",
                        "k");
  struct Array2 {
    const int* data;
    int64_t size, shape[2], strides[2];
  };
  struct Array1 {
    int* data;
    int64_t size, shape[1], strides[1];
  };
  const std::vector<int> x{0, 1, 2, 3, 4, 5};
  std::vector<int> o(6);
  run(k, 1, 32, Array2{x.data(), 6, {2, 3}, {4, 8}}, Array1{o.data(), 6, {6}, {4}});
  for (int i = 0; i < 6; i++)
    EXPECT_EQ(o[static_cast<size_t>(i)], 101 * x[static_cast<size_t>(i / 3 + 2 * (i % 3))] + 3) << i;
}

}  // namespace
}  // namespace arr::host_kernels::test
