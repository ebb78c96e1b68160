// SPDX-License-Identifier: MIT
// Reductions of bools by loops over bytes, which compilers vectorise. True is any nonzero byte.
#pragma once

#include "host/loops/reduce/rows.h"

namespace arr::host::ARR_LEVEL {

inline void normalize_bool(int64_t n, const unsigned char* x, unsigned char* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = x[i] < 1 ? x[i] : 1;
}

// Bytes: Reduction<R, unsigned char>. The max (min) of any bytes is true exactly if that of the bools is.
// Other formulas (`picks` is false) need operands that are 0 or 1.
template <class Bytes, bool picks>
struct BoolReduction {
  typedef unsigned char Byte;
  static constexpr int64_t shortest_row = Bytes::shortest_row;
  static constexpr int64_t part = 4096, part_rows = 8, part_cols = part / part_rows;

  static void row(int64_t n, const void* data, void* acc) {
    each_row(1, n, static_cast<const char*>(data), 0, acc);
  }
  static void each_row(int64_t rows, int64_t n, const char* x, int64_t stride, void* acc) {
    Byte* a = static_cast<Byte*>(acc);
    if constexpr (picks) {
      Bytes::each_row(rows, n, x, stride, a);
      normalize_bool(rows, a, a);
    } else if (n > part) {
      for (int64_t r = 0; r < rows; ++r) long_row(n, at<Byte>(x + r * stride), a + r);
    } else if (n > 0) {
      Byte bools[part];
      const int64_t max_rows = part / n;
      for (int64_t r = 0; r < rows; r += max_rows) {
        const int64_t some = rows - r < max_rows ? rows - r : max_rows;
        for (int64_t k = 0; k < some; ++k) normalize_bool(n, at<Byte>(x + (r + k) * stride), bools + k * n);
        Bytes::each_row(some, n, reinterpret_cast<const char*>(bools), n, a + r);
      }
    }
  }
  static void long_row(int64_t n, const Byte* x, Byte* a) {
    Byte bools[part];
    for (int64_t i = 0; i < n; i += part) {
      const int64_t some = n - i < part ? n - i : part;
      normalize_bool(some, x + i, bools);
      Bytes::row(some, bools, a);
    }
  }
  static void column(int64_t rows, int64_t cols, const char* x, int64_t stride, void* acc) {
    Byte* a = static_cast<Byte*>(acc);
    if constexpr (picks) {
      Bytes::column(rows, cols, x, stride, a);
      normalize_bool(cols, a, a);
    } else {
      Byte bools[part];
      for (int64_t j = 0; j < cols; j += part_cols) {
        const int64_t width = cols - j < part_cols ? cols - j : part_cols;
        for (int64_t r = 0; r < rows; r += part_rows) {
          const int64_t height = rows - r < part_rows ? rows - r : part_rows;
          for (int64_t k = 0; k < height; ++k) {
            normalize_bool(width, at<Byte>(x + (r + k) * stride + j), bools + k * part_cols);
          }
          Bytes::column(height, width, reinterpret_cast<const char*>(bools), part_cols, a + j);
        }
      }
    }
  }
};

// The loops of a formula R for type A.
template <template <class, class> class Loops, class R, class A>
struct value_loops {
  typedef Loops<R, A> type;
};
template <template <class, class> class Loops, class R>
struct value_loops<Loops, R, bool> {
  typedef BoolReduction<Loops<R, unsigned char>, R::selects> type;
};

}  // namespace arr::host::ARR_LEVEL
