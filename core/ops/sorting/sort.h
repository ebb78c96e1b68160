// SPDX-License-Identifier: MIT
// Sorts along an axis, stable and with nan last (see SortCall); partitions; the k largest elements; sorts by
// several keys.
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

// The sorted elements of a vector, and their indices in it.
std::pair<Ref<Array>, Ref<Array>> sort_with_indices(const Array& vector, Stream* stream);

// Partitions along the axis: element kth[i] is where a full sort puts it, smaller elements come before it and
// the others after it.
Ref<Array> partition(const Array& a, std::span<const int64_t> kth, int32_t axis, Stream* stream);
Ref<Array> argpartition(const Array& a, std::span<const int64_t> kth, int32_t axis, Stream* stream);

// The indices that sort by several keys of one shape along the axis; the last key is the primary one.
Ref<Array> lexsort(std::span<const Array* const> keys, int32_t axis, Stream* stream);

// The elements as complex numbers, sorted along the last axis.
Ref<Array> sort_complex(const Array& a, Stream* stream);

// The k largest (or smallest) elements along the axis, sorted, and their indices.
std::pair<Ref<Array>, Ref<Array>> top_k(const Array& a, int64_t k, int32_t axis, bool largest,
                                        Stream* stream);

}  // namespace arr
