// SPDX-License-Identifier: MIT
// Reductions of segments from left to right.
#pragma once

#include <bit>

#include "backend/segments.h"

namespace arr::host {

// The index of an item's size in tables of loops.
inline size_t log2_of(int64_t item) {
  return static_cast<size_t>(std::countr_zero(static_cast<uint64_t>(item)));
}

void ordered_segments(const SegmentsCall& call);  // the call must have a step

}  // namespace arr::host
