// SPDX-License-Identifier: MIT
// Systems and products of matrices so small that a call of LAPACK or BLAS costs more than the work. Plain
// data, as in table.h.
#pragma once

#include <cstdint>

#include "host/loops/linalg/tridiagonal.h"

namespace arr::host {

// The largest systems solved here, and the most right-hand sides.
inline constexpr int64_t small_max_order = 32, small_max_columns = 32;
// Systems solved at once, one in each lane of 64-byte vectors. Element (i, j) of system l is
// a[(i * (n + columns) + j) * small_lanes + l]; right-hand sides are columns to the right of the matrix.
template <class T>
inline constexpr int64_t small_lanes = 64 / static_cast<int64_t>(sizeof(T));

// The largest k of a product.
inline constexpr int64_t small_max_k = 256;
// Memory of the next product, prefetched during the current one: many small products wait longer for memory
// than they compute.
struct PrefetchRange {
  const char* at = nullptr;
  const char* end = nullptr;
};
struct PrefetchNext {
  PrefetchRange a, b, c;
};
// c = a b of m x k and k x n. Strides are in elements; rows of b and c are contiguous.
template <class T>
struct SmallProduct {
  int64_t m, n, k;
  const T* a;
  int64_t a_row, a_column;
  const T* b;
  int64_t b_row;
  T* c;
  int64_t c_row;
  PrefetchNext next;
};

// The largest extent in a stack of products.
inline constexpr int64_t small_max_stacked = 32;
// c[i] = a[i] b[i] of m x k and k x n for `count` products. Strides are in numbers of T, of which a complex
// element has two; rows of b and c are contiguous.
template <class T>
struct SmallStack {
  int64_t count, m, n, k;
  const T* a;
  int64_t a_next, a_row, a_column;
  const T* b;
  int64_t b_next, b_row;
  T* c;
  int64_t c_next, c_row;
};

template <class T>
struct SmallLoops {
  void (*multiply)(const SmallProduct<T>& p) = nullptr;
  void (*multiply_stack)(const SmallStack<T>& s) = nullptr;
  void (*multiply_complex_stack)(const SmallStack<T>& s) = nullptr;
  int64_t lanes = 0;  // lanes of a vector of T
  // Gaussian elimination with partial pivoting. With columns, solves a x = b: x overwrites b, and a is
  // destroyed. Without, leaves L below and U on and above the diagonal. pivots[k * lanes + l], counted from
  // 1, is the row exchanged with row k. info[l] is 0, or k + 1 if pivot k is the first that is 0; then system
  // l is not solved.
  void (*eliminate)(int64_t n, int64_t columns, T* a, int32_t* pivots, int32_t* info) = nullptr;
  TridiagonalLoops<T> tridiagonal, tridiagonal_complex;
};
struct SmallTable {
  SmallLoops<float> float32;
  SmallLoops<double> float64;
};
// The functions by which the files of a level fill the table, named after the files.
#define ARR_SMALL_FILLERS(LEVEL)           \
  namespace LEVEL {                        \
  void fill_small_solve(SmallTable& t);    \
  void fill_small_products(SmallTable& t); \
  void fill_small_stacks(SmallTable& t);   \
  void fill_tridiagonal(SmallTable& t);    \
  }

// The loops of the level in use, for float and double.
template <class T>
const SmallLoops<T>& small_loops();

}  // namespace arr::host
