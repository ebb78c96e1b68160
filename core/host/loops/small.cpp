// SPDX-License-Identifier: MIT
// Gaussian elimination of small systems, row by row: Golub and Van Loan, Matrix Computations,
// algorithm 3.4.1.
#include "host/loops/small.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

namespace arr::host::ARR_LEVEL {

namespace {

// to[j] -= factor * from[j] for j from begin to end, whole chunks.
template <class T>
void take_off(T factor, const T* from, T* to, int64_t begin, int64_t end) {
  for (int64_t j = begin; j < end; j += small_chunk<T>) {
    for (int64_t e = 0; e < small_chunk<T>; ++e) to[j + e] -= factor * from[j + e];
  }
}

// The place of the largest magnitude among x[first .. n), the first of equals; *most gets it. Without
// branches on the numbers: nobody could predict them.
template <class T>
int64_t largest(const T* x, int64_t first, int64_t n, T* most) {
  T size[small_order];
  T top = 0;
  for (int64_t i = first; i < n; ++i) size[i] = x[i] < 0 ? -x[i] : x[i];
  for (int64_t i = first; i < n; ++i) top = size[i] > top ? size[i] : top;
  int64_t best = first;
  for (int64_t i = n - 1; i > first; --i) best = size[i] == top ? i : best;
  best = size[first] == top ? first : best;
  *most = size[best];
  return best;
}

template <class T>
int32_t solve(int64_t n, int64_t columns, T* rows, int32_t* order) {
  constexpr int64_t chunk = small_chunk<T>;
  const int64_t right = (n + chunk - 1) / chunk * chunk;
  const int64_t end = right + (columns + chunk - 1) / chunk * chunk;
  T* row[small_order];
  T column[small_order];
  for (int64_t i = 0; i < n; ++i) {
    row[i] = rows + i * small_row;
    column[i] = row[i][0];
  }
  for (int64_t k = 0; k < n; ++k) {
    T most = 0;
    const int64_t best = largest(column, k, n, &most);
    if (most == 0) return static_cast<int32_t>(k + 1);
    T* pivot = row[best];
    row[best] = row[k];
    row[k] = pivot;
    // The reciprocal of the smallest numbers is infinite.
    const T inverse = T(1) / pivot[k];
    const bool whole = inverse - inverse == 0;
    // From the chunk of column k + 1 on: what is to the left of it is not read again.
    const int64_t begin = (k + 1) / chunk * chunk;
    for (int64_t i = k + 1; i < n; ++i) {
      take_off(whole ? row[i][k] * inverse : row[i][k] / pivot[k], pivot, row[i], begin, end);
      column[i] = row[i][k + 1 < n ? k + 1 : k];
    }
  }
  for (int64_t k = n - 1; k >= 0; --k) {
    for (int64_t j = right; j < right + columns; ++j) row[k][j] /= row[k][k];
    for (int64_t i = 0; i < k; ++i) take_off(row[i][k], row[k], row[i], right, end);
  }
  for (int64_t i = 0; i < n; ++i) order[i] = static_cast<int32_t>((row[i] - rows) / small_row);
  return 0;
}

}  // namespace

extern const SmallLoops small_loops_here;
const SmallLoops small_loops_here = {solve<float>, solve<double>};

}  // namespace arr::host::ARR_LEVEL
