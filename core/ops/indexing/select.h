// SPDX-License-Identifier: MIT
// Selections by conditions: indices of nonzero elements, elements where a mask is true, one of several
// arrays.
#pragma once

#include <span>
#include <vector>

#include "ops/indexing/indexed_access.h"
#include "ops/reduce/scan.h"

namespace arr {

// Positions in row-major order of the elements that are not zero, int64. Waits for their number.
Ref<Array> flatnonzero(const Array& a, Stream* stream);
// The same as one vector per axis, and as rows of one matrix.
std::vector<Ref<Array>> nonzero(const Array& a, Stream* stream);
Ref<Array> argwhere(const Array& a, Stream* stream);

// The elements or rows of a where a mask of its first axes is true; nullptr where the rows are not
// contiguous.
Ref<Array> select_leading(const Array& a, const Array& mask, Stream* stream);

// The operands of compress(): the array, or all its elements as a vector, and a condition as long as its
// axis.
struct Selected {
  Ref<Array> from, condition;
  Ref<Array> rest;  // of a condition that is longer; else nullptr
  int32_t axis = 0;
};
Selected selected(const Array& condition, const Array& a, int32_t axis, Stream* stream);

// Slices along an axis (axis_none: elements in row-major order) where the vector is true; it may be shorter
// than the axis, and longer where the rest is false.
Ref<Array> compress(const Array& condition, const Array& a, int32_t axis, Stream* stream);
// The same where the vector is as long as the axis and is known to be true that often. Does not wait.
Ref<Array> compress_known(const Array& condition, const Array& a, int32_t axis, int64_t count,
                          Stream* stream);
// Elements in row-major order where the condition is true.
Ref<Array> extract(const Array& condition, const Array& a, Stream* stream);

// The same into arrays of a fixed extent, of which what follows the selected becomes `rest`; more than fits
// is left out. count: of no dimension, int64; receives the number of all selected. None of these waits.
void flatnonzero_sized(const Array& out, const Array& count, const Array& a, int64_t rest, Stream* stream);
void nonzero_sized(std::span<const Array* const> outs, const Array& count, const Array& a, int64_t rest,
                   Stream* stream);
void argwhere_sized(const Array& out, const Array& count, const Array& a, int64_t rest, Stream* stream);
// rest: of the dtype of out. Elements of a condition after the end of the axis do not count.
void compress_sized(const Array& out, const Array& count, const Array& condition, const Array& a,
                    int32_t axis, const Scalar& rest, Stream* stream);
void extract_sized(const Array& out, const Array& count, const Array& condition, const Array& a,
                   const Scalar& rest, Stream* stream);

// a = where(mask, value, a): all broadcast to a; a scalar has the dtype of a.
void write_where(const Array& a, const Array& mask, const Input& value, Stream* stream);
// The values one after the other where a mask of a's shape is true, of which there are as many; or one for
// all.
void write_masked(const Array& a, const Array& mask, const Array& values, Stream* stream);
// The values over and over: for each true element the next one (`place`), for each element that of its
// position (putmask).
void place_values(const Array& a, const Array& mask, const Input& values, Stream* stream);
void put_mask(const Array& a, const Array& mask, const Input& values, Stream* stream);

// choices[index], element by element.
Ref<Array> choose(const Array& index, std::span<const Array* const> choices, Bounds bounds, Stream* stream);
// The choice of the first condition that is true, else the scalar.
Ref<Array> first_true(std::span<const Array* const> conditions, std::span<const Array* const> choices,
                      const Input& otherwise, Stream* stream);

}  // namespace arr
