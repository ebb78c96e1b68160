// SPDX-License-Identifier: MIT
// Conversions of floating-point numbers to integers as a GPU makes them (PTX ISA, cvt): out of range they
// saturate, and NaN becomes 0, or the integer with only its highest bit set where the source is a double or
// the target has 64 bits. Types below 32 bits are the low bits of a conversion to 32. The compiler is asked
// for saturating conversions (-fno-strict-float-cast-overflow), which this pass completes.
#pragma once

#include <llvm/IR/PassManager.h>

namespace arr_fission {

struct ConvertAsPtx : llvm::PassInfoMixin<ConvertAsPtx> {
  static bool isRequired() { return true; }
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace arr_fission
