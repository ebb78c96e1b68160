// SPDX-License-Identifier: MIT
// The type of several arrays together.
#pragma once

#include <span>

#include "array/array.h"

namespace arr {

// The type that all promote to, in any order; one array or more.
DType common_type(std::span<const Array* const> arrays);

}  // namespace arr
