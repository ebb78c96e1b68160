// SPDX-License-Identifier: MIT
// Scans by the rows of core/table/reductions.def without a finish formula, for one accumulated type.
#pragma once

#include "host/loops/reduce/reduce.h"
#include "host/loops/reduce/scan_sums.h"

namespace arr::host::ARR_LEVEL {

template <class T>
T* at(char* p) {
  return reinterpret_cast<T*>(p);
}

// Sum: the combine formula is a + b. Inputs are read by element(), because in a bool true is any nonzero
// byte.
template <class R, class A, bool Sum>
struct Scan {
  ARR_FN static A combine(A a, A b) { return arr_cast<A>(R::template combine<A>(a, b)); }

  // Scans a sequence from its element `i` on; `sum` is the result before that element.
  ARR_FN static A chain(int64_t i, int64_t n, const A* x, A sum, A* y) {
    for (; i < n; ++i) y[i] = sum = combine(sum, element<A>(x, i));
    return sum;
  }
  static A chain(int64_t n, const A* x, A* y) {
    y[0] = element<A>(x, 0);
    return chain(1, n, x, y[0], y);
  }
  // Eight sequences at once, so that their chains of dependent operations overlap.
  static void eight(int64_t n, const char* x, int64_t xs, char* y, int64_t ys) {
    if constexpr (Sum && row_of<A>::kind != COMPLEX && sizeof(A) >= 4) {
      if (n >= 16) return sum_eight<A>(n, x, xs, y, ys);
    }
    eight_chains(n, x, xs, y, ys);
  }
  static void eight_chains(int64_t n, const char* x, int64_t xs, char* y, int64_t ys) {
    const A *x0 = at<A>(x), *x1 = at<A>(x + xs), *x2 = at<A>(x + 2 * xs), *x3 = at<A>(x + 3 * xs);
    const A *x4 = at<A>(x + 4 * xs), *x5 = at<A>(x + 5 * xs), *x6 = at<A>(x + 6 * xs);
    const A* x7 = at<A>(x + 7 * xs);
    A *y0 = at<A>(y), *y1 = at<A>(y + ys), *y2 = at<A>(y + 2 * ys), *y3 = at<A>(y + 3 * ys);
    A *y4 = at<A>(y + 4 * ys), *y5 = at<A>(y + 5 * ys), *y6 = at<A>(y + 6 * ys), *y7 = at<A>(y + 7 * ys);
    A a0 = element<A>(x0, 0), a1 = element<A>(x1, 0), a2 = element<A>(x2, 0), a3 = element<A>(x3, 0);
    A a4 = element<A>(x4, 0), a5 = element<A>(x5, 0), a6 = element<A>(x6, 0), a7 = element<A>(x7, 0);
    for (int64_t i = 0;;) {
      y0[i] = a0, y1[i] = a1, y2[i] = a2, y3[i] = a3, y4[i] = a4, y5[i] = a5, y6[i] = a6, y7[i] = a7;
      if (++i >= n) return;
      a0 = combine(a0, element<A>(x0, i)), a1 = combine(a1, element<A>(x1, i));
      a2 = combine(a2, element<A>(x2, i)), a3 = combine(a3, element<A>(x3, i));
      a4 = combine(a4, element<A>(x4, i)), a5 = combine(a5, element<A>(x5, i));
      a6 = combine(a6, element<A>(x6, i)), a7 = combine(a7, element<A>(x7, i));
    }
  }
  static void rows(int64_t rows, int64_t n, const char* x, int64_t xs, char* y, int64_t ys) {
    int64_t r = 0;
    for (; r + 8 <= rows; r += 8) eight(n, x + r * xs, xs, y + r * ys, ys);
    for (; r < rows; ++r) chain(n, at<A>(x + r * xs), at<A>(y + r * ys));
  }
  static void local(int64_t n, const void* from, void* to, void* state) {
    const A* x = static_cast<const A*>(from);
    A *y = static_cast<A*>(to), *s = static_cast<A*>(state);
    const int64_t lane = scan_lane(n);
    if (lane == n) {
      s[scan_lanes] = chain(n, x, y);
      return;
    }
    const int64_t step = lane * static_cast<int64_t>(sizeof(A)), last = n - (scan_lanes - 1) * lane;
    eight(last, static_cast<const char*>(from), step, static_cast<char*>(to), step);
    for (int64_t l = 0; l + 1 < scan_lanes; ++l) {
      const A end = chain(last, lane, x + l * lane, y[l * lane + last - 1], y + l * lane);
      s[l + 1] = l == 0 ? end : combine(s[l], end);
    }
    s[scan_lanes] = combine(s[scan_lanes - 1], y[n - 1]);
  }
  static void apply(int64_t n, int64_t begin, int64_t end, const void* from, const void* state,
                    const void* carry, void* to) {
    const A *x = static_cast<const A*>(from), *s = static_cast<const A*>(state);
    A* y = static_cast<A*>(to);
    const int64_t lane = scan_lane(n);
    for (int64_t l = begin / lane; begin < end; ++l) {
      const int64_t stop = (l + 1) * lane < end ? (l + 1) * lane : end;
      if (l == 0 && carry == nullptr) {
        if (x != y) __builtin_memcpy(y + begin, x + begin, static_cast<size_t>(stop - begin) * sizeof(A));
      } else if (l == 0 || carry == nullptr) {
        const A before = l == 0 ? *static_cast<const A*>(carry) : s[l];
#pragma GCC ivdep
        for (int64_t i = begin; i < stop; ++i) y[i] = combine(before, x[i]);
      } else {
        const A first = *static_cast<const A*>(carry), before = s[l];
#pragma GCC ivdep
        for (int64_t i = begin; i < stop; ++i) y[i] = combine(first, combine(before, x[i]));
      }
      begin = stop;
    }
  }
  static void column(int64_t rows, int64_t cols, const char* x, int64_t xs, void* acc, bool fresh, char* y,
                     int64_t ys) {
    A* a = static_cast<A*>(acc);
    int64_t r = 0;
    if (fresh) {
      for (int64_t j = 0; j < cols; ++j) a[j] = element<A>(x, j);
      __builtin_memcpy(y, acc, static_cast<size_t>(cols) * sizeof(A));
      r = 1;
    }
    // Four rows at a time, so that each accumulator is read and written once for them.
    for (; r + 4 <= rows; r += 4) {
      const A *x0 = at<A>(x + r * xs), *x1 = at<A>(x + (r + 1) * xs);
      const A *x2 = at<A>(x + (r + 2) * xs), *x3 = at<A>(x + (r + 3) * xs);
      A *y0 = at<A>(y + r * ys), *y1 = at<A>(y + (r + 1) * ys);
      A *y2 = at<A>(y + (r + 2) * ys), *y3 = at<A>(y + (r + 3) * ys);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) {
        const A b0 = combine(a[j], element<A>(x0, j)), b1 = combine(b0, element<A>(x1, j)),
                b2 = combine(b1, element<A>(x2, j)), b3 = combine(b2, element<A>(x3, j));
        y0[j] = b0, y1[j] = b1, y2[j] = b2, y3[j] = b3;
        a[j] = b3;
      }
    }
    for (; r < rows; ++r) {
      const A* xr = at<A>(x + r * xs);
      A* yr = at<A>(y + r * ys);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) yr[j] = a[j] = combine(a[j], element<A>(xr, j));
    }
  }
  static void shift(int64_t rows, int64_t cols, const void* carry, char* y, int64_t ys) {
    const A* c = static_cast<const A*>(carry);
    for (int64_t r = 0; r < rows; ++r) {
      A* yr = at<A>(y + r * ys);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) yr[j] = combine(c[j], yr[j]);
    }
  }
};

// True if a row of reductions.def has scans: its kind is VALUE and its finish formula is `a`.
constexpr bool makes_scans(const char* kind, const char* finish) {
  return kind[0] == 'V' && kind[1] == 'A' && kind[2] == 'L' && finish[0] == 'a' && finish[1] == 0;
}

template <class A>
void fill_scans(LoopTable& t) {
  constexpr int d = row_of<A>::number;
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity_, combine_, finish_, ...) \
  if constexpr (makes_scans(#kind, #finish_) && accumulates_##acc<A>(#domain)) {                      \
    typedef Scan<loops_row<number, A>, A, is_sum(#combine_)> S;                                       \
    t.scan[number][d] = {S::rows, S::local, S::apply, S::column, S::shift};                           \
  }
#include "table/reductions.def"
#undef ARR_REDUCTION
}

}  // namespace arr::host::ARR_LEVEL
