// SPDX-License-Identifier: MIT
// Stacks of products of small matrices by our own loops.
#pragma once

#include "backend/matmul.h"

namespace arr::host {

// Computes a call whose matrices have at most small_max_stacked rows and columns of floats or complex
// numbers. Returns false, and does nothing, for other calls.
bool multiply_small_stack(const MatmulCall& call);

}  // namespace arr::host
