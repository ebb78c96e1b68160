// SPDX-License-Identifier: MIT
// CUDA's warp functions over arr_warp and arr_shuffle, fences, the clock, and the ways to end a kernel.
// Embedded before every kernel source.

ARR_INLINE unsigned arr_lane() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u;
}
ARR_INLINE void __syncwarp(unsigned mask = ~0u, ARR_LINE) { arr_warp(arr_host::warp_sync, mask, 0, 0, line); }
template <class T>
ARR_INLINE T __shfl_sync(unsigned mask, T value, int source, int width = 32, ARR_LINE) {
  int from = int(arr_lane() & ~unsigned(width - 1)) + (source & (width - 1));
  return arr_shuffle(mask, value, from, line);
}
template <class T>
ARR_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, ARR_LINE) {
  delta &= 31u;  // as the instruction does
  return arr_shuffle_by(mask, value, -int(delta), (arr_lane() & unsigned(width - 1)) >= delta, line);
}
template <class T>
ARR_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, ARR_LINE) {
  delta &= 31u;
  const bool inside = delta < unsigned(width) - (arr_lane() & unsigned(width - 1));
  return arr_shuffle_by(mask, value, int(delta), inside, line);
}
template <class T>
ARR_INLINE T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, ARR_LINE) {
  int lane = int(arr_lane()), from = lane ^ (bits & 31);
  if ((from & ~(width - 1)) > (lane & ~(width - 1))) from = lane;
  return arr_shuffle(mask, value, from, line);
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
ARR_INLINE int __uni_sync(unsigned mask, int predicate, ARR_LINE) {
  return __all_sync(mask, predicate, line) || !__any_sync(mask, predicate, line);
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
ARR_INLINE void __threadfence_cluster() { __threadfence(); }
ARR_INLINE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
ARR_INLINE void __threadfence_block() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
ARR_INLINE void __nanosleep(unsigned) {
  arr_yield();
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

[[noreturn]] __attribute__((noinline)) static void arr_fail_at(const char* what, unsigned line, uint3 block,
                                                               uint3 thread) {
  arr_runtime->fail(arr_worker, what, line, {block.x, block.y, block.z}, {thread.x, thread.y, thread.z});
  __builtin_unreachable();
}
[[noreturn]] ARR_INLINE void arr_fail(const char* what, unsigned line) {
  arr_fail_at(what, line, blockIdx, threadIdx);
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

// Address spaces; __constant__ variables are in global memory. Those that PTX numbers by themselves keep
// their addresses, except shared memory, whose numbers must fit into 32 bits.
ARR_INLINE unsigned arr_is_in(const void* p, unsigned long long space) {
  return arr_runtime->address(arr_worker, arr_host::address_space, (unsigned long long)p) == space;
}
ARR_INLINE unsigned __isShared(const void* p) { return arr_is_in(p, arr_host::space_shared); }
ARR_INLINE unsigned __isCtaShared(const void* p) { return arr_is_in(p, arr_host::space_shared); }
ARR_INLINE unsigned __isLocal(const void* p) { return arr_is_in(p, arr_host::space_local); }
ARR_INLINE unsigned __isGlobal(const void* p) { return arr_is_in(p, arr_host::space_global); }
ARR_INLINE unsigned long long arr_shared_address(int asked, unsigned long long address, const char* what,
                                                 unsigned line) {
  const unsigned long long result = arr_runtime->address(arr_worker, asked, address);
  if (result == ~0ull) arr_fail(what, line);
  return result;
}
ARR_INLINE arr_size_t __cvta_generic_to_shared(const void* p, ARR_LINE) {
  return arr_shared_address(arr_host::address_to_shared, (unsigned long long)p,
                            "__cvta_generic_to_shared of an address that is not in shared memory,", line);
}
ARR_INLINE void* __cvta_shared_to_generic(arr_size_t number, ARR_LINE) {
  return (void*)arr_shared_address(arr_host::address_from_shared, number,
                                   "__cvta_shared_to_generic of a number that is not an address in shared memory,", line);
}
// clang-format off
#define ARR_SPACE(space)                                                                           \
  ARR_INLINE arr_size_t __cvta_generic_to_##space(const void* p) { return (arr_size_t)p; }         \
  ARR_INLINE void* __cvta_##space##_to_generic(arr_size_t number) { return (void*)number; }
ARR_SPACE(global) ARR_SPACE(local) ARR_SPACE(constant) ARR_SPACE(grid_constant)
    // clang-format on

    // Kernels of a stream run one after the other.
    ARR_INLINE void cudaGridDependencySynchronize() {}
ARR_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}
ARR_INLINE void __prof_trigger(int) {}
#define __assume(condition) __builtin_assume(condition)
#ifdef __clang__
#define ARR_UNROLL(n) _Pragma("unroll")
#else
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#define ARR_UNROLL_TEXT(text) _Pragma(#text)
#define ARR_UNROLL(n) ARR_UNROLL_TEXT(GCC unroll n)
#endif

// All extern __shared__ arrays of namespace scope are one storage, whatever their types; see entry.h.
#define ARR_DYNAMIC asm("arr_dynamic_storage") __attribute__((visibility("hidden")))
