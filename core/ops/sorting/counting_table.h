// SPDX-License-Identifier: MIT
// Tables with an entry for each number of a small range of integers.
#pragma once

#include <optional>

#include "ops/elementwise/array_ops.h"

namespace arr {

// The numbers low .. low + count - 1; low as the bits of an int64, or of a uint64 for types without a sign.
struct IntegerRange {
  uint64_t low = 0;
  int64_t count = 0;
};

// The range of integers or bools, of which there is at least one, if it has at most that many numbers. Waits.
std::optional<IntegerRange> range_of(const Array& a, int64_t max_count, Stream* stream);

// The entry of a number in the table of a range, int64; of one outside of the range, one outside of the
// table.
int32_t table_index(ProgramBuilder& b, int32_t x, const IntegerRange& range);

// table[entry of vector[i]] = combine(that, values[i]), in order on the host; without values each is 1. The
// table has one more entry, for numbers outside of the range.
void scatter_into_table(const Array& table, const IntegerRange& range, const Array& vector,
                        const Array* values, const Program& combine, Stream* stream);

}  // namespace arr
