// SPDX-License-Identifier: MIT
// The loops of reductions of kind STATE: one or two passes over a block while it is in the first-level cache
// (see core/math/states.h); then the block's state is joined to the accumulated one.
#pragma once

#include "host/loops/level.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace arr::host::ARR_LEVEL {
#include "math/squares.h"
//
#include "math/states.h"

template <class S, class A>
struct StateLoops {
  typedef typename S::R R;
  typedef typename S::V1 V1;
  typedef typename S::V2 V2;
  static constexpr int64_t lanes = 256 / sizeof(A);
  static constexpr int64_t row_block = 16384 / sizeof(A);  // elements; half the first-level cache
  static constexpr int64_t shortest_row = 64;              // shorter rows are reduced as columns
  static constexpr int64_t run_lines = 16;                 // lines of lanes per run
  static constexpr int64_t strip = 256;                    // columns
  static constexpr int64_t rows_block = 256;  // rows per block of columns: rounding errors grow with it

  // combine(map(x[0]), map(x[1]), ...) in independent lanes, which are combined as a tree. A lane takes its
  // elements in runs of 16, because rounding errors grow with the number of elements added one after the
  // other.
  template <class V, class Of, class Both>
  ARR_FN static V reduce_lanes(int64_t n, const A* x, Of map, Both combine) {
    V lane[lanes], run[lanes];
    if (n < lanes) {
      V v = map(x[0]);
      for (int64_t i = 1; i < n; ++i) v = combine(v, map(x[i]));
      return v;
    }
#pragma GCC ivdep
    for (int64_t l = 0; l < lanes; ++l) lane[l] = map(x[l]);
    int64_t i = lanes;
    while (i + lanes <= n) {
#pragma GCC ivdep
      for (int64_t l = 0; l < lanes; ++l) run[l] = map(x[i + l]);
      const int64_t end = n - i < run_lines * lanes ? n : i + run_lines * lanes;
      for (i += lanes; i + lanes <= end; i += lanes) {
#pragma GCC ivdep
        for (int64_t l = 0; l < lanes; ++l) run[l] = combine(run[l], map(x[i + l]));
      }
#pragma GCC ivdep
      for (int64_t l = 0; l < lanes; ++l) lane[l] = combine(lane[l], run[l]);
    }
    for (int64_t l = 0; i + l < n; ++l) lane[l] = combine(lane[l], map(x[i + l]));
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
      for (int64_t l = 0; l < half; ++l) lane[l] = combine(lane[l], lane[l + half]);
    }
    return lane[0];
  }
  static S block(int64_t n, const A* x) {
    const A x0 = x[0];
    const V1 v = reduce_lanes<V1>(
        n, x, [x0](A e) { return S::map_pass1(e, x0); }, [](V1 a, V1 b) { return S::combine_pass1(a, b); });
    R count = static_cast<R>(n);
    if constexpr (S::counts) {
      count = reduce_lanes<R>(
          n, x, [](A e) { return S::is_counted(e); }, [](R a, R b) { return static_cast<R>(a + b); });
    }
    const A pivot = S::pivot(v, x0, count);
    V2 w{};
    if constexpr (S::has_second_pass) {
      w = reduce_lanes<V2>(
          n, x, [pivot](A e) { return S::map_pass2(e, pivot); },
          [](V2 a, V2 b) { return S::combine_pass2(a, b); });
    }
    if constexpr (S::checked) {
      if (!S::in_range(v, w)) {
        int64_t same = 0;
        for (int64_t i = 0; i < n; ++i) same += x[i] == x0 ? 1 : 0;
        return same == n && arr_isfinite(x0) ? S::of_equal(count, x0) : accumulate_scaled(n, x, 1);
      }
    }
    return S::block(count, v, x0, pivot, w);
  }
  // For elements `step` bytes apart whose sums leave the range of R.
  static S accumulate_scaled(int64_t n, const A* x, int64_t step) {
    typename S::Run run = S::start();
    for (int64_t i = 0; i < n; ++i) S::push(run, x[i * step]);
    return S::of(run);
  }
  // Joins blocks pairwise, because rounding errors grow with the number of blocks joined one after the other.
  static S tree(int64_t n, const A* x) {
    if (n <= row_block) return block(n, x);
    const int64_t half = (n + row_block - 1) / row_block / 2 * row_block;
    return S::join(tree(half, x), tree(n - half, x + half));
  }
  static void row(int64_t n, const void* data, void* acc) {
    S* a = static_cast<S*>(acc);
    if (n > 0) *a = S::join(*a, tree(n, static_cast<const A*>(data)));
  }
  static void each_row(int64_t rows, int64_t n, const char* x, int64_t stride, void* acc) {
    for (int64_t r = 0; r < rows; ++r) row(n, x + r * stride, static_cast<S*>(acc) + r);
  }

  // v[j] = combine(map(x[0][j], j), map(x[1][j], j), ...)
  template <class V, class Of, class Both>
  ARR_FN static void reduce_columns(int64_t rows, int64_t cols, const char* x, int64_t stride, V* v, Of map,
                                    Both combine) {
    const A* x0 = reinterpret_cast<const A*>(x);
#pragma GCC ivdep
    for (int64_t j = 0; j < cols; ++j) v[j] = map(x0[j], j);
    int64_t r = 1;
    for (; r + 4 <= rows; r += 4) {
      const A* xa = reinterpret_cast<const A*>(x + r * stride);
      const A* xb = reinterpret_cast<const A*>(x + (r + 1) * stride);
      const A* xc = reinterpret_cast<const A*>(x + (r + 2) * stride);
      const A* xd = reinterpret_cast<const A*>(x + (r + 3) * stride);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) {
        v[j] = combine(v[j],
                       combine(combine(map(xa[j], j), map(xb[j], j)), combine(map(xc[j], j), map(xd[j], j))));
      }
    }
    for (; r < rows; ++r) {
      const A* xr = reinterpret_cast<const A*>(x + r * stride);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) v[j] = combine(v[j], map(xr[j], j));
    }
  }
  static void column_strip(int64_t rows, int64_t cols, const char* x, int64_t stride, S* acc) {
    V1 v[strip];
    R count[strip];
    A pivot[strip];
    V2 w[strip];
    const A* x0 = reinterpret_cast<const A*>(x);
    reduce_columns(
        rows, cols, x, stride, v, [x0](A e, int64_t j) { return S::map_pass1(e, x0[j]); },
        [](V1 a, V1 b) { return S::combine_pass1(a, b); });
    if constexpr (S::counts) {
      reduce_columns(
          rows, cols, x, stride, count, [](A e, int64_t) { return S::is_counted(e); },
          [](R a, R b) { return static_cast<R>(a + b); });
    } else {
      for (int64_t j = 0; j < cols; ++j) count[j] = static_cast<R>(rows);
    }
    for (int64_t j = 0; j < cols; ++j) pivot[j] = S::pivot(v[j], x0[j], count[j]);
    if constexpr (S::has_second_pass) {
      const A* p = pivot;
      reduce_columns(
          rows, cols, x, stride, w, [p](A e, int64_t j) { return S::map_pass2(e, p[j]); },
          [](V2 a, V2 b) { return S::combine_pass2(a, b); });
    } else {
      for (int64_t j = 0; j < cols; ++j) w[j] = V2{};
    }
    S state[strip];
    for (int64_t j = 0; j < cols; ++j) state[j] = S::block(count[j], v[j], x0[j], pivot[j], w[j]);
    if constexpr (S::checked) {
      int32_t outside = 0;  // the compiler does not vectorise a bool
      for (int64_t j = 0; j < cols; ++j) outside += S::in_range(v[j], w[j]) ? 0 : 1;
      if (outside != 0) accumulate_columns(rows, cols, x, stride, v, w, state);
    }
    join(cols, state, acc);
  }
  // The states of columns whose sums left the range of R; often because all elements are equal.
  static void accumulate_columns(int64_t rows, int64_t cols, const char* x, int64_t stride, const V1* v,
                                 const V2* w, S* state) {
    const A* x0 = reinterpret_cast<const A*>(x);
    R same[strip];
    reduce_columns(
        rows, cols, x, stride, same,
        [x0](A e, int64_t j) { return e == x0[j] ? static_cast<R>(1) : static_cast<R>(0); },
        [](R a, R b) { return static_cast<R>(a + b); });
    for (int64_t j = 0; j < cols; ++j) {
      if (S::in_range(v[j], w[j])) continue;
      const bool equal = same[j] == static_cast<R>(rows) && arr_isfinite(x0[j]);
      state[j] = equal ? S::of_equal(same[j], x0[j])
                       : accumulate_scaled(rows, x0 + j, stride / static_cast<int64_t>(sizeof(A)));
    }
  }
  static void column(int64_t rows, int64_t cols, const char* x, int64_t stride, void* acc) {
    for (int64_t j = 0; j < cols; j += strip) {
      for (int64_t r = 0; r < rows; r += rows_block) {
        column_strip(rows - r < rows_block ? rows - r : rows_block, cols - j < strip ? cols - j : strip,
                     x + r * stride + j * static_cast<int64_t>(sizeof(A)), stride, static_cast<S*>(acc) + j);
      }
    }
  }
  static void join(int64_t n, const void* from, void* to) {
    const S* x = static_cast<const S*>(from);
    S* a = static_cast<S*>(to);
    for (int64_t j = 0; j < n; ++j) a[j] = S::join(a[j], x[j]);
  }
};

}  // namespace arr::host::ARR_LEVEL
