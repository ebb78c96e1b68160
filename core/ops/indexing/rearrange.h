// SPDX-License-Identifier: MIT
// Rearranges elements: moves, rotates and rolls axes; repeats, deletes and inserts elements.
#pragma once

#include <span>
#include <vector>

#include "ops/indexing/join.h"

namespace arr {

// Views.
Ref<Array> rot90(const Array& a, int64_t k, int32_t axis1, int32_t axis2);
Ref<Array> moveaxis(const Array& a, std::span<const int32_t> source, std::span<const int32_t> destination);
Ref<Array> swapaxes(const Array& a, int32_t axis1, int32_t axis2);
std::vector<Ref<Array>> broadcast_arrays(ArrayList arrays);

enum class GridIndexing { xy, ij };
// Return views unless `copied` is set, or an array of several dimensions is not contiguous.
std::vector<Ref<Array>> meshgrid(ArrayList arrays, GridIndexing indexing, bool sparse, bool copied,
                                 Stream* stream);

Ref<Array> tile(const Array& a, std::span<const int64_t> reps, Stream* stream);
// axis: ARR_AXIS_NONE for all elements in row-major order.
Ref<Array> repeat(const Array& a, int64_t count, int32_t axis, Stream* stream);
// Repeats element i of the axis counts[i] times. total: the sum of the counts, or -1 to compute it, which
// waits.
Ref<Array> repeat_counts(const Array& a, const Array& counts, int32_t axis, int64_t total, Stream* stream);
// axes == nullptr: all elements in row-major order. Shifts of the same axis add up.
Ref<Array> roll(const Array& a, std::span<const int64_t> shifts, const int32_t* axes, Stream* stream);
Ref<Array> resize(const Array& a, Shape shape, Stream* stream);
// A view. mask: a bit per axis. Waits.
Ref<Array> trim_zeros(const Array& a, bool front, bool back, uint32_t mask, Stream* stream);

// dst[...] = src where the mask is true.
void copyto(const Array& dst, const Array& src, Casting casting, const Array* where, Stream* stream);

// axis: ARR_AXIS_NONE for all elements in row-major order, also in the functions below. The first axis of the
// values is moved to `axis`, as in NumPy.
Ref<Array> insert(const Array& a, int64_t index, const Array& values, int32_t axis, Stream* stream);
Ref<Array> insert_at(const Array& a, std::span<const int64_t> indices, const Array& values, int32_t axis,
                     Stream* stream);
Ref<Array> remove_at(const Array& a, std::span<const int64_t> indices, int32_t axis, Stream* stream);

// The indices start:stop:step of an axis, by Python's rules.
struct Positions {
  int64_t start, stop, step;
};
Ref<Array> insert_slice(const Array& a, const Positions& at, const Array& values, int32_t axis,
                        Stream* stream);
Ref<Array> remove_slice(const Array& a, const Positions& at, int32_t axis, Stream* stream);

}  // namespace arr
