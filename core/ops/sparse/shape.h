// SPDX-License-Identifier: MIT
// Diagonals, triangles and other shapes of sparse matrices.
#pragma once

#include "ops/sparse/sparse.h"

namespace arr {

Ref<Array> sparse_diagonal(const Sparse& a, int64_t k, Stream* stream);
// With values on a diagonal: one for all its elements, or a vector for the first of them; see
// arr_sparse_with_diagonal.
Ref<Sparse> with_diagonal(const Sparse& a, const Input& values, int64_t k, Stream* stream);
// The elements on a diagonal and below it, or above it.
Ref<Sparse> sparse_triangle(const Sparse& a, int64_t k, bool lower, Stream* stream);
// The elements in row-major order in another shape, in which one extent may be -1.
Ref<Sparse> sparse_reshape(const Sparse& a, const Extents& given, Stream* stream);
}  // namespace arr
