// SPDX-License-Identifier: MIT
#include "divisions.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace arr_fission {

using namespace llvm;

namespace {

bool is_division(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::SDiv:
    case Instruction::SRem:
      return instruction.getType()->isIntegerTy();
    default:
      return false;
  }
}

// The divisor, or 1 where the division could not be made.
Value* safe_divisor(IRBuilder<>& builder, const Instruction& division, Value* dividend) {
  Value* divisor = builder.CreateFreeze(division.getOperand(1));
  Type* type = division.getType();
  Value* bad = builder.CreateICmpEQ(divisor, ConstantInt::get(type, 0));
  if (division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem) {
    Value* is_min = builder.CreateICmpEQ(
        dividend, ConstantInt::get(type, APInt::getSignedMinValue(type->getIntegerBitWidth())));
    Value* minus_one = builder.CreateICmpEQ(divisor, ConstantInt::getAllOnesValue(type));
    bad = builder.CreateOr(bad, builder.CreateAnd(is_min, minus_one));
  }
  return builder.CreateSelect(bad, ConstantInt::get(type, 1), divisor);
}

bool hoist_from(Loop& loop) {
  BasicBlock* before = loop.getLoopPreheader();
  if (before == nullptr) return false;
  std::vector<Instruction*> divisions;
  for (BasicBlock* block : loop.blocks())
    for (Instruction& instruction : *block)
      if (is_division(instruction)) divisions.push_back(&instruction);
  bool changed = false;
  for (bool again = true; again;) {  // one may depend on another
    again = false;
    for (Instruction*& division : divisions) {
      if (division == nullptr || !loop.makeLoopInvariant(division->getOperand(0), changed) ||
          !loop.makeLoopInvariant(division->getOperand(1), changed))
        continue;
      IRBuilder<> builder(before->getTerminator());
      Value* dividend = builder.CreateFreeze(division->getOperand(0));
      division->setOperand(1, safe_divisor(builder, *division, dividend));
      division->setOperand(0, dividend);
      division->dropPoisonGeneratingFlags();
      division->moveBefore(before->getTerminator());
      division = nullptr;
      changed = again = true;
    }
  }
  return changed;
}

}  // namespace

PreservedAnalyses HoistDivisions::run(Function& function, FunctionAnalysisManager& analyses) {
  bool changed = false;
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost()) changed = hoist_from(*loop) || changed;
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace arr_fission
