// SPDX-License-Identifier: MIT
// The contiguous loop of every row of core/table/ops.def and lookups.def for one computing type.
#pragma once

#include "host/loops/level.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace arr::host::ARR_LEVEL {

// Ops as types: op_add::f(x, y).
#define ARR_PARAMS_1_SAME T x
#define ARR_PARAMS_2_SAME T x, T y
#define ARR_PARAMS_3_SAME T x, T y, T z
#define ARR_PARAMS_3_COND bool x, T y, T z
#define ARR_PARAMS_2_INT64 T x, long long y
#define ARR_PARAMS_1_OWN T x
#define ARR_PARAMS_2_OWN T x, T y
#define ARR_PARAMS_2_EXACT T x, T y
#define ARR_OP(number, name, nin, in, out, domain, lift, ulp32, ulp64, doc, cupy, ...) \
  struct op_##name {                                                                   \
    template <class T>                                                                 \
    ARR_FN static auto f(ARR_PARAMS_##nin##_##in) {                                    \
      return __VA_ARGS__;                                                              \
    }                                                                                  \
  };
#include "table/ops.def"
#undef ARR_OP

}  // namespace arr::host::ARR_LEVEL

#include "host/loops/elementwise/fast_path.h"
#include "host/loops/elementwise/fast_path_complex.h"
#include "host/loops/elementwise/fast_path_power.h"
#include "host/loops/elementwise/vector_math_double.h"
#include "host/loops/elementwise/vector_math_float.h"

