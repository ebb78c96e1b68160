// SPDX-License-Identifier: MIT
// The lines before the scan kernel of scan.cuh.
#include "cuda/reduce/emit_scan.h"

#include <algorithm>

#include "base/checked.h"
#include "scan_kernel.h"

namespace arr::cuda {

namespace {

// Bytes before the tiles' results: the number of the next tile.
constexpr int64_t status_head = 16;
int64_t slots_of(int64_t tiles) { return tiles + (tiles >> 5) + (tiles >> 10); }

}  // namespace

Words scan_words(const ScanShape& s) {
  Words w;
  w.extent = scan_part_word + 1;
  w.output = w.extent + 2 * s.kept;
  w.count = w.output + s.kept + 1;
  w.add_operands(s.access, s.kept + 1);
  return w;
}

ScanStatus scan_status(DType acc, int64_t sequences, int64_t tiles) {
  const int64_t slots = checked::mul(sequences, slots_of(tiles), "the tiles of a scan"),
                item = item_size(acc);
  if (item <= 4) return {status_head + slots * 8, status_head + slots * 8};
  const int64_t flags = status_head + (slots * 4 + 15) / 16 * 16;
  return {flags + slots * item, flags};
}

std::string emit_scan(const ReductionInfo& r, const Program& map, DType acc, DType out, const ScanShape& s) {
  const Words w = scan_words(s);
  const bool packed_input = std::find(s.access.begin(), s.access.end(), Access::contiguous) != s.access.end();
  return Prologue()
      .text(emit_program(map))
      .parameters(w.count, s.wide)
      .operands(map, s.access, w)
      .type("A", acc)
      .type("O", out)
      .text(text("ARR_FN A arr_join(A a, A b) { return ", r.combine, "; }\n"))
      .flag("by_columns", s.kind == ScanShape::columns)
      .flag("split", s.split)
      .flag("packed_input", packed_input)
      .flag("packed_output", s.packed)
      .constant("kept", s.kept)
      .constant("lanes", s.lanes)
      .constant("vector", s.vector)
      .constant("each", s.each)
      .constant("extent_word", w.extent)
      .constant("output_word", scan_output_word)
      .constant("output_stride_word", w.output)
      .constant("carry_word", scan_carry_word)
      .constant("part_word", scan_part_word)
      .constant("status_head", status_head)
      .with({{scan_kernel, scan_kernel_size}});
}

}  // namespace arr::cuda
