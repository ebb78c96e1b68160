// SPDX-License-Identifier: MIT
// Two ops fused into one loop: the result of the first stays in a register instead of going through a block
// of memory. In a long formula of simple ops such blocks take most of the time. Plain data, as in table.h.
#pragma once

#include "expr/ops.h"
#include "host/loops/table.h"

namespace arr::host {

// The second op of a pair and the first, whose result is one of the second's operands.
#define ARR_PAIR_OUTER(X) X(add) X(subtract) X(multiply)
#define ARR_PAIR_INNER(X) X(add) X(subtract) X(multiply) X(negative) X(absolute) X(square) X(sqrt)
// A second op of one operand, and the first.
#define ARR_PAIR_UNARY_OUTER(X) X(absolute) X(square) X(sqrt)
#define ARR_PAIR_UNARY_INNER(X) X(add) X(subtract) X(multiply)

// Single ops whose loops are as fast.
#define ARR_PAIR_SINGLE(X) X(add) X(subtract) X(multiply)

// Blocks of this many elements have loops of constant length, whose calls cost little more than the elements.
// A long program of such loops runs in blocks that all fit into the first-level cache. For float there are
// also blocks of twice this length.
inline constexpr int64_t short_block = 128;

#define ARR_PAIR_COUNT(name) +1
struct PairTable {
  static constexpr int outer = 0 ARR_PAIR_OUTER(ARR_PAIR_COUNT), inner = 0 ARR_PAIR_INNER(ARR_PAIR_COUNT);
  // [outer][inner][operand of the outer that the inner's result is]
  LoopFn float32[outer][inner][2] = {};
  LoopFn float64[outer][inner][2] = {};
  static constexpr int unary_outer = 0 ARR_PAIR_UNARY_OUTER(ARR_PAIR_COUNT);
  static constexpr int unary_inner = 0 ARR_PAIR_UNARY_INNER(ARR_PAIR_COUNT);
  LoopFn unary_float32[unary_outer][unary_inner] = {};
  LoopFn unary_float64[unary_outer][unary_inner] = {};
  static constexpr int singles = 0 ARR_PAIR_SINGLE(ARR_PAIR_COUNT);
  LoopFn single_float32[singles] = {}, single_float64[singles] = {};
};
#undef ARR_PAIR_COUNT

// The loop of outer(inner(in[0], ..), z), or of outer(z, inner(in[0], ..)) for operand 1, by the ops'
// numbers; z follows the inner's operands, and an outer of one operand has none. Its results are bit for bit
// those of the two loops. Returns nullptr if the pair has no loop.
LoopFn pair_loop(int32_t outer, int32_t inner, int operand, DType d);

// The loop of one op that has loops for short blocks; nullptr if there is none.
LoopFn short_loop(int32_t op, DType d);

}  // namespace arr::host
