// SPDX-License-Identifier: MIT
// Products of a matrix and a vector by BLAS.
#pragma once

#include "array/dtype.h"
#include "host/linalg/matrix.h"

namespace arr::host {

// c = a b, where b and c have one column. Strided and negative vectors are passed as they are. Returns false,
// with nothing computed, if BLAS does not take these strides. The extents are not 0; the type is one of
// BLAS's four, within a BlasUse.
bool gemv(DType type, const Matrix& a, const Matrix& b, const Matrix& c);

}  // namespace arr::host
