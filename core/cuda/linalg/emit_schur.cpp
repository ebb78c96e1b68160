// SPDX-License-Identifier: MIT
// The lines before the kernels of schur.cuh and sylvester.cuh.
#include "cuda/linalg/emit_schur.h"

#include "pivots_text.h"
#include "schur_kernel.h"
#include "sylvester_kernel.h"

namespace arr::cuda {

std::string emit_schur(DType dtype) {
  return Prologue()
      .type("T", dtype)
      .type("R", real_type(dtype))
      .parameters(schur_words, true)
      .constant("threads", schur_threads)
      .constant("count_word", schur_count)
      .constant("n_word", schur_n)
      .constant("t_word", schur_t)
      .constant("q_word", schur_q)
      .constant("info_word", schur_info)
      .with({{pivots_text, pivots_text_size}, {schur_kernel, schur_kernel_size}});
}

std::string emit_sylvester(DType dtype) {
  return Prologue()
      .type("T", dtype)
      .parameters(sylvester_words, true)
      .constant("threads", schur_threads)
      .constant("count_word", sylvester_count)
      .constant("m_word", sylvester_m)
      .constant("n_word", sylvester_n)
      .constant("a_word", sylvester_a)
      .constant("b_word", sylvester_b)
      .constant("x_word", sylvester_x)
      .with({{sylvester_kernel, sylvester_kernel_size}});
}

}  // namespace arr::cuda
