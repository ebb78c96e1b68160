// SPDX-License-Identifier: MIT
// The common dtype of several arrays.
#pragma once

#include <span>

#include "array/array.h"

namespace arr {

// The dtype to which one or more arrays promote, independent of their order.
DType common_type(std::span<const Array* const> arrays);

}  // namespace arr
