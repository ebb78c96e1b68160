// SPDX-License-Identifier: MIT
// The kernel of tridiagonal systems.
#pragma once

#include <string>

#include "array/layout.h"
#include "cuda/codegen/emit.h"

namespace arr::cuda {

// Words: the number of systems, n, scratch for three numbers per equation; the addresses of lower, diagonal,
// upper, b, x and info; the steps of the first five; batch dimensions, and the extent and the six strides of
// each of these.
inline constexpr int32_t tridiagonal_vectors = 6, tridiagonal_address = 3, tridiagonal_step = 9,
                         tridiagonal_batch = 15,
                         tridiagonal_words = tridiagonal_batch + (tridiagonal_vectors + 1) * max_ndim;
std::string emit_tridiagonal(DType dtype);

}  // namespace arr::cuda
