// SPDX-License-Identifier: MIT
// Distinct elements of an array, or distinct slices along an axis; where they are, and how often.
#pragma once

#include <optional>

#include "ops/elementwise/create.h"
#include "ops/reduce/scan.h"

namespace arr {

struct UniqueOptions {
  bool indices = false, inverse = false, counts = false;  // which results are wanted
  bool by_occurrence = false;  // in the order of first occurrence, else in ascending order
  bool equal_nan = true;       // one nan, else every nan; slices with a nan are never equal
};
// indices are those of the first of equal elements. Vectors of int64 except the values; the inverse of all
// elements has the array's shape.
struct Unique {
  Ref<Array> values, indices, inverse, counts;
};
// axis_none: of all elements in row-major order. Waits for their number.
Unique unique(const Array& a, int32_t axis, const UniqueOptions& options, Stream* stream);

// The distinct elements of a vector of integers in host memory, by tables over their range; none where it is
// large.
std::optional<Unique> unique_by_table(const Array& vector, const UniqueOptions& options, Stream* stream);

// The same of elements of 64 bits, of which many are equal, with their indices; none for others.
std::optional<Unique> unique_by_hash(const Array& vector, const UniqueOptions& options, Stream* stream);
// Puts ascending elements with their indices into the order that is asked for. Returns the indices of the new
// order in the old one, nullptr if that stays.
Ref<Array> arrange(Unique* u, const UniqueOptions& o, Stream* stream);

// The first axis' slices in lexicographic order.
struct SortedRows {
  Ref<Array> indices;  // int64
  Ref<Array> starts;   // bool: differs from the one before
};
SortedRows sort_slices(const Array& a, Stream* stream);

}  // namespace arr
