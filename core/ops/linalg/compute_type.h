// SPDX-License-Identifier: MIT
// The compute type of cuBLAS for matrix products: one setting per dtype for the process.
#pragma once

#include "backend/matmul.h"

namespace arr {

// For any dtype; standard for those that cuBLAS does not multiply.
MatmulCompute matmul_compute(DType d);

// ARR_E_DTYPE for a dtype that cuBLAS does not multiply.
MatmulCompute matmul_compute_of(DType d);
// `number`: ARR_COMPUTE_...; ARR_E_ARGUMENT if it does not fit the dtype.
void set_matmul_compute(DType d, int32_t number);

}  // namespace arr
