// SPDX-License-Identifier: MIT
// Arrays as text.
#pragma once

#include <string>

#include "array/array.h"

namespace arr {

// Formats like NumPy's str(): beyond 1000 elements only `edge` (0: three) elements at each end of an axis.
// Waits for the device.
std::string format(const Array& a, int32_t edge);

}  // namespace arr
