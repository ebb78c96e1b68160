// SPDX-License-Identifier: MIT
// The fused loops of two ops for float and double.
#include "host/loops/elementwise/fused_pairs.h"

#include "host/loops/elementwise/ops.h"

namespace arr::host::ARR_LEVEL {

void fill_pairs(PairTable& t);

namespace {

#define ARR_OP(number, name, nin, ...) constexpr int arity_##name = nin;
#include "table/ops.def"
#undef ARR_OP

// r[i] = f(i), by a loop of constant length for short blocks. Element i is read before it is written.
template <class T, class F>
ARR_FN void each(int64_t n, T* r, const F& f) {
  if (n == short_block) {
#pragma GCC ivdep
    for (int64_t i = 0; i < short_block; ++i) r[i] = f(i);
  } else if (sizeof(T) == 4 && n == 2 * short_block) {
#pragma GCC ivdep
    for (int64_t i = 0; i < 2 * short_block; ++i) r[i] = f(i);
  } else {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) r[i] = f(i);
  }
}

template <class Outer, class Inner, int Arity, int Operand, class T>
struct PairLoop {
  ARR_FN static T inner(const void* x, const void* y, int64_t i) {
    if constexpr (Arity == 1) return Inner::template f<T>(element<T>(x, i));
    if constexpr (Arity == 2) return Inner::template f<T>(element<T>(x, i), element<T>(y, i));
  }
  static void run(int64_t n, const void* const* in, void* out) {
    const void *x = in[0], *y = in[1], *z = in[Arity];
    each(
        n, static_cast<T*>(out), [=](int64_t i) __attribute__((always_inline)) {
          const T a = inner(x, y, i), b = element<T>(z, i);
          return Operand == 0 ? Outer::template f<T>(a, b) : Outer::template f<T>(b, a);
        });
  }
};

template <class Outer, class Inner, class T>
struct UnaryPairLoop {
  static void run(int64_t n, const void* const* in, void* out) {
    const void *x = in[0], *y = in[1];
    each(
        n, static_cast<T*>(out), [=](int64_t i) __attribute__((always_inline)) {
          return Outer::template f<T>(Inner::template f<T>(element<T>(x, i), element<T>(y, i)));
        });
  }
};

template <class Op, class T>
struct ShortLoop {
  static void run(int64_t n, const void* const* in, void* out) {
    const void *x = in[0], *y = in[1];
    each(
        n, static_cast<T*>(out), [=](int64_t i) __attribute__((always_inline)) {
          return Op::template f<T>(element<T>(x, i), element<T>(y, i));
        });
  }
};

template <class Outer, class Inner, int Arity, class T>
void fill_pair(LoopFn (&loop)[2]) {
  loop[0] = PairLoop<Outer, Inner, Arity, 0, T>::run;
  loop[1] = PairLoop<Outer, Inner, Arity, 1, T>::run;
}
template <class Outer, class T>
void fill_inner(LoopFn (&loops)[PairTable::inner][2]) {
  int at = 0;
#define ARR_PAIR(name) fill_pair<Outer, op_##name, arity_##name, T>(loops[at++]);
  ARR_PAIR_INNER(ARR_PAIR)
#undef ARR_PAIR
}
template <class T>
void fill_outer(LoopFn (&loops)[PairTable::outer][PairTable::inner][2]) {
  int at = 0;
#define ARR_PAIR(name) fill_inner<op_##name, T>(loops[at++]);
  ARR_PAIR_OUTER(ARR_PAIR)
#undef ARR_PAIR
}

template <class Outer, class T>
void fill_unary(LoopFn (&loops)[PairTable::unary_inner]) {
  int at = 0;
#define ARR_PAIR(name) loops[at++] = UnaryPairLoop<Outer, op_##name, T>::run;
  ARR_PAIR_UNARY_INNER(ARR_PAIR)
#undef ARR_PAIR
}
template <class T>
void fill_unary_outer(LoopFn (&loops)[PairTable::unary_outer][PairTable::unary_inner]) {
  int at = 0;
#define ARR_PAIR(name) fill_unary<op_##name, T>(loops[at++]);
  ARR_PAIR_UNARY_OUTER(ARR_PAIR)
#undef ARR_PAIR
}

template <class T>
void fill_singles(LoopFn (&loops)[PairTable::singles]) {
  int at = 0;
#define ARR_PAIR(name) loops[at++] = ShortLoop<op_##name, T>::run;
  ARR_PAIR_SINGLE(ARR_PAIR)
#undef ARR_PAIR
}

}  // namespace

void fill_pairs(PairTable& t) {
  fill_singles<float>(t.single_float32);
  fill_singles<double>(t.single_float64);
  fill_outer<float>(t.float32);
  fill_outer<double>(t.float64);
  fill_unary_outer<float>(t.unary_float32);
  fill_unary_outer<double>(t.unary_float64);
}

}  // namespace arr::host::ARR_LEVEL
