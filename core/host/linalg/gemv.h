// SPDX-License-Identifier: MIT
// Products of a matrix and a vector by BLAS.
#pragma once

#include "array/dtype.h"
#include "host/linalg/matrix.h"

namespace arr::host {

// c = a b, where b and c have one column. Strides, also negative ones, are passed on. Returns false, with
// nothing computed, if BLAS does not accept these strides. The extents are not 0; the dtype is one of BLAS's
// four; must be called within a BlasUse.
bool gemv(DType type, const Matrix& a, const Matrix& b, const Matrix& c);

}  // namespace arr::host
