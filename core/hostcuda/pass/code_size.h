// SPDX-License-Identifier: MIT
// Keeps the code generator's time about linear in a module's size. A kernel with many barriers is one long
// function with hundreds of loops. Passes that weigh each loop or register against the whole function then
// take most of the time, and gain little where no loop dominates.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

struct LimitCodeGeneration : llvm::PassInfoMixin<LimitCodeGeneration> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Keeps LLVM from copies of loops over threads: several vectors to a round, narrower vectors for what is left
// of the rounds, and bodies unrolled for counts that are known at run time only. A row or a warp has a few
// vectors, and mostly nothing is left of them. To run right before the vectoriser, for each function.
struct LimitCopiesOfLoops : llvm::PassInfoMixin<LimitCopiesOfLoops> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace arr_fission
