// SPDX-License-Identifier: MIT
// A matrix in memory with any strides, and its form for BLAS.
#pragma once

#include <climits>
#include <cstdint>

#include "base/error.h"

namespace arr::host {

struct Matrix {
  char* data = nullptr;
  int64_t rows = 0, cols = 0, row = 0, col = 0;  // extents; strides in bytes
  [[nodiscard]] Matrix transposed() const { return {data, cols, rows, col, row}; }
};

// Rows of contiguous elements at equal distances.
inline bool row_major(const Matrix& m, int64_t item) {
  const bool line = m.cols == 1 || m.col == item;
  return line && (m.rows == 1 || (m.row % item == 0 && m.row / item >= m.cols));
}
inline int64_t leading(const Matrix& m, int64_t item) { return m.rows == 1 ? m.cols : m.row / item; }

inline int blas_size(int64_t n) {
  if (n > INT_MAX)
    fail(ARR_E_UNSUPPORTED, "a matrix of extent or stride ", n, "; OpenBLAS takes at most 2^31 - 1");
  return static_cast<int>(n);
}

}  // namespace arr::host
