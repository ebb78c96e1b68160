// SPDX-License-Identifier: MIT
// Reductions of truth values by the loops of bytes, which compilers make vectors of. Any byte but 0 is true.
#pragma once

#include "host/loops/reduce/rows.h"

namespace arr::host::ARR_LEVEL {

inline void as_truth(int64_t n, const unsigned char* x, unsigned char* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = x[i] < 1 ? x[i] : 1;
}

// Bytes: Reduction<R, unsigned char>. The smallest and the largest of any bytes are true where those of truth
// values are. Other formulas (`picks` is false) take parts that are 0 and 1.
template <class Bytes, bool picks>
struct TruthReduction {
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
      as_truth(rows, a, a);
    } else if (n > part) {
      for (int64_t r = 0; r < rows; ++r) long_row(n, at<Byte>(x + r * stride), a + r);
    } else if (n > 0) {
      Byte truths[part];
      const int64_t most = part / n;
      for (int64_t r = 0; r < rows; r += most) {
        const int64_t some = rows - r < most ? rows - r : most;
        for (int64_t k = 0; k < some; ++k) as_truth(n, at<Byte>(x + (r + k) * stride), truths + k * n);
        Bytes::each_row(some, n, reinterpret_cast<const char*>(truths), n, a + r);
      }
    }
  }
  static void long_row(int64_t n, const Byte* x, Byte* a) {
    Byte truths[part];
    for (int64_t i = 0; i < n; i += part) {
      const int64_t some = n - i < part ? n - i : part;
      as_truth(some, x + i, truths);
      Bytes::row(some, truths, a);
    }
  }
  static void column(int64_t rows, int64_t cols, const char* x, int64_t stride, void* acc) {
    Byte* a = static_cast<Byte*>(acc);
    if constexpr (picks) {
      Bytes::column(rows, cols, x, stride, a);
      as_truth(cols, a, a);
    } else {
      Byte truths[part];
      for (int64_t j = 0; j < cols; j += part_cols) {
        const int64_t width = cols - j < part_cols ? cols - j : part_cols;
        for (int64_t r = 0; r < rows; r += part_rows) {
          const int64_t height = rows - r < part_rows ? rows - r : part_rows;
          for (int64_t k = 0; k < height; ++k) {
            as_truth(width, at<Byte>(x + (r + k) * stride + j), truths + k * part_cols);
          }
          Bytes::column(height, width, reinterpret_cast<const char*>(truths), part_cols, a + j);
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
  typedef TruthReduction<Loops<R, unsigned char>, R::selects> type;
};

}  // namespace arr::host::ARR_LEVEL
