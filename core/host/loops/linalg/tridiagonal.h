// SPDX-License-Identifier: MIT
// Tridiagonal systems of equations, one in each lane of vectors. Plain data, as in table.h.
#pragma once

#include <cstdint>

namespace arr::host {

// The most vectors of systems that are solved together. Several vectors hide each other's latencies, and
// longer parts of a row in memory are fetched faster than one vector of each row.
inline constexpr int64_t tridiagonal_vectors = 8;

// Rows of numbers, `step` of T apart: a number of one system; or `vectors` vectors of as many systems as
// there are lanes in each, in which complex numbers are a vector of real parts and one of imaginary parts.
template <class T>
struct TridiagonalRows {
  T* at = nullptr;
  int64_t step = 0;
};
// n equations: lower[i] x[i - 1] + diagonal[i] x[i] + upper[i] x[i + 1] = b[i]. The rows of `lower` begin
// with that of equation 1. x may be the memory of b.
template <class T>
struct TridiagonalSystems {
  int64_t n = 0, vectors = 1;
  TridiagonalRows<const T> lower, diagonal, upper, b;
  TridiagonalRows<T> x;
  // Contiguous rows: U's diagonals; and, of the factors of one matrix, the factor of each row that is
  // subtracted, and 1 in `swapped` if the row was exchanged with the next.
  T* pivots = nullptr;
  T* first = nullptr;
  T* second = nullptr;
  T* factors = nullptr;
  bool* swapped = nullptr;
};

template <class T>
struct TridiagonalLoops {
  // Gaussian elimination with partial pivoting, and substitution. Return true if a pivot is 0 in any lane,
  // whose result is then undefined. For one system, and for one in each lane.
  bool (*solve)(const TridiagonalSystems<T>& s) = nullptr;
  bool (*solve_lanes)(const TridiagonalSystems<T>& s) = nullptr;
  // The elimination of one matrix, which sets all the factors; and the solutions for one right-hand side in
  // each lane by these factors.
  bool (*factor)(const TridiagonalSystems<T>& s) = nullptr;
  void (*substitute_lanes)(const TridiagonalSystems<T>& s) = nullptr;
};

}  // namespace arr::host
