// SPDX-License-Identifier: MIT
// Operations on the sets of the elements of two arrays. Elements are compared in the type that both promote
// to, but an int64 and a uint64 exactly; nan is equal to nothing.
#pragma once

#include "ops/elementwise/create.h"

namespace arr {

// Returns whether each element is (inverted: is not) among those of `test`; bool, of x's shape.
Ref<Array> isin(const Array& x, const Array& test, bool invert, Stream* stream);

// Vectors in ascending order, of the type that both promote to. distinct: no element is twice in an array.
Ref<Array> union1d(const Array& x, const Array& y, Stream* stream);
Ref<Array> setxor1d(const Array& x, const Array& y, bool distinct, Stream* stream);
struct Intersection {
  Ref<Array> values, x_indices, y_indices;  // first occurrences in x and y, int64; where wanted
};
Intersection intersect1d(const Array& x, const Array& y, bool distinct, bool indices, Stream* stream);
// The result has x's type; that of distinct elements is in the order of x.
Ref<Array> setdiff1d(const Array& x, const Array& y, bool distinct, Stream* stream);

}  // namespace arr
