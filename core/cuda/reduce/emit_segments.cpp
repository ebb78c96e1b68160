// SPDX-License-Identifier: MIT
// The lines before the kernel of segments.cuh.
#include "cuda/reduce/emit_segments.h"

#include "segments_kernel.h"

namespace arr::cuda {

Words segment_words(const SegmentShape& s) {
  Words w;
  w.extent = segment_step_word + 1;
  w.output = w.extent + 2 * s.dims;
  w.stride = {w.output + s.dims};
  w.pointer = {segment_input_word};
  w.count = w.stride[0] + s.dims;
  return w;
}

std::string emit_segments(const ReductionInfo& r, DType acc, DType out, const SegmentShape& s) {
  const Words w = segment_words(s);
  return Prologue()
      .parameters(w.count, s.wide)
      .type("A", acc)
      .type("O", out)
      .text(text("ARR_FN A arr_join(A a, A b) { return ", r.combine, "; }\n"))
      .constant("dims", s.dims)
      .constant("segment_dim", s.first ? 0 : s.dims - 1)
      .constant("lanes", s.lanes)
      .constant("extent_word", w.extent)
      .constant("input_word", segment_input_word)
      .constant("input_stride_word", w.stride[0])
      .constant("output_word", segment_output_word)
      .constant("output_stride_word", w.output)
      .constant("bounds_word", segment_bounds_word)
      .constant("step_word", segment_step_word)
      .with({{segments_kernel, segments_kernel_size}});
}

}  // namespace arr::cuda
