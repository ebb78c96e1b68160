// SPDX-License-Identifier: MIT
// Comparing the calls of ranks that do not share memory: each sends its record.
#pragma once

#include "ops/comm/calls.h"

namespace arr {

// A call of one of `ranks` ranks, as bytes of one length.
std::vector<char> call_record(const CommCall& call, int32_t ranks);
// Throws if the calls of all ranks, whose records follow each other, do not fit together.
void check_records(const std::vector<char>& all, int32_t ranks);

}  // namespace arr
