// SPDX-License-Identifier: MIT
// Joins sparse matrices, and makes matrices of products of their elements.
#pragma once

#include <span>

#include "ops/sparse/sparse.h"

namespace arr {

using SparseList = std::span<const Sparse* const>;

// Matrices below each other (axis 0) or beside each other (1), in the type to which all promote. Waits.
Ref<Sparse> concatenate(SparseList parts, int32_t axis, SparseFormat format, Stream* stream);
// A matrix of blocks, `columns` of them in each row; nullptr: zeros. Each row and each column has a block.
Ref<Sparse> sparse_block(SparseList blocks, int64_t columns, SparseFormat format, Stream* stream);
// Matrices along the diagonal.
Ref<Sparse> block_diagonal(SparseList parts, SparseFormat format, Stream* stream);
// Each element of a times b.
Ref<Sparse> kron(const Sparse& a, const Sparse& b, SparseFormat format, Stream* stream);
// kron(I, a) + kron(b, I) of square matrices.
Ref<Sparse> kronsum(const Sparse& a, const Sparse& b, SparseFormat format, Stream* stream);
// The product of n matrices a, by squares.
Ref<Sparse> matrix_power(const Sparse& a, int64_t n, Stream* stream);

}  // namespace arr
