// SPDX-License-Identifier: MIT
// Sorts along an axis, stable and with nan last (see SortCall); partitions, the largest elements, several
// keys.
#pragma once

#include <span>
#include <utility>

#include "ops/elementwise/create.h"
#include "ops/reduce/scan.h"

namespace arr {

// axis_none: all elements in row-major order, one-dimensional.
Ref<Array> sort(const Array& a, int32_t axis, bool descending, Stream* stream);
// dst may be a or overlap it.
void sort_into(const Array& dst, const Array& a, int32_t axis, bool descending, Stream* stream);
// The indices that sort along the axis, int64.
Ref<Array> argsort(const Array& a, int32_t axis, bool descending, Stream* stream);

// The elements of a vector in order, and their indices before.
std::pair<Ref<Array>, Ref<Array>> sort_with_indices(const Array& vector, Stream* stream);

// Element kth[i] along the axis is where a sort puts it, with smaller ones before and others after it; by a
// sort.
Ref<Array> partition(const Array& a, std::span<const int64_t> kth, int32_t axis, Stream* stream);
Ref<Array> argpartition(const Array& a, std::span<const int64_t> kth, int32_t axis, Stream* stream);

// The indices that sort by several keys of one shape along the axis; the last key is the primary one.
Ref<Array> lexsort(std::span<const Array* const> keys, int32_t axis, Stream* stream);

// Complex numbers of the elements, in order along the last axis.
Ref<Array> sort_complex(const Array& a, Stream* stream);

// The k largest (or smallest) elements along the axis, in order, and their indices.
std::pair<Ref<Array>, Ref<Array>> top_k(const Array& a, int64_t k, int32_t axis, bool largest,
                                        Stream* stream);

}  // namespace arr
