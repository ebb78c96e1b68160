// SPDX-License-Identifier: MIT
// The lines before the scan kernel of scan.cuh.
#include "cuda/reduce/emit_scan.h"

#include <algorithm>

#include "cuda/codegen/look_back.h"
#include "scan_kernel.h"

namespace arr::cuda {

Words scan_words(const ScanShape& s) {
  Words w;
  w.extent = scan_part_word + 1;
  w.output = w.extent + 2 * s.kept;
  w.count = w.output + s.kept + 1;
  w.add_operands(s.access, s.kept + 1);
  return w;
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
      .text(emit_look_back(scan_carry_word))
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
      .constant("part_word", scan_part_word)
      .with({{scan_kernel, scan_kernel_size}});
}

}  // namespace arr::cuda
