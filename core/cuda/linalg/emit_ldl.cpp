// SPDX-License-Identifier: MIT
// The lines before the kernel of ldl.cuh.
#include "cuda/linalg/emit_ldl.h"

#include "ldl_kernel.h"
#include "pivots_text.h"

namespace arr::cuda {

std::string emit_ldl(DType dtype) {
  return Prologue()
      .type("T", dtype)
      .type("R", real_type(dtype))
      .parameters(ldl_words, true)
      .constant("threads", ldl_threads)
      .constant("count_word", ldl_count)
      .constant("n_word", ldl_n)
      .constant("lower_word", ldl_lower)
      .constant("scratch_word", ldl_scratch)
      .constant("lu_word", ldl_lu)
      .constant("d_word", ldl_d)
      .constant("permutation_word", ldl_permutation)
      .constant("info_word", ldl_info)
      .constant("a_word", ldl_a)
      .constant("batches_word", ldl_batches)
      .constant("batch_word", ldl_batch)
      .with({{pivots_text, pivots_text_size}, {ldl_kernel, ldl_kernel_size}});
}

}  // namespace arr::cuda
