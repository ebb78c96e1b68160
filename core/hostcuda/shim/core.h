// SPDX-License-Identifier: MIT
// CUDA's keywords, index variables, barriers and warp functions for a host compiler. Embedded before every
// kernel source.

typedef decltype(sizeof(0)) arr_size_t;
#define ARR_INLINE static inline __attribute__((always_inline))
#define ARR_MEMBER inline __attribute__((always_inline))
#ifdef __clang__
#define ARR_KEEP used
#else
#define ARR_KEEP externally_visible  // the image is compiled with -fwhole-program
#endif
#define ARR_EXPORT extern "C" __attribute__((visibility("default"), ARR_KEEP))

#define __ARR_HOST__ 1
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDA_ARCH__ 600  // old enough that sources guarded by it do not choose their PTX paths
#define __CUDA_ARCH_LIST__ 600
// The rest as NVRTC of CUDA 13.0 defines it.
#define CUDART_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define __CUDA_FTZ 0
#define __CUDA_PREC_DIV 1
#define __CUDA_PREC_SQRT 1
#define __host__
#ifdef ARR_FISSION  // so that what they take by reference stays in registers before the pass looks
#define __device__ __attribute__((always_inline))
#define __noinline__
#else
#define __device__
#define __noinline__ __attribute__((noinline))
#endif
#define __global__ __attribute__((always_inline)) inline  // never static: extern "C" __global__ is legal
#define __shared__ thread_local  // a block never leaves its OS thread, and its fibers share the thread
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

#ifndef ARR_FISSION
// Trivial types, so that no initialisation wrapper stands before each access.
static thread_local uint3 threadIdx, blockIdx, blockDim, gridDim;
#endif
static constexpr int warpSize = 32;
// NVRTC has these without a header.
#ifndef NULL
#define NULL __null
#endif
typedef long clock_t;

static const arr_host::Runtime* arr_runtime;
#ifndef ARR_FISSION
static thread_local arr_host::Worker* arr_worker;
static thread_local void* arr_dynamic;  // dynamic shared memory of this launch
#endif

// A record per call that is still there after dead-code elimination: what the loader knows a kernel by.
#define ARR_SITE(kind)                                                                               \
  asm volatile(                                                                                      \
      "771:\n\t.pushsection arr_site,\"a\",@progbits\n\t.balign 4\n\t.long 771b - .\n\t.long " #kind \
      "\n\t.popsection")
asm(".pushsection arr_site,\"a\",@progbits\n\t.balign 4\n\t.long 0\n\t.long 0\n\t.popsection");

// `line` is the user's line of the call: a default argument is evaluated at the caller.
#define ARR_LINE unsigned line = __builtin_LINE()

template <class T>
ARR_INLINE unsigned long long arr_to_bits(T value) {
  static_assert(sizeof(T) <= 8, "warp functions take values of at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
ARR_INLINE T arr_from_bits(unsigned long long bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
