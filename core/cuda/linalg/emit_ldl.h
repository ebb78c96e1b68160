// SPDX-License-Identifier: MIT
// The kernel of L D L' factors.
#pragma once

#include <string>

#include "array/layout.h"
#include "cuda/codegen/emit.h"

namespace arr::cuda {

// Words: the number of matrices, n, 1 for lower triangles, scratch (per block n (n + 2) elements; then, from
// a multiple of 8 bytes on, 3 n integers of 8 bytes per block), L, D, permutations, info; a's address and two
// strides; batch dimensions, and the extent and the stride of each of these.
enum LdlWord : int32_t {
  ldl_count,
  ldl_n,
  ldl_lower,
  ldl_scratch,
  ldl_lu,
  ldl_d,
  ldl_permutation,
  ldl_info,
  ldl_a,
  ldl_batches = ldl_a + 3,
  ldl_batch,
  ldl_words = ldl_batch + 2 * max_ndim
};
inline constexpr int32_t ldl_threads = 128;
std::string emit_ldl(DType dtype);

}  // namespace arr::cuda
