// SPDX-License-Identifier: MIT
// With ARR_CHECK=1: the functions that the compiler calls before each access to memory (-fsanitize=thread).
// They call the runtime, which knows the arrays and the threads. No sanitizer library is linked. Embedded
// before every kernel source.
#ifdef ARR_CHECKED

// Without it clang has the hooks' own atomic operations call the hooks.
#ifdef __clang__
#define ARR_UNWATCHED , disable_sanitizer_instrumentation
#else
#define ARR_UNWATCHED
#endif
#define ARR_HOOK \
  extern "C" __attribute__((visibility("hidden"), ARR_KEEP, noinline, no_sanitize("thread") ARR_UNWATCHED))
// clang-format off
#define ARR_SEEN(address, bytes, kind)                                                                       \
  do {                                                                                                       \
    if (arr_worker)                                                                                          \
      arr_runtime->access(arr_worker, (const void*)(address), bytes, arr_host::kind,                         \
                          __builtin_return_address(0));                                                      \
  } while (0)
#define ARR_SEEN_PLAIN(n)                                                                   \
  ARR_HOOK void __tsan_read##n(void* p) { ARR_SEEN(p, n, access_read); }                    \
  ARR_HOOK void __tsan_write##n(void* p) { ARR_SEEN(p, n, access_write); }                  \
  ARR_HOOK void __tsan_unaligned_read##n(void* p) { ARR_SEEN(p, n, access_read); }          \
  ARR_HOOK void __tsan_unaligned_write##n(void* p) { ARR_SEEN(p, n, access_write); }        \
  ARR_HOOK void __tsan_read_write##n(void* p) { ARR_SEEN(p, n, access_write); }             \
  ARR_HOOK void __tsan_unaligned_read_write##n(void* p) { ARR_SEEN(p, n, access_write); }   \
  ARR_HOOK void __tsan_volatile_read##n(void* p) { ARR_SEEN(p, n, access_read); }           \
  ARR_HOOK void __tsan_volatile_write##n(void* p) { ARR_SEEN(p, n, access_write); }
ARR_SEEN_PLAIN(1) ARR_SEEN_PLAIN(2) ARR_SEEN_PLAIN(4) ARR_SEEN_PLAIN(8) ARR_SEEN_PLAIN(16)
ARR_HOOK void __tsan_init() {}
ARR_HOOK void __tsan_func_entry(void*) {}
ARR_HOOK void __tsan_func_exit() {}
ARR_HOOK void __tsan_vptr_update(void**, void*) {}
ARR_HOOK void __tsan_vptr_read(void**) {}
ARR_HOOK void __tsan_read_range(void* p, arr_size_t n) { ARR_SEEN(p, n, access_read); }
ARR_HOOK void __tsan_write_range(void* p, arr_size_t n) { ARR_SEEN(p, n, access_write); }
ARR_HOOK void* __tsan_memcpy(void* to, const void* from, arr_size_t n) {
  ARR_SEEN(from, n, access_read);
  ARR_SEEN(to, n, access_write);
  return __builtin_memcpy(to, from, n);
}
ARR_HOOK void* __tsan_memmove(void* to, const void* from, arr_size_t n) {
  ARR_SEEN(from, n, access_read);
  ARR_SEEN(to, n, access_write);
  return __builtin_memmove(to, from, n);
}
ARR_HOOK void* __tsan_memset(void* to, int value, arr_size_t n) {
  ARR_SEEN(to, n, access_write);
  return __builtin_memset(to, value, n);
}

