// SPDX-License-Identifier: MIT
// Fetches ahead what the rows of a block access in a later round of a loop with a barrier. Such a kernel goes
// through memory in tiles, a few elements of each of many rows, in which processors see no pattern.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

// To run before the loops over threads are split.
struct PrefetchRounds : llvm::PassInfoMixin<PrefetchRounds> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace arr_fission
