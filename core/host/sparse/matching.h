// SPDX-License-Identifier: MIT
// The structural rank of sparse matrices.
#pragma once

#include <cstdint>
#include <vector>

namespace arr::host {

// A column of an n x n matrix in compressed columns that gets no row if each column is given another row
// among its elements; -1 if each can have one. Augmenting paths by depth-first search (I. S.
// Duff, On algorithms for obtaining a maximum transversal, ACM TOMS 7, 1981).
inline int64_t unmatched_column(int n, const int* pointers, const int* rows) {
  const auto count = static_cast<size_t>(n);
  std::vector<int> column_of(count, -1), next(pointers, pointers + n), seen(count, -1), path, row_at(count);
  // First rows that no column has, the diagonal before others.
  std::vector<bool> has(count);
  for (int j = 0; j < n; ++j) {
    for (int p = pointers[j]; p < pointers[j + 1] && !has[static_cast<size_t>(j)]; ++p) {
      if (rows[p] != j) continue;
      column_of[static_cast<size_t>(j)] = j;
      has[static_cast<size_t>(j)] = true;
    }
  }
  // The next row of a column that is free; each element is looked at once in all searches, because rows
  // never become free again.
  const auto free_row = [&](int j) {
    for (int& p = next[static_cast<size_t>(j)]; p < pointers[j + 1];) {
      const int i = rows[p++];
      if (column_of[static_cast<size_t>(i)] < 0) return i;
    }
    return -1;
  };
  std::vector<int> at(count);
  for (int start = 0; start < n; ++start) {
    if (has[static_cast<size_t>(start)]) continue;
    path.assign(1, start);
    at[static_cast<size_t>(start)] = pointers[start];
    seen[static_cast<size_t>(start)] = start;
    int free = -1;
    while (!path.empty()) {
      const int j = path.back();
      free = free_row(j);
      if (free >= 0) break;
      int following = -1;
      for (int& p = at[static_cast<size_t>(j)]; p < pointers[j + 1] && following < 0;) {
        const int i = rows[p++], owner = column_of[static_cast<size_t>(i)];
        if (seen[static_cast<size_t>(owner)] == start) continue;
        seen[static_cast<size_t>(owner)] = start;
        row_at[static_cast<size_t>(owner)] = i;
        following = owner;
      }
      if (following < 0) {
        path.pop_back();
      } else {
        at[static_cast<size_t>(following)] = pointers[following];
        path.push_back(following);
      }
    }
    if (path.empty()) return start;
    // The last column of the path takes the free row, each one before it the row of its successor.
    for (size_t k = path.size(); k-- > 0;) {
      const int j = path[k], row = k + 1 == path.size() ? free : row_at[static_cast<size_t>(path[k + 1])];
      column_of[static_cast<size_t>(row)] = j;
      has[static_cast<size_t>(j)] = true;
    }
  }
  return -1;
}

}  // namespace arr::host
