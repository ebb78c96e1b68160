// SPDX-License-Identifier: MIT
// Sparse matrices as text.
#pragma once

#include <string>

#include "ops/sparse/sparse.h"

namespace arr {

// Formats like str() of SciPy's sparse arrays, with the first and last elements if there are more than
// `max_elements` (0: 50). Waits for the device.
std::string format(const Sparse& a, int64_t max_elements);

}  // namespace arr
