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

// The elements: a view where there are no arrays among the indices, else a new array.
Ref<Array> get_items(const Array& a, std::span<const Index> indices, Bounds bounds, Stream* stream);
// Assigns; the last value wins where an index is repeated. A scalar has the dtype of a.
void set_items(const Array& a, std::span<const Index> indices, Bounds bounds, const Input& value,
               Stream* stream);
// Each element becomes op(itself, value), once for each time that its index occurs.
void update_items(const Array& a, const OpInfo& op, std::span<const Index> indices, Bounds bounds,
                  const Input* value, Stream* stream);

}  // namespace arr
