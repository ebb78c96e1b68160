// SPDX-License-Identifier: MIT
// Turns a loop that threads leave at different times into one with the same number of iterations for all
// threads and a guard around its body: `for (; i < n; i += step) body` becomes `for (k = 0; the first
// thread's i < n; k++) if (i < n) body`. So no thread's state has to be stored in memory, and `SplitAtGuards`
// knows the form of the guard.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstrTypes.h>

#include <vector>

#include "bounds.h"
#include "divergence.h"

namespace arr_fission {

// value = start + step * rounds in a loop, `rounds` being the same for all threads; next = value + step.
struct RoundCounter {
  llvm::Value *value, *start, *step;
  const llvm::BinaryOperator* next;
};

// The counters of a loop: those of its threads, and phis that are the same for all with what is added to
// them.
struct Counters {
  llvm::PHINode* rounds = nullptr;
  std::vector<RoundCounter> own;
  std::vector<std::pair<llvm::PHINode*, llvm::Value*>> common;
};

// Returns whether that is possible, and changes nothing.
bool can_make_rounds_common(llvm::Loop& loop, llvm::LoopInfo& loops, const Counters& counters,
                            const Bounds& bounds, const Divergence& divergence);

// Returns true if the loop was changed; new blocks belong to it. The loop must be rotated as LLVM does it:
// its test is at its end, with a copy of the test before the loop.
bool make_rounds_common(llvm::Loop& loop, llvm::LoopInfo& loops, const Counters& counters,
                        const Bounds& bounds, const Divergence& divergence);

}  // namespace arr_fission
