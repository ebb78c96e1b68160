// SPDX-License-Identifier: MIT
// The kernels of Schur forms, and of Sylvester's equations of their triangles.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// Words: the number of matrices, n, contiguous column-major stacks of the given matrices (overwritten by T)
// and of Q, info.
enum SchurWord : int32_t { schur_count, schur_n, schur_t, schur_q, schur_info, schur_words };
// Words: the number of equations, m, n, contiguous column-major stacks of a (m x m), b (n x n) and x (m x n).
enum SylvesterWord : int32_t {
  sylvester_count,
  sylvester_m,
  sylvester_n,
  sylvester_a,
  sylvester_b,
  sylvester_x,
  sylvester_words
};
inline constexpr int32_t schur_threads = 128;
std::string emit_schur(DType dtype);
std::string emit_sylvester(DType dtype);

}  // namespace arr::cuda
