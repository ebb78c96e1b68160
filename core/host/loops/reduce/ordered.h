// SPDX-License-Identifier: MIT
// Reductions of one sequence from left to right, for ops whose result depends on the order. The accumulator
// stays in a register; an element-wise loop would cost a call per element. Plain data, as in table.h.
#pragma once

#include "expr/ops.h"
#include "host/loops/table.h"

namespace arr::host {

// accumulator = op(accumulator, x[i]) for n elements xs bytes apart. mask, unless nullptr: bools ms bytes
// apart; elements with false are skipped. y, unless nullptr: receives the accumulator after each element, ys
// bytes apart.
using OrderedReduceFn = void (*)(int64_t n, const char* x, int64_t xs, const char* mask, int64_t ms,
                                 void* accumulator, char* y, int64_t ys);

struct OrderedReduceTable {
  OrderedReduceFn op[LoopTable::ops][LoopTable::dtypes] = {};
};

// The loop of an op of two operands and a result of one type. Its results are bit for bit those of the
// element-wise loop. Returns nullptr if the element-wise loop does not compute by the op's formula.
OrderedReduceFn ordered_reduce_loop(int32_t op, DType d);

}  // namespace arr::host
