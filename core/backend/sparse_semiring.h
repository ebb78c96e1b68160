// SPDX-License-Identifier: MIT
// The semirings that products of sparse matrices may have.
#pragma once

#include <cstdint>

namespace arr {

// reduction_op. `ordinary` is the product of linear algebra, without results of 0. Others are of float32,
// float64, int32 and int64, any_and of bool; a product with an array is `ordinary` instead of sum_multiply
// and any_and.
enum class SparseSemiring : int32_t {
  ordinary,
  sum_multiply,
  min_add,
  max_add,
  min_multiply,
  max_multiply,
  min_maximum,
  max_minimum,
  any_and,
  end
};

}  // namespace arr
