// SPDX-License-Identifier: MIT
// The shim has every device function inlined, so that the pass sees the barriers and indices in it. For long
// functions without any that is LLVM's choice again: functions that call each other many times would become
// code that takes minutes to compile.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

struct RelaxInlining : llvm::PassInfoMixin<RelaxInlining> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace arr_fission
