// SPDX-License-Identifier: MIT
// Bits packed into bytes and back.
#pragma once

#include <optional>

#include "arr/numeric.h"
#include "ops/elementwise/create.h"

namespace arr {

enum class BitOrder : int32_t { big = ARR_BITORDER_BIG, little = ARR_BITORDER_LITTLE };

// Packs eight numbers along the axis (axis_none: of all elements in row-major order) into a byte; nonzero
// numbers are 1.
Ref<Array> packbits(const Array& a, int32_t axis, BitOrder order, Stream* stream);
// Unpacks each byte into eight numbers 0 or 1. count: the number of results along the axis, padded with
// zeros; a negative count removes that many from the end.
Ref<Array> unpackbits(const Array& a, int32_t axis, std::optional<int64_t> count, BitOrder order,
                      Stream* stream);

}  // namespace arr
