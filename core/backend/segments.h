// SPDX-License-Identifier: MIT
// Reductions of arbitrary slices along one axis, all in one call.
#pragma once

#include "backend/reduce.h"

namespace arr {

// out[.., i] = combine over j from bounds[2 i] to bounds[2 i + 1] - 1 of input[.., j], along the last of
// `ndim` dimensions; the others enumerate independent sequences. A segment has at least one element and
// begins with it, not with the identity: the result of one element is that element. Segments may overlap. The
// reduction is of kind VALUE and has no finish. The output overlaps neither input nor bounds; extents may be
// 1, not 0.
//
// With a step instead of a reduction, elements are combined from left to right, for operations that depend on
// the order: so far = step(so far, element, and with a mask its element). The step's one output has the dtype
// `acc` of its first two inputs, and so does `out`.
struct SegmentsCall {
  const ReductionInfo* reduction = nullptr;
  DType acc = DType::none, out = DType::none;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;   // shape of the input
  Operand input;                    // memory, of dtype acc
  int64_t count = 0;                // number of segments, at least one
  int64_t elements = 0;             // total number of elements in the segments of a sequence
  const int64_t* bounds = nullptr;  // in device memory: begin and end of each segment
  Operand output;                   // the last stride is between segments
  // Only with a step. Without bounds there is one segment, the whole axis.
  const Program* step = nullptr;
  Operand mask;    // bool, memory where the step takes one
  Scalar initial;  // combined before the first element; DType::none if there is none
  // Without bounds: out has the running result for every element, and its last stride is between elements.
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
