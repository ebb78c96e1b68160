// SPDX-License-Identifier: MIT
// Counts the elements of sparse matrices that are not in order.
#include <atomic>

#include "backend/sparse.h"
#include "host/sparse/calls.h"
#include "host/sparse/lines.h"

namespace arr::host {

namespace {

template <class I>
int64_t in_lines(const I* pointers, const I* inner, int64_t first, int64_t last) {
  int64_t count = 0;
  for (int64_t i = first; i < last; ++i) {
    for (int64_t p = int64_t{pointers[i]} + 1; p < pointers[i + 1]; ++p)
      count += inner[p] <= inner[p - 1] ? 1 : 0;
  }
  return count;
}

template <class I>
int64_t in_coordinates(const I* line, const I* inner, int64_t first, int64_t last) {
  int64_t count = 0;
  for (int64_t p = std::max<int64_t>(first, 1); p < last; ++p) {
    const bool same = line[p] == line[p - 1];
    count += line[p] < line[p - 1] || (same && inner[p] <= inner[p - 1]) ? 1 : 0;
  }
  return count;
}

}  // namespace

void sparse_check(const SparseCheckCall& c) {
  std::atomic<int64_t> all{0};
  with_index_type(c.index_type, [&]<class I>(I) {
    const auto *outer = static_cast<const I*>(c.outer), *inner = static_cast<const I*>(c.inner);
    if (c.coo) {
      return parallel_ranges(c.nnz, serial_elements, [&](int64_t first, int64_t last) {
        all += in_coordinates(outer, inner, first, last);
      });
    }
    parallel_lines(outer, c.lines, serial_elements, 4,
                   [&](int64_t first, int64_t last) { all += in_lines(outer, inner, first, last); });
  });
  *c.count = all;
}

}  // namespace arr::host
