// SPDX-License-Identifier: MIT
// Slices of one axis that begin and end anywhere, combined to one element each, all in one call.
#pragma once

#include "backend/reduce.h"

namespace arr {

// out[.., i] = combine over j from bounds[2 i] to bounds[2 i + 1] - 1 of input[.., j], along the last of
// `ndim` dimensions; the others count through independent sequences. A segment has one element or more and
// begins with it, not with the identity: of one element alone the result is that element. Segments may
// overlap. The reduction is of kind VALUE and its finish does nothing. The output overlaps neither input nor
// bounds; extents may be 1, not 0.
//
// With a step instead of a reduction the elements are combined from left to right, for operations whose order
// counts: so far = step(so far, element, and in the presence of a mask whether the element counts). Its one
// output has the type `acc` of its first two inputs, and `out` is that type too.
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
  // Only with a step. Without bounds there is one segment, the whole axis.
  const Program* step = nullptr;
  Operand mask;    // bool, memory where the step takes one
  Scalar initial;  // what comes before the first element; absent if its dtype is DType::none
  // No bounds; out has the combination so far at every element, and its last stride is from one to the next.
  bool running = false;
};

template <class Visitor>
void visit(Visitor& v, SegmentsCall& c) {
  v.name([&] {
    return text(c.reduction == nullptr ? describe(*c.step) : c.reduction->name, " of ", c.count, " segments");
  });
  v.shape(c.shape, c.ndim);
  for (Operand* o : {&c.input, &c.output, &c.mask}) v.numbers(o->strides, c.ndim);
  v.bytes([&] {
    int64_t sequences = 1;
    for (int32_t d = 0; d + 1 < c.ndim; ++d) sequences *= c.shape[d];
    return sequences * (c.elements * item_size(c.acc) + c.count * item_size(c.out)) +
           c.count * 2 * item_size(DType::int64_);
  });
}

}  // namespace arr
