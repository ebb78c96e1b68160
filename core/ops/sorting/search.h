// SPDX-License-Identifier: MIT
// Searches in sorted vectors and interpolation between points.
#pragma once

#include <optional>

#include "ops/elementwise/elementwise.h"

namespace arr {

// The index of each element of v in the sorted vector a, before equal elements or (right) after them. sorter
// (or nullptr): the indices that sort a. The result is int64, of v's shape.
Ref<Array> searchsorted(const Array& a, const Array& v, bool right, const Array* sorter, Stream* stream);
// The bin of each element of x, for ascending or descending edges: the number of edges at or below it (right:
// below it), or above it for descending ones. Waits for the edges.
Ref<Array> digitize(const Array& x, const Array& bins, bool right, Stream* stream);

struct Interpolation {
  std::optional<Scalar> left, right;  // values outside of the points; none: the first and last value
  double period = 0;                  // period of the coordinates; 0: none
};
// Interpolates linearly through the points (xp, fp) with ascending xp; float64, or complex128 for complex fp.
// With a period it waits for the points.
Ref<Array> interp(const Array& x, const Array& xp, const Array& fp, const Interpolation& options,
                  Stream* stream);

}  // namespace arr
