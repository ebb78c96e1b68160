// SPDX-License-Identifier: MIT
// The loops of every row of core/table/reductions.def for one accumulated type.
#pragma once

#include "host/loops/level.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace arr::host::ARR_LEVEL {

// Reductions as types.
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity_, combine_, finish_, doc, cupy) \
  struct reduction_##name {                                                                                 \
    template <class A>                                                                                      \
    ARR_FN static A identity() {                                                                            \
      return identity_;                                                                                     \
    }                                                                                                       \
    template <class A>                                                                                      \
    ARR_FN static auto combine(A a, A b) {                                                                  \
      return combine_;                                                                                      \
    }                                                                                                       \
    template <class A>                                                                                      \
    ARR_FN static A finish(A a, typename arr_real_of<A>::type n) {                                          \
      return finish_;                                                                                       \
    }                                                                                                       \
  };
#include "table/reductions.def"
#undef ARR_REDUCTION

template <class T>
const T* at(const char* p) {
  return reinterpret_cast<const T*>(p);
}

template <class R, class A>
struct Reduction {
  // Independent partial results, so that neither latency nor rounding adds up along the row: four vectors.
  static constexpr int64_t lanes = 256 / sizeof(A);

  ARR_FN static A both(A a, A b) { return arr_cast<A>(R::template combine<A>(a, b)); }

  static void identity(int64_t n, void* acc) {
    A* a = static_cast<A*>(acc);
    for (int64_t i = 0; i < n; ++i) a[i] = R::template identity<A>();
  }
  static void finish(int64_t n, void* acc, int64_t count) {
    A* a = static_cast<A*>(acc);
    const auto size = arr_cast<typename arr_real_of<A>::type>(static_cast<long long>(count));
    for (int64_t i = 0; i < n; ++i) a[i] = R::template finish<A>(a[i], size);
  }
  static void row(int64_t n, const void* data, void* acc) {
    const A* x = static_cast<const A*>(data);
    A* a = static_cast<A*>(acc);
    if (n < lanes) {
      A sum = a[0];
      for (int64_t i = 0; i < n; ++i) sum = both(sum, x[i]);
      a[0] = sum;
      return;
    }
    A lane[lanes];
    for (int64_t l = 0; l < lanes; ++l) lane[l] = x[l];
    int64_t i = lanes;
    for (; i + lanes <= n; i += lanes) {
#pragma GCC ivdep
      for (int64_t l = 0; l < lanes; ++l) lane[l] = both(lane[l], x[i + l]);
    }
    for (int64_t l = 0; i + l < n; ++l) lane[l] = both(lane[l], x[i + l]);
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
#pragma GCC ivdep
      for (int64_t l = 0; l < half; ++l) lane[l] = both(lane[l], lane[l + half]);
    }
    a[0] = both(a[0], lane[0]);
  }
  static void column(int64_t rows, int64_t cols, const char* x, int64_t stride, void* acc) {
    A* a = static_cast<A*>(acc);
    int64_t r = 0;
    // Eight rows at a time: the accumulators are read and written once for them.
    for (; r + 8 <= rows; r += 8) {
      const A *x0 = at<A>(x + r * stride), *x1 = at<A>(x + (r + 1) * stride);
      const A *x2 = at<A>(x + (r + 2) * stride), *x3 = at<A>(x + (r + 3) * stride);
      const A *x4 = at<A>(x + (r + 4) * stride), *x5 = at<A>(x + (r + 5) * stride);
      const A *x6 = at<A>(x + (r + 6) * stride), *x7 = at<A>(x + (r + 7) * stride);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) {
        A low = both(both(x0[j], x1[j]), both(x2[j], x3[j]));
        A high = both(both(x4[j], x5[j]), both(x6[j], x7[j]));
        a[j] = both(a[j], both(low, high));
      }
    }
    for (; r < rows; ++r) {
      const A* xr = at<A>(x + r * stride);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) a[j] = both(a[j], xr[j]);
    }
  }
};

template <class R, class A>
struct IndexReduction {
  static constexpr int64_t lanes = 256 / sizeof(A);

  // Whether b goes in front of a; neither in front of the other: equally good.
  ARR_FN static bool better(A b, A a) { return R::template combine<A>(a, b); }
  ARR_FN static bool equal(A a, A b) { return (!better(a, b)) & (!better(b, a)); }

