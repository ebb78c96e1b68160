// SPDX-License-Identifier: MIT
// Kernels that reduce segments.
#pragma once

#include <string>

#include "cuda/codegen/emit.h"

namespace arr::cuda {

// The properties that a kernel of segments is specialised for, besides reduction and types. `dims` dimensions
// count through the results; the first or the last of them counts segments.
struct SegmentShape {
  int32_t dims = 1;
  bool first =
      false;          // the first dimension counts segments: neighbouring threads have neighbouring sequences
  int32_t lanes = 1;  // threads per result, a power of 2 up to 256
  bool wide = false;  // 64-bit indices and offsets, of results and sequences
};
// Words of every kernel of segments: results, input, output, bounds, bytes from an element to the next.
inline constexpr int32_t segment_input_word = 1, segment_output_word = 2, segment_bounds_word = 3,
                         segment_step_word = 4;
Words segment_words(const SegmentShape& s);
std::string emit_segments(const ReductionInfo& r, DType acc, DType out, const SegmentShape& s);

}  // namespace arr::cuda
