// SPDX-License-Identifier: MIT
// A stream's handles of cuBLAS, cuSOLVER and cuSPARSE, each created on first use.
#pragma once

#include "cuda/device/device.h"

namespace arr::cuda {

// The caller holds the stream's lock: one thread at a time may use a handle.
cublasHandle_t blas_handle(Stream& s);
Solver solver_handle(Stream& s);
cusparseHandle_t sparse_handle(Stream& s);

}  // namespace arr::cuda
