// SPDX-License-Identifier: MIT
// Products of sparse matrices.
#pragma once

#include "ops/sparse/sparse.h"

namespace arr {

// a @ x for a vector, or a matrix of which every column is multiplied. Results are dense, in C order.
Ref<Array> matmul(const Sparse& a, const Array& x, Stream* stream);
// x @ a.
Ref<Array> matmul(const Array& x, const Sparse& a, Stream* stream);
// a @ b in csr, without elements whose sum is 0. Waits.
Ref<Sparse> matmul(const Sparse& a, const Sparse& b, Stream* stream);

}  // namespace arr
