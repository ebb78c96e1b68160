// SPDX-License-Identifier: MIT
// The lines before the kernel of ordered.cuh.
#include "cuda/reduce/emit_ordered.h"

#include "cuda/reduce/emit_segments.h"
#include "ordered_kernel.h"

namespace arr::cuda {

Words ordered_words(const OrderedShape& s) {
  Words w;
  w.extent = ordered_initial_word + 2;
  w.output = w.extent + 2 * s.dims;
  w.stride = {w.output + s.dims, w.output + 2 * s.dims};
  w.pointer = {segment_input_word, ordered_mask_word};
  w.count = w.stride[1] + s.dims;
  return w;
}

std::string emit_ordered(const Program& step, const OrderedShape& s) {
  const Words w = ordered_words(s);
  return Prologue()
      .text(emit_program(step))
      .parameters(w.count, s.wide)
      .type("T", step.inputs[0])
      .flag("has_bounds", s.bounds)
      .flag("masked", s.masked)
      .flag("initial", s.initial)
      .flag("running", s.running)
      .constant("dims", s.dims)
      .constant("segment_dim", s.first ? 0 : s.dims - 1)
      .constant("extent_word", w.extent)
      .constant("input_word", segment_input_word)
      .constant("input_stride_word", w.stride[0])
      .constant("output_word", segment_output_word)
      .constant("output_stride_word", w.output)
      .constant("bounds_word", segment_bounds_word)
      .constant("step_word", segment_step_word)
      .constant("length_word", ordered_length_word)
      .constant("mask_word", ordered_mask_word)
      .constant("mask_stride_word", w.stride[1])
      .constant("mask_step_word", ordered_mask_step_word)
      .constant("along_word", ordered_along_word)
      .constant("initial_word", ordered_initial_word)
      .with({{ordered_kernel, ordered_kernel_size}});
}

}  // namespace arr::cuda
