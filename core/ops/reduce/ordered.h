// SPDX-License-Identifier: MIT
// reduce, accumulate and reduceat of operations whose result depends on the order of the elements, such as
// subtract, divide and power: from left to right along one axis, as in NumPy.
#pragma once

#include "backend/segments.h"
#include "ops/reduce/reduce.h"

namespace arr {

// Sets a call's space and operands and enqueues it. in: elements of dtype c.acc. out: the results, with as
// many dimensions. bounds: of the segments, or nullptr. mask: bool, broadcasts to in, or nullptr.
void enqueue_segments(SegmentsCall c, const Array& in, int32_t axis, const Array* bounds, const Array* mask,
                      const Array& out, Stream* stream);
// Uploads the begin and end of each slice and sets c.count and c.elements. A slice begins at its index and
// ends at the next one. It has one element if the next index is not larger; the last one ends with the axis.
Ref<Array> slice_bounds(std::span<const int64_t> indices, int64_t extent, Device device, SegmentsCall* c,
                        Stream* stream);

// True if an op is binary and has no row in the table of reductions.
bool is_order_dependent(const OpInfo& op) noexcept;

// axes: bit i reduces axis i. At most one bit is set, because several axes have no defined order.
Ref<Array> ordered_reduce(const OpInfo& op, const Array& a, uint32_t axes, bool keepdims,
                          const ReduceOptions& options, Stream* stream);
Ref<Array> ordered_accumulate(const OpInfo& op, const Array& a, int32_t axis, DType dtype, Stream* stream);
// indices: already checked.
Ref<Array> ordered_reduceat(const OpInfo& op, const Array& a, std::span<const int64_t> indices, int32_t axis,
                            DType dtype, Stream* stream);

}  // namespace arr
