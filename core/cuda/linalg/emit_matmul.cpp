// SPDX-License-Identifier: MIT
// The lines before the kernel of matmul.cuh.
#include "cuda/linalg/emit_matmul.h"

#include "matmul_kernel.h"

namespace arr::cuda {

std::string emit_matmul(DType dtype) {
  const char* join = dtype == DType::bool_ ? "sum || (x && y)" : "arr_cast<A>(sum + arr_multiply(x, y))";
  return Prologue()
      .type("T", dtype)
      .type("A", compute_type(dtype))
      .text(text("struct arr_params { unsigned long long w[", matmul_words, "]; };\n"))
      .text(text("ARR_FN A arr_join(A sum, A x, A y) { return ", join, "; }\n"))
      .with({{matmul_kernel, matmul_kernel_size}});
}

}  // namespace arr::cuda
