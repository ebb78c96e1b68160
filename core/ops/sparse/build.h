// SPDX-License-Identifier: MIT
// Makes sparse matrices of patterns.
#pragma once

#include <span>

#include "ops/sparse/sparse.h"

namespace arr {

// Ones on a diagonal, in csr.
Ref<Sparse> sparse_eye(const Extents& extents, int64_t k, DType dtype, Device device, Stream* stream);
// Diagonals, in csr; see arr_sparse_diags.
Ref<Sparse> sparse_diags(const Extents& extents, std::span<const Array* const> diagonals,
                         std::span<const int64_t> offsets, Stream* stream);

}  // namespace arr
