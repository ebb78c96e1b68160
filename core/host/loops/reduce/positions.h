// SPDX-License-Identifier: MIT
// Loops of reductions to the index of the best element.
#pragma once

#include "host/loops/reduce/rows.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host::ARR_LEVEL {

// Reads elements of an input. In a bool, true is any nonzero byte.
template <class A, class P>
ARR_FN typename P::V load_elements(const void* from) {
  const typename P::V v = P::load(from);
  if constexpr (row_of<A>::kind == BOOL) {
    return reinterpret_cast<typename P::V>(v != 0) & 1;
  } else {
    return v;
  }
}

// Lines are read from the first one, or if the last of equal elements is wanted, from the last one, so that
// the element read first wins. A row has at most `longest` elements.
template <class R, class A>
struct RowBest {
  using Widths = RowWidths<A, R>;
  using E = typename stored<A>::type;
  static constexpr int64_t longest = 4096;  // positions fit into the types below
  typedef typename signed_of<sizeof(A)>::type Step;
  typedef typename signed_of<sizeof(A) == 1 ? 2 : sizeof(A)>::type Key;
  // As many positions as a vector has keys.
  template <int64_t W>
  static constexpr int64_t keys() {
    constexpr int64_t L = Widths::template vector_length<W>(), max_length = vector_bytes / 2;
    return sizeof(A) == 1 && L > max_length ? max_length : L;
  }

  template <class P>
  ARR_FN static auto better(typename P::V b, typename P::V a) {
    return R::template combine<typename P::V>(a, b);
  }
  // value[0..W), key[0..W): for a row of at least W elements, the best of each lane of its lines, and its
  // position, or minus its position if the last of equal elements is wanted. The last line overlaps the one
  // before.
  template <int64_t W>
  ARR_FN static void line(int64_t n, const A* x, bool last, A* value, Key* key) {
    constexpr int64_t L = Widths::template vector_length<W>(), N = W / L;
    using P = VectorOperand<E, L>;
    using S = VectorOperand<Step, L>;
    typename P::V best[N];
    typename S::V step[N];
    const int64_t end = n - W, steps = (n + W - 1) / W;
    const A* from = last ? x + end : x;
#pragma GCC unroll 32
    for (int64_t k = 0; k < N; ++k) {
      best[k] = load_elements<A, P>(from + k * L);
      step[k] = S::ramp(0) & 0;
    }
    for (int64_t s = 1; s < steps; ++s) {
      const int64_t gone = s * W < end ? s * W : end;
      const A* y = last ? x + (end - gone) : x + gone;
      const typename S::V number = (S::ramp(0) & 0) + static_cast<Step>(s);
#pragma GCC unroll 32
      for (int64_t k = 0; k < N; ++k) {
        const typename P::V now = load_elements<A, P>(y + k * L);
        const auto take = better<P>(now, best[k]);
        best[k] = P::choose(take, now, best[k]);
        step[k] = S::choose(take, number, step[k]);
      }
    }
    alignas(32) Step steps_of[W];
#pragma GCC unroll 32
    for (int64_t k = 0; k < N; ++k) {
      P::store(best[k], value + k * L);
      S::store(step[k], steps_of + k * L);
    }
    constexpr int64_t M = keys<W>();
    using K = VectorOperand<Key, M>;
    const Key max_key = static_cast<Key>(end);
#pragma GCC unroll 32
    for (int64_t l = 0; l < W; l += M) {
      typename K::V gone = convert<K>(VectorOperand<Step, M>::load(steps_of + l)) * static_cast<Key>(W);
      gone = K::choose(gone < max_key, gone, (gone & 0) + max_key);
      const typename K::V index = K::ramp(static_cast<Key>(l));
      K::store(last ? gone - max_key - index : gone + index, key + l);
    }
  }
  template <class K, class From>
  ARR_FN static typename K::V convert(From x) {
    return __builtin_convertvector(x, typename K::V);
  }
  // Keeps the better of each pair of neighbours among n elements; n is rounded up to whole vectors.
  template <int64_t L>
  ARR_FN static void halve(int64_t n, A* value, Key* key) {
    using P = VectorOperand<E, L>;
    using K = VectorOperand<Key, L>;
    for (int64_t i = 0; i < n / 2; i += L) {
      const typename P::V a = P::load(value + 2 * i), b = P::load(value + 2 * i + L);
      const typename K::V ka = K::load(key + 2 * i), kb = K::load(key + 2 * i + L);
      const typename P::V v = P::even(a, b), other = P::odd(a, b);
      const typename K::V at = K::even(ka, kb), other_at = K::odd(ka, kb);
      const auto ahead = better<P>(other, v), behind = better<P>(v, other);
      const typename K::V before = other_at < at;
      const typename K::V take = convert<K>(ahead) | (before & ~convert<K>(behind));
      P::store(P::choose(convert<VectorOperand<Step, L>>(take), other, v), value + i);
      K::store(K::choose(take, other_at, at), key + i);
    }
  }
  template <int64_t W>
  __attribute__((noinline)) static void all(int64_t rows, int64_t n, const char* x, int64_t stride, bool last,
                                            A* a, int32_t* index) {
    alignas(32) A value[Widths::batch * W];
    alignas(32) Key key[Widths::batch * W];
    for (int64_t r = 0; r < rows; r += Widths::batch) {
      const int64_t some = rows - r < Widths::batch ? rows - r : Widths::batch;
      for (int64_t k = 0; k < some; ++k) {
        line<W>(n, at<A>(x + (r + k) * stride), last, value + k * W, key + k * W);
      }
      if (some < Widths::batch) {  // read if n is rounded up
        for (int64_t l = 0; l < W; ++l) {
          value[some * W + l] = value[l];
          key[some * W + l] = key[l];
        }
      }
      for (int64_t w = W; w > 1; w /= 2) halve<keys<W>()>(some * w, value, key);
      for (int64_t k = 0; k < some; ++k) a[r + k] = value[k];
      for (int64_t k = 0; k < some; ++k) index[r + k] = static_cast<int32_t>(last ? -key[k] : key[k]);
    }
  }
  // n: from `narrow` to `longest`
  static void rows(int64_t rows, int64_t n, const char* x, int64_t stride, bool last, A* a, int32_t* index) {
    if (n < Widths::wide) return all<Widths::narrow>(rows, n, x, stride, last, a, index);
    // Several vectors hide the latency of comparisons.
    if (n >= 8 * Widths::deep) return all<Widths::deep>(rows, n, x, stride, last, a, index);
    all<Widths::wide>(rows, n, x, stride, last, a, index);
  }
};

