// SPDX-License-Identifier: MIT
// Requirements on arrays: element type, order, writability, finite elements.
#pragma once

#include "ops/elementwise/create.h"

namespace arr {

// requirements: ARR_REQUIRE_... values. dtype none: that of a.
Ref<Array> require(const Array& a, DType dtype, int32_t requirements, Stream* stream);
// Throws an error about the first infinite or nan element. Waits if the elements are floats.
void check_finite(const Array& a, Stream* stream);

}  // namespace arr
