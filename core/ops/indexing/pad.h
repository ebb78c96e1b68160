// SPDX-License-Identifier: MIT
// Arrays made larger by a border, as numpy.pad does it.
#pragma once

#include <span>
#include <vector>

#include "ops/elementwise/create.h"

namespace arr {

// The numbers of ARR_PAD_...
enum class PadMode : int32_t {
  constant,
  edge,
  linear_ramp,
  maximum,
  mean,
  minimum,
  reflect,
  symmetric,
  wrap,
  empty,
  median
};

// Before and after an axis.
struct PadWidths {
  int64_t before = 0, after = 0;
};

// Lists have two entries per axis: before and after; an empty list has the defaults.
struct PadOptions {
  bool odd = false;                   // reflect and symmetric: 2 * edge - reflected
  std::vector<Scalar> values;         // constant: of the array's type, by default 0
  std::vector<Scalar> ends;           // linear_ramp: the outermost values, by default 0
  std::vector<int64_t> stat_lengths;  // how many elements from each end count; by default all
};

Ref<Array> pad(const Array& a, std::span<const PadWidths> widths, PadMode mode, const PadOptions& options,
               Stream* stream);

}  // namespace arr
