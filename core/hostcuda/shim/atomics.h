// SPDX-License-Identifier: MIT
// CUDA's atomic functions and cached loads. Relaxed, as CUDA's are. Embedded before every kernel source.

template <class T>
struct arr_identity {
  typedef T type;
};
// Takes the value's type from the pointer alone, so that atomicAdd(&unsigned, 1) compiles as it does in CUDA.
#define ARR_OF(T) typename arr_identity<T>::type

template <class T, class F>
ARR_INLINE T arr_update(T* address, F change) {
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  for (;;) {
    T next = change(old);
    if (__atomic_compare_exchange(address, &old, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
  }
}
template <class T>
struct arr_is_float {
  static constexpr bool value = false;
};
template <>
struct arr_is_float<float> {
  static constexpr bool value = true;
};
template <>
struct arr_is_float<double> {
  static constexpr bool value = true;
};

template <class T>
ARR_INLINE T atomicAdd(T* address, ARR_OF(T) value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomicAdd takes 4- and 8-byte numbers");
  if constexpr (arr_is_float<T>::value)
    return arr_update(address, [=](T old) { return T(old + value); });
  else
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
template <class T>
ARR_INLINE T atomicSub(T* address, ARR_OF(T) value) {
  return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);
}
template <class T>
ARR_INLINE T atomicMax(T* address, ARR_OF(T) value) {
  return arr_update(address, [=](T old) { return old > value ? old : value; });
}
template <class T>
ARR_INLINE T atomicMin(T* address, ARR_OF(T) value) {
  return arr_update(address, [=](T old) { return old < value ? old : value; });
}
// Sixteen bytes are one instruction, which compilers write inline only by this name.
typedef unsigned __int128 __attribute__((may_alias)) arr_sixteen;
template <class T>
ARR_INLINE T arr_swap_sixteen(T* address, T expected, T value) {
  static_assert(__is_trivially_copyable(T) && alignof(T) == 16, "16 bytes at once are aligned to 16 bytes");
  arr_sixteen was, next;
  __builtin_memcpy(&was, &expected, 16);
  __builtin_memcpy(&next, &value, 16);
  was = __sync_val_compare_and_swap((arr_sixteen*)address, was, next);
  __builtin_memcpy(&expected, &was, 16);
  return expected;
}
template <class T>
ARR_INLINE T atomicExch(T* address, ARR_OF(T) value) {
  if constexpr (sizeof(T) == 16) {
    T seen = *address;
    for (;;) {
      const T old = arr_swap_sixteen(address, seen, value);
      if (__builtin_memcmp(&old, &seen, 16) == 0) return old;
      seen = old;
    }
  }
  T old;
  __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
  return old;
}
template <class T>
ARR_INLINE T atomicCAS(T* address, ARR_OF(T) expected, ARR_OF(T) value) {
  if constexpr (sizeof(T) == 16) return arr_swap_sixteen(address, expected, value);
  __atomic_compare_exchange(address, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
template <class T>
ARR_INLINE T atomicAnd(T* address, ARR_OF(T) value) {
  return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}
template <class T>
ARR_INLINE T atomicOr(T* address, ARR_OF(T) value) {
  return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}
template <class T>
ARR_INLINE T atomicXor(T* address, ARR_OF(T) value) {
  return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}
ARR_INLINE unsigned atomicInc(unsigned* address, unsigned limit) {
  return arr_update(address, [=](unsigned old) { return old >= limit ? 0u : old + 1u; });
}
ARR_INLINE unsigned atomicDec(unsigned* address, unsigned limit) {
  return arr_update(address, [=](unsigned old) { return old == 0u || old > limit ? limit : old - 1u; });
}
// A block's scope and the system's are the same memory here.
#define atomicAdd_block atomicAdd
#define atomicSub_block atomicSub
#define atomicMax_block atomicMax
#define atomicMin_block atomicMin
#define atomicExch_block atomicExch
#define atomicCAS_block atomicCAS
#define atomicAnd_block atomicAnd
#define atomicOr_block atomicOr
#define atomicXor_block atomicXor
#define atomicInc_block atomicInc
#define atomicDec_block atomicDec
#define atomicAdd_system atomicAdd
#define atomicSub_system atomicSub
#define atomicMax_system atomicMax
#define atomicMin_system atomicMin
#define atomicExch_system atomicExch
#define atomicCAS_system atomicCAS
#define atomicAnd_system atomicAnd
#define atomicOr_system atomicOr
#define atomicXor_system atomicXor
#define atomicInc_system atomicInc
#define atomicDec_system atomicDec

// clang-format off
#define ARR_LOAD(name)                  \
  template <class T>                    \
  ARR_INLINE T name(const T* address) { \
    return *address;                    \
  }
ARR_LOAD(__ldg) ARR_LOAD(__ldca) ARR_LOAD(__ldcg) ARR_LOAD(__ldcs) ARR_LOAD(__ldcv) ARR_LOAD(__ldlu)
#define ARR_STORE(name)                               \
  template <class T>                                  \
  ARR_INLINE void name(T* address, ARR_OF(T) value) { \
    *address = value;                                 \
  }
ARR_STORE(__stwb) ARR_STORE(__stcg) ARR_STORE(__stcs) ARR_STORE(__stwt)
