// SPDX-License-Identifier: MIT
// Segments of equal elements in sorted vectors, from which unique() and the set operations are made.
#pragma once

#include "ops/elementwise/array_ops.h"

namespace arr {

// The elements of a vector in order, and on request the int64 index of each in the unsorted vector.
struct SortedVector {
  Ref<Array> elements, indices;
};
SortedVector sort_vector(const Array& vector, bool indices, Stream* stream);

// True where an element of a sorted vector of two or more, from the second on, differs from the preceding
// one. equal_nan: nans are equal.
Ref<Array> sorted_differences(const Array& vector, bool equal_nan, Stream* stream);
// The same for all elements of any vector; the first one differs.
Ref<Array> segment_heads(const Array& vector, bool equal_nan, Stream* stream);
// The number of the segment that each element is in, counted from 1; int64.
Ref<Array> segment_ids(const Array& starts, Stream* stream);
// out[indices[i]] = numbers[i] - 1, or renumber[numbers[i] - 1] unless it is nullptr. The indices are a
// permutation.
Ref<Array> scatter_ids(const Array& indices, const Array& numbers, const Array* renumber, Stream* stream);
// Returns the length of each segment, from n elements and the indices where the segments begin; int64.
Ref<Array> segment_lengths(const Array& indices, int64_t n, Stream* stream);

// dst[indices[i]] = values[i] for vectors; no index is repeated.
void scatter_unique(const Array& dst, const Array& indices, const Array& values, Stream* stream);
// The inverse of a permutation, an int64 vector.
Ref<Array> inverse_permutation(const Array& permutation, Stream* stream);

// A new vector, without values.
Ref<Array> vector_like(const Array& a, DType d, int64_t n, Stream* stream);

}  // namespace arr