// The largest or smallest element, nan if there is one, as the formula and the loops of a RowReduction.
template <bool Largest, class A>
struct Extreme {
  static constexpr bool selects = true, calls = false, rounds = false;
  template <class V>
  ARR_FN static V combine(V a, V b) {
    if constexpr (Largest) return arr_larger(a, b);
    return arr_smaller(a, b);
  }
  ARR_FN static void join(int64_t n, const A* x, A* a) {
    for (int64_t j = 0; j < n; ++j) a[j] = combine<A>(a[j], x[j]);
  }
  // n: at least `narrow`
  static void rows(int64_t rows, int64_t n, const char* x, int64_t stride, A* a) {
    for (int64_t r = 0; r < rows; ++r) a[r] = *at<A>(x + r * stride);
    RowReduction<Extreme, Extreme, A>::rows(rows, n, x, stride, a);
  }
};

template <class R, class A>
struct IndexReduction {
  static constexpr int64_t lanes = 256 / sizeof(A);
  static constexpr bool truth = row_of<A>::kind == BOOL;
  static constexpr int64_t shortest_row = truth                        ? 2
                                          : row_of<A>::kind == COMPLEX ? int64_t{768 / sizeof(A)}
                                                                       : RowWidths<A, R>::shortest_row;

  // True if b is better than a. Values are equally good if neither is better.
  ARR_FN static bool better(A b, A a) { return R::template combine<A>(a, b); }
  ARR_FN static bool equal(A a, A b) { return (!better(a, b)) & (!better(b, a)); }

