// SPDX-License-Identifier: MIT
// CUDA's keywords, index variables, barriers and warp functions for a host compiler.
// Embedded in front of every kernel source.

typedef decltype(sizeof(0)) arr_size_t;
#define ARR_INLINE static inline __attribute__((always_inline))
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
#define __host__
#define __device__
#define __global__ __attribute__((always_inline)) inline  // never static: extern "C" __global__ is legal
#define __shared__ thread_local  // a block never leaves its OS thread, and its fibers share the thread
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
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

// Trivial types, so that no initialisation wrapper stands before each access.
static thread_local uint3 threadIdx, blockIdx, blockDim, gridDim;
static constexpr int warpSize = 32;

static const arr_host::Runtime* arr_runtime;
static thread_local arr_host::Worker* arr_worker;
static thread_local void* arr_dynamic;  // dynamic shared memory of this launch

// A record per call that is still there after dead-code elimination: what the loader knows a kernel by.
#define ARR_SITE(kind)                                                                               \
  asm volatile(                                                                                      \
      "771:\n\t.pushsection arr_site,\"a\",@progbits\n\t.balign 4\n\t.long 771b - .\n\t.long " #kind \
      "\n\t.popsection")
asm(".pushsection arr_site,\"a\",@progbits\n\t.balign 4\n\t.long 0\n\t.long 0\n\t.popsection");

// `line` is the user's line of the call: a default argument is evaluated at the caller.
#define ARR_LINE unsigned line = __builtin_LINE()

// A fiber restores its own index after others have run.
ARR_INLINE int arr_barrier(int kind, int predicate, unsigned line) {
  uint3 mine = threadIdx;
  int result = arr_runtime->barrier(arr_worker, kind, predicate, line);
  threadIdx = mine;
  return result;
}
ARR_INLINE void __syncthreads(ARR_LINE) {
  ARR_SITE(1);
  uint3 mine = threadIdx;
  arr_runtime->sync(arr_worker, line);
  threadIdx = mine;
}
ARR_INLINE int __syncthreads_count(int predicate, ARR_LINE) {
  ARR_SITE(1);
  return arr_barrier(arr_host::barrier_count, predicate, line);
}
ARR_INLINE int __syncthreads_and(int predicate, ARR_LINE) {
  ARR_SITE(1);
  return arr_barrier(arr_host::barrier_and, predicate, line);
}
ARR_INLINE int __syncthreads_or(int predicate, ARR_LINE) {
  ARR_SITE(1);
  return arr_barrier(arr_host::barrier_or, predicate, line);
}

ARR_INLINE unsigned arr_lane() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u;
}
ARR_INLINE unsigned long long arr_warp(int op, unsigned mask, unsigned long long value, unsigned source,
                                       unsigned line) {
  ARR_SITE(2);
  uint3 mine = threadIdx;
  unsigned long long result = arr_runtime->warp(arr_worker, op, mask, value, source, line);
  threadIdx = mine;
  return result;
}
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

