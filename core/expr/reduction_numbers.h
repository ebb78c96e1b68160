// SPDX-License-Identifier: MIT
// The numbers of reductions by their names: reduction::sum.
#pragma once

#include <cstdint>

namespace arr {

namespace reduction {
#define ARR_REDUCTION(number, name, ...) inline constexpr int32_t name = number;
#include "table/reductions.def"
#undef ARR_REDUCTION
}  // namespace reduction

}  // namespace arr
