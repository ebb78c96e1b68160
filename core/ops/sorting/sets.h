// SPDX-License-Identifier: MIT
// Set operations on the elements of two arrays. Elements are compared in the dtype to which both promote,
// except that an int64 and a uint64 compare exactly; nan is equal to nothing.
#pragma once

#include "ops/elementwise/create.h"

namespace arr {

// Returns for each element whether it is (inverted: is not) among those of `test`; bool, of x's shape.
Ref<Array> isin(const Array& x, const Array& test, bool invert, Stream* stream);

// Return vectors in ascending order, of the dtype to which both promote. distinct: no element occurs twice in
// an array.
Ref<Array> union1d(const Array& x, const Array& y, Stream* stream);
Ref<Array> setxor1d(const Array& x, const Array& y, bool distinct, Stream* stream);
struct Intersection {
  Ref<Array> values, x_indices,
      y_indices;  // indices of the first occurrences in x and y, int64, if requested
};
Intersection intersect1d(const Array& x, const Array& y, bool distinct, bool indices, Stream* stream);
// The result has x's dtype; with `distinct` its elements are in the order of x.
Ref<Array> setdiff1d(const Array& x, const Array& y, bool distinct, Stream* stream);

}  // namespace arr