namespace arr::host::ARR_LEVEL {

// The types of the first and the last operand and of the result.
template <class T>
struct in_SAME {
  typedef T first, last;
  static constexpr bool halves = false;  // true if 16-bit floats are not converted to float32
};
template <class T>
struct in_COND : in_SAME<T> {
  typedef bool first;
};
template <class T>
struct in_INT64 : in_SAME<T> {
  typedef long long last;
};
template <class T>
struct in_OWN : in_SAME<T> {
  static constexpr bool halves = true;
};
template <class T>
struct in_EXACT : in_SAME<T> {};
template <class T>
struct out_SAME {
  typedef T type;
};
template <class T>
struct out_BOOL {
  typedef bool type;
};
template <class T>
struct out_REAL {
  typedef typename arr_real_of<T>::type type;
};
template <class T>
struct out_INT32 {
  typedef int type;
};
template <class T>
struct out_INT64 {
  typedef long long type;
};
template <class T>
struct out_UINT8 {
  typedef unsigned char type;
};

// In every loop element i is read before it is written, so `out` may be an input (hence ivdep).
template <int Arity, class Op, class T, class In, class R>
struct Loop;
// True if n elements at x and n at y do not overlap.
template <class S>
ARR_FN bool no_overlap(const S* x, const S* y, int64_t n) {
  return x + n <= y || y + n <= x;
}
// Computes n elements from `first` on by the op's fast path; false if it has none or that is wrong for some
// of them. Less than a block is padded with copies of its first element. The results go to a buffer first,
// because the output may be an operand.
template <class Op, class T, class S, class... X>
ARR_FN bool try_fast_path(int64_t first, int64_t n, S* r, const X*... data) {
  if constexpr (FastPath<Op, T>::exists) {
    if (n <= 0) return true;
    // A buffer would double the time of a fast path that does little more than load and store.
    if constexpr (requires { FastPath<Op, T>::writes_result_directly; }) {
      if (n == fast_path_block<T> && (no_overlap(static_cast<const T*>(data) + first, r + first, n) && ...))
        return FastPath<Op, T>::run(static_cast<const T*>(data) + first..., r + first);
    }
    typename FastPath<Op, T>::Result some[fast_path_block<T>];
    bool right;
    if (n < fast_path_block<T>) {
      T padded[sizeof...(X)][fast_path_block<T>];
      int64_t k = 0;
      const auto pad = [&](const T* from) {
        T* to = padded[k++];
        for (int64_t i = 0; i < n; ++i) to[i] = from[i];
        for (int64_t i = n; i < fast_path_block<T>; ++i) to[i] = from[0];
        return const_cast<const T*>(to);
      };
      const T* all[] = {pad(static_cast<const T*>(data) + first)...};
      if constexpr (sizeof...(X) == 1) right = FastPath<Op, T>::run(all[0], some);
      if constexpr (sizeof...(X) == 2) right = FastPath<Op, T>::run(all[0], all[1], some);
    } else {
      right = FastPath<Op, T>::run(static_cast<const T*>(data) + first..., some);
    }
    if (!right) return false;
    for (int64_t i = 0; i < n; ++i) r[first + i] = some[i];
    return true;
  }
  return false;
}

template <class Op, class T, class In, class R>
struct Loop<1, Op, T, In, R> {
  static void run(int64_t n, const void* const* in, void* out) {
    const void* x = in[0];
    if constexpr (VectorMath<Op, T>::exists) return VectorMath<Op, T>::run(n, x, out);
    auto* r = static_cast<typename stored<R>::type*>(out);
    int64_t first = 0;
    if constexpr (FastPath<Op, T>::exists) {
      for (; first + fast_path_block<T> <= n; first += fast_path_block<T>) {
        if (try_fast_path<Op, T>(first, fast_path_block<T>, r, x)) continue;
#pragma GCC ivdep
        for (int64_t i = first; i < first + fast_path_block<T>; ++i)
          r[i] = arr_cast<R>(Op::template f<T>(element<T>(x, i)));
      }
      if (try_fast_path<Op, T>(first, n - first, r, x)) return;
    }
#pragma GCC ivdep
    for (int64_t i = first; i < n; ++i) r[i] = arr_cast<R>(Op::template f<T>(element<T>(x, i)));
  }
};
template <class Op, class T, class In, class R>
struct Loop<2, Op, T, In, R> {
  typedef typename In::last Y;
  static void run(int64_t n, const void* const* in, void* out) {
    const void *x = in[0], *y = in[1];
    auto* r = static_cast<typename stored<R>::type*>(out);
    int64_t first = 0;
    if constexpr (FastPath<Op, T>::exists) {
      for (; first + fast_path_block<T> <= n; first += fast_path_block<T>) {
        if (try_fast_path<Op, T>(first, fast_path_block<T>, r, x, y)) continue;
#pragma GCC ivdep
        for (int64_t i = first; i < first + fast_path_block<T>; ++i) {
          r[i] = arr_cast<R>(Op::template f<T>(element<T>(x, i), element<Y>(y, i)));
        }
      }
      if (try_fast_path<Op, T>(first, n - first, r, x, y)) return;
    }
#pragma GCC ivdep
    for (int64_t i = first; i < n; ++i) {
      r[i] = arr_cast<R>(Op::template f<T>(element<T>(x, i), element<Y>(y, i)));
    }
  }
};
template <class Op, class T, class In, class R>
struct Loop<3, Op, T, In, R> {
  static void run(int64_t n, const void* const* in, void* out) {
    const void *x = in[0], *y = in[1], *z = in[2];
    auto* r = static_cast<typename stored<R>::type*>(out);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      r[i] = arr_cast<R>(
          Op::template f<T>(element<typename In::first>(x, i), element<T>(y, i), element<T>(z, i)));
    }
  }
};

// Look-ups: in[0] is the vector's arr_table. The binary searches of a batch advance together step by step:
// their memory accesses overlap, and with gather instructions a step of all takes a few instructions.
template <class T>
struct Batch {
  static constexpr int64_t size = 32;
  T v[size];
};
template <class T, bool Behind>
ARR_FN Batch<long long> arr_search(arr_table x, Batch<T> y) {
  Batch<long long> first = {};
  for (long long n = x.length, half; n > 0; n -= half) {
    half = (n + 1) >> 1;
#pragma GCC ivdep
    for (int64_t i = 0; i < Batch<T>::size; ++i) {
      first.v[i] = arr_search_step<T, Behind>(x, y.v[i], first.v[i], half);
    }
  }
  return first;
}
#define ARR_LOOKUP(number, name, in, out, domain, doc, ...) \
  struct lookup_##name {                                    \
    template <class T, class Y>                             \
    ARR_FN static auto f(arr_table x, Y y) {                \
      return __VA_ARGS__;                                   \
    }                                                       \
  };
