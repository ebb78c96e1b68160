// SPDX-License-Identifier: MIT
// Handling of an index outside of its axis.
#pragma once

#include <cstdint>

#include "arr/indexing.h"

namespace arr {

enum class Bounds : int32_t {
  raise = ARR_BOUNDS_RAISE,          // an error; -1 is the last element
  clip = ARR_BOUNDS_CLIP,            // the first or the last element; -1 is the first
  wrap = ARR_BOUNDS_WRAP,            // the remainder by the extent
  unchecked = ARR_BOUNDS_UNCHECKED,  // as raise, but the caller has checked
};
Bounds bounds_from(int32_t number);
// The look-up that makes a position of an index, which index_check also does for unchecked ones.
int32_t position_op(Bounds bounds);

}  // namespace arr
