// SPDX-License-Identifier: MIT
// The lines before the kernel of tridiagonal.cuh.
#include "cuda/linalg/emit_tridiagonal.h"

#include "pivots_text.h"
#include "tridiagonal_kernel.h"

namespace arr::cuda {

std::string emit_tridiagonal(DType dtype) {
  return Prologue()
      .type("T", dtype)
      .parameters(tridiagonal_words, true)
      .constant("vectors", tridiagonal_vectors)
      .constant("count_word", 0)
      .constant("n_word", 1)
      .constant("scratch_word", 2)
      .constant("address_word", tridiagonal_address)
      .constant("step_word", tridiagonal_step)
      .constant("batches_word", tridiagonal_batch - 1)
      .constant("batch_word", tridiagonal_batch)
      .with({{pivots_text, pivots_text_size}, {tridiagonal_kernel, tridiagonal_kernel_size}});
}

}  // namespace arr::cuda
