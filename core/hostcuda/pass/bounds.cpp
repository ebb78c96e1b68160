// SPDX-License-Identifier: MIT
#include "bounds.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "markers.h"

namespace arr_fission {

using namespace llvm;

Bounds::Bounds(Function& function) : function_(function) {
  for (BasicBlock& block : function)
    for (Instruction& instruction : block) narrow_ = narrow_ || marker_of(instruction) == Marker::narrow;
}

std::optional<uint64_t> Bounds::of(const Value* value) const {
  if (const auto* constant = dyn_cast<ConstantInt>(value)) {
    if (constant->isNegative() || constant->getValue().getActiveBits() > 31) return {};
    return constant->getZExtValue();
  }
  if (isa<SExtInst>(value) || isa<ZExtInst>(value)) return of(cast<CastInst>(value)->getOperand(0));
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr) return {};
  if (marker_of(*instruction) == Marker::thread_index) return 1023;
  if (instruction->getOpcode() == Instruction::Add) {
    const auto a = of(instruction->getOperand(0)), b = of(instruction->getOperand(1));
    if (a && b && *a + *b <= max) return *a + *b;
  }
  if (instruction->getOpcode() == Instruction::Mul && narrow_)
    for (unsigned axis = 0; axis < 3; axis++) {
      const Value *index = function_.getArg(block_index + axis), *size = function_.getArg(block_dim + axis);
      const Value *a = instruction->getOperand(0), *b = instruction->getOperand(1);
      if ((a == index && b == size) || (a == size && b == index)) return max - 1024;
    }
  return {};
}

void Bounds::mark_sums() const {
  for (BasicBlock& block : function_)
    for (Instruction& instruction : block) {
      const unsigned code = instruction.getOpcode();
      if ((code != Instruction::Add && code != Instruction::Mul) || !of(&instruction)) continue;
      instruction.setHasNoSignedWrap();
      instruction.setHasNoUnsignedWrap();
    }
}

}  // namespace arr_fission
