// SPDX-License-Identifier: MIT
// a[...] with slices, integers, new axes, arrays of integers and masks, by NumPy's rules.
#pragma once

#include "ops/indexing/indexed_access.h"

namespace arr {

struct Index {
  int32_t kind = ARR_INDEX_ALL;
  int64_t start = 0, stop = 0, step = 1;
  const Array* array = nullptr;
};

// Returns the elements: a view if there are no index arrays, otherwise a new array.
Ref<Array> get_items(const Array& a, std::span<const Index> indices, Bounds bounds, Stream* stream);
// Assigns to the elements. If an index is repeated, the last value wins. A scalar has the dtype of a.
void set_items(const Array& a, std::span<const Index> indices, Bounds bounds, const Input& value,
               Stream* stream);
// Replaces each element by op(element, value), once for each occurrence of its index.
void update_items(const Array& a, const OpInfo& op, std::span<const Index> indices, Bounds bounds,
                  const Input* value, Stream* stream);
// The same at arrays of integers that index the first axes; b: the value.
void ufunc_at(const OpInfo& op, const Array& a, std::span<const Array* const> indices, const Input* b,
              Stream* stream);

// The elements that an index expression selects of an array that has a shape and strides but no memory, such
// as a sparse one: where the first one is, and the view whose `data` are not moved there. Index arrays are in
// range. Waits for their check.
struct IndexedKeys {
  IndexedView elements;
  int64_t first = 0;
};
IndexedKeys indexed_keys(const Array& a, std::span<const Index> indices, Stream* stream);

}  // namespace arr
