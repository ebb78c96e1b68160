// SPDX-License-Identifier: MIT
// Divides programs that are too long for one loop over the elements.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/program.h"

namespace arr {

// One loop. Operands are numbered like those of the whole program; from whole.inputs.size() on they are the
// values of inner passes.
struct Pass {
  const Program* program = nullptr;  // interned
  std::vector<int32_t> operands;
};

// The inner passes each compute one value, an array, from operands and values of passes before. The outputs
// of the outer passes together are those of the whole program.
struct Passes {
  std::vector<Pass> inner, outer;
};

// Each outer pass has a first operand, of bool, that no node reads: it gives the shape, because the other
// operands of a pass may broadcast to a smaller one. Its number is `shape_operand`.
inline constexpr int32_t shape_operand = -1;

// True if one loop can run the program.
bool is_one_pass(const Program& whole);
Passes divide(const Program& whole);

}  // namespace arr
