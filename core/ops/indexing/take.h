// SPDX-License-Identifier: MIT
// Reading and writing along one axis at the indices of an array of integers.
#pragma once

#include "ops/indexing/indexed_access.h"

namespace arr {

// a[.., indices, ..] along an axis; axis_none: of all elements in row-major order.
Ref<Array> take(const Array& a, const Array& indices, int32_t axis, Bounds bounds, Stream* stream);
// The same of indices that are known to lie in the axis, 0 or more.
Ref<Array> take_known(const Array& a, const Array& indices, int32_t axis, Stream* stream);
// out[.., i, ..] = a[.., indices[.., i, ..], ..]: the other axes broadcast.
Ref<Array> take_along_axis(const Array& a, const Array& indices, int32_t axis, Bounds bounds, Stream* stream);

// Elements in row-major order at the indices become the values, which are repeated as often as they must.
void put_flat(const Array& a, const Array& indices, const Input& values, Bounds bounds, Stream* stream);
void put_along_axis(const Array& a, const Array& indices, const Input& values, int32_t axis, Bounds bounds,
                    Stream* stream);

}  // namespace arr
