// SPDX-License-Identifier: MIT
// Loops over threads in which single threads do more than the others, as those at the edges of a tile do:
// `if (threadIdx.x == 0) ...`. The threads between them become loops of their own, without that code.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

// To run before SplitAtGuards.
struct SplitAtPoints : llvm::PassInfoMixin<SplitAtPoints> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace arr_fission
