// SPDX-License-Identifier: MIT
// Reductions of segments from left to right.
#pragma once

#include "backend/segments.h"

namespace arr::host {

void ordered_segments(const SegmentsCall& call);  // the call must have a step

}  // namespace arr::host
