// SPDX-License-Identifier: MIT
// Equations and products so small that a call of LAPACK or BLAS costs more than its work. Plain data, as in
// table.h.
#pragma once

#include <cstdint>

namespace arr::host {

// The largest matrices that are eliminated here, and the most right-hand sides.
inline constexpr int64_t small_order = 32, small_columns = 32;
// So many systems are eliminated at once, one in each lane of vectors of 64 bytes: element (i, j) of system l
// stands at a[(i * (n + columns) + j) * small_lanes + l], right-hand sides to the right of the matrix.
template <class T>
inline constexpr int64_t small_lanes = 64 / static_cast<int64_t>(sizeof(T));

// The largest k of products here.
inline constexpr int64_t small_depth = 256;
// What the next product reads and writes, which is asked for during one: many products of small matrices wait
// for memory longer than they compute.
struct Ahead {
  const char* at = nullptr;
  const char* end = nullptr;
};
struct Following {
  Ahead a, b, c;
};
// c = a b, of m x k and k x n; strides in elements, rows of b and c without gaps.
template <class T>
struct SmallProduct {
  int64_t m, n, k;
  const T* a;
  int64_t a_row, a_column;
  const T* b;
  int64_t b_row;
  T* c;
  int64_t c_row;
  Following next;
};

template <class T>
struct SmallLoops {
  void (*multiply)(const SmallProduct<T>& p) = nullptr;
  int64_t lanes = 0;  // of a vector of it
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
// What every file of a level adds to the table; the names are the files'.
#define ARR_SMALL_FILLERS(LEVEL)     \
  namespace LEVEL {                  \
  void fill_small(SmallTable& t);    \
  void fill_products(SmallTable& t); \
  }

// Of the level in use, for float and double.
template <class T>
const SmallLoops<T>& small_loops();

}  // namespace arr::host
