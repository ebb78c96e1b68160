// SPDX-License-Identifier: MIT
// libcu++'s synchronisation: cuda::barrier, atomic and atomic_ref, and copies that count as
// asynchronous, which are made at once. Embedded where a source includes cuda/barrier, cuda/atomic or another
// header of them. Others go on while a thread waits, which only fibers do.

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
enum memory_order {
  memory_order_relaxed = __ATOMIC_RELAXED,
  memory_order_consume = __ATOMIC_CONSUME,
  memory_order_acquire = __ATOMIC_ACQUIRE,
  memory_order_release = __ATOMIC_RELEASE,
  memory_order_acq_rel = __ATOMIC_ACQ_REL,
  memory_order_seq_cst = __ATOMIC_SEQ_CST
};
// Loads and stores have fewer orders than other operations.
constexpr int arr_load_order(memory_order o) {
  return o == memory_order_release ? __ATOMIC_RELAXED : o == memory_order_acq_rel ? __ATOMIC_ACQUIRE : int(o);
}

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref {
 public:
  typedef T value_type;
  ARR_MEMBER explicit atomic_ref(T& object) : p_(&object) {}
  ARR_MEMBER T load(memory_order o = memory_order_seq_cst) const {
    T value;
    __atomic_load(p_, &value, arr_load_order(o));
    return value;
  }
  ARR_MEMBER void store(T value, memory_order o = memory_order_seq_cst) const {
    __atomic_store(p_, &value, o);
  }
  ARR_MEMBER T exchange(T value, memory_order o = memory_order_seq_cst) const {
    T old;
    __atomic_exchange(p_, &value, &old, o);
    return old;
  }
  ARR_MEMBER bool compare_exchange_strong(T& expected, T value, memory_order o = memory_order_seq_cst) const {
    return __atomic_compare_exchange(p_, &expected, &value, false, o, arr_load_order(o));
  }
  ARR_MEMBER bool compare_exchange_strong(T& expected, T value, memory_order o, memory_order) const {
    return compare_exchange_strong(expected, value, o);
  }
  ARR_MEMBER bool compare_exchange_weak(T& expected, T value, memory_order o = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, value, o);
  }
  ARR_MEMBER bool compare_exchange_weak(T& expected, T value, memory_order o, memory_order) const {
    return compare_exchange_strong(expected, value, o);
  }
#define ARR_FETCH(name, expression)                                         \
  template <class V>                                                        \
  ARR_MEMBER T name(V value, memory_order o = memory_order_seq_cst) const { \
    T old = load(memory_order_relaxed);                                     \
    while (!compare_exchange_strong(old, T(expression), o)) {               \
    }                                                                       \
    return old;                                                             \
  }
  ARR_FETCH(fetch_add, old + value)
  ARR_FETCH(fetch_sub, old - value)
  ARR_FETCH(fetch_and, old& value)
  ARR_FETCH(fetch_or, old | value)
  ARR_FETCH(fetch_xor, old ^ value)
  ARR_FETCH(fetch_min, old < T(value) ? old : T(value))
  ARR_FETCH(fetch_max, old > T(value) ? old : T(value))
  ARR_MEMBER void wait(T old, memory_order o = memory_order_seq_cst, ARR_LINE) const {
    if constexpr (sizeof(T) == 4) {
      arr_wait((const unsigned*)p_, ~0u, unsigned(arr_to_bits(old)), arr_host::barrier_value, 0, line);
    } else {
      while (load(o) == old) arr_yield();
    }
  }
  ARR_MEMBER void notify_one() const {}
  ARR_MEMBER void notify_all() const {}
  ARR_MEMBER bool is_lock_free() const { return true; }
  ARR_MEMBER operator T() const { return load(); }
  ARR_MEMBER T operator=(T value) const {
    store(value);
    return value;
  }
  ARR_MEMBER T operator++() const { return T(fetch_add(1) + 1); }
  ARR_MEMBER T operator--() const { return T(fetch_sub(1) - 1); }
  ARR_MEMBER T operator++(int) const { return fetch_add(1); }
  ARR_MEMBER T operator--(int) const { return fetch_sub(1); }
  template <class V>
  ARR_MEMBER T operator+=(V value) const {
    return T(fetch_add(value) + value);
  }
  template <class V>
  ARR_MEMBER T operator-=(V value) const {
    return T(fetch_sub(value) - value);
  }
  template <class V>
  ARR_MEMBER T operator&=(V value) const {
    return T(fetch_and(value) & value);
  }
  template <class V>
  ARR_MEMBER T operator|=(V value) const {
    return T(fetch_or(value) | value);
  }
  template <class V>
  ARR_MEMBER T operator^=(V value) const {
    return T(fetch_xor(value) ^ value);
  }

 protected:
  T* p_;
};

