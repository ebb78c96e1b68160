// SPDX-License-Identifier: MIT
// Distinct elements of an array, or distinct slices along an axis; their indices, inverse and counts.
#pragma once

#include <optional>

#include "ops/elementwise/create.h"
#include "ops/reduce/scan.h"

namespace arr {

struct UniqueOptions {
  bool indices = false, inverse = false, counts = false;  // the requested results
  bool by_occurrence = false;  // true: in the order of first occurrence; false: in ascending order
  bool equal_nan = true;       // true: all nans are one element; slices with a nan are never equal
};
// indices: of first occurrences. All are vectors, int64 except the values; but the inverse of all elements
// has the array's shape.
struct Unique {
  Ref<Array> values, indices, inverse, counts;
};
// axis_none: the elements in row-major order. Waits for the number of results.
Unique unique(const Array& a, int32_t axis, const UniqueOptions& options, Stream* stream);

// Distinct elements of a vector of integers in host memory by lookup tables over their range; nullopt if the
// range is large.
std::optional<Unique> unique_by_table(const Array& vector, const UniqueOptions& options, Stream* stream);

// Distinct 64-bit elements with their indices, if many elements are equal; otherwise nullopt.
std::optional<Unique> unique_by_hash(const Array& vector, const UniqueOptions& options, Stream* stream);
// Brings the results, which are in ascending order, into the requested order. Returns the index in the old
// order of each result, or nullptr if the order stays.
Ref<Array> arrange(Unique* u, const UniqueOptions& o, Stream* stream);

// The slices along the first axis in lexicographic order.
struct SortedRows {
  Ref<Array> indices;  // int64
  Ref<Array> starts;   // bool: differs from the preceding slice
};
SortedRows sort_slices(const Array& a, Stream* stream);

}  // namespace arr
