// SPDX-License-Identifier: MIT
#include "conversions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace arr_fission {

using namespace llvm;

namespace {

bool is_saturating_conversion(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  return call != nullptr &&
         (call->getIntrinsicID() == Intrinsic::fptosi_sat || call->getIntrinsicID() == Intrinsic::fptoui_sat);
}

// False where the intrinsic is what PTX does.
bool convert(IntrinsicInst& call) {
  Value* source = call.getArgOperand(0);
  Type* target = call.getType();
  const unsigned bits = target->getScalarSizeInBits(), computed_bits = bits < 32 ? 32 : bits;
  const bool highest_for_nan = source->getType()->getScalarType()->isDoubleTy() || bits == 64;
  if (bits > 64 || (computed_bits == bits && !highest_for_nan)) return false;
  IRBuilder<> builder(&call);
  Type* computed = target->getWithNewBitWidth(computed_bits);
  Value* result = builder.CreateIntrinsic(call.getIntrinsicID(), {computed, source->getType()}, {source});
  if (highest_for_nan) {
    Value* nan = builder.CreateFCmpUNO(source, source);
    result = builder.CreateSelect(nan, ConstantInt::get(computed, APInt::getSignMask(computed_bits)), result);
  }
  call.replaceAllUsesWith(builder.CreateTrunc(result, target));
  call.eraseFromParent();
  return true;
}

}  // namespace

PreservedAnalyses ConvertAsPtx::run(Function& function, FunctionAnalysisManager&) {
  std::vector<IntrinsicInst*> found;
  for (Instruction& instruction : instructions(function))
    if (is_saturating_conversion(instruction)) found.push_back(cast<IntrinsicInst>(&instruction));
  bool changed = false;
  for (IntrinsicInst* call : found) changed = convert(*call) || changed;
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace arr_fission
