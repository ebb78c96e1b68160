// SPDX-License-Identifier: MIT
// Two ops in one loop: what the first gives stays in a register instead of going through a block. Of a long
// formula of simple ops such blocks are most of the work. Plain data, as in table.h.
#pragma once

#include "expr/ops.h"
#include "host/loops/table.h"

namespace arr::host {

// The second op of a pair and the first, whose result is one of the second's operands.
#define ARR_PAIR_OUTER(X) X(add) X(subtract) X(multiply)
#define ARR_PAIR_INNER(X) X(add) X(subtract) X(multiply) X(negative) X(absolute) X(square) X(sqrt)

#define ARR_PAIR_COUNT(name) +1
struct PairTable {
  static constexpr int outer = 0 ARR_PAIR_OUTER(ARR_PAIR_COUNT), inner = 0 ARR_PAIR_INNER(ARR_PAIR_COUNT);
  // [outer][inner][which operand of the outer it is]
  LoopFn float32[outer][inner][2] = {};
  LoopFn float64[outer][inner][2] = {};
};
#undef ARR_PAIR_COUNT

// outer(inner(in[0], ..), z), or outer(z, inner(in[0], ..)) where it is operand 1; z follows the inner's
// operands. With the same bits as one after the other. nullptr: there is none. By the ops' numbers.
LoopFn pair_loop(int32_t outer, int32_t inner, int operand, DType d);

}  // namespace arr::host
