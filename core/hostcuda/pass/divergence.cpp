// SPDX-License-Identifier: MIT
#include "divergence.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GlobalVariable.h>

#include <vector>

#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

// A struct parameter of the kernel: one object for all threads, which none writes (they write copies).
bool reads_parameter(const Instruction& instruction) {
  const auto* load = dyn_cast<LoadInst>(&instruction);
  if (load == nullptr) return false;
  const auto* argument = dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand(), 0));
  return argument != nullptr && argument->hasByValAttr();
}

// A constant of the image, such as the origin of PTX's addresses: one value for all threads, at all times.
bool reads_constant(const Instruction& instruction) {
  const auto* load = dyn_cast<LoadInst>(&instruction);
  if (load == nullptr) return false;
  const auto* global = dyn_cast<GlobalVariable>(load->getPointerOperand()->stripPointerCasts());
  return global != nullptr && global->isConstant() && !global->isThreadLocal();
}

bool is_source(const Instruction& instruction, bool in_rows) {
  const Marker marker = marker_of(instruction);
  if (marker == Marker::thread_index) return !in_rows || axis_of(instruction) == 0;
  if (marker == Marker::lanes || marker == Marker::group) return true;
  if (isa<AllocaInst>(instruction)) return true;
  return instruction.mayReadFromMemory() && !reads_parameter(instruction) && !reads_constant(instruction);
}

}  // namespace

std::set<BasicBlock*> Divergence::influenced(BasicBlock* block, BasicBlock* join) {
  std::set<BasicBlock*> found;
  std::vector<BasicBlock*> work(succ_begin(block), succ_end(block));
  while (!work.empty()) {
    BasicBlock* at = work.back();
    work.pop_back();
    if (at == join || !found.insert(at).second) continue;
    work.insert(work.end(), succ_begin(at), succ_end(at));
  }
  return found;
}

bool Divergence::branch_differs(const BasicBlock& block) const {
  const Instruction* end = block.getTerminator();
  if (const auto* branch = dyn_cast<BranchInst>(end))
    return branch->isConditional() && differs(branch->getCondition());
  if (const auto* choice = dyn_cast<SwitchInst>(end)) return differs(choice->getCondition());
  return end->getNumSuccessors() > 1;
}

void Divergence::mark_sources() {
  for (BasicBlock& block : function_)
    for (Instruction& instruction : block)
      if (!instruction.getType()->isVoidTy() && is_source(instruction, in_rows_)) mark(&instruction);
}

bool Divergence::spread_by_operands() {
  bool changed = false;
  for (BasicBlock& block : function_)
    for (Instruction& instruction : block) {
      if (instruction.getType()->isVoidTy() || differs(&instruction)) continue;
      const auto* phi = dyn_cast<PHINode>(&instruction);
      if (phi != nullptr && forced_.count(phi) != 0) continue;
      for (Value* operand : instruction.operands())
        if (differs(operand)) changed = mark(&instruction) || changed;
    }
  return changed;
}

// Threads leave the loop at different times, with different values; of a forced counter it is its users that
// differ.
bool Divergence::mark_uses_behind(const Loop& loop, Instruction& value) {
  const auto* phi = dyn_cast<PHINode>(&value);
  const bool forced = phi != nullptr && forced_.count(phi) != 0;
  bool changed = false;
  for (User* user : value.users())
    if (!loop.contains(cast<Instruction>(user)) && (!forced || !user->getType()->isVoidTy()))
      changed = mark(forced ? static_cast<Value*>(user) : &value) || changed;
  return changed;
}

bool Divergence::spread_by_branches() {
  PostDominatorTree joins(function_);
  DominatorTree dominators(function_);
  LoopInfo loops(dominators);
  bool changed = false;
  const auto mark_phi = [&](PHINode& phi) {
    if (forced_.count(&phi) == 0 && !phi.hasConstantOrUndefValue()) changed = mark(&phi) || changed;
  };
  for (BasicBlock& block : function_) {
    if (!branch_differs(block)) continue;
    const auto* node = joins.getNode(&block);
    BasicBlock* join = node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
    std::set<BasicBlock*> reached = influenced(&block, join);
    if (join != nullptr) reached.insert(join);
    for (BasicBlock* at : reached)
      for (PHINode& phi : at->phis()) mark_phi(phi);
    for (Loop* loop = loops.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop()) {
      if (!loop->isLoopExiting(&block)) continue;
      for (BasicBlock* at : loop->blocks())
        for (Instruction& value : *at) changed = mark_uses_behind(*loop, value) || changed;
    }
  }
  return changed;
}

void Divergence::compute() {
  differing_.clear();
  mark_sources();
  for (bool changed = true; changed;) {
    changed = spread_by_operands();
    changed = spread_by_branches() || changed;
  }
}

}  // namespace arr_fission
