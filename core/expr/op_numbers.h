// SPDX-License-Identifier: MIT
// The numbers of operations by their names: op::add. A new row of the table recompiles the files that name
// operations.
#pragma once

#include <cstdint>

namespace arr {

namespace op {
#define ARR_OP(number, name, ...) inline constexpr int32_t name = number;
#include "table/ops.def"
#undef ARR_OP
#define ARR_LOOKUP(number, name, ...) inline constexpr int32_t name = number;
#include "table/lookups.def"
#undef ARR_LOOKUP
#define ARR_RANDOM(number, name, ...) inline constexpr int32_t name = number;
#include "table/random.def"
#undef ARR_RANDOM
#define ARR_PAIR(number, name, ...) inline constexpr int32_t name = number;
#include "table/pairs.def"
#undef ARR_PAIR
}  // namespace op

}  // namespace arr
