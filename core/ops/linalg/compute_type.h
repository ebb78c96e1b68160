// SPDX-License-Identifier: MIT
// The type in which cuBLAS computes products of matrices: one choice of the process for each dtype.
#pragma once

#include "backend/matmul.h"

namespace arr {

// For any dtype; standard for those that cuBLAS does not multiply.
MatmulCompute matmul_compute(DType d);

// ARR_E_DTYPE for a dtype that cuBLAS does not multiply.
MatmulCompute matmul_compute_of(DType d);
// `number`: ARR_COMPUTE_...; ARR_E_ARGUMENT where it does not go with the dtype.
void set_matmul_compute(DType d, int32_t number);

}  // namespace arr
