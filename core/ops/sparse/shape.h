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
// The index of the least or the largest element of each column (axis 0), of each row (1), or in row-major
// order of all (axis_none): the first one of equals, of nan if there is one. Elements that are not stored
// count. Waits.
Ref<Array> sparse_extreme_index(bool largest, const Sparse& given, int32_t axis, Stream* stream);

}  // namespace arr
