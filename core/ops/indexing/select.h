// SPDX-License-Identifier: MIT
// Selections by conditions: places that are not zero, elements where a mask is true, one of several arrays.
#pragma once

#include <vector>

#include "ops/indexing/places.h"

namespace arr {

// Positions in row-major order of the elements that are not zero, int64. Waits for their number.
Ref<Array> flatnonzero(const Array& a, Stream* stream);
// The same as one vector per axis, and as rows of one matrix.
std::vector<Ref<Array>> nonzero(const Array& a, Stream* stream);
Ref<Array> argwhere(const Array& a, Stream* stream);

// Slices along an axis (axis_none: elements in row-major order) where the vector is true; it may be shorter
// than the axis, and longer where the rest is false.
Ref<Array> compress(const Array& condition, const Array& a, int32_t axis, Stream* stream);
// Elements in row-major order where the condition is true.
Ref<Array> extract(const Array& condition, const Array& a, Stream* stream);

// a = where(mask, value, a): all broadcast to a; a scalar has the dtype of a.
void write_where(const Array& a, const Array& mask, const Input& value, Stream* stream);
// The values one after the other where a mask of a's shape is true, of which there are as many; or one for
// all.
void write_masked(const Array& a, const Array& mask, const Array& values, Stream* stream);
// The values over and over: for each true place the next one (place), for each element that of its position
// (putmask).
void place_values(const Array& a, const Array& mask, const Input& values, Stream* stream);
void put_mask(const Array& a, const Array& mask, const Input& values, Stream* stream);

// choices[index], element by element.
Ref<Array> choose(const Array& index, std::span<const Array* const> choices, Bounds bounds, Stream* stream);
// The choice of the first condition that is true, else the scalar.
Ref<Array> first_true(std::span<const Array* const> conditions, std::span<const Array* const> choices,
                      const Input& otherwise, Stream* stream);

}  // namespace arr