  // The best value first, then its place: both are simple loops over the row.
  static A best_value(int64_t n, const A* x) {
    A lane[lanes];
    for (int64_t l = 0; l < lanes; ++l) lane[l] = x[0];
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
#pragma GCC ivdep
      for (int64_t l = 0; l < lanes; ++l) lane[l] = better(x[i + l], lane[l]) ? x[i + l] : lane[l];
    }
    A best = x[0];
    for (; i < n; ++i) best = better(x[i], best) ? x[i] : best;
    for (int64_t l = 0; l < lanes; ++l) best = better(lane[l], best) ? lane[l] : best;
    return best;
  }
  static bool has(int64_t n, const A* x, A value) {
    int found = 0;
    for (int64_t i = 0; i < n; ++i) found += equal(x[i], value) ? 1 : 0;
    return found != 0;
  }
  static void best(int64_t n, const void* data, bool last, void* value, int64_t* place) {
    constexpr int64_t block = 1024;
    const A* x = static_cast<const A*>(data);
    const A v = best_value(n, x);
    *static_cast<A*>(value) = v;
    const int64_t blocks = (n + block - 1) / block;
    for (int64_t k = 0; k < blocks; ++k) {
      const int64_t from = (last ? blocks - 1 - k : k) * block, to = from + block < n ? from + block : n;
      if (!has(to - from, x + from, v)) continue;
      int64_t i = last ? to - 1 : from;
      while (!equal(x[i], v)) i += last ? -1 : 1;
      *place = i;
      return;
    }
  }
  // Row `number` against the best so far of one column.
  template <bool Last>
  ARR_FN static void consider(A now, int32_t number, A* best, int32_t* place) {
    const bool take = Last ? !better(*best, now) : better(now, *best);
    *best = take ? now : *best;
    *place = take ? number : *place;
  }
  template <bool Last>
  static void column_rows(int64_t rows, int64_t cols, const char* x, int64_t stride, A* a, int32_t* place) {
    int64_t r = 1;
    // Four rows at a time: the best so far is read and written once for them.
    for (; r + 4 <= rows; r += 4) {
      const A *x0 = at<A>(x + r * stride), *x1 = at<A>(x + (r + 1) * stride);
      const A *x2 = at<A>(x + (r + 2) * stride), *x3 = at<A>(x + (r + 3) * stride);
      const auto number = static_cast<int32_t>(r);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) {
        A best = a[j];
        int32_t at_row = place[j];
        consider<Last>(x0[j], number, &best, &at_row);
        consider<Last>(x1[j], number + 1, &best, &at_row);
        consider<Last>(x2[j], number + 2, &best, &at_row);
        consider<Last>(x3[j], number + 3, &best, &at_row);
        a[j] = best;
        place[j] = at_row;
      }
    }
    for (; r < rows; ++r) {
      const A* xr = at<A>(x + r * stride);
      const auto number = static_cast<int32_t>(r);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) consider<Last>(xr[j], number, a + j, place + j);
    }
  }
  static void column_best(int64_t rows, int64_t cols, const char* x, int64_t stride, bool last, void* acc,
                          int32_t* place) {
    A* a = static_cast<A*>(acc);
    __builtin_memcpy(acc, x, static_cast<size_t>(cols) * sizeof(A));
    for (int64_t j = 0; j < cols; ++j) place[j] = 0;
    if (last) {
      column_rows<true>(rows, cols, x, stride, a, place);
    } else {
      column_rows<false>(rows, cols, x, stride, a, place);
    }
  }
  static void merge(int64_t n, const void* data, const int64_t* xpos, void* acc, int64_t* pos) {
    const A* x = static_cast<const A*>(data);
    A* a = static_cast<A*>(acc);
    for (int64_t j = 0; j < n; ++j) {
      const bool take = better(x[j], a[j]) || (!better(a[j], x[j]) && xpos[j] < pos[j]);
      a[j] = take ? x[j] : a[j];
      pos[j] = take ? xpos[j] : pos[j];
    }
  }
};

// Which types a reduction accumulates in (see reductions.def).
template <class A>
constexpr bool accumulates_SAME(const char* domain) {
  return domain_has(domain, row_of<A>::kind);
}
template <class A>
constexpr bool accumulates_SUM(const char*) {
  return row_of<A>::kind >= FLOAT || (row_of<A>::kind != BOOL && sizeof(A) == 8);
}
template <class A>
constexpr bool accumulates_MEAN(const char*) {
  return row_of<A>::kind >= FLOAT;
}
template <class A>
constexpr bool accumulates_BOOL(const char*) {
  return row_of<A>::kind == BOOL;
}

template <class R, class A>
void set_VALUE(ReduceLoops* l) {
  l->row = Reduction<R, A>::row;
  l->column = Reduction<R, A>::column;
}
template <class R, class A>
void set_INDEX(ReduceLoops* l) {
  l->best = IndexReduction<R, A>::best;
  l->column_best = IndexReduction<R, A>::column_best;
  l->merge = IndexReduction<R, A>::merge;
}

template <class A>
void fill_reductions(LoopTable& t) {
  constexpr int d = row_of<A>::number;
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity_, combine_, finish_, doc, cupy) \
  if constexpr (accumulates_##acc<A>(#domain)) {                                                            \
    ReduceLoops& l = t.reduce[number][d];                                                                   \
    l.identity = Reduction<reduction_##name, A>::identity;                                                  \
    l.finish = Reduction<reduction_##name, A>::finish;                                                      \
    set_##kind<reduction_##name, A>(&l);                                                                    \
  }
#include "table/reductions.def"
#undef ARR_REDUCTION
}

}  // namespace arr::host::ARR_LEVEL
