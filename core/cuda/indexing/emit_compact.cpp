// SPDX-License-Identifier: MIT
// The lines before the kernels of pack_mask.cuh, compact.cuh and masked_scatter.cuh.
#include "cuda/indexing/emit_compact.h"

#include "backend/indexing.h"
#include "compact_kernel.h"
#include "cuda/codegen/look_back.h"
#include "mask_bits_text.h"
#include "masked_scatter_kernel.h"
#include "pack_mask_kernel.h"

namespace arr::cuda {

namespace {

constexpr int32_t max_values = Program::max_outputs;

// The words that all kernels have, and those of the shape.
void add_mask_bits(Prologue* p, int32_t dims, const Words& w) {
  p->constant("dims", dims)
      .constant("extent_word", w.extent)
      .constant("size_word", mask_size_word)
      .constant("bits_word", mask_bits_word)
      .constant("before_word", mask_before_word)
      .constant("tile_words", compact_tile / 32);
}

}  // namespace

Words pack_mask_words(const PackMaskShape& s) {
  Words w;
  w.extent = pack_carry_word + 1;
  w.count = w.extent + 2 * s.dims;
  w.add_operands(s.access, s.dims);
  return w;
}

std::string emit_pack_mask(const Program& map, const PackMaskShape& s) {
  static_assert(compact_tile % block_threads == 0 && compact_tile / block_threads == 16,
                "a thread has 16 bits");
  const Words w = pack_mask_words(s);
  Prologue p;
  p.text(emit_program(map)).parameters(w.count, s.wide).operands(map, s.access, w);
  add_mask_bits(&p, s.dims, w);
  return p.text("typedef long long A;\nARR_FN A arr_join(A a, A b) { return a + b; }\n")
      .text(emit_look_back(pack_carry_word))
      .constant("tiles_word", pack_tiles_word)
      .constant("each", compact_tile / block_threads)
      .constant("vector", s.vector)
      .with({{pack_mask_kernel, pack_mask_kernel_size}});
}

int32_t compact_space_word(const CompactShape& s) { return compact_values_word + max_values + 2 * s.dims; }

Words compact_words(const CompactShape& s) {
  Words w;
  w.extent = compact_values_word + max_values;
  w.output = compact_space_word(s) + 3 * s.nspace;
  w.count = w.output + s.dims;
  w.add_operands(s.access, s.dims);
  return w;
}

std::string emit_compact(const Program& map, const CompactShape& s) {
  const Words w = compact_words(s);
  Prologue p;
  p.text(emit_program(map)).parameters(w.count, s.wide).operands(map, s.access, w);
  add_mask_bits(&p, s.dims, w);
  return p.constant("nspace", s.nspace)
      .constant("row_unit", s.row_unit)
      .constant("input_count", static_cast<int64_t>(map.inputs.size()))
      .constant("capacity_word", compact_capacity_word)
      .constant("index_step_word", compact_index_step_word)
      .constant("row_to_word", compact_row_to_word)
      .constant("rows_word", compact_rows_word)
      .constant("row_units_word", compact_row_units_word)
      .constant("values_word", compact_values_word)
      .constant("space_word", compact_space_word(s))
      .constant("indices_word", compact_space_word(s) + 2 * s.nspace)
      .constant("row_stride_word", w.output)
      .with({{mask_bits_text, mask_bits_text_size}, {compact_kernel, compact_kernel_size}});
}

Words masked_scatter_words(const MaskedScatterShape& s) {
  Words w;
  w.extent = scatter_nvalues_word + 1;
  w.output = w.extent + 2 * s.dims;
  w.count = w.output + s.dims;
  return w;
}

std::string emit_masked_scatter(const MaskedScatterShape& s) {
  const Words w = masked_scatter_words(s);
  Prologue p;
  p.parameters(w.count, s.wide);
  add_mask_bits(&p, s.dims, w);
  return p.text(text("typedef arr_pack<unsigned char, ", s.item, "> T;\n"))
      .constant("target_word", scatter_target_word)
      .constant("from_word", scatter_from_word)
      .constant("nvalues_word", scatter_nvalues_word)
      .constant("target_stride_word", w.output)
      .with({{mask_bits_text, mask_bits_text_size}, {masked_scatter_kernel, masked_scatter_kernel_size}});
}

}  // namespace arr::cuda
