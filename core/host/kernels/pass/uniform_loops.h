// SPDX-License-Identifier: MIT
// Makes of a loop that threads leave at different times one with as many rounds for all, and a guard around
// its body: `for (; i < n; i += step) body` becomes `for (k = 0; the first thread's i < n; k++) if (i < n)
// body`. So no thread's state is kept in memory, and the guard is one that `SplitAtGuards` knows.
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

// Whether the loop was changed; new blocks belong to it. The loop has its test at its end, as LLVM turns
// loops, and another such in front.
bool make_rounds_common(llvm::Loop& loop, llvm::LoopInfo& loops, const Counters& counters,
                        const Bounds& bounds, const Divergence& divergence);

}  // namespace arr_fission
