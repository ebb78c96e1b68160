// SPDX-License-Identifier: MIT
// The methods of operations that no reduction of the table combines by: from left to right along one axis, as
// NumPy has it for subtract, divide, power and the like.
#pragma once

#include "backend/segments.h"
#include "ops/reduce/reduce.h"

namespace arr {

// Fills in a call's space and operands and enqueues it. in: elements of dtype c.acc; out: the results, of as
// many dimensions; bounds: of the segments, or none; mask: of bool, broadcasts to in, or none.
void enqueue_segments(SegmentsCall c, const Array& in, int32_t axis, const Array* bounds, const Array* mask,
                      const Array& out, Stream* stream);
// Begin and end of each slice that begins at an index: one element where the next index is not larger, to the
// end of the axis the last. On the device, and c.count and c.elements.
Ref<Array> slice_bounds(std::span<const int64_t> indices, int64_t extent, Device device, SegmentsCall* c,
                        Stream* stream);

// Whether an op has two operands and no reduction of its own.
bool folds(const OpInfo& op) noexcept;

// axes: bit i reduces axis i; at most one, for the order of more is nobody's.
Ref<Array> fold_reduce(const OpInfo& op, const Array& a, uint32_t axes, bool keepdims,
                       const ReduceOptions& options, Stream* stream);
Ref<Array> fold_accumulate(const OpInfo& op, const Array& a, int32_t axis, DType dtype, Stream* stream);
// indices: checked.
Ref<Array> fold_reduceat(const OpInfo& op, const Array& a, std::span<const int64_t> indices, int32_t axis,
                         DType dtype, Stream* stream);

}  // namespace arr
