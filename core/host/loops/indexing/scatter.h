// SPDX-License-Identifier: MIT
// Loops that combine values into indexed elements: for subtract and for each op in the column ufunc of
// reductions.def, for each type that the op both takes and returns.
#pragma once

#include "host/loops/elementwise/ops.h"

namespace arr::host::ARR_LEVEL {

template <class A, class B>
constexpr bool same = false;
template <class A>
constexpr bool same<A, A> = true;

// Rows of ops.def as types. fits<T>: the op takes and returns only T.
#define ARR_OP(number_, name, nin, in, out, domain, ...)                                                   \
  struct row_##name {                                                                                      \
    typedef op_##name op;                                                                                  \
    static constexpr int number = number_;                                                                 \
    template <class T>                                                                                     \
    static constexpr bool fits = nin == 2 && domain_has(#domain, row_of<T>::kind) &&                       \
                                 same<typename in_##in<T>::first, T>&& same<                               \
                                     typename in_##in<T>::last, T>&& same<typename out_##out<T>::type, T>; \
  };
#include "table/ops.def"
#undef ARR_OP
struct row_none {
  template <class T>
  static constexpr bool fits = false;
};

template <class Op, class T>
void combine_loop(int64_t n, const int64_t* offsets, const void* values, char* target) {
  typedef typename stored<T>::type S;
  for (int64_t i = 0; i < n; ++i) {
    S* at = reinterpret_cast<S*>(target + offsets[i]);
    *at = arr_cast<T>(Op::template f<T>(stored<T>::value(*at), element<T>(values, i)));
  }
}

template <class Row, class T>
void fill_row(LoopTable& t) {
  if constexpr (Row::template fits<T>)
    t.combine[Row::number][row_of<T>::number] = combine_loop<typename Row::op, T>;
}

template <class T>
void fill_combining(LoopTable& t) {
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity, combine, finish, doc, cupy, \
                      map, state, call, ufunc)                                                           \
  fill_row<row_##ufunc, T>(t);
#include "table/reductions.def"
#undef ARR_REDUCTION
  fill_row<row_subtract, T>(t);
}

}  // namespace arr::host::ARR_LEVEL
