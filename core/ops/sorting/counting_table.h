// SPDX-License-Identifier: MIT
// Lookup tables with an entry for each integer of a small range.
#pragma once

#include <optional>

#include "ops/elementwise/array_ops.h"

namespace arr {

// The integers low .. low + count - 1; low has the bits of an int64, or of a uint64 for unsigned dtypes.
struct IntegerRange {
  uint64_t low = 0;
  int64_t count = 0;
};

// The range of integers or bools, of which there is at least one, if it has at most that many numbers. Waits.
std::optional<IntegerRange> range_of(const Array& a, int64_t max_count, Stream* stream);

// The int64 table index of a number; out of bounds if the number is outside of the range.
int32_t table_index(ProgramBuilder& b, int32_t x, const IntegerRange& range);

// Sets table[index of vector[i]] = combine(table[...], values[i]), in order on the host. Without values each
// is 1. The table has an additional last entry for numbers outside of the range.
void scatter_into_table(const Array& table, const IntegerRange& range, const Array& vector,
                        const Array* values, const Program& combine, Stream* stream);

}  // namespace arr
