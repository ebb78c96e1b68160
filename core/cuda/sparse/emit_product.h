// SPDX-License-Identifier: MIT
// The kernel of products of sparse matrices.
#pragma once

#include <string>

#include "array/dtype.h"
#include "backend/sparse_semiring.h"

namespace arr::cuda {

enum : int32_t {
  product_data,
  product_indices,
  product_pointers,
  product_x,
  product_y,
  product_rows,
  product_columns,
  product_words
};
// lanes: the number of threads for a row, a power of 2 up to 32.
std::string emit_sparse_product(SparseSemiring semiring, DType dtype, DType index_type, int32_t lanes);

}  // namespace arr::cuda
