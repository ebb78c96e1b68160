// SPDX-License-Identifier: MIT
// One sequence combined from left to right: what is so far stays in a register, where an element-wise loop of
// one element would pay for its call each time. Plain data, as in table.h.
#pragma once

#include "expr/ops.h"
#include "host/loops/table.h"

namespace arr::host {

// so_far = op(so_far, x[i]) for the n elements xs bytes apart; those that mask (ms bytes apart), if there is
// one, has as false are passed over. y: nullptr, or where what is so far goes after each, ys bytes apart.
using ChainFn = void (*)(int64_t n, const char* x, int64_t xs, const char* mask, int64_t ms, void* so_far,
                         char* y, int64_t ys);

struct ChainTable {
  ChainFn op[LoopTable::ops][LoopTable::dtypes] = {};
};

// Of ops of two operands and a result of one type, with the bits of their element-wise loops; nullptr where
// these compute in another way than by the formula.
ChainFn chain_loop(int32_t op, DType d);

}  // namespace arr::host