#include "table/lookups.def"
#undef ARR_LOOKUP
template <class T>
struct in_TAKE {
  typedef long long last;
  static constexpr bool halves = true, batches = false, loops = true;
};
template <class T>
struct in_SEARCH {
  typedef T last;
  static constexpr bool halves = false, batches = true, loops = true;
};
template <class T>
struct in_PLACE : in_TAKE<T> {
  static constexpr bool loops = false;  // LoopTable::gather_at
};
template <class T>
struct in_INDEX : in_TAKE<T> {
  typedef T last;
};
// Checks without a branch per element: a position is out of range if it, or the last position minus it, is
// negative.
template <class Op, class T>
void check_indices(arr_table x, int64_t n, const T* y, long long* r) {
  constexpr int64_t block = 256;
  for (int64_t first = 0; first < n; first += block) {
    const int64_t end = n - first < block ? n : first + block;
    long long outside = 0;
#pragma GCC ivdep
    for (int64_t i = first; i < end; ++i) {
      const long long p = __is_same(Op, lookup_index_check) ? arr_index_from_end<T>(x.length, y[i])
                                                            : arr_index_less_one<T>(y[i]);
      outside |= p | (x.length - 1 - p);
      r[i] = p;
    }
    if (outside >= 0) continue;
    for (int64_t i = first; i < end; ++i) r[i] = Op::template f<T>(x, y[i]);
  }
}
template <class Op, class T, class In, class R>
struct LookupLoop {
  typedef typename In::last Y;
  static void run(int64_t n, const void* const* in, void* out) {
    const arr_table x = *static_cast<const arr_table*>(in[0]);
    constexpr bool checks = __is_same(Op, lookup_index_check) || __is_same(Op, lookup_index_from_one);
    if constexpr (checks && row_of<T>::kind != BOOL) {
      return check_indices<Op>(x, n, static_cast<const T*>(in[1]), static_cast<long long*>(out));
    }
    auto* r = static_cast<typename stored<R>::type*>(out);
    int64_t i = 0;
    if constexpr (In::batches) {
      for (; i + Batch<Y>::size <= n; i += Batch<Y>::size) {
        Batch<Y> y;
        for (int64_t k = 0; k < Batch<Y>::size; ++k) y.v[k] = element<Y>(in[1], i + k);
        const Batch<R> found = Op::template f<T>(x, y);
        for (int64_t k = 0; k < Batch<Y>::size; ++k) r[i + k] = found.v[k];
      }
    }
#pragma GCC ivdep
    for (; i < n; ++i) r[i] = Op::template f<T>(x, element<Y>(in[1], i));
  }
};

template <class T>
void fill_ops(LoopTable& t) {
  constexpr int d = row_of<T>::number;
#define ARR_OP(number, name, nin, in, out, domain, lift, ulp32, ulp64, doc, cupy, ...)         \
  if constexpr (domain_has(#domain, row_of<T>::kind) && (!is_half<T> || in_##in<T>::halves)) { \
    t.op[number][d] = Loop<nin, op_##name, T, in_##in<T>, typename out_##out<T>::type>::run;   \
  }
#include "table/ops.def"
#undef ARR_OP
#define ARR_LOOKUP(number, name, in, out, domain, doc, ...)                                       \
  if constexpr (in_##in<T>::loops && domain_has(#domain, row_of<T>::kind) &&                      \
                (!is_half<T> || in_##in<T>::halves)) {                                            \
    t.op[number][d] = LookupLoop<lookup_##name, T, in_##in<T>, typename out_##out<T>::type>::run; \
  }
#include "table/lookups.def"
#undef ARR_LOOKUP
}

}  // namespace arr::host::ARR_LEVEL
