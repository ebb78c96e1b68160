// SPDX-License-Identifier: MIT
// The lines before the kernel of product.cuh.
#include "cuda/sparse/emit_product.h"

#include "cuda/codegen/emit.h"
#include "sparse_product_kernel.h"

namespace arr::cuda {

namespace {

// Formulas of x and y: the sum of no terms, of two sums, and of a sum and a term.
struct Formulas {
  const char *none, *sum, *term;
};
Formulas formulas_of(SparseSemiring semiring, bool logical) {
  constexpr const char *least = "arr_smaller(x, y)", *largest = "arr_larger(x, y)",
                       *high = "arr_limits<A>::highest()", *low = "arr_limits<A>::lowest()",
                       *plus = "arr_cast<A>(x + y)", *times = "arr_cast<A>(arr_multiply(x, y))";
  switch (semiring) {
    case SparseSemiring::min_add:
      return {high, least, plus};
    case SparseSemiring::max_add:
      return {low, largest, plus};
    case SparseSemiring::min_multiply:
      return {high, least, times};
    case SparseSemiring::max_multiply:
      return {low, largest, times};
    case SparseSemiring::min_maximum:
      return {high, least, largest};
    case SparseSemiring::max_minimum:
      return {low, largest, least};
    default:
      return logical ? Formulas{"A(0)", "x || y", nullptr} : Formulas{"A(0)", plus, nullptr};
  }
}

}  // namespace

std::string emit_sparse_product(SparseSemiring semiring, DType dtype, DType index_type, int32_t lanes) {
  const bool logical = dtype == DType::bool_;
  const Formulas f = formulas_of(semiring, logical);
  const std::string join = f.term != nullptr ? text("arr_sum(sum, arr_term(x, y))")
                           : logical         ? text("sum || (x && y)")
                                             : text("arr_cast<A>(sum + arr_multiply(x, y))");
  const std::string term =
      f.term != nullptr ? text("ARR_FN A arr_term(A x, A y) { return ", f.term, "; }\n") : std::string();
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
      .text(text("ARR_FN A arr_none() { return ", f.none, "; }\n"))
      .text(text("ARR_FN A arr_sum(A x, A y) { return ", f.sum, "; }\n"))
      .text(term)
      .text(text("ARR_FN A arr_join(A sum, A x, A y) { return ", join, "; }\n"))
      .with({{sparse_product_kernel, sparse_product_kernel_size}});
}

}  // namespace arr::cuda
