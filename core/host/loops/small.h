// SPDX-License-Identifier: MIT
// Equations so small that a call of LAPACK costs more than its work. Plain data, as in table.h.
#pragma once

#include <cstdint>

namespace arr::host {

inline constexpr int64_t small_order = 32, small_columns = 16;  // the largest that are taken
// Elements of 64 bytes; rows are padded to whole chunks.
template <class T>
inline constexpr int64_t small_chunk = 64 / static_cast<int64_t>(sizeof(T));
inline constexpr int64_t small_row = small_order + small_columns;

// Solves a x = b in place by elimination with partial pivoting. rows: n rows of small_row elements, a's
// columns from 0 on, b's from n rounded up to chunks on; what pads them is 0. x takes the place of b in the
// rows that order[i] names for unknown i. Gives 0, or i + 1 where the i-th pivot is 0.
struct SmallLoops {
  int32_t (*solve32)(int64_t n, int64_t columns, float* rows, int32_t* order) = nullptr;
  int32_t (*solve64)(int64_t n, int64_t columns, double* rows, int32_t* order) = nullptr;
};

// Of the level in use.
const SmallLoops& small_loops();

}  // namespace arr::host
