// SPDX-License-Identifier: MIT
// The lines before the kernel of incomplete.cuh.
#include "cuda/sparse/emit_incomplete.h"

#include "cuda/codegen/emit.h"
#include "sparse_incomplete_kernel.h"

namespace arr::cuda {

std::string emit_incomplete(DType dtype, DType index_type, bool cholesky) {
  return Prologue()
      .type("T", dtype)
      .type("R", real_type(dtype))
      .type("I", index_type)
      .parameters(incomplete_words, true)
      .constant("block_rows", static_cast<int32_t>(incomplete_block_rows))
      .constant("cholesky", cholesky ? 1 : 0)
      .constant("pointers_word", incomplete_pointers)
      .constant("indices_word", incomplete_indices)
      .constant("data_word", incomplete_data)
      .constant("diagonal_word", incomplete_diagonal)
      .constant("now_word", incomplete_now)
      .constant("next_word", incomplete_next)
      .constant("state_word", incomplete_state)
      .constant("n_word", incomplete_n)
      .constant("round_word", incomplete_round)
      .with({{sparse_incomplete_kernel, sparse_incomplete_kernel_size}});
}

}  // namespace arr::cuda
