// SPDX-License-Identifier: MIT
// Updates of elements that are wider than a word, under locks. scatter_program.cuh goes before it.

// The locks are the module's, which begins with zeros; elements share them.
constexpr int arr_lock_count = 1024;
__device__ unsigned arr_locks[arr_lock_count];

// A thread that holds a lock waits for nothing, so that threads of its warp without a lock can try again.
template <class E>
ARR_FN void arr_update_by_program(char* to, arr_results& r) {
  unsigned* lock = arr_locks + ((unsigned long long)to >> 4 & (arr_lock_count - 1));
  volatile double* part = (volatile double*)to;
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0u, 1u) != 0u) continue;
    __threadfence();
    E seen;
    seen.re = part[0];
    seen.im = part[1];
    const E next = arr_combined(seen, r, arr_outputs());
    part[0] = next.re;
    part[1] = next.im;
    __threadfence();
    atomicExch(lock, 0u);
    done = true;
  }
}
