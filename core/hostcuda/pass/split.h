// SPDX-License-Identifier: MIT
// Splits loops over a block's threads where a guard such as `if (i < n)` changes, so that the part where it
// holds is a plain loop: without AVX-512 masked stores are as slow as scalar code.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

struct SplitAtGuards : llvm::PassInfoMixin<SplitAtGuards> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace arr_fission
