// SPDX-License-Identifier: MIT
// The ordered reduction of every binary op whose element-wise loop computes its formula.
#include "host/loops/reduce/ordered.h"

#include "host/loops/elementwise/ops.h"

namespace arr::host::ARR_LEVEL {

void fill_ordered(OrderedReduceTable& t);

namespace {

template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;

// S: the stored type; T: the type it is computed in.
template <class Op, class S, class T>
struct OrderedReduce {
  typedef typename stored<S>::type Byte;
  ARR_FN static S step(S accumulator, S x) {
    if constexpr (same<S, T>) return arr_cast<S>(Op::template f<T>(accumulator, x));
    return arr_cast<S>(Op::template f<T>(arr_cast<T>(accumulator), arr_cast<T>(x)));
  }
  ARR_FN static S at(const char* x) { return stored<S>::value(*reinterpret_cast<const Byte*>(x)); }

  ARR_FN static S reduce_all(int64_t n, const char* x, int64_t xs, S a) {
    // With a constant step the compiler vectorises sums of integers, whose order does not matter.
    if (xs == sizeof(S)) {
      for (int64_t i = 0; i < n; ++i) a = step(a, at(x + i * static_cast<int64_t>(sizeof(S))));
      return a;
    }
    for (int64_t i = 0; i < n; ++i) a = step(a, at(x + i * xs));
    return a;
  }
  ARR_FN static S reduce_masked(int64_t n, const char* x, int64_t xs, const char* mask, int64_t ms, S a) {
    for (int64_t i = 0; i < n; ++i) {
      if (mask[i * ms] != 0) a = step(a, at(x + i * xs));
    }
    return a;
  }
  ARR_FN static S accumulate(int64_t n, const char* x, int64_t xs, S a, char* y, int64_t ys) {
    for (int64_t i = 0; i < n; ++i) {
      a = step(a, at(x + i * xs));
      *reinterpret_cast<Byte*>(y + i * ys) = a;
    }
    return a;
  }
  static void run(int64_t n, const char* x, int64_t xs, const char* mask, int64_t ms, void* accumulator,
                  char* y, int64_t ys) {
    S a = at(static_cast<const char*>(accumulator));
    if (y != nullptr) {
      a = accumulate(n, x, xs, a, y, ys);
    } else if (mask != nullptr) {
      a = reduce_masked(n, x, xs, mask, ms, a);
    } else {
      a = reduce_all(n, x, xs, a);
    }
    *static_cast<Byte*>(accumulator) = a;
  }
};

// Not for inexact functions: their element-wise loops may use vector functions, whose last digits differ.
template <class Op, class In, class T, class R, int Arity, int Ulp>
constexpr bool has_ordered_loop = Arity == 2 &&
                                  same<typename In::first, T>&& same<typename In::last, T>&& same<R, T> &&
                                  (Ulp == 0 || (row_of<T>::kind < FLOAT && !FastPath<Op, T>::exists));

template <class T>
void fill(OrderedReduceTable& t) {
  constexpr int d = row_of<T>::number;
#define ARR_OP(number, name, nin, in, out, domain, lift, ulp32, ulp64, doc, cupy, ...)         \
  if constexpr (domain_has(#domain, row_of<T>::kind) && (!is_half<T> || in_##in<T>::halves)) { \
    typedef typename out_##out<T>::type R;                                                     \
    if constexpr (has_ordered_loop<op_##name, in_##in<T>, T, R, nin, ulp32 + ulp64>) {         \
      t.op[number][d] = OrderedReduce<op_##name, T, T>::run;                                   \
    }                                                                                          \
  }
#include "table/ops.def"
#undef ARR_OP
}
// 16-bit floats: computed in float32 and rounded at each step.
template <class S>
void fill_halves(OrderedReduceTable& t) {
  constexpr int d = row_of<S>::number;
#define ARR_OP(number, name, nin, in, out, domain, lift, ulp32, ulp64, doc, cupy, ...)         \
  if constexpr (domain_has(#domain, FLOAT) && !in_##in<float>::halves) {                       \
    typedef typename out_##out<float>::type R;                                                 \
    if constexpr (has_ordered_loop<op_##name, in_##in<float>, float, R, nin, ulp32 + ulp64>) { \
      t.op[number][d] = OrderedReduce<op_##name, S, float>::run;                               \
    }                                                                                          \
  }
#include "table/ops.def"
#undef ARR_OP
}

}  // namespace

void fill_ordered(OrderedReduceTable& t) {
  fill<bool>(t);
  fill<signed char>(t);
  fill<short>(t);
  fill<int>(t);
  fill<long long>(t);
  fill<unsigned char>(t);
  fill<unsigned short>(t);
  fill<unsigned>(t);
  fill<unsigned long long>(t);
  fill<float>(t);
  fill<double>(t);
  fill<arr_half>(t);
  fill<arr_bfloat>(t);
  fill_halves<arr_half>(t);
  fill_halves<arr_bfloat>(t);
}

}  // namespace arr::host::ARR_LEVEL
