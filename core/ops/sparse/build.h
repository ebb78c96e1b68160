// SPDX-License-Identifier: MIT
// Makes sparse matrices of patterns.
#pragma once

#include <span>

#include "ops/random/generator.h"
#include "ops/sparse/sparse.h"

namespace arr {

// Ones on a diagonal, in csr.
Ref<Sparse> sparse_eye(const Extents& extents, int64_t k, DType dtype, Device device, Stream* stream);
// Diagonals, in csr; see arr_sparse_diags.
Ref<Sparse> sparse_diags(const Extents& extents, std::span<const Array* const> diagonals,
                         std::span<const int64_t> offsets, Stream* stream);
// Canonical, with that share of all elements, at random indices.
Ref<Sparse> sparse_random(Generator& g, const Extents& extents, double density, SparseFormat format,
                          DType dtype, Device device, Stream* stream);

// The number of elements of a diagonal, and their rows or columns (axis 1) as int64.
int64_t diagonal_length(const Extents& e, int64_t k);
Ref<Array> along_diagonal(int32_t axis, int64_t k, int64_t n, Device device, Stream* stream);

}  // namespace arr
