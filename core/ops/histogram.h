// SPDX-License-Identifier: MIT
// Counts of values and of values in bins.
#pragma once

#include "ops/create.h"

namespace arr {

// How often each of 0, 1, .. occurs in a vector, or the sums of the weights there.
Ref<Array> bincount(const Array& x, const Array* weights, int64_t minlength, Stream* stream);

}  // namespace arr
