// SPDX-License-Identifier: MIT
// Segments that are combined from left to right.
#pragma once

#include "backend/segments.h"

namespace arr::host {

void fold(const SegmentsCall& call);  // which has a step

}  // namespace arr::host
