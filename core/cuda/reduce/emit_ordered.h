// SPDX-License-Identifier: MIT
// Kernels that combine the elements of segments from left to right.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// The properties that a kernel of ordered reductions is specialised for, besides its program: a thread per
// result.
struct OrderedShape {
  int32_t dims = 1;
  bool first = false;  // as in SegmentShape
  bool wide = false;
  bool bounds = false, masked = false, initial = false, running = false;
};
// Words of every such kernel: those of segments, then the axis' extent, the mask with its step, bytes from a
// running result to the next, the initial value (two words).
inline constexpr int32_t ordered_length_word = 5, ordered_mask_word = 6, ordered_mask_step_word = 7,
                         ordered_along_word = 8, ordered_initial_word = 9;
Words ordered_words(const OrderedShape& s);
std::string emit_ordered(const Program& step, const OrderedShape& s);

}  // namespace arr::cuda
