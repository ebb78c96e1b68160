// SPDX-License-Identifier: MIT
// The chain of every op of two operands whose element-wise loop is its formula.
#include "host/loops/chains.h"

#include "host/loops/ops.h"

namespace arr::host::ARR_LEVEL {

void fill_chains(ChainTable& t);

namespace {

template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;

// S: what is stored; T: what is computed in.
template <class Op, class S, class T>
struct Chain {
  typedef typename stored<S>::type Byte;
  ARR_FN static S step(S so_far, S x) {
    if constexpr (same<S, T>) return arr_cast<S>(Op::template f<T>(so_far, x));
    return arr_cast<S>(Op::template f<T>(arr_cast<T>(so_far), arr_cast<T>(x)));
  }
  ARR_FN static S at(const char* x) { return stored<S>::value(*reinterpret_cast<const Byte*>(x)); }

  ARR_FN static S whole(int64_t n, const char* x, int64_t xs, S a) {
    // The constant step lets the compiler see neighbours: sums of integers may go in any order.
    if (xs == sizeof(S)) {
      for (int64_t i = 0; i < n; ++i) a = step(a, at(x + i * static_cast<int64_t>(sizeof(S))));
      return a;
    }
    for (int64_t i = 0; i < n; ++i) a = step(a, at(x + i * xs));
    return a;
  }
  ARR_FN static S masked(int64_t n, const char* x, int64_t xs, const char* mask, int64_t ms, S a) {
    for (int64_t i = 0; i < n; ++i) {
      if (mask[i * ms] != 0) a = step(a, at(x + i * xs));
    }
    return a;
  }
  ARR_FN static S running(int64_t n, const char* x, int64_t xs, S a, char* y, int64_t ys) {
    for (int64_t i = 0; i < n; ++i) {
      a = step(a, at(x + i * xs));
      *reinterpret_cast<Byte*>(y + i * ys) = a;
    }
    return a;
  }
  static void run(int64_t n, const char* x, int64_t xs, const char* mask, int64_t ms, void* so_far, char* y,
                  int64_t ys) {
    S a = at(static_cast<const char*>(so_far));
    if (y != nullptr) {
      a = running(n, x, xs, a, y, ys);
    } else if (mask != nullptr) {
      a = masked(n, x, xs, mask, ms, a);
    } else {
      a = whole(n, x, xs, a);
    }
    *static_cast<Byte*>(so_far) = a;
  }
};

// The loops of functions that are not exact may compute in vectors, with other last digits.
template <class Op, class In, class T, class R, int Arity, int Ulp>
constexpr bool chains = Arity == 2 && same<typename In::first, T>&& same<typename In::last, T>&& same<R, T> &&
                        (Ulp == 0 || (row_of<T>::kind < FLOAT && !Quick<Op, T>::exists));

template <class T>
void fill(ChainTable& t) {
  constexpr int d = row_of<T>::number;
#define ARR_OP(number, name, nin, in, out, domain, lift, ulp32, ulp64, doc, cupy, ...)         \
  if constexpr (domain_has(#domain, row_of<T>::kind) && (!is_half<T> || in_##in<T>::halves)) { \
    typedef typename out_##out<T>::type R;                                                     \
    if constexpr (chains<op_##name, in_##in<T>, T, R, nin, ulp32 + ulp64>) {                   \
      t.op[number][d] = Chain<op_##name, T, T>::run;                                           \
    }                                                                                          \
  }
#include "table/ops.def"
#undef ARR_OP
}
// 16-bit floats that are computed in float32 and rounded at each step.
template <class S>
void fill_halves(ChainTable& t) {
  constexpr int d = row_of<S>::number;
#define ARR_OP(number, name, nin, in, out, domain, lift, ulp32, ulp64, doc, cupy, ...) \
  if constexpr (domain_has(#domain, FLOAT) && !in_##in<float>::halves) {               \
    typedef typename out_##out<float>::type R;                                         \
    if constexpr (chains<op_##name, in_##in<float>, float, R, nin, ulp32 + ulp64>) {   \
      t.op[number][d] = Chain<op_##name, S, float>::run;                               \
    }                                                                                  \
  }
#include "table/ops.def"
#undef ARR_OP
}

}  // namespace

void fill_chains(ChainTable& t) {
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
