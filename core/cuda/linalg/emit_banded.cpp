// SPDX-License-Identifier: MIT
// The lines before the kernel of banded.cuh.
#include "cuda/linalg/emit_banded.h"

#include "banded_kernel.h"
#include "pivots_text.h"

namespace arr::cuda {

std::string emit_banded(DType dtype, bool definite) {
  return Prologue()
      .type("T", dtype)
      .type("R", real_type(dtype))
      .parameters(banded_words, true)
      .flag("definite", definite)
      .constant("count_word", banded_count)
      .constant("n_word", banded_n)
      .constant("k_word", banded_k)
      .constant("below_word", banded_below)
      .constant("above_word", banded_above)
      .constant("lower_word", banded_lower)
      .constant("scratch_word", banded_scratch)
      .constant("x_word", banded_x)
      .constant("info_word", banded_info)
      .constant("a_word", banded_a)
      .constant("b_word", banded_b)
      .constant("batches_word", banded_batches)
      .constant("batch_word", banded_batch)
      .with({{pivots_text, pivots_text_size}, {banded_kernel, banded_kernel_size}});
}

}  // namespace arr::cuda
