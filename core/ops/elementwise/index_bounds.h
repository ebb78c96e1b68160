// SPDX-License-Identifier: MIT
// Handling of indices out of range.
#pragma once

#include <cstdint>

#include "arr/indexing.h"

namespace arr {

enum class Bounds : int32_t {
  raise = ARR_BOUNDS_RAISE,          // an error; -1 is the last element
  clip = ARR_BOUNDS_CLIP,            // the first or the last element; -1 becomes the first
  wrap = ARR_BOUNDS_WRAP,            // modulo the extent
  unchecked = ARR_BOUNDS_UNCHECKED,  // like raise, but the caller has checked
  from_one = ARR_BOUNDS_FROM_ONE,    // like raise, for indices that count from 1
};
Bounds bounds_from(int32_t number);
// An index out of range is an error.
inline bool raises(Bounds bounds) { return bounds == Bounds::raise || bounds == Bounds::from_one; }
// The op that converts an index to a position; unchecked indices use index_check too, because they may be
// negative.
int32_t position_op(Bounds bounds);

}  // namespace arr
