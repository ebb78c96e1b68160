// SPDX-License-Identifier: MIT
// The kernel of matrix products.
#pragma once

#include <string>

#include "array/layout.h"
#include "cuda/codegen/emit.h"

namespace arr::cuda {

// c = a @ b for any strides; 16-bit floats accumulate in float32. Words: m, n, k, batches, a, b, c, their
// row and column strides, batch dimensions, and the extent and the three strides of each of these.
std::string emit_matmul(DType dtype);
inline constexpr int32_t matmul_tile = 64, matmul_words = 14 + 4 * max_ndim;

}  // namespace arr::cuda
