// SPDX-License-Identifier: MIT
// Selection by conditions: indices of nonzero elements, elements where a mask is true, one of several arrays.
#pragma once

#include <span>
#include <vector>

#include "ops/indexing/indexed_access.h"
#include "ops/reduce/scan.h"

namespace arr {

// Row-major indices of the nonzero elements, int64. Waits for their number.
Ref<Array> flatnonzero(const Array& a, Stream* stream);
// The coordinates of the nonzero elements: a vector per axis, or rows of a matrix.
std::vector<Ref<Array>> nonzero(const Array& a, Stream* stream);
Ref<Array> argwhere(const Array& a, Stream* stream);

// Elements or rows of a where a mask of its first axes is true; nullptr if the rows are not contiguous.
Ref<Array> select_leading(const Array& a, const Array& mask, Stream* stream);

// Operands of compress(): the array, or all its elements as a vector, and a condition of the axis's length.
struct Selected {
  Ref<Array> from, condition;
  Ref<Array> rest;  // the rest of a longer condition; otherwise nullptr
  int32_t axis = 0;
};
Selected selected(const Array& condition, const Array& a, int32_t axis, Stream* stream);

// Slices along an axis (axis_none: elements in row-major order) where the vector is true. The vector may be
// shorter than the axis, or longer if the rest is false.
Ref<Array> compress(const Array& condition, const Array& a, int32_t axis, Stream* stream);
// Selects with a vector as long as the axis and a known count. Does not wait.
Ref<Array> compress_known(const Array& condition, const Array& a, int32_t axis, int64_t count,
                          Stream* stream);
// Elements where the condition is true, in row-major order.
Ref<Array> extract(const Array& condition, const Array& a, Stream* stream);

// Selections into arrays of a fixed extent. Elements after the selected ones are set to `rest`; selected
// elements that do not fit are dropped. count: 0-dimensional, int64, receives the number of all selected
// elements. None of these calls waits.
void flatnonzero_sized(const Array& out, const Array& count, const Array& a, int64_t rest, Stream* stream);
void nonzero_sized(std::span<const Array* const> outs, const Array& count, const Array& a, int64_t rest,
                   Stream* stream);
void argwhere_sized(const Array& out, const Array& count, const Array& a, int64_t rest, Stream* stream);
// rest: in the dtype of out. Elements of a condition beyond the end of the axis are ignored.
void compress_sized(const Array& out, const Array& count, const Array& condition, const Array& a,
                    int32_t axis, const Scalar& rest, Stream* stream);
void extract_sized(const Array& out, const Array& count, const Array& condition, const Array& a,
                   const Scalar& rest, Stream* stream);

// a = where(mask, value, a). All broadcast to a; a scalar has the dtype of a.
void write_where(const Array& a, const Array& mask, const Input& value, Stream* stream);
// Writes the values in order where a mask of a's shape is true. There are as many values as true elements, or
// one.
void write_masked(const Array& a, const Array& mask, const Array& values, Stream* stream);
// Write values cyclically where the mask is true. place_values: the k-th true element gets value k; putmask:
// element i gets value i.
void place_values(const Array& a, const Array& mask, const Input& values, Stream* stream);
void put_mask(const Array& a, const Array& mask, const Input& values, Stream* stream);

// Returns choices[index], element by element.
Ref<Array> choose(const Array& index, std::span<const Array* const> choices, Bounds bounds, Stream* stream);
// Returns the choice of the first condition that is true, or the scalar if none is.
Ref<Array> first_true(std::span<const Array* const> conditions, std::span<const Array* const> choices,
                      const Input& otherwise, Stream* stream);

}  // namespace arr
