// SPDX-License-Identifier: MIT
// The lines before the kernel of product.cuh.
#include "cuda/sparse/emit_product.h"

#include "cuda/codegen/emit.h"
#include "sparse_product_kernel.h"

namespace arr::cuda {

std::string emit_sparse_product(DType dtype, DType index_type, int32_t lanes) {
  const bool logical = dtype == DType::bool_;
  const char* join = logical ? "sum || (x && y)" : "arr_cast<A>(sum + arr_multiply(x, y))";
  const char* sum = logical ? "x || y" : "arr_cast<A>(x + y)";
  return Prologue()
      .type("T", dtype)
      .type("A", compute_type(dtype))
      .type("I", index_type)
      .parameters(product_words, true)
      .constant("lanes", lanes)
      .constant("data_word", product_data)
      .constant("indices_word", product_indices)
      .constant("pointers_word", product_pointers)
      .constant("x_word", product_x)
      .constant("y_word", product_y)
      .constant("rows_word", product_rows)
      .constant("columns_word", product_columns)
      .text(text("ARR_FN A arr_join(A sum, A x, A y) { return ", join, "; }\n"))
      .text(text("ARR_FN A arr_sum(A x, A y) { return ", sum, "; }\n"))
      .with({{sparse_product_kernel, sparse_product_kernel_size}});
}

}  // namespace arr::cuda
