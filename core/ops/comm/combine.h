// SPDX-License-Identifier: MIT
// Collective operations and messages over arrays that one thread can reach.
#pragma once

#include "ops/comm/calls.h"

namespace arr {

// dst = the arrays combined in their order. dst may be one of them.
void combine_into(const Array& dst, const Combination& by, std::span<const Array* const> arrays,
                  Stream* stream);

// dst /= the number of ranks: the mean of a sum.
void divide_by_ranks(const Array& dst, int32_t ranks, Stream* stream);

// Throws if collective calls, one of each rank, do not fit together; their arrays may be without memory.
void check_calls(std::span<const CommCall* const> calls);

// Runs the calls of all ranks, in the order of ranks, or a send and its receive. Throws if they do not fit
// together.
void combine_calls(std::span<const CommCall* const> calls);

}  // namespace arr
