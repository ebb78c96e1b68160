// SPDX-License-Identifier: MIT
// Barriers and warp functions of a block whose threads are fibers. Embedded before every kernel source.
#ifndef ARR_FISSION

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
ARR_INLINE void arr_grid_sync(unsigned line) {
  ARR_SITE(1);
  arr_barrier(arr_host::barrier_grid, 0, line);
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
ARR_INLINE T arr_shuffle(unsigned mask, T value, int from, unsigned line) {
  return arr_from_bits<T>(arr_warp(arr_host::warp_shuffle, mask, arr_to_bits(value), unsigned(from), line));
}
ARR_INLINE unsigned arr_lane();
template <class T>
ARR_INLINE T arr_shuffle_by(unsigned mask, T value, int by, bool inside, unsigned line) {
  return arr_shuffle(mask, value, int(arr_lane()) + (inside ? by : 0), line);
}
// For the threads of `warps` neighbouring warps.
ARR_INLINE unsigned long long arr_tile(int op, unsigned warps, unsigned long long value, unsigned from,
                                       unsigned line) {
  return arr_warp(op, ~0u, value, warps | from << 8, line);
}
ARR_INLINE void arr_yield() {
  ARR_SITE(1);
  uint3 mine = threadIdx;
  arr_runtime->yield(arr_worker);
  threadIdx = mine;
}
ARR_INLINE void arr_rest() {
  uint3 mine = threadIdx;
  arr_runtime->rest(arr_worker);
  threadIdx = mine;
}
// Returns when the bits of `mask` in *word are not those of `value`.
ARR_INLINE void arr_wait(const unsigned* word, unsigned mask, unsigned value, int kind, unsigned number,
                         unsigned line) {
  ARR_SITE(1);
  uint3 mine = threadIdx;
  while (((__atomic_load_n(word, __ATOMIC_ACQUIRE) ^ value) & mask) == 0)
    arr_runtime->wait(arr_worker, word, mask, value, kind, number, line);
  threadIdx = mine;
}
#endif
