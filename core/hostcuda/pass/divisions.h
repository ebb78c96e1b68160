// SPDX-License-Identifier: MIT
// Takes divisions of integers that are the same in every turn out of loops, also where not every turn makes
// them. LLVM leaves these in their branch, for a divisor may be 0 where it is not taken; and its vectoriser
// (of 19) computes one that becomes an address for the first lane of a vector only, whether that lane takes
// the branch or not: parts[b % n] is read at a wrong index when thread 0 has returned.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

struct HoistDivisions : llvm::PassInfoMixin<HoistDivisions> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace arr_fission