ARR_INLINE void __syncwarp(unsigned mask = ~0u, ARR_LINE) { arr_warp(arr_host::warp_sync, mask, 0, 0, line); }
template <class T>
ARR_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32, ARR_LINE) {
  int from = int(arr_lane() & ~unsigned(width - 1)) + (source & (width - 1));
  return arr_from_bits<T>(arr_warp(arr_host::warp_shuffle, mask, arr_to_bits(value), unsigned(from), line));
}
template <class T>
ARR_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, ARR_LINE) {
  int lane = int(arr_lane()), from = lane - int(delta);
  if (from < (lane & ~(width - 1))) from = lane;
  return arr_from_bits<T>(arr_warp(arr_host::warp_shuffle, mask, arr_to_bits(value), unsigned(from), line));
}
template <class T>
ARR_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, ARR_LINE) {
  int lane = int(arr_lane()), from = lane + int(delta);
  if ((lane & (width - 1)) + int(delta) >= width) from = lane;
  return arr_from_bits<T>(arr_warp(arr_host::warp_shuffle, mask, arr_to_bits(value), unsigned(from), line));
}
template <class T>
ARR_INLINE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, ARR_LINE) {
  int lane = int(arr_lane()), from = lane ^ bits;
  if ((from & ~(width - 1)) > (lane & ~(width - 1))) from = lane;
  return arr_from_bits<T>(arr_warp(arr_host::warp_shuffle, mask, arr_to_bits(value), unsigned(from), line));
}
ARR_INLINE unsigned __ballot_sync(unsigned mask, int predicate, ARR_LINE) {
  return unsigned(arr_warp(arr_host::warp_ballot, mask, predicate != 0, 0, line));
}
ARR_INLINE int __any_sync(unsigned mask, int predicate, ARR_LINE) {
  return __ballot_sync(mask, predicate, line) != 0;
}
ARR_INLINE int __all_sync(unsigned mask, int predicate, ARR_LINE) {
  return __ballot_sync(mask, !predicate, line) == 0;
}
ARR_INLINE unsigned __activemask(ARR_LINE) {
  return unsigned(arr_warp(arr_host::warp_active, 0, 0, 0, line));
}
template <class T>
ARR_INLINE unsigned __match_any_sync(unsigned mask, T value, ARR_LINE) {
  return unsigned(arr_warp(arr_host::warp_match_any, mask, arr_to_bits(value), 0, line));
}
template <class T>
ARR_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all, ARR_LINE) {
  unsigned same = unsigned(arr_warp(arr_host::warp_match_all, mask, arr_to_bits(value), 0, line));
  *all = same != 0;
  return same;
}
// clang-format off
#define ARR_WARP_REDUCE(name, type, op)                                                       \
  ARR_INLINE type name(unsigned mask, type value, ARR_LINE) {                                 \
    return type(arr_warp(arr_host::op, mask, (unsigned long long)(long long)value, 0, line)); \
  }
ARR_WARP_REDUCE(__reduce_add_sync, unsigned, warp_add) ARR_WARP_REDUCE(__reduce_add_sync, int, warp_add)
ARR_WARP_REDUCE(__reduce_min_sync, unsigned, warp_min_unsigned)
ARR_WARP_REDUCE(__reduce_min_sync, int, warp_min_signed)
ARR_WARP_REDUCE(__reduce_max_sync, unsigned, warp_max_unsigned)
ARR_WARP_REDUCE(__reduce_max_sync, int, warp_max_signed)
ARR_WARP_REDUCE(__reduce_and_sync, unsigned, warp_and)
ARR_WARP_REDUCE(__reduce_or_sync, unsigned, warp_or)
ARR_WARP_REDUCE(__reduce_xor_sync, unsigned, warp_xor)
    ARR_INLINE void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
ARR_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
ARR_INLINE void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
ARR_INLINE void __nanosleep(unsigned) {
  uint3 mine = threadIdx;
  arr_runtime->yield(arr_worker);
  threadIdx = mine;
}
#ifdef __x86_64__
ARR_INLINE long long clock64() { return (long long)__builtin_ia32_rdtsc(); }
#else
ARR_INLINE long long clock64() {
  long long ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}
#endif
ARR_INLINE int arr_clock() { return int(clock64()); }
#define clock arr_clock  // <time.h> has another

[[noreturn]] __attribute__((noinline)) static void arr_fail(const char* what, unsigned line) {
  arr_runtime->fail(arr_worker, what, line, {blockIdx.x, blockIdx.y, blockIdx.z},
                    {threadIdx.x, threadIdx.y, threadIdx.z});
  __builtin_unreachable();
}
#undef assert
#define assert(condition) ((condition) ? (void)0 : arr_fail("assertion '" #condition "' failed", __LINE__))
#define __trap() arr_fail("__trap was called", __LINE__)
extern "C" int printf(const char*, ...);
#ifndef ARR_STD
extern "C" void* malloc(arr_size_t) noexcept(true);
extern "C" void free(void*) noexcept(true);
extern "C" void* memcpy(void*, const void*, arr_size_t) noexcept(true);
extern "C" void* memset(void*, int, arr_size_t) noexcept(true);
typedef arr_size_t size_t;
typedef decltype((char*)0 - (char*)0) ptrdiff_t;
#endif

#ifdef __clang__
#define ARR_UNROLL(n) _Pragma("unroll")
#else
#define ARR_UNROLL_TEXT(text) _Pragma(#text)
#define ARR_UNROLL(n) ARR_UNROLL_TEXT(GCC unroll n)
#endif

// All extern __shared__ arrays of namespace scope are one storage, whatever their types; see entry.h.
#define ARR_DYNAMIC asm("arr_dynamic_storage") __attribute__((visibility("hidden")))
