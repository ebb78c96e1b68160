// SPDX-License-Identifier: MIT
// Keeps LLVM's interprocedural passes away from kernels. A kernel of internal linkage (static, of an unnamed
// namespace, an instance over such a type) is a function whose callers and body are all known: LLVM removes
// parameters that seem unused, passes poison for them and writes constants into the others, and the order of
// a kernel's parameters is what the rest of this pass relies on. So kernels have weak linkage, under which
// another body could replace this one, until they have become loops.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

struct ExposeKernels : llvm::PassInfoMixin<ExposeKernels> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

// Restores the linkage of the kernels that ExposeKernels changed: two units may have kernels of one name.
void hide_kernels(llvm::Module& module);

}  // namespace arr_fission
