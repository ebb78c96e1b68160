// SPDX-License-Identifier: MIT
// Norms of sparse matrices.
#pragma once

#include "ops/linalg/products.h"
#include "ops/sparse/sparse.h"

namespace arr {

// The norm of a matrix, or of each of its rows (axis 1) or columns (axis 0).
Ref<Array> sparse_norm(const Sparse& a, NormKind kind, double ord, int32_t axis, Stream* stream);

}  // namespace arr
