// SPDX-License-Identifier: MIT
// Reductions of slices of one axis that begin and end anywhere, all in one call.
#pragma once

#include "backend.h"

namespace arr {

// out[.., i] = combine over j from bounds[2 i] to bounds[2 i + 1] - 1 of input[.., j], along the last of
// `ndim` dimensions; the others count through independent sequences. A segment has one element or more and
// begins with it, not with the identity: of one element alone the result is that element. Segments may
// overlap. The reduction is of kind VALUE and its finish does nothing. The output overlaps neither input nor
// bounds; extents may be 1, not 0.
struct SegmentsCall {
  const ReductionInfo* reduction = nullptr;
  DType acc = DType::none, out = DType::none;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;   // of the input
  Operand input;                    // memory, of dtype acc
  int64_t count = 0;                // of segments, one or more
  int64_t elements = 0;             // in all segments of a sequence
  const int64_t* bounds = nullptr;  // in the device's memory: of each segment its begin and end
  Operand output;                   // the last stride is from a segment to the next
};

}  // namespace arr
