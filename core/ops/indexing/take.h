// SPDX-License-Identifier: MIT
// Reads and writes along one axis at the indices of an integer array.
#pragma once

#include "ops/indexing/indexed_access.h"

namespace arr {

// Returns a[.., indices, ..] along an axis; axis_none: of all elements in row-major order.
Ref<Array> take(const Array& a, const Array& indices, int32_t axis, Bounds bounds, Stream* stream);
// The same for indices that are known to be in range and not negative.
Ref<Array> take_known(const Array& a, const Array& indices, int32_t axis, Stream* stream);
// out[.., i, ..] = a[.., indices[.., i, ..], ..]: the other axes broadcast.
Ref<Array> take_along_axis(const Array& a, const Array& indices, int32_t axis, Bounds bounds, Stream* stream);

// Sets the elements at row-major indices to the values, which are repeated as needed.
void put_flat(const Array& a, const Array& indices, const Input& values, Bounds bounds, Stream* stream);
void put_along_axis(const Array& a, const Array& indices, const Input& values, int32_t axis, Bounds bounds,
                    Stream* stream);

}  // namespace arr
