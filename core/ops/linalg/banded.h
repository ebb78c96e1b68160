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

}  // namespace arr
