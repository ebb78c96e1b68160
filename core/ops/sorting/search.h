// SPDX-License-Identifier: MIT
// Searches in sorted vectors and interpolation between points.
#pragma once

#include <optional>

#include "ops/elementwise/elementwise.h"

namespace arr {

// The position of each element of v in the sorted vector a, before equal elements or (right) after them.
// sorter (or nullptr): the positions that sort a. int64, of v's shape.
Ref<Array> searchsorted(const Array& a, const Array& v, bool right, const Array* sorter, Stream* stream);
// The bin of each element of x among edges that rise or fall: how many edges are at or below it (right:
// below), for falling ones above. Waits for the edges.
Ref<Array> digitize(const Array& x, const Array& bins, bool right, Stream* stream);

struct Interpolation {
  std::optional<Scalar> left, right;  // outside of the points; none: the first and last value
  double period = 0;                  // of the coordinates; 0: none
};
// Piecewise linear through the points (xp, fp) of rising xp; float64, or complex128 for complex fp. With a
// period it waits for the points.
Ref<Array> interp(const Array& x, const Array& xp, const Array& fp, const Interpolation& options,
                  Stream* stream);

}  // namespace arr