#ifndef __clang__
// g++ calls no hooks for these, so the functions themselves are ours. A loop that copies must not become a call.
#define ARR_LOOPS __attribute__((optimize("no-tree-loop-distribute-patterns")))
ARR_HOOK ARR_LOOPS void* arr_checked_memmove(void* to, const void* from, arr_size_t n) {
  ARR_SEEN(from, n, access_read);
  ARR_SEEN(to, n, access_write);
  char* t = (char*)to;
  const char* f = (const char*)from;
  if (t < f)
    for (arr_size_t i = 0; i < n; i++) t[i] = f[i];
  else
    for (arr_size_t i = n; i-- > 0;) t[i] = f[i];
  return to;
}
ARR_HOOK ARR_LOOPS void* arr_checked_memset(void* to, int value, arr_size_t n) {
  ARR_SEEN(to, n, access_write);
  for (arr_size_t i = 0; i < n; i++) ((char*)to)[i] = (char)value;
  return to;
}
extern "C" {
void* memcpy(void*, const void*, arr_size_t) noexcept(true) __asm__("arr_checked_memmove");
void* memmove(void*, const void*, arr_size_t) noexcept(true) __asm__("arr_checked_memmove");
void* memset(void*, int, arr_size_t) noexcept(true) __asm__("arr_checked_memset");
}
#endif

// The compiler's atomic operations, whose last argument is the memory order: at least what was asked for.
#define ARR_SEEN_FETCH(bits, T, name)                                       \
  ARR_HOOK T __tsan_atomic##bits##_##name(volatile T* p, T v, int) {        \
    ARR_SEEN(p, sizeof(T), access_atomic);                                  \
    return __atomic_##name(p, v, __ATOMIC_SEQ_CST);                         \
  }
#define ARR_SEEN_ATOMIC(bits, T)                                                                     \
  ARR_HOOK T __tsan_atomic##bits##_load(const volatile T* p, int) {                                  \
    ARR_SEEN(p, sizeof(T), access_atomic);                                                           \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                     \
  }                                                                                                  \
  ARR_HOOK void __tsan_atomic##bits##_store(volatile T* p, T v, int) {                               \
    ARR_SEEN(p, sizeof(T), access_atomic);                                                           \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                        \
  }                                                                                                  \
  ARR_HOOK T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) {                               \
    ARR_SEEN(p, sizeof(T), access_atomic);                                                           \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                              \
  }                                                                                                  \
  ARR_HOOK int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* old, T v, int, int) { \
    ARR_SEEN(p, sizeof(T), access_atomic);                                                           \
    return __atomic_compare_exchange_n(p, old, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
  }                                                                                                  \
  ARR_HOOK int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* old, T v, int, int) {   \
    ARR_SEEN(p, sizeof(T), access_atomic);                                                           \
    return __atomic_compare_exchange_n(p, old, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
  }                                                                                                  \
  ARR_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T old, T v, int, int) {       \
    ARR_SEEN(p, sizeof(T), access_atomic);                                                           \
    __atomic_compare_exchange_n(p, &old, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);              \
    return old;                                                                                      \
  }                                                                                                  \
  ARR_SEEN_FETCH(bits, T, fetch_add) ARR_SEEN_FETCH(bits, T, fetch_sub)                              \
  ARR_SEEN_FETCH(bits, T, fetch_and) ARR_SEEN_FETCH(bits, T, fetch_or)                               \
  ARR_SEEN_FETCH(bits, T, fetch_xor) ARR_SEEN_FETCH(bits, T, fetch_nand)
ARR_SEEN_ATOMIC(8, unsigned char) ARR_SEEN_ATOMIC(16, unsigned short) ARR_SEEN_ATOMIC(32, unsigned)
ARR_SEEN_ATOMIC(64, unsigned long)
    // clang-format on
    ARR_HOOK void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
ARR_HOOK void __tsan_atomic_signal_fence(int) {}
// For 16 bytes there is only compare-and-swap, if the target processor has it.
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
ARR_HOOK unsigned __int128 __tsan_atomic128_compare_exchange_val(volatile unsigned __int128* p,
                                                                 unsigned __int128 old, unsigned __int128 v,
                                                                 int, int) {
  ARR_SEEN(p, 16, access_atomic);
  return __sync_val_compare_and_swap(p, old, v);
}
ARR_HOOK int __tsan_atomic128_compare_exchange_strong(volatile unsigned __int128* p, unsigned __int128* old,
                                                      unsigned __int128 v, int, int) {
  ARR_SEEN(p, 16, access_atomic);
  const unsigned __int128 expected = *old;
  *old = __sync_val_compare_and_swap(p, expected, v);
  return *old == expected;
}
#endif
#endif
