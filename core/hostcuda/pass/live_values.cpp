// SPDX-License-Identifier: MIT
#include "live_values.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <set>

namespace arr_fission {

using namespace llvm;

namespace {

class Carry {
 public:
  Carry(Function& function, Divergence& divergence, Pieces& pieces)
      : function_(function), divergence_(divergence), pieces_(pieces) {}

  void run() {
    while (recompute_round()) {
    }
    std::vector<Instruction*> carried;
    std::vector<AllocaInst*> arrays;
    for (BasicBlock& block : function_)
      for (Instruction& instruction : make_early_inc_range(block)) {
        auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
        if (intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd()) {
          intrinsic->eraseFromParent();
        } else if (auto* array = dyn_cast<AllocaInst>(&instruction)) {
          arrays.push_back(array);
        } else if (!instruction.getType()->isVoidTy() && crosses(instruction)) {
          carried.push_back(&instruction);
        }
      }
    for (Instruction* value : carried) {
      const bool differs = divergence_.differs(value);
      if (value->getType()->isIntegerTy(1)) value = as_byte(*value);
      AllocaInst* slot =
          DemoteRegToStack(*value, false, function_.getEntryBlock().getTerminator()->getIterator());
      pieces_.slots[slot] = differs;
    }
    for (AllocaInst* array : arrays) pieces_.slots[array] = true;
  }

 private:
  // True if the value is needed after a cut.
  bool crosses(Instruction& value) {
    std::set<BasicBlock*> live;  // at their beginning
    std::vector<BasicBlock*> work;
    const auto add = [&](BasicBlock* block) {
      if (block != value.getParent() && live.insert(block).second) work.push_back(block);
    };
    for (Use& use : value.uses()) {
      auto* user = cast<Instruction>(use.getUser());
      auto* phi = dyn_cast<PHINode>(user);
      add(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent());
    }
    while (!work.empty()) {
      BasicBlock* block = work.back();
      work.pop_back();
      for (BasicBlock* before : predecessors(block)) add(before);
    }
    for (const Cut& cut : pieces_.cuts)
      if (live.count(cut.after) != 0) return true;
    return false;
  }

  // All that comes from a block is one value.
  static void set_incoming(PHINode& phi, const BasicBlock* from, const Value* old, Value* fresh) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); i++)
      if (phi.getIncomingBlock(i) == from && phi.getIncomingValue(i) == old) phi.setIncomingValue(i, fresh);
  }

  // A truth value as a byte, which vectors are stored of; its uses in other blocks are of that.
  Instruction* as_byte(Instruction& value) {
    IRBuilder<> behind(value.getParent(), isa<PHINode>(value)
                                              ? value.getParent()->getFirstNonPHIOrDbg()->getIterator()
                                              : std::next(value.getIterator()));
    auto* byte = cast<Instruction>(behind.CreateZExt(&value, behind.getInt8Ty()));
    std::vector<Use*> uses;
    for (Use& use : value.uses())
      if (use.getUser() != byte) uses.push_back(&use);
    for (Use* use : uses) {
      auto* user = cast<Instruction>(use->getUser());
      auto* phi = dyn_cast<PHINode>(user);
      Instruction* at = phi != nullptr ? phi->getIncomingBlock(*use)->getTerminator() : user;
      if (at->getParent() == value.getParent()) continue;
      if (use->get() != &value) continue;  // another way into the same phi from there
      auto* bit = new TruncInst(byte, value.getType(), "", at->getIterator());
      if (divergence_.differs(&value)) divergence_.mark(bit);
      if (phi == nullptr)
        use->set(bit);
      else
        set_incoming(*phi, at->getParent(), &value, bit);
    }
    if (divergence_.differs(&value)) divergence_.mark(byte);
    return byte;
  }

  static bool is_index_arithmetic(const Instruction& instruction) {
    if (marker_of(instruction) == Marker::thread_index) return true;
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
      switch (intrinsic->getIntrinsicID()) {
        case Intrinsic::threadlocal_address:
        case Intrinsic::umin:
        case Intrinsic::umax:
        case Intrinsic::smin:
        case Intrinsic::smax:
          return true;
        default:
          return false;
      }
    }
    if (isa<BinaryOperator>(instruction))
      return instruction.getType()->isIntegerTy() && !instruction.isIntDivRem();
    if (isa<SelectInst>(instruction)) return true;
    return (isa<CastInst>(instruction) || isa<GetElementPtrInst>(instruction) || isa<ICmpInst>(instruction) ||
            isa<FreezeInst>(instruction)) &&
           !instruction.getType()->isFloatingPointTy();
  }

  // Made of index arithmetic on parameters, the thread's index and values that are the same for all threads:
  // those are read from their own slot.
  bool can_recompute(Value* value, int depth = 0) {
    if (isa<Constant>(value) || isa<Argument>(value)) return true;
    auto* instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr || depth > 24) return false;
    if (!is_index_arithmetic(*instruction)) return !divergence_.differs(instruction) && depth > 0;
    for (Value* operand : instruction->operands())
      if (!can_recompute(operand, depth + 1)) return false;
    return true;
  }

  bool recompute_round() {
    std::vector<Instruction*> values;
    for (BasicBlock& block : function_)
      for (Instruction& instruction : block)
        if (!instruction.getType()->isVoidTy() && !isa<AllocaInst>(instruction) && !isa<PHINode>(instruction))
          values.push_back(&instruction);
    bool changed = false;
    for (Instruction* value : values)
      if (can_recompute(value) && crosses(*value)) changed = recompute(*value) || changed;
    return changed;
  }

  // A copy of the value next to each use in another block.
  bool recompute(Instruction& value) {
    std::vector<Use*> uses;
    for (Use& use : value.uses()) uses.push_back(&use);
    bool changed = false;
    for (Use* use : uses) {
      auto* user = cast<Instruction>(use->getUser());
      auto* phi = dyn_cast<PHINode>(user);
      Instruction* at = phi != nullptr ? phi->getIncomingBlock(*use)->getTerminator() : user;
      if (at->getParent() == value.getParent()) continue;
      Instruction* copy = value.clone();
      copy->insertBefore(at);
      if (divergence_.differs(&value)) divergence_.mark(copy);
      if (phi == nullptr)
        use->set(copy);
      else
        set_incoming(*phi, at->getParent(), &value, copy);
      changed = true;
    }
    if (value.use_empty()) value.eraseFromParent();
    return changed;
  }

  Function& function_;
  Divergence& divergence_;
  Pieces& pieces_;
};

}  // namespace

void carry_values(Function& function, Divergence& divergence, Pieces& pieces) {
  Carry(function, divergence, pieces).run();
}

}  // namespace arr_fission
