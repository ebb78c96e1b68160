// SPDX-License-Identifier: MIT
// Runs of equal elements in sorted vectors: the parts that unique elements and set operations are made of.
#pragma once

#include "ops/engine/compose.h"

namespace arr {

// The elements of a vector in order; where indices are wanted, their indices before as int64.
struct SortedVector {
  Ref<Array> elements, places;
};
SortedVector sort_vector(const Array& vector, bool places, Stream* stream);

// True where an element of a vector differs from the one before. equal_nan: nans do not differ.
Ref<Array> run_starts(const Array& vector, bool equal_nan, Stream* stream);
// The number of the run that each element is in, counted from 1; int64.
Ref<Array> run_numbers(const Array& starts, Stream* stream);
// out[places[i]] = numbers[i] - 1, or what `renumber` (or nullptr) has there; the indices are a permutation.
Ref<Array> spread_numbers(const Array& places, const Array& numbers, const Array* renumber, Stream* stream);
// Returns the length of each segment, from n elements and the indices where the segments begin; int64.
Ref<Array> run_lengths(const Array& places, int64_t n, Stream* stream);

// The elements of a vector at indices.
Ref<Array> elements_at(const Array& vector, const Array& places, Stream* stream);
// dst[places[i]] = values[i] for vectors; no index is repeated.
void put_distinct(const Array& dst, const Array& places, const Array& values, Stream* stream);
// The inverse of a permutation, an int64 vector.
Ref<Array> inverse_permutation(const Array& permutation, Stream* stream);

// A new vector, without values.
Ref<Array> vector_like(const Array& a, DType d, int64_t n, Stream* stream);
// The program that stores the second of two values of that type.
const Program& second_of(DType d);

}  // namespace arr
