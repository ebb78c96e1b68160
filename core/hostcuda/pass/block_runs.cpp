// SPDX-License-Identifier: MIT
#include "block_runs.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "fission.h"
#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

const Value* widened(const Value* value) {
  while (isa<ZExtInst>(value) || isa<SExtInst>(value)) value = cast<CastInst>(value)->getOperand(0);
  return value;
}

bool is_thread_x(const Value* value) {
  const auto* instruction = dyn_cast<Instruction>(value);
  return instruction != nullptr && marker_of(*instruction) == Marker::thread_index &&
         axis_of(*instruction) == 0;
}

class Sums {
 public:
  explicit Sums(Function& function)
      : function_(function), index_(function.getArg(block_index)), size_(function.getArg(block_dim)) {}

  bool are_all() const {
    for (const User* user : index_->users())
      if (!leads_to_sums(user)) return false;
    for (const BasicBlock& block : function_)
      for (const Instruction& instruction : block)
        if (is_thread_x(&instruction))
          for (const User* user : instruction.users())
            if (!leads_to_sums(user)) return false;
    return true;
  }

 private:
  bool is_product(const Value* value) const {
    const auto* product = dyn_cast<BinaryOperator>(value);
    if (product == nullptr || product->getOpcode() != Instruction::Mul) return false;
    const Value *a = widened(product->getOperand(0)), *b = widened(product->getOperand(1));
    return (a == index_ && b == size_) || (a == size_ && b == index_);
  }
  bool is_sum(const Value* value) const {
    const auto* sum = dyn_cast<BinaryOperator>(value);
    if (sum == nullptr || sum->getOpcode() != Instruction::Add) return false;
    const Value *a = widened(sum->getOperand(0)), *b = widened(sum->getOperand(1));
    return (is_product(a) && is_thread_x(b)) || (is_thread_x(a) && is_product(b));
  }
  // A step on the way to the sum, whose own uses are such steps too.
  bool leads_to_sums(const User* user) const {
    if (is_sum(user)) return true;
    if (!isa<ZExtInst>(user) && !isa<SExtInst>(user) && !is_product(user)) return false;
    return std::all_of(user->user_begin(), user->user_end(),
                       [this](const User* next) { return leads_to_sums(next); });
  }

  Function& function_;
  const Value *index_, *size_;
};

// Shared memory, and what the runtime does in a block's name.
bool belongs_to_block(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  if (intrinsic != nullptr && intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address) return true;
  return std::any_of(instruction.op_begin(), instruction.op_end(), [](const Use& use) {
    const auto* global = dyn_cast<GlobalVariable>(use->stripPointerCasts());
    return global != nullptr && global->isThreadLocal();
  });
}

// In a loop that goes on until another thread has done something.
bool may_wait(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call != nullptr && !isa<IntrinsicInst>(call) && marker_of(instruction) == Marker::none)
    return !call->doesNotAccessMemory();
  return instruction.isAtomic() || instruction.isVolatile();
}

}  // namespace

bool sees_sums_only(Function& function) {
  if (!function.getArg(dynamic_shared)->use_empty() || !function.getArg(worker)->use_empty()) return false;
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  bool narrow = false;
  for (const BasicBlock& block : function)
    for (const Instruction& instruction : block) {
      narrow = narrow || marker_of(instruction) == Marker::narrow;
      if (belongs_to_block(instruction)) return false;
      if (loops.getLoopFor(&block) != nullptr && may_wait(instruction)) return false;
    }
  return narrow && Sums(function).are_all();
}

bool keeps_nothing(const Pieces& pieces) {
  return !pieces.masked && std::all_of(pieces.cuts.begin(), pieces.cuts.end(), [](const Cut& cut) {
    return cut.kind == Marker::interchange;
  }) && std::none_of(pieces.slots.begin(), pieces.slots.end(), [](const auto& slot) { return slot.second; });
}

void set_run_threads(Function& kernel, bool joins) {
  std::vector<CallInst*> calls;
  for (const User* user : kernel.users())
    if (const auto* call = dyn_cast<CallInst>(user))
      for (BasicBlock& block : *const_cast<Function*>(call->getFunction()))
        for (Instruction& instruction : block)
          if (auto* asks = dyn_cast<CallInst>(&instruction);
              asks != nullptr && asks->getCalledFunction() != nullptr &&
              asks->getCalledFunction()->getName() == run_threads_mark)
            calls.push_back(asks);
  std::sort(calls.begin(), calls.end());
  calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
  for (CallInst* call : calls) {
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), joins ? max_run_threads : 1));
    call->eraseFromParent();
  }
}

}  // namespace arr_fission
