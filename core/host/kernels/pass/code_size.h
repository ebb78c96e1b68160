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

}  // namespace arr_fission
