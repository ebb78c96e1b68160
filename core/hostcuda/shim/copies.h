// SPDX-License-Identifier: MIT
// Copies that count as asynchronous and are made at once: cuda::memcpy_async, cuda::pipeline, and the
// primitives of cuda_pipeline.h and cuda_awbarrier.h. Embedded after barriers.h.

namespace cuda {
template <arr_size_t Alignment>
struct aligned_size_t {
  static constexpr arr_size_t align = Alignment;
  arr_size_t value;
  ARR_MEMBER constexpr explicit aligned_size_t(arr_size_t n) : value(n) {}
  ARR_MEMBER constexpr operator arr_size_t() const { return value; }
};
enum class async_contract_fulfillment { none, async };

// The threads of a group share the bytes.
ARR_INLINE void arr_copy(void* to, const void* from, arr_size_t first, arr_size_t n, arr_size_t step) {
  for (arr_size_t i = first; i < n; i += step) ((char*)to)[i] = ((const char*)from)[i];
}
template <class Group, class Sync>
ARR_INLINE void memcpy_async(const Group& group, void* to, const void* from, arr_size_t n, Sync&) {
  arr_copy(to, from, group.thread_rank(), n, group.size());
}
template <class Sync>
ARR_INLINE void memcpy_async(void* to, const void* from, arr_size_t n, Sync&) {
  __builtin_memcpy(to, from, n);
}

template <thread_scope Scope, unsigned char Stages>
struct pipeline_shared_state {
  char arr_unused;
};
// A pipeline of one thread has nothing to wait for. The threads of a block wait for each other where a stage
// begins and where it is read.
template <thread_scope Scope>
class pipeline {
 public:
  ARR_MEMBER void producer_acquire(ARR_LINE) { meet(line); }
  ARR_MEMBER void producer_commit() {}
  ARR_MEMBER void consumer_wait(ARR_LINE) { meet(line); }
  ARR_MEMBER void consumer_release() {}
  ARR_MEMBER bool quit() { return true; }

 private:
  ARR_MEMBER void meet(unsigned line) {
    if constexpr (Scope != thread_scope_thread) __syncthreads(line);
  }
};
ARR_INLINE pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group, thread_scope Scope, unsigned char Stages>
ARR_INLINE pipeline<Scope> make_pipeline(const Group&, pipeline_shared_state<Scope, Stages>*) {
  return {};
}
template <unsigned char Prior, thread_scope Scope>
ARR_INLINE void pipeline_consumer_wait_prior(pipeline<Scope>& p, ARR_LINE) {
  p.consumer_wait(line);
}
}  // namespace cuda

ARR_INLINE void __pipeline_memcpy_async(void* to, const void* from, arr_size_t n, arr_size_t zeros = 0) {
  cuda::arr_copy(to, from, 0, n - zeros, 1);
  for (arr_size_t i = n - zeros; i < n; i++) ((char*)to)[i] = 0;
}
ARR_INLINE void __pipeline_commit() {}
ARR_INLINE void __pipeline_wait_prior(arr_size_t) {}

typedef cuda::barrier<cuda::thread_scope_block> __mbarrier_t;
typedef unsigned __mbarrier_token_t;
ARR_INLINE void __pipeline_arrive_on(__mbarrier_t* b) { b->arrive(); }
ARR_INLINE unsigned __mbarrier_maximum_count() { return unsigned(__mbarrier_t::max()); }
ARR_INLINE void __mbarrier_init(__mbarrier_t* b, unsigned n) { init(b, n); }
ARR_INLINE void __mbarrier_inval(__mbarrier_t*) {}
ARR_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* b) { return b->arrive(); }
ARR_INLINE bool __mbarrier_test_wait(__mbarrier_t* b, __mbarrier_token_t token) { return b->try_wait(token); }
ARR_INLINE bool __mbarrier_try_wait(__mbarrier_t* b, __mbarrier_token_t token, unsigned) {
  return b->try_wait(token);
}
ARR_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t* b, bool parity) {
  return b->try_wait_parity(parity);
}
