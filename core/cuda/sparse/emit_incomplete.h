// SPDX-License-Identifier: MIT
// The kernel of incomplete factors.
#pragma once

#include <string>

#include "array/dtype.h"

namespace arr::cuda {

inline constexpr int64_t incomplete_block_rows = 64;
enum : int32_t {
  incomplete_pointers,
  incomplete_indices,
  incomplete_data,
  incomplete_diagonal,
  incomplete_now,
  incomplete_next,
  incomplete_state,  // the last round that did not come to an end; n - row for the first row without a pivot
  incomplete_n,
  incomplete_round,  // from 1 on
  incomplete_words
};
std::string emit_incomplete(DType dtype, DType index_type, bool cholesky);

}  // namespace arr::cuda
