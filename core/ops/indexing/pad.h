// SPDX-License-Identifier: MIT
// Adds a border to an array, as numpy.pad does.
#pragma once

#include <span>
#include <vector>

#include "ops/elementwise/create.h"

namespace arr {

// The constants ARR_PAD_...
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

// The widths before and after an axis.
struct PadWidths {
  int64_t before = 0, after = 0;
};

// Lists have two entries per axis, before and after; an empty list selects the defaults.
struct PadOptions {
  bool odd = false;                   // reflect and symmetric: 2 * edge - reflected
  std::vector<Scalar> values;         // constant: in the array's dtype; default 0
  std::vector<Scalar> ends;           // linear_ramp: the outermost values, by default 0
  std::vector<int64_t> stat_lengths;  // the number of elements from each end that statistics use; default all
};

Ref<Array> pad(const Array& a, std::span<const PadWidths> widths, PadMode mode, const PadOptions& options,
               Stream* stream);

}  // namespace arr
