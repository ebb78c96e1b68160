// SPDX-License-Identifier: MIT
// Element-wise operations and reductions of sparse matrices.
#pragma once

#include "ops/sparse/sparse.h"

namespace arr {

// Throws unless the op takes nin operands.
void check_arity(const OpInfo& op, int32_t nin);
// op of each stored element. Fails unless op(0) is 0.
Ref<Sparse> sparse_unary(const OpInfo& op, const Sparse& a, Stream* stream);
// op of the elements of two matrices, where one of them has an element; of a product, where both have.
// Without zeros, in csr. Fails unless op(0, 0) is 0. Waits.
Ref<Sparse> sparse_binary(const OpInfo& op, const Sparse& a, const Sparse& b, Stream* stream);
// The same of canonical matrices in csr by the backend's call; null if it does not take the op or the types.
// both: where both have an element. wide: in int64 indices. Waits.
Ref<Sparse> combined(const OpInfo& op, const Sparse& a, const Sparse& b, bool both, bool wide,
                     Stream* stream);
// op of each stored element and a scalar, or for multiply and divide the element of an array that broadcasts
// to the matrix. Fails unless op(0, x) is 0 for a scalar x, or the result would not be sparse.
Ref<Sparse> sparse_with(const OpInfo& op, const Sparse& a, const Input& x, Stream* stream);

// axis 0: of each column, 1: of each row, axis_none: of all elements. dtype none: by the rules of the row.
// Elements that are not stored count.
Ref<Array> sparse_reduce(const ReductionInfo& r, const Sparse& given, int32_t axis, DType dtype,
                         Stream* stream);

}  // namespace arr
