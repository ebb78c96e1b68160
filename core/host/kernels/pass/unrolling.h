// SPDX-License-Identifier: MIT
// Keeps loops that walk through memory by strides known only at run time from being unrolled. Each copy of
// their body would need addresses of its own, for which the processor's registers do not suffice.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

// To run before loops become vectors: the scalar copy of such a loop is the one that counts.
struct KeepStridedLoops : llvm::PassInfoMixin<KeepStridedLoops> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace arr_fission
