// SPDX-License-Identifier: MIT
// Arrays as text.
#pragma once

#include <string>

#include "array/array.h"

namespace arr {

// As NumPy's str(): beyond 1000 elements only `edge` (0: three) at each end of an axis. Waits for the device.
std::string format(const Array& a, int32_t edge);

}  // namespace arr
