// SPDX-License-Identifier: MIT
// Reductions of many short rows. Each row is reduced to one line of partial results. Then neighbouring
// elements of the lines of all rows are combined until one per row is left. The order of combination depends
// only on the dtype and the length of a row.
#pragma once

#include "host/loops/reduce/vector_operands.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host::ARR_LEVEL {

template <class T>
const T* at(const char* p) {
  return reinterpret_cast<const T*>(p);
}

// Loops: Reduction<R, A>.
template <class Loops, class R, class A>
struct RowReduction {
  using Widths = RowWidths<A, R>;
  using E = typename stored<A>::type;

  template <int64_t W>
  using OperandOf = VectorOperand<E, Widths::template vector_length<W>()>;

  // Rows shorter than this have lines of `wide` elements; rows that round and are longer than run have runs.
  static constexpr int64_t to_deep = 4 * Widths::deep, run = 32 * Widths::deep;

  template <class P>
  ARR_FN static typename P::V combine(typename P::V a, typename P::V b) {
    const auto c = R::template combine<typename P::V>(a, b);
    if constexpr (row_of<A>::kind == BOOL) {  // bools are 1, masks are -1
      return reinterpret_cast<typename P::V>(c) & 1;
    } else {
      return c;
    }
  }

  // p, with the elements of x. Where the formula selects, the test for nan is one of x and does not wait for
  // p.
  template <class P>
  ARR_FN static typename P::V add(typename P::V p, typename P::V x) {
    return R::selects ? combine<P>(x, p) : combine<P>(p, x);
  }

  // p[0..N): a line of W elements; returns the number of its elements that are in the row.
  template <class P, int64_t W, int64_t N>
  ARR_FN static int64_t whole(int64_t n, const A* x, typename P::V (&p)[N]) {
    constexpr int64_t L = P::length;
#pragma GCC unroll 32
    for (int64_t k = 0; k < N; ++k) p[k] = P::load(x + k * L);
    int64_t i = W;
    for (; i + W <= n; i += W) {
#pragma GCC unroll 32
      for (int64_t k = 0; k < N; ++k) p[k] = add<P>(p[k], P::load(x + i + k * L));
    }
    return i;
  }
  // to[0..W): the partial results of a row of at least W elements. If the length is not a multiple of W, the
  // last line overlaps the one before, and its repeated elements are excluded.
  template <int64_t W, int64_t Depth>
  ARR_FN static void line(int64_t n, const A* x, A* to) {
    using P = OperandOf<W>;
    constexpr int64_t L = P::length, N = W / L;
    typename P::V p[N];
    int64_t i;
    if constexpr (Depth == 0) {  // long rows that round
      alignas(32) A lane[Loops::lanes];
      Loops::lines(n, x, lane);
      for (int64_t half = Loops::lanes / 2; half >= W; half /= 2) Loops::join(half, lane + half, lane);
#pragma GCC unroll 32
      for (int64_t k = 0; k < N; ++k) p[k] = P::load(lane + k * L);
      i = n / Loops::lanes * Loops::lanes;
    } else {
      typename P::V all[N * Depth];
      i = whole<P, W * Depth>(n, x, all);
#pragma GCC unroll 8
      for (int64_t half = Depth / 2; half > 0; half /= 2) {
#pragma GCC unroll 32
        for (int64_t k = 0; k < half * N; ++k) all[k] = combine<P>(all[k], all[k + half * N]);
      }
#pragma GCC unroll 32
      for (int64_t k = 0; k < N; ++k) p[k] = all[k];
    }
    if (Depth != 1) {
      for (; i + W <= n; i += W) {
#pragma GCC unroll 32
        for (int64_t k = 0; k < N; ++k) p[k] = add<P>(p[k], P::load(x + i + k * L));
      }
    }
    if (i < n) {
      using Lane = typename P::Lane;
      const A* y = x + (n - W);
      const int64_t done = W - (n - i);
      const Lane first = static_cast<Lane>(done);  // NOLINTBEGIN(bugprone-misplaced-widening-cast)
#pragma GCC unroll 32
      for (int64_t k = 0; k < N; ++k) {
        p[k] =
            P::choose(P::ramp(static_cast<Lane>(k * L)) >= first, combine<P>(p[k], P::load(y + k * L)), p[k]);
      }
    }  // NOLINTEND(bugprone-misplaced-widening-cast)
#pragma GCC unroll 32
    for (int64_t k = 0; k < N; ++k) P::store(p[k], to + k * L);
  }
  // Combines neighbours of n elements, n rounded up to whole vectors.
  template <class P>
  ARR_FN static void halve(int64_t n, A* p) {
    for (int64_t i = 0; i < n / 2; i += P::length) {
      const typename P::V a = P::load(p + 2 * i), b = P::load(p + 2 * i + P::length);
      P::store(combine<P>(P::even(a, b), P::odd(a, b)), p + i);
    }
  }
  // a[r] = combine(a[r], row r)
  template <int64_t W, int64_t Depth>
  __attribute__((noinline)) static void all(int64_t rows, int64_t n, const char* x, int64_t stride, A* a) {
    alignas(32) A p[Widths::batch * W];
    for (int64_t r = 0; r < rows; r += Widths::batch) {
      const int64_t some = rows - r < Widths::batch ? rows - r : Widths::batch;
      for (int64_t k = 0; k < some; ++k) line<W, Depth>(n, at<A>(x + (r + k) * stride), p + k * W);
      if (some < Widths::batch) {  // read if n is rounded up
        for (int64_t l = 0; l < W; ++l) p[some * W + l] = p[l];
      }
      for (int64_t w = W; w > 1; w /= 2) halve<OperandOf<W>>(some * w, p);
      Loops::join(some, p, a + r);
    }
  }
  // n: at least `narrow`
  static void rows(int64_t rows, int64_t n, const char* x, int64_t stride, A* a) {
    if (n < Widths::wide) return all<Widths::narrow, 1>(rows, n, x, stride, a);
    if constexpr (Loops::rounds) {
      if (n > run) return all<Widths::wide, 0>(rows, n, x, stride, a);
    }
    if constexpr (R::selects) {  // in any order
      if (n >= 4 * to_deep) return all<Widths::deep, 4>(rows, n, x, stride, a);
    }
    if (n >= to_deep) return all<Widths::wide, 4>(rows, n, x, stride, a);
    all<Widths::wide, 1>(rows, n, x, stride, a);
  }
};

}  // namespace arr::host::ARR_LEVEL
