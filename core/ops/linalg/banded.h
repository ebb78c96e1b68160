// SPDX-License-Identifier: MIT
// Equations whose matrices are banded.
#pragma once

#include "ops/linalg/lapack_call.h"

namespace arr {

// Solves lower[i - 1] x[i - 1] + diagonal[i] x[i] + upper[i] x[i + 1] = b[i] along an axis of b. The operands
// broadcast; one of a single dimension is along that axis.
struct TridiagonalSystem {
  const Array& lower;
  const Array& diagonal;
  const Array& upper;
  const Array& b;
};
Ref<Array> solve_tridiagonal(const TridiagonalSystem& given, int32_t axis, OnFailure how, Stream* stream);

// Diagonals below and above the main one.
struct Band {
  int64_t below = 0, above = 0;
};
// Solves a x = b; element (i, j) of a is at [above + i - j, j] of ab.
Ref<Array> solve_banded(const Array& ab, const Array& b, const Band& band, OnFailure how, Stream* stream);
// The same for positive definite a, of which ab has the main diagonal and those below it, or above it.
Ref<Array> solveh_banded(const Array& ab, const Array& b, bool lower, OnFailure how, Stream* stream);

}  // namespace arr
