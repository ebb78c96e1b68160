// SPDX-License-Identifier: MIT
// Equations so small that a call of LAPACK costs more than its work. Plain data, as in table.h.
#pragma once

#include <cstdint>

namespace arr::host {

// The largest matrices that are eliminated here, and the most right-hand sides.
inline constexpr int64_t small_order = 32, small_columns = 32;
// So many systems are eliminated at once, one in each lane of vectors of 64 bytes: element (i, j) of system l
// stands at a[(i * (n + columns) + j) * small_lanes + l], right-hand sides to the right of the matrix.
template <class T>
inline constexpr int64_t small_lanes = 64 / static_cast<int64_t>(sizeof(T));

template <class T>
struct SmallLoops {
  // Gaussian elimination with partial pivoting. With columns, solves a x = b: x takes the place of b, and
  // what was a is spent. Without, leaves L below and U on and above the diagonal. pivots[k * lanes + l],
  // counted from 1, is the row that changed places with row k; info[l] is 0 or k + 1 where the k-th pivot is
  // the first that is 0, whose system is not solved.
  void (*eliminate)(int64_t n, int64_t columns, T* a, int32_t* pivots, int32_t* info) = nullptr;
};
struct SmallTable {
  SmallLoops<float> float32;
  SmallLoops<double> float64;
};

// Of the level in use, for float and double.
template <class T>
const SmallLoops<T>& small_loops();

}  // namespace arr::host
