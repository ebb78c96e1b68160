// SPDX-License-Identifier: MIT
// The lines before the scatter kernel of scatter.cuh.
#include "cuda/indexing/emit_scatter.h"
#include "expr/op_numbers.h"

#include "scatter_kernel.h"
#include "scatter_locked.h"
#include "scatter_program.h"
#include "scatter_swap.h"

namespace arr::cuda {

namespace {

// The atomic operation that the device has for the update, or "swap".
const char* atomic_of(const Program& combine) {
  const int32_t op = only_op(combine);
  const DType d = combine.inputs[0];
  const bool whole = (kind(d) == DKind::INT || kind(d) == DKind::UINT) && item_size(d) >= 4;
  if (op == op::add || op == op::subtract) {
    const bool adds = whole || d == DType::float32_ || d == DType::float64_ || d == DType::complex128_;
    return !adds ? "swap" : op == op::add ? "add" : "subtract";
  }
  if (!whole) return "swap";
  if (op == op::bitwise_and) return "bitwise_and";
  if (op == op::bitwise_or) return "bitwise_or";
  if (op == op::bitwise_xor) return "bitwise_xor";
  if (op == op::minimum || op == op::fmin) return "minimum";
  if (op == op::maximum || op == op::fmax) return "maximum";
  return "swap";
}

}  // namespace

Words scatter_words(const ScatterShape& s) {
  Words w;
  w.extent = scatter_target_word + 1;
  w.output = w.extent + 2 * s.dims;
  w.count = w.output + s.dims;
  w.add_operands(s.access, s.dims);
  return w;
}

std::string emit_scatter(const Program& map, const Program& combine, const ScatterShape& s) {
  const Words w = scatter_words(s);
  const DType element = combine.inputs[0];
  const std::string atomic = atomic_of(combine);
  const std::string_view program(scatter_program, scatter_program_size),
      swap(scatter_swap, scatter_swap_size), locked(scatter_locked, scatter_locked_size),
      kernel(scatter_kernel, scatter_kernel_size);
  return Prologue()
      .text(emit_program(map))
      .text("namespace arr_combine {\n" + emit_program(combine) + "}\n")
      .parameters(w.count, s.wide)
      .operands(map, s.access, w)
      .type("T", element)
      .text(item_size(element) <= 4 ? "typedef unsigned W;\n" : "typedef unsigned long long W;\n")
      .constant("dims", s.dims)
      .constant("extent_word", w.extent)
      .constant("target_word", scatter_target_word)
      .constant("target_stride_word", w.output)
      .text(program)
      .text(text("constexpr arr_update update = arr_update::", atomic, ";\n"))
      .with({item_size(element) > 8 && atomic == "swap" ? locked : swap, kernel});
}

}  // namespace arr::cuda
