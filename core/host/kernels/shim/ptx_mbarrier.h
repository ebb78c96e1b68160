// SPDX-License-Identifier: MIT
// PTX's mbarrier objects. The threads of a block take turns, so that plain steps are enough; the accesses are
// atomic for ARR_CHECK, which looks for races.

namespace arr_ptx {

struct mbarrier {
  unsigned long long pending : 20, expected : 20;
  long long bytes : 22;  // of copies that have not come
  unsigned long long phase : 1;
};
static_assert(sizeof(mbarrier) == 8, "an mbarrier has 64 bits");

ARR_INLINE mbarrier mbarrier_of(unsigned long long bits) {
  mbarrier b;
  __builtin_memcpy(&b, &bits, sizeof b);
  return b;
}
ARR_INLINE mbarrier mbarrier_at(void* at) {
  return mbarrier_of(__atomic_load_n((unsigned long long*)at, __ATOMIC_ACQUIRE));
}
// The phase ends when no thread and no byte is missing.
ARR_INLINE void mbarrier_put(void* at, mbarrier b) {
  if (b.pending == 0 && b.bytes == 0) {
    b.phase ^= 1;
#ifndef ARR_FISSION
    arr_runtime->access(arr_worker, at, 0, arr_host::access_phase, nullptr);
#endif
    b.pending = b.expected;
  }
  unsigned long long bits;
  __builtin_memcpy(&bits, &b, sizeof bits);
  __atomic_store_n((unsigned long long*)at, bits, __ATOMIC_RELEASE);
}
ARR_INLINE void mbarrier_init(void* at, unsigned count) { mbarrier_put(at, {count, count, 0, 0}); }
ARR_INLINE void mbarrier_bytes(void* at, long long change) {
  mbarrier b = mbarrier_at(at);
  b.bytes += change;
  mbarrier_put(at, b);
}
// Gives the state before.
ARR_INLINE unsigned long long mbarrier_arrive(void* at, unsigned count, unsigned bytes, bool drop) {
  mbarrier b = mbarrier_at(at);
  unsigned long long before;
  __builtin_memcpy(&before, &b, sizeof before);
  b.bytes += bytes;
  b.pending -= count;
  if (drop) b.expected -= count;
  mbarrier_put(at, b);
  return before;
}
ARR_INLINE unsigned mbarrier_pending(unsigned long long state) {
  return unsigned(mbarrier_of(state).pending);
}
// True if the phase of a state, or that of a parity, is over.
ARR_INLINE bool mbarrier_done(void* at, unsigned long long state) {
  return mbarrier_at(at).phase != mbarrier_of(state).phase;
}
ARR_INLINE bool mbarrier_parity(void* at, unsigned parity) { return mbarrier_at(at).phase != (parity & 1); }

}  // namespace arr_ptx
