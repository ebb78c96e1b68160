// SPDX-License-Identifier: MIT
// The loops of every row of core/table/reductions.def for one accumulated type.
#pragma once

#include "host/loops/reduce/bool_reduction.h"
#include "host/loops/reduce/positions.h"
#include "host/loops/reduce/rows.h"
#include "host/loops/reduce/shared_rows.h"
#include "host/loops/reduce/states.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace arr::host::ARR_LEVEL {

// Reductions as types. S is the accumulated type. The finish formula of an INDEX row reads the position `at`.
#define ARR_FINISH_VALUE(formula)                          \
  template <class A, class P>                              \
  ARR_FN static auto finish(const State<A>& a, P n, P p) { \
    return formula;                                        \
  }
#define ARR_FINISH_STATE(formula) ARR_FINISH_VALUE(formula)
#define ARR_FINISH_INDEX(formula)                              \
  template <class A>                                           \
  ARR_FN static long long finish_position(A a, long long at) { \
    return formula;                                            \
  }
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity_, combine_, finish_, doc, cupy, \
                      map, state, call, ufunc)                                                              \
  struct reduction_##name {                                                                                 \
    static constexpr bool selects = selects_operand(#combine_), calls = calls_function(#combine_);          \
    static constexpr bool multiplies = same_text(#combine_, "arr_multiply(a, b)");                          \
    static constexpr bool adds = same_text(#combine_, "a + b");                                             \
    static constexpr int final_number = final_value(#combine_);                                             \
    static constexpr bool largest = same_text(#combine_, "arr_after(b, a)");                                \
    static constexpr bool smallest = same_text(#combine_, "arr_before(b, a)");                              \
    template <class A>                                                                                      \
    using State = state;                                                                                    \
    template <class A>                                                                                      \
    ARR_FN static auto identity() {                                                                         \
      typedef State<A> S;                                                                                   \
      return static_cast<S>(identity_);                                                                     \
    }                                                                                                       \
    template <class A>                                                                                      \
    ARR_FN static auto combine(const State<A>& a, const State<A>& b) {                                      \
      typedef State<A> S [[maybe_unused]];                                                                  \
      return combine_;                                                                                      \
    }                                                                                                       \
    ARR_FINISH_##kind(finish_)                                                                              \
  };
#include "table/reductions.def"
#undef ARR_REDUCTION

// The type of a row by its number, and the type of the row whose loops it shares.
template <int Number>
struct reduction_numbered;
#define ARR_REDUCTION(number, name, ...) \
  template <>                            \
  struct reduction_numbered<number> {    \
    typedef reduction_##name type;       \
  };
#include "table/reductions.def"
#undef ARR_REDUCTION
template <int Number, class A>
using loops_row =
    typename reduction_numbered<combines_as(Number, row_of<A>::kind < FLOAT, row_of<A>::kind == BOOL)>::type;

// Loops of every kind of reduction.
template <class R, class A>
using reduction_state = typename R::template State<A>;
template <class R, class A>
void identity_loop(int64_t n, void* acc) {
  auto* a = static_cast<typename R::template State<A>*>(acc);
  for (int64_t i = 0; i < n; ++i) a[i] = R::template identity<A>();
}
template <class R, class A>
void finish_loop(int64_t n, const void* acc, int64_t count, double correction, void* out) {
  typedef typename arr_real_of<A>::type P;
  const auto size = arr_cast<P>(static_cast<long long>(count)), p = arr_cast<P>(correction);
  const auto* a = static_cast<const typename R::template State<A>*>(acc);
  typedef decltype(R::template finish<A>(*a, size, p)) F;
  auto* r = static_cast<F*>(out);
  for (int64_t i = 0; i < n; ++i) r[i] = R::template finish<A>(a[i], size, p);
}
template <class R, class A>
void finish_positions_loop(int64_t n, const void* acc, int64_t* position) {
  const A* a = static_cast<const A*>(acc);
  for (int64_t i = 0; i < n; ++i) position[i] = R::template finish_position<A>(a[i], position[i]);
}

// Elements that are products.
template <class A>
struct Products {
  const A *x, *y;
  ARR_FN A operator[](int64_t i) const { return x[i] * y[i]; }
  ARR_FN Products operator+(int64_t i) const { return {x + i, y + i}; }
};

template <class R, class A>
struct Reduction {
  // Independent partial results, four vectors: neither latency nor rounding errors add up along the row.
  static constexpr int64_t lanes = 256 / sizeof(A);
  // Rounding errors grow with the number of consecutive additions: at most run_elements, or block_rows rows.
  // Blocks are combined pairwise. Formulas and types that do not round do not need this.
  static constexpr bool rounds = row_of<A>::kind >= FLOAT && !R::selects;
  static constexpr int64_t run_elements = lanes * 16, block = 4 * run_elements, block_rows = 128;
  static constexpr int64_t levels = 16;  // levels of the tree; blocks beyond 2^15 are added to the top level
  static constexpr int64_t strip = 1024 / sizeof(A);  // columns of a tree
  static constexpr bool vectors = RowWidths<A, R>::vectors;
  // A formula with a final value stops there: element by element, because for gcd the value is soon 1.
  static constexpr bool ends = R::final_number >= 0;
  static constexpr int64_t shortest_row = ends ? 1 : RowWidths<A, R>::shortest_row;

  ARR_FN static A combine(A a, A b) { return arr_cast<A>(R::template combine<A>(a, b)); }
  ARR_FN static bool is_final(A a) { return a == static_cast<A>(R::final_number); }

  // From: const A* or Products<A>. a[j] = combine(a[j], x[j])
  template <class From>
  ARR_FN static void join(int64_t n, From x, A* a) {
#pragma GCC ivdep
    for (int64_t j = 0; j < n; ++j) a[j] = combine(a[j], x[j]);
  }
  // Adds block `number` to the tree of pairwise results. tree[level] holds 2^level blocks and is in use if
  // bit `level` of the number of blocks is set. Overwrites `now`.
  template <int64_t Width>
  ARR_FN static void push_block(int64_t number, int64_t n, A* now, A (*tree)[Width]) {
    int64_t level = 0;
    for (; level + 1 < levels && (number >> level & 1) != 0; ++level) {
#pragma GCC ivdep
      for (int64_t j = 0; j < n; ++j) now[j] = combine(tree[level][j], now[j]);
    }
    if (level + 1 == levels && number >> level != 0) return join(n, now, tree[level]);
    __builtin_memcpy(tree[level], now, static_cast<size_t>(n) * sizeof(A));
  }
  // True if the level is in use after `blocks` blocks.
  ARR_FN static bool has_tree(int64_t blocks, int64_t level) {
    return level + 1 < levels ? (blocks >> level & 1) != 0 : blocks >> level != 0;
  }

  // Reduces lines of `lanes` elements to one line, in runs of at most run_elements.
  template <class From>
  __attribute__((noinline)) static void lines(int64_t n, From x, A* result) {
    A lane[lanes], run[lanes];
    for (int64_t l = 0; l < lanes; ++l) lane[l] = x[l];
    int64_t i = lanes;
    while (i + lanes <= n) {
      for (int64_t l = 0; l < lanes; ++l) run[l] = x[i + l];
      const int64_t end = rounds && n - i > run_elements ? i + run_elements : n;
      for (i += lanes; i + lanes <= end; i += lanes) {
#pragma GCC ivdep
        for (int64_t l = 0; l < lanes; ++l) run[l] = combine(run[l], x[i + l]);
      }
#pragma GCC ivdep
      for (int64_t l = 0; l < lanes; ++l) lane[l] = combine(lane[l], run[l]);
    }
    for (int64_t l = 0; l < lanes; ++l) result[l] = lane[l];
  }
  ARR_FN static A reduce_lanes(int64_t n, A* lane) {
    for (int64_t half = n / 2; half > 0; half /= 2) {
#pragma GCC ivdep
      for (int64_t l = 0; l < half; ++l) lane[l] = combine(lane[l], lane[l + half]);
    }
    return lane[0];
  }
  template <class From>
  static A blocks(int64_t n, From x) {
    A tree[levels][lanes], now[lanes];
    int64_t count = 0, i = 0;
    for (; i + block <= n; i += block) {
      lines(block, x + i, now);
      push_block<lanes>(count++, lanes, now, tree);
    }
    if (n - i >= lanes) {
      lines(n - i, x + i, now);
    } else {
      for (A& a : now) a = arr_cast<A>(R::template identity<A>());
    }
    i += (n - i) / lanes * lanes;
    join(n - i, x + i, now);
    for (int64_t level = 0; level < levels; ++level) {
      if (!has_tree(count, level)) continue;
#pragma GCC ivdep
      for (int64_t l = 0; l < lanes; ++l) now[l] = combine(tree[level][l], now[l]);
    }
    return reduce_lanes(lanes, now);
  }
  static void products(int64_t n, const void* x, const void* y, void* acc) {
    A* a = static_cast<A*>(acc);
    a[0] = combine(a[0], blocks(n, Products<A>{static_cast<const A*>(x), static_cast<const A*>(y)}));
  }
  static void row(int64_t n, const void* data, void* acc) {
    const A* x = static_cast<const A*>(data);
    A* a = static_cast<A*>(acc);
    if constexpr (ends) {
      for (int64_t i = 0; i < n && !is_final(a[0]); ++i) a[0] = combine(a[0], x[i]);
      return;
    }
    if constexpr (rounds) {
      if (n > block) {
        a[0] = combine(a[0], blocks(n, x));
        return;
      }
    }
    if constexpr (vectors) {
      if (n >= shortest_row) {
        return RowReduction<Reduction, R, A>::rows(1, n, static_cast<const char*>(data), 0, a);
      }
    }
    if (n >= lanes) {
      A lane[lanes];
      lines(n, x, lane);
      const int64_t whole = n / lanes * lanes;
      join(n - whole, x + whole, lane);
      a[0] = combine(a[0], reduce_lanes(lanes, lane));
    } else if (n > 0) {
      A sum = x[0];
      for (int64_t i = 1; i < n; ++i) sum = combine(sum, x[i]);
      a[0] = combine(a[0], sum);
    }
  }
  static void each_row(int64_t rows, int64_t n, const char* x, int64_t stride, void* acc) {
    A* a = static_cast<A*>(acc);
    if constexpr (vectors) {
      if (n >= shortest_row && !(rounds && n > block)) {
        return RowReduction<Reduction, R, A>::rows(rows, n, x, stride, a);
      }
    }
    for (int64_t r = 0; r < rows; ++r) row(n, x + r * stride, a + r);
  }

  // Plain: products of complex numbers by the formula for finite ones.
  template <bool Plain>
  ARR_FN static A combine_as(A a, A b) {
    if constexpr (Plain) return a * b;
    return combine(a, b);
  }
  template <bool Plain>
  static void rows_as(int64_t rows, int64_t cols, const char* x, int64_t stride, A* a) {
    int64_t r = 0;
    // Eight rows at a time, so that each accumulator is read and written once for them. Function calls cost
    // more than that, and some functions are faster for an accumulator than for two elements.
    for (; !R::calls && r + 8 <= rows; r += 8) {
      const A *x0 = at<A>(x + r * stride), *x1 = at<A>(x + (r + 1) * stride);
      const A *x2 = at<A>(x + (r + 2) * stride), *x3 = at<A>(x + (r + 3) * stride);
      const A *x4 = at<A>(x + (r + 4) * stride), *x5 = at<A>(x + (r + 5) * stride);
      const A *x6 = at<A>(x + (r + 6) * stride), *x7 = at<A>(x + (r + 7) * stride);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) {
        A low = combine_as<Plain>(combine_as<Plain>(x0[j], x1[j]), combine_as<Plain>(x2[j], x3[j]));
        A high = combine_as<Plain>(combine_as<Plain>(x4[j], x5[j]), combine_as<Plain>(x6[j], x7[j]));
        a[j] = combine_as<Plain>(a[j], combine_as<Plain>(low, high));
      }
    }
    for (; r < rows; ++r) {
      const A* y = at<A>(x + r * stride);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) a[j] = combine_as<Plain>(a[j], y[j]);
    }
  }
  // Products of complex numbers by the plain formula, which compilers vectorise. If an intermediate product
  // is not finite, neither is the result: then all are multiplied again by the exact formula.
  static void product_rows(int64_t rows, int64_t cols, const char* x, int64_t stride, A* a) {
    A now[strip];
    for (int64_t j = 0; j < cols; j += strip) {
      const int64_t n = cols - j < strip ? cols - j : strip;
      const char* y = x + j * static_cast<int64_t>(sizeof(A));
      __builtin_memcpy(now, a + j, static_cast<size_t>(n) * sizeof(A));
      rows_as<true>(rows, n, y, stride, now);
      int finite = 1;
      for (int64_t k = 0; k < n; ++k) finite &= static_cast<int>(arr_isfinite(now[k]));
      if (finite == 0) {
        rows_as<false>(rows, n, y, stride, a + j);
      } else {
        __builtin_memcpy(a + j, now, static_cast<size_t>(n) * sizeof(A));
      }
    }
  }
  // Stops at the row after which all columns of a strip are final.
  static void ending_rows(int64_t rows, int64_t cols, const char* x, int64_t stride, A* a) {
    for (int64_t j = 0; j < cols; j += strip) {
      const int64_t n = cols - j < strip ? cols - j : strip;
      A* b = a + j;
      for (int64_t r = 0; r < rows; ++r) {
        int64_t open = 0;
        for (int64_t k = 0; k < n; ++k) open += is_final(b[k]) ? 0 : 1;
        if (open == 0) break;
        const A* y = at<A>(x + r * stride) + j;
        for (int64_t k = 0; k < n; ++k) {
          if (!is_final(b[k])) b[k] = combine(b[k], y[k]);
        }
      }
    }
  }
  static void rows(int64_t rows, int64_t cols, const char* x, int64_t stride, A* a) {
    if constexpr (ends) {
      ending_rows(rows, cols, x, stride, a);
    } else if constexpr (R::multiplies && row_of<A>::kind == COMPLEX) {
      product_rows(rows, cols, x, stride, a);
    } else {
      rows_as<false>(rows, cols, x, stride, a);
    }
  }
  static void tall_strip(int64_t rows_given, int64_t cols, const char* x, int64_t stride, A* a) {
    A tree[levels][strip], now[strip];
    int64_t count = 0;
    for (int64_t r = 0; r < rows_given; r += block_rows) {
      for (int64_t j = 0; j < cols; ++j) now[j] = arr_cast<A>(R::template identity<A>());
      rows(rows_given - r < block_rows ? rows_given - r : block_rows, cols, x + r * stride, stride, now);
      push_block<strip>(count++, cols, now, tree);
    }
    bool first = true;
    for (int64_t level = 0; level < levels; ++level) {
      if (!has_tree(count, level)) continue;
      for (int64_t j = 0; j < cols; ++j) now[j] = first ? tree[level][j] : combine(tree[level][j], now[j]);
      first = false;
    }
    join(cols, now, a);
  }
  static void column(int64_t rows_given, int64_t cols, const char* x, int64_t stride, void* acc) {
    A* a = static_cast<A*>(acc);
    if constexpr (rounds) {
      if (rows_given > block_rows) {
        for (int64_t j = 0; j < cols; j += strip) {
          tall_strip(rows_given, cols - j < strip ? cols - j : strip, x + j * static_cast<int64_t>(sizeof(A)),
                     stride, a + j);
        }
        return;
      }
    }
    rows(rows_given, cols, x, stride, a);
  }
};

// True if a reduction accumulates in type A, by the column acc of reductions.def.
template <class A>
constexpr bool accumulates_SAME(const char* domain) {
  return domain_has(domain, row_of<A>::kind);
}
template <class A>
constexpr bool accumulates_SUM(const char*) {
  return row_of<A>::kind >= FLOAT || (row_of<A>::kind != BOOL && sizeof(A) == 8);
}
template <class A>
constexpr bool accumulates_MEAN(const char* domain) {
  return row_of<A>::kind >= FLOAT && domain_has(domain, row_of<A>::kind);
}
template <class A>
constexpr bool accumulates_REAL(const char*) {
  return row_of<A>::kind == FLOAT;
}
template <class A>
constexpr bool accumulates_BOOL(const char*) {
  return row_of<A>::kind == BOOL;
}
template <class A>
constexpr bool accumulates_COUNT(const char*) {
  return row_of<A>::kind == INT && sizeof(A) == 8;
}

// R: the row; L: the row whose loops it shares.
template <class R, class L, class A>
void set_VALUE(ReduceLoops* l) {
  typedef typename value_loops<Reduction, L, A>::type Loops;
  l->shortest_row = Loops::shortest_row;
  l->ends = L::final_number >= 0;
  l->row = Loops::row;
  l->each_row = Loops::each_row;
  l->column = Loops::column;
  l->finish = finish_loop<R, A>;
  if constexpr (L::adds && row_of<A>::kind == FLOAT) l->products = Loops::products;
}
template <class R, class L, class A>
void set_INDEX(ReduceLoops* l) {
  l->shortest_row = IndexReduction<L, A>::shortest_row;
  l->best_rows = IndexReduction<L, A>::best_rows;
  l->column_best = IndexReduction<L, A>::column_best;
  l->merge = IndexReduction<L, A>::merge;
  l->finish_positions = finish_positions_loop<R, A>;
}
template <class R, class, class A>
void set_STATE(ReduceLoops* l) {
  typedef StateLoops<typename R::template State<A>, A> Loops;
  l->shortest_row = Loops::shortest_row;
  l->row = Loops::row;
  l->each_row = Loops::each_row;
  l->column = Loops::column;
  l->join = Loops::join;
  l->finish = finish_loop<R, A>;
}

template <class A>
void fill_reductions(LoopTable& t) {
  constexpr int d = row_of<A>::number;
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity_, combine_, finish_, doc, cupy, \
                      map, state, call, ufunc)                                                              \
  if constexpr (accumulates_##acc<A>(#domain)) {                                                            \
    ReduceLoops& l = t.reduce[number][d];                                                                   \
    l.bytes = static_cast<int64_t>(sizeof(reduction_state<reduction_##name, A>));                           \
    l.identity = identity_loop<reduction_##name, A>;                                                        \
    set_##kind<reduction_##name, loops_row<number, A>, A>(&l);                                              \
  }
#include "table/reductions.def"
#undef ARR_REDUCTION
}

}  // namespace arr::host::ARR_LEVEL
