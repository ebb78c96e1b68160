// SPDX-License-Identifier: MIT
// Vectors as operands of the formulas of reductions. Element types without vectors, and formulas that call
// larger functions, use operands of one element.
#pragma once

#include <utility>

#include "host/loops/level.h"
#include "host/loops/reduce/shared_rows.h"
#include "host/loops/vectors.h"

#pragma GCC diagnostic ignored "-Wpsabi"

namespace arr::host::ARR_LEVEL {

template <class V>
concept IsVector = requires(V v) {
  v[0];
  v + v;
};

// The functions of core/math/math.h that formulas call, lane by lane.
template <IsVector V>
ARR_FN auto arr_isnan(V x) {
  return x != x;
}
template <IsVector V>
ARR_FN V arr_multiply(V x, V y) {
  return x * y;
}
template <IsVector V>
ARR_FN V arr_smaller(V x, V y) {
  const V low = x < y ? x : y;
  return x != x ? x : low;
}
template <IsVector V>
ARR_FN V arr_larger(V x, V y) {
  const V high = x > y ? x : y;
  return x != x ? x : high;
}
template <IsVector V, class M>
ARR_FN V arr_choose(M first, V x, V y) {
  return first ? x : y;
}
template <IsVector V>
ARR_FN auto arr_before(V b, V a) {
  return (a == a) & ~(b >= a);
}
template <IsVector V>
ARR_FN auto arr_after(V b, V a) {
  return (a == a) & ~(b <= a);
}

// The signed integer type of `Bytes` bytes: masks and positions as wide as the elements.
template <size_t Bytes>
struct signed_of {
  typedef long long type;
};
template <>
struct signed_of<1> {
  typedef signed char type;
};
template <>
struct signed_of<2> {
  typedef short type;
};
template <>
struct signed_of<4> {
  typedef int type;
};

template <class E, int64_t L>
struct VectorType {
  typedef E type __attribute__((vector_size(static_cast<uint64_t>(L) * sizeof(E))));
};

// Operations of a vector of L elements of type E.
template <class E, int64_t L>
struct VectorOperand {
  typedef typename VectorType<E, L>::type V;
  typedef typename signed_of<sizeof(E)>::type Lane;
  typedef typename VectorType<Lane, L>::type Lanes;
  static constexpr int64_t length = L;

  ARR_FN static V load(const void* from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
  }
  ARR_FN static void store(V v, void* to) { __builtin_memcpy(to, &v, sizeof v); }
  // take ? a : b
  template <class M>
  ARR_FN static V choose(M take, V a, V b) {
    return take ? a : b;
  }
  // The even and the odd elements of a followed by b.
  ARR_FN static V even(V a, V b) { return picked<0>(a, b, std::make_integer_sequence<int, L>{}); }
  ARR_FN static V odd(V a, V b) { return picked<1>(a, b, std::make_integer_sequence<int, L>{}); }
  // first, first + 1, ...
  ARR_FN static Lanes ramp(Lane first) { return ramp_of(first, std::make_integer_sequence<int, L>{}); }

 private:
  template <int First, int... I>
  ARR_FN static V picked(V a, V b, std::integer_sequence<int, I...> /*lanes*/) {
    return __builtin_shufflevector(a, b, (2 * I + First)...);
  }
  template <int... I>
  ARR_FN static Lanes ramp_of(Lane first, std::integer_sequence<int, I...> /*lanes*/) {
    return first + Lanes{static_cast<Lane>(I)...};
  }
};

// True if the formula is a call of a function without vectors.
constexpr bool calls_function(const char* formula) {
  for (const char* name : {"arr_hypot", "arr_gcd", "arr_lcm", "arr_logaddexp"}) {
    if (begins_with(formula, name)) return true;
  }
  return false;
}

// The line widths, in elements of type A, for reducing rows by the formula of R. They do not depend on the
// instruction set, because sums depend on them. Longer rows use wider lines.
template <class A, class R>
struct RowWidths {
  static constexpr int64_t item = static_cast<int64_t>(sizeof(A));
  static constexpr bool vectors = row_of<A>::kind != COMPLEX && !R::calls;
  static constexpr int64_t narrow = 16 / item, wide = 2 * narrow, deep = 8 * narrow;
  static constexpr int64_t shortest_row = vectors ? narrow : 16;
  static constexpr int64_t batch = 64;  // rows whose partial results are combined together
  // The longest vector of at most W elements.
  template <int64_t W>
  static constexpr int64_t vector_length() {
    constexpr int64_t max_width = vector_bytes / item;
    return W < max_width ? W : max_width;
  }
};

}  // namespace arr::host::ARR_LEVEL
