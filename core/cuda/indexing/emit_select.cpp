// SPDX-License-Identifier: MIT
// The lines before the kernels of mark.cuh, select.cuh and expand.cuh.
#include "cuda/indexing/emit_select.h"

#include "backend/indexing.h"
#include "cuda/codegen/look_back.h"
#include "expand_kernel.h"
#include "mark_kernel.h"
#include "marks_text.h"
#include "select_kernel.h"

namespace arr::cuda {

namespace {

constexpr int32_t max_values = Program::max_outputs;

// The words that all kernels have, and those of the shape.
void add_marks(Prologue* p, int32_t dims, const Words& w) {
  p->constant("dims", dims)
      .constant("extent_word", w.extent)
      .constant("size_word", marks_size_word)
      .constant("bits_word", marks_bits_word)
      .constant("before_word", marks_before_word)
      .constant("tile_words", marks_tile / 32);
}

}  // namespace

Words mark_words(const MarkShape& s) {
  Words w;
  w.extent = mark_carry_word + 1;
  w.count = w.extent + 2 * s.dims;
  w.add_operands(s.access, s.dims);
  return w;
}

std::string emit_mark(const Program& map, const MarkShape& s) {
  static_assert(marks_tile % block_threads == 0 && marks_tile / block_threads == 16, "a thread has 16 bits");
  const Words w = mark_words(s);
  Prologue p;
  p.text(emit_program(map)).parameters(w.count, s.wide).operands(map, s.access, w);
  add_marks(&p, s.dims, w);
  return p.text("typedef long long A;\nARR_FN A arr_join(A a, A b) { return a + b; }\n")
      .text(emit_look_back(mark_carry_word))
      .constant("tiles_word", mark_tiles_word)
      .constant("each", marks_tile / block_threads)
      .constant("vector", s.vector)
      .with({{mark_kernel, mark_kernel_size}});
}

int32_t select_space_word(const SelectShape& s) { return select_values_word + max_values + 2 * s.dims; }

Words select_words(const SelectShape& s) {
  Words w;
  w.extent = select_values_word + max_values;
  w.output = select_space_word(s) + 3 * s.nspace;
  w.count = w.output + s.dims;
  w.add_operands(s.access, s.dims);
  return w;
}

std::string emit_select(const Program& map, const SelectShape& s) {
  const Words w = select_words(s);
  Prologue p;
  p.text(emit_program(map)).parameters(w.count, s.wide).operands(map, s.access, w);
  add_marks(&p, s.dims, w);
  return p.constant("nspace", s.nspace)
      .constant("row_unit", s.row_unit)
      .constant("input_count", static_cast<int64_t>(map.inputs.size()))
      .constant("capacity_word", select_capacity_word)
      .constant("place_step_word", select_place_step_word)
      .constant("row_to_word", select_row_to_word)
      .constant("rows_word", select_rows_word)
      .constant("row_units_word", select_row_units_word)
      .constant("values_word", select_values_word)
      .constant("space_word", select_space_word(s))
      .constant("places_word", select_space_word(s) + 2 * s.nspace)
      .constant("row_stride_word", w.output)
      .with({{marks_text, marks_text_size}, {select_kernel, select_kernel_size}});
}

Words expand_words(const ExpandShape& s) {
  Words w;
  w.extent = expand_nvalues_word + 1;
  w.output = w.extent + 2 * s.dims;
  w.count = w.output + s.dims;
  return w;
}

std::string emit_expand(const ExpandShape& s) {
  const Words w = expand_words(s);
  Prologue p;
  p.parameters(w.count, s.wide);
  add_marks(&p, s.dims, w);
  return p.text(text("typedef arr_pack<unsigned char, ", s.item, "> T;\n"))
      .constant("target_word", expand_target_word)
      .constant("from_word", expand_from_word)
      .constant("nvalues_word", expand_nvalues_word)
      .constant("target_stride_word", w.output)
      .with({{marks_text, marks_text_size}, {expand_kernel, expand_kernel_size}});
}

}  // namespace arr::cuda
