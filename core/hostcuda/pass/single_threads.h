// SPDX-License-Identifier: MIT
// Extra stores of single threads of a row, such as `if (threadIdx.x == 0) s[0] = x[i - 1]` at the edge of a
// tile, become code after the loop over the row's threads. The loop is then the same for all its threads.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

// To run before SplitAtGuards, which splits what is left.
struct TakeOutSingleThreads : llvm::PassInfoMixin<TakeOutSingleThreads> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace arr_fission
