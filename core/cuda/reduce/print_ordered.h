// SPDX-License-Identifier: MIT
// Kernels that combine segments from left to right.
#pragma once

#include "cuda/codegen/print.h"

namespace arr::cuda {

// What a kernel that combines segments from left to right is specialised for, beside its program: a thread
// per result.
struct FoldShape {
  int32_t dims = 1;
  bool first = false;  // as of SegmentShape
  bool wide = false;
  bool bounds = false, masked = false, initial = false, running = false;
};
// Words of every such kernel: those of segments, then the axis' extent, the mask with its step, bytes from a
// running result to the next, the initial value (two words).
inline constexpr int32_t fold_length_word = 5, fold_mask_word = 6, fold_mask_step_word = 7,
                         fold_along_word = 8, fold_initial_word = 9;
Words fold_words(const FoldShape& s);
std::string print_fold(const Program& step, const FoldShape& s);

}  // namespace arr::cuda
