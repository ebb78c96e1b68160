// SPDX-License-Identifier: MIT
// PTX's loads, stores and copies, as functions. Embedded after ptx.h.

extern "C" int sched_yield() noexcept(true);

namespace arr_ptx {

static thread_local const void* arr_awaited;

template <class T>
ARR_INLINE T load(const T* from) {
  return *from;
}
template <class T>
ARR_INLINE T load(const T* from, int order) {
  T value;
  if constexpr (sizeof(T) == 16)
    value = arr_swap_sixteen((T*)from, T(0), T(0));
  else
    __atomic_load(from, &value, __ATOMIC_RELAXED);
  if (order != __ATOMIC_RELAXED) __atomic_thread_fence(order);
  return value;
}
// By a thread that may wait for others: if it asks again at once, they go on.
template <class T>
ARR_INLINE T load_waiting(const T* from, int order) {
  const T value = load(from, order);
  if (arr_awaited == from) arr_rest();
  arr_awaited = from;
  return value;
}
// Orders the accesses of all threads of the block before it and after it, for the search for races.
ARR_INLINE void ordered() {
#ifdef ARR_CHECKED
  arr_runtime->access(arr_worker, &arr_awaited, 0, arr_host::access_phase, nullptr);
#endif
}
template <class T>
ARR_INLINE void store(T* to, T value) {
  *to = value;
}
template <class T>
ARR_INLINE void store(T* to, T value, int order) {
  if (order != __ATOMIC_RELAXED) __atomic_thread_fence(order);
  if constexpr (sizeof(T) == 16)
    atomicExch(to, value);
  else
    __atomic_store(to, &value, __ATOMIC_RELAXED);
}
// Copies `size` bytes; those from `there` on are zero.
ARR_INLINE void copy(void* to, const void* from, unsigned size, unsigned there) {
  for (unsigned i = 0; i < size; i++) ((char*)to)[i] = i < there ? ((const char*)from)[i] : char(0);
}
// Each of the numbers in `size` bytes becomes part of its fellow by an atomic.
template <class T, class F>
ARR_INLINE void reduce(T* to, const T* from, unsigned size, F f) {
  for (unsigned i = 0; i < size / sizeof(T); i++) f(to + i, from[i]);
}

}  // namespace arr_ptx
