// SPDX-License-Identifier: MIT
// The pattern of the factor of a Hermitian matrix: blocks of columns with the same rows.
#pragma once

#include <cstdint>
#include <vector>

#include "base/checked.h"
#include "host/sparse/minimum_degree.h"

namespace arr::host {

// The elimination of a matrix, which depends only on where it has elements. Numbers of columns are those of
// the order of elimination, unless they are said to be of a.
struct Supernodes {
  int32_t n = 0;
  bool upper = false, natural = false;
  std::vector<int64_t> pointers;  // of a, to know its pattern again
  std::vector<int32_t> indices;
  std::vector<int32_t> order;  // of each column, that of a

  // Block s is columns first[s] .. first[s + 1] - 1, with the rows of these columns and those from
  // rows[row_begin[s]] on, in order; the elements begin at data_begin[s], in columns.
  std::vector<int32_t> first;
  std::vector<int32_t> parent;  // the block of its first row below, or -1
  std::vector<int64_t> row_begin, data_begin;
  std::vector<int32_t> rows;

  // The elements of a's triangle, in columns of the factor: their row, and where they are in a's data. Those
  // whose element there is on the other side of the diagonal are conjugated: ~index.
  std::vector<int64_t> column_begin;
  std::vector<int32_t> row_of;
  std::vector<int64_t> source;

  [[nodiscard]] int64_t count() const { return static_cast<int64_t>(parent.size()); }
  [[nodiscard]] int64_t width(int64_t s) const {
    return first[static_cast<size_t>(s) + 1] - first[static_cast<size_t>(s)];
  }
  [[nodiscard]] int64_t below(int64_t s) const {
    return row_begin[static_cast<size_t>(s) + 1] - row_begin[static_cast<size_t>(s)];
  }
  // Multiplications and additions, about.
  [[nodiscard]] double work(int64_t s) const {
    const auto m = static_cast<double>(width(s) + below(s));
    return m * m * static_cast<double>(width(s));
  }
};

// pointers, indices: those of a matrix as in SparseCholeskyCall.
Supernodes supernodes_of(int32_t n, const int64_t* pointers, const int32_t* indices, bool upper,
                         bool natural);

}  // namespace arr::host
