// SPDX-License-Identifier: MIT
// The contiguous loop of every row of core/table/ops.def for one computing type.
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

// The types of the first and the last operand and of the result.
template <class T>
struct in_SAME {
  typedef T first, last;
  static constexpr bool halves = false;  // whether 16-bit floats are computed as they are
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
struct out_UINT8 {
  typedef unsigned char type;
};

// Every loop: element i is read before it is written, so `out` may be an input (hence ivdep).
template <int Arity, class Op, class T, class In, class R>
struct Loop;
template <class Op, class T, class In, class R>
struct Loop<1, Op, T, In, R> {
  static void run(int64_t n, const void* const* in, void* out) {
    const void* x = in[0];
    auto* r = static_cast<typename stored<R>::type*>(out);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) r[i] = arr_cast<R>(Op::template f<T>(element<T>(x, i)));
  }
};
template <class Op, class T, class In, class R>
struct Loop<2, Op, T, In, R> {
  static void run(int64_t n, const void* const* in, void* out) {
    const void *x = in[0], *y = in[1];
    auto* r = static_cast<typename stored<R>::type*>(out);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
      r[i] = arr_cast<R>(Op::template f<T>(element<T>(x, i), element<typename In::last>(y, i)));
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

template <class T>
void fill_ops(LoopTable& t) {
  constexpr int d = row_of<T>::number;
#define ARR_OP(number, name, nin, in, out, domain, lift, ulp32, ulp64, doc, cupy, ...)         \
  if constexpr (domain_has(#domain, row_of<T>::kind) && (!is_half<T> || in_##in<T>::halves)) { \
    t.op[number][d] = Loop<nin, op_##name, T, in_##in<T>, typename out_##out<T>::type>::run;   \
  }
#include "table/ops.def"
#undef ARR_OP
}

}  // namespace arr::host::ARR_LEVEL