// The same operations on an object that it holds.
template <class T, thread_scope Scope = thread_scope_system>
class atomic {
 public:
  typedef T value_type;
  atomic() = default;
  constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  ARR_MEMBER atomic_ref<T, Scope> arr_ref() const { return atomic_ref<T, Scope>(value_); }
#define ARR_FORWARD(name)                          \
  template <class... A>                            \
  ARR_MEMBER auto name(A&&... a) const {           \
    return arr_ref().name(static_cast<A&&>(a)...); \
  }
  ARR_FORWARD(load)
  ARR_FORWARD(store)
  ARR_FORWARD(exchange)
  ARR_FORWARD(compare_exchange_strong)
  ARR_FORWARD(compare_exchange_weak)
  ARR_FORWARD(fetch_add)
  ARR_FORWARD(fetch_sub)
  ARR_FORWARD(fetch_and)
  ARR_FORWARD(fetch_or)
  ARR_FORWARD(fetch_xor)
  ARR_FORWARD(fetch_min)
  ARR_FORWARD(fetch_max)
  ARR_MEMBER void wait(T old, memory_order o = memory_order_seq_cst, ARR_LINE) const {
    arr_ref().wait(old, o, line);
  }
  ARR_FORWARD(notify_one)
  ARR_FORWARD(notify_all)
  ARR_FORWARD(is_lock_free)
  ARR_MEMBER T operator++() const { return ++arr_ref(); }
  ARR_MEMBER T operator--() const { return --arr_ref(); }
  ARR_MEMBER T operator++(int) const { return arr_ref()++; }
  ARR_MEMBER T operator--(int) const { return arr_ref()--; }
  ARR_FORWARD(operator+=)
  ARR_FORWARD(operator-=)
  ARR_FORWARD(operator&=)
  ARR_FORWARD(operator|=)
  ARR_FORWARD(operator^=)
  ARR_MEMBER operator T() const { return load(); }
  ARR_MEMBER T operator=(T value) {
    store(value);
    return value;
  }

 private:
  mutable T value_;
};
ARR_INLINE void atomic_thread_fence(memory_order, thread_scope = thread_scope_system) { __threadfence(); }

struct arr_no_completion {
  ARR_MEMBER void operator()() const {}
};
// Counts down to the end of a phase; the number of the phase is what a waiting thread looks at.
template <thread_scope Scope, class Completion = arr_no_completion>
class barrier {
 public:
  typedef unsigned arrival_token;
  barrier() = default;
  barrier(const barrier&) = delete;
  ARR_MEMBER barrier(arr_size_t expected, Completion f = Completion())
      : expected_(int(expected)), missing_(int(expected)), phase_(0), f_(f) {}
  ARR_MEMBER friend void init(barrier* b, arr_size_t expected, Completion f = Completion()) {
    b->expected_ = b->missing_ = int(expected);
    b->phase_ = 0;
    b->f_ = f;
  }
  ARR_MEMBER arrival_token arrive(arr_size_t n = 1) {
    const unsigned phase = __atomic_load_n(&phase_, __ATOMIC_ACQUIRE);
    if (__atomic_sub_fetch(&missing_, int(n), __ATOMIC_ACQ_REL) == 0) {
      f_();
#ifndef ARR_FISSION
      arr_runtime->access(arr_worker, this, 0, arr_host::access_phase, nullptr);
#endif
      __atomic_store_n(&missing_, __atomic_load_n(&expected_, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
      __atomic_store_n(&phase_, phase + 1, __ATOMIC_RELEASE);
    }
    return phase;
  }
  // Asked in a loop: so the others go on when the phase has not ended.
  ARR_MEMBER bool try_wait(arrival_token phase) const {
    if (ended(phase)) return true;
    arr_yield();
    return ended(phase);
  }
  ARR_MEMBER bool try_wait_parity(bool parity) const {
    if ((__atomic_load_n(&phase_, __ATOMIC_ACQUIRE) & 1u) != unsigned(parity)) return true;
    arr_yield();
    return (__atomic_load_n(&phase_, __ATOMIC_ACQUIRE) & 1u) != unsigned(parity);
  }
  ARR_MEMBER void wait(arrival_token phase, ARR_LINE) const {
    arr_wait(&phase_, ~0u, phase, arr_host::barrier_phase, 0, line);
  }
  ARR_MEMBER void wait_parity(bool parity, ARR_LINE) const {
    arr_wait(&phase_, 1u, unsigned(parity), arr_host::barrier_phase, 0, line);
  }
  ARR_MEMBER void arrive_and_wait(ARR_LINE) { wait(arrive(), line); }
  ARR_MEMBER void arrive_and_drop() {
    __atomic_sub_fetch(&expected_, 1, __ATOMIC_RELAXED);
    arrive();
  }
  static constexpr arr_size_t max() { return (1u << 20) - 1; }

 private:
  ARR_MEMBER bool ended(unsigned phase) const { return __atomic_load_n(&phase_, __ATOMIC_ACQUIRE) != phase; }
  int expected_, missing_;
  unsigned phase_;
  Completion f_;
};

namespace std {
template <class T>
using atomic = cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
template <class Completion = arr_no_completion>
using barrier = cuda::barrier<thread_scope_system, Completion>;
using cuda::memory_order;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_consume;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;
template <class T>
struct arr_without_reference {
  typedef T type;
};
template <class T>
struct arr_without_reference<T&> {
  typedef T type;
};
template <class T>
ARR_INLINE constexpr typename arr_without_reference<T>::type&& move(T&& value) {
  return static_cast<typename arr_without_reference<T>::type&&>(value);
}
}  // namespace std
}  // namespace cuda