  // Compares row `number` of one column with the best so far.
  template <bool Last>
  ARR_FN static void update_best(A now, int32_t number, A* best, int32_t* index) {
    const bool take = Last ? !better(*best, now) : better(now, *best);
    *best = arr_choose(take, now, *best);
    *index = take ? number : *index;
  }
  // Bytes of bools, where true is any nonzero byte, if `Truth`.
  template <bool Truth>
  ARR_FN static A value_of(A x) {
    if constexpr (Truth) return x < 1 ? x : A(1);
    return x;
  }
  // Rows from the second one on.
  template <bool Last, bool Truth>
  static void later_rows(int64_t rows, int64_t cols, const char* x, int64_t stride, A* a, int32_t* index) {
    int64_t r = 1;
    // Four rows at a time, so that the best so far is read and written once for them.
    for (; r + 4 <= rows; r += 4) {
      const A *x0 = at<A>(x + r * stride), *x1 = at<A>(x + (r + 1) * stride);
      const A *x2 = at<A>(x + (r + 2) * stride), *x3 = at<A>(x + (r + 3) * stride);
      const auto number = static_cast<int32_t>(r);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) {
        A best = a[j];
        int32_t at_row = index[j];
        update_best<Last>(value_of<Truth>(x0[j]), number, &best, &at_row);
        update_best<Last>(value_of<Truth>(x1[j]), number + 1, &best, &at_row);
        update_best<Last>(value_of<Truth>(x2[j]), number + 2, &best, &at_row);
        update_best<Last>(value_of<Truth>(x3[j]), number + 3, &best, &at_row);
        a[j] = best;
        index[j] = at_row;
      }
    }
    for (; r < rows; ++r) {
      const A* xr = at<A>(x + r * stride);
      const auto number = static_cast<int32_t>(r);
#pragma GCC ivdep
      for (int64_t j = 0; j < cols; ++j) {
        update_best<Last>(value_of<Truth>(xr[j]), number, a + j, index + j);
      }
    }
  }
  template <bool Last>
  static void column_rows(int64_t rows, int64_t cols, const char* x, int64_t stride, A* a, int32_t* index) {
    if constexpr (row_of<A>::kind == BOOL) {  // compilers do not vectorise bools
      IndexReduction<R, unsigned char>::template later_rows<Last, true>(
          rows, cols, x, stride, reinterpret_cast<unsigned char*>(a), index);
    } else {
      later_rows<Last, false>(rows, cols, x, stride, a, index);
    }
  }
  static void column_best(int64_t rows, int64_t cols, const char* x, int64_t stride, bool last, void* acc,
                          int32_t* index) {
    A* a = static_cast<A*>(acc);
    for (int64_t j = 0; j < cols; ++j) a[j] = element<A>(x, j);
    for (int64_t j = 0; j < cols; ++j) index[j] = 0;
    if (last) {
      column_rows<true>(rows, cols, x, stride, a, index);
    } else {
      column_rows<false>(rows, cols, x, stride, a, index);
    }
  }
  // One pass over the row as lines of `lanes` elements finds the best of each lane; then the best of the
  // lanes.
  static void best(int64_t n, const void* data, bool last, void* value, int64_t* index) {
    const A* x = static_cast<const A*>(data);
    const int64_t lines = n / lanes;
    A found = element<A>(x, 0);
    int64_t at_element = 0;
    auto take = [&](A v, int64_t i) {
      const bool ahead = better(v, found);
      if (!ahead && (better(found, v) || (last ? i < at_element : i > at_element))) return;
      found = v;
      at_element = i;
    };
    if (lines > 0) {
      A lane[lanes];
      int32_t line[lanes];
      column_best(lines, lanes, reinterpret_cast<const char*>(x), lanes * static_cast<int64_t>(sizeof(A)),
                  last, lane, line);
      for (int64_t l = 0; l < lanes; ++l) take(lane[l], line[l] * lanes + l);
    }
    for (int64_t i = lines * lanes; i < n; ++i) take(element<A>(x, i), i);
    *static_cast<A*>(value) = found;
    *index = at_element;
  }
  // The best of n elements, at least `lanes`, of which some are read twice.
  static A best_value(int64_t n, const A* x) {
    A lane[lanes];
    for (int64_t l = 0; l < lanes; ++l) lane[l] = x[l];
    for (int64_t i = lanes; i < n; i += lanes) {
      const A* y = x + (i + lanes <= n ? i : n - lanes);
#pragma GCC ivdep
      for (int64_t l = 0; l < lanes; ++l) lane[l] = arr_choose(better(y[l], lane[l]), y[l], lane[l]);
    }
    for (int64_t half = lanes / 2; half > 0; half /= 2) {
#pragma GCC ivdep
      for (int64_t l = 0; l < half; ++l) {
        lane[l] = arr_choose(better(lane[l + half], lane[l]), lane[l + half], lane[l]);
      }
    }
    return lane[0];
  }
  // The number of elements before the piece with the first element equal to `found`.
  static int64_t before(int64_t n, const A* x, A found) {
    constexpr int64_t piece = 16;
    int64_t i = 0;
    for (; i + piece <= n; i += piece) {
      int hit = 0;
      for (int64_t k = 0; k < piece; ++k) hit |= static_cast<int>(x[i + k] == found);
      if (hit != 0) break;
    }
    return i;
  }
  // Complex numbers: the best value first, then the first (or last) element that is as good.
  static void best_complex(int64_t n, const A* x, bool last, A* value, int32_t* index) {
    int64_t at_element = last ? n - 1 : 0;
    A found = x[at_element];
    if (n < lanes) {
      for (int64_t k = 1; k < n; ++k) {
        const int64_t i = last ? n - 1 - k : k;
        if (!better(x[i], found)) continue;
        found = x[i];
        at_element = i;
      }
    } else {
      found = best_value(n, x);
      if (!last && found == found) at_element = before(n, x, found);
      while (better(found, x[at_element])) at_element += last ? -1 : 1;
    }
    *value = x[at_element];
    *index = static_cast<int32_t>(at_element);
  }
  // The index of the first of eight bytes that is true, or false; 8 if there is none.
  template <bool Truth>
  ARR_FN static int64_t first_of_word(const char* x) {
    unsigned long long w;
    __builtin_memcpy(&w, x, sizeof(w));
    if (!Truth)
      w = (w - 0x0101010101010101) & ~w & 0x8080808080808080;  // the lowest bit is that of the first zero
    return w == 0 ? 8 : __builtin_ctzll(w) / 8;
  }
  // True if a bit of a whole vector is set.
  template <class V>
  ARR_FN static bool any_bit(V v) {
    static_assert(sizeof(V) == vector_bytes);
    const auto words = (Vector<unsigned long long, lanes_of<unsigned long long>>)v;
    unsigned long long bits = 0;
    for (int64_t k = 0; k < lanes_of<unsigned long long>; ++k) bits |= words[k];
    return bits != 0;
  }
  // The index of the first true byte from i on, or one at most K vectors before it.
  template <int64_t K>
  ARR_FN static int64_t skip_false(int64_t i, int64_t n, const char* x) {
    typedef Vector<unsigned char, vector_bytes> Bytes;
    for (; i + K * vector_bytes <= n; i += K * vector_bytes) {
      const auto* w = reinterpret_cast<const Bytes*>(x + i);
      Bytes any = w[0];
      for (int64_t k = 1; k < K; ++k) any |= w[k];
      if (any_bit(any)) break;
    }
    return i;
  }
  // The index of the first byte that is true, or false; n if there is none.
  template <bool Truth>
  static int64_t first_truth(int64_t n, const char* x) {
    if (n < 8) {  // without branches, which would be unpredictable
      int64_t found = n;
      for (int64_t i = n - 1; i >= 0; --i) found = (x[i] != 0) == Truth ? i : found;
      return found;
    }
    int64_t i = first_of_word<Truth>(x);
    if (i < 8) return i;
    if (!Truth && n >= 64) {
      const void* found = __builtin_memchr(x, 0, static_cast<size_t>(n));
      return found == nullptr ? n : static_cast<const char*>(found) - x;
    }
    if (Truth && n >= vector_bytes) i = skip_false<1>(skip_false<4>(0, n, x), n, x);
    for (; i + 8 <= n; i += 8) {
      const int64_t k = first_of_word<Truth>(x + i);
      if (k < 8) return i + k;
    }
    while (i < n && (x[i] != 0) != Truth) ++i;
    return i;
  }
  // The search ends at the first bool of the better value. True may be any nonzero byte.
  static void best_truth(int64_t n, const char* x, A* value, int32_t* index) {
    const bool wanted = better(A(1), A(0));
    const int64_t at_element = wanted ? first_truth<true>(n, x) : first_truth<false>(n, x);
    *value = A(at_element < n ? wanted : !wanted);
    *index = at_element < n ? static_cast<int32_t>(at_element) : 0;
  }
  // The index of the first element that is `found`, which is one of the n; nan is nan.
  static int64_t first_equal(int64_t n, const A* x, A found) {
    using P = VectorOperand<typename stored<A>::type, lanes_of<A>>;
    const bool nan = found != found;
    int64_t i = 0;
    for (; i + 4 * P::length <= n; i += 4 * P::length) {
      auto hit = P::ramp(0) & 0;
#pragma GCC unroll 4
      for (int64_t k = 0; k < 4; ++k) {
        const typename P::V v = P::load(x + i + k * P::length);
        hit |= nan ? v != v : v == found;
      }
      if (any_bit(hit)) break;
    }
    while (nan ? x[i] == x[i] : x[i] != found) ++i;
    return i;
  }
  // Long rows: first the best values, then their indices. Longer rows than the first-level cache holds go in
  // pieces, of which one is read again.
  static void best_values(int64_t rows, int64_t n, const char* x, int64_t stride, A* a, int32_t* index) {
    typedef Extreme<R::largest, A> Best;
    constexpr int64_t longest = 32768 / sizeof(A);
    const int64_t pieces = (n + longest - 1) / longest, piece = (n + pieces - 1) / pieces;
    if (pieces == 1) Best::rows(rows, n, x, stride, a);
    for (int64_t r = 0; r < rows; ++r) {
      const A* row = at<A>(x + r * stride);
      int64_t at_piece = 0;
      if (pieces > 1) Best::rows(1, piece, x + r * stride, 0, a + r);
      for (int64_t i = piece; i < n; i += piece) {
        const int64_t from = n - i < piece ? n - piece : i;  // the last piece overlaps the one before
        A now;
        Best::rows(1, piece, reinterpret_cast<const char*>(row + from), 0, &now);
        if (!better(now, a[r])) continue;
        a[r] = now;
        at_piece = from;
      }
      index[r] = static_cast<int32_t>(at_piece + first_equal(piece, row + at_piece, a[r]));
    }
  }
  static void best_rows(int64_t rows, int64_t n, const char* x, int64_t stride, bool last, void* acc,
                        int32_t* index) {
    A* a = static_cast<A*>(acc);
    if constexpr (truth) {
      if (!last) {
        for (int64_t r = 0; r < rows; ++r) best_truth(n, x + r * stride, a + r, index + r);
        return;
      }
    }
    if constexpr (row_of<A>::kind == COMPLEX) {
      for (int64_t r = 0; r < rows; ++r) best_complex(n, at<A>(x + r * stride), last, a + r, index + r);
      return;
    }
    if constexpr (RowWidths<A, R>::vectors) {
      if constexpr (R::largest || R::smallest) {
        if (n >= 8 * RowWidths<A, R>::deep && !last) return best_values(rows, n, x, stride, a, index);
      }
      if (n >= RowWidths<A, R>::narrow && n <= RowBest<R, A>::longest) {
        return RowBest<R, A>::rows(rows, n, x, stride, last, a, index);
      }
    }
    for (int64_t r = 0; r < rows; ++r) {
      int64_t at_element = 0;
      best(n, x + r * stride, last, a + r, &at_element);
      index[r] = static_cast<int32_t>(at_element);
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

}  // namespace arr::host::ARR_LEVEL
