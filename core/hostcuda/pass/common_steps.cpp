// SPDX-License-Identifier: MIT
#include "common_steps.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "bounds.h"
#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

bool holds_cut(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (is_cut(marker_of(instruction))) return true;
  return false;
}

// The step of a counter, an integer or a pointer; null: the phi is no counter, or all threads agree on it.
Value* common_step(const PHINode& phi, const Loop& loop, const Divergence& divergence) {
  if (!divergence.differs(&phi)) return nullptr;
  auto* next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (next == nullptr) return nullptr;
  Value* step = nullptr;
  if (next->getOpcode() == Instruction::Add && next->getType()->isIntegerTy())
    step = next->getOperand(0) == &phi   ? next->getOperand(1)
           : next->getOperand(1) == &phi ? next->getOperand(0)
                                         : nullptr;
  if (auto* address = dyn_cast<GetElementPtrInst>(next);
      address != nullptr && address->getPointerOperand() == &phi && address->getNumIndices() == 1)
    step = address->getOperand(1);
  return step != nullptr && !divergence.differs(step) && loop.isLoopInvariant(step) &&
                 step->getType()->isIntegerTy()
             ? step
             : nullptr;
}

void rewrite(PHINode& phi, Value* step, const Loop& loop, const Bounds& bounds) {
  BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  Value* start = phi.getIncomingValueForBlock(before);
  auto* next = cast<Instruction>(phi.getIncomingValueForBlock(latch));
  Type* type = step->getType();
  PHINode* steps = PHINode::Create(type, 2, "fission.steps", phi.getIterator());
  steps->addIncoming(ConstantInt::get(type, 0), before);
  steps->addIncoming(
      BinaryOperator::CreateAdd(steps, step, "fission.stepped", latch->getTerminator()->getIterator()),
      latch);
  IRBuilder<> b(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  Value* value = nullptr;
  if (auto* address = dyn_cast<GetElementPtrInst>(next)) {
    value = b.CreateGEP(address->getSourceElementType(), start, steps, "fission.at");
  } else {
    // As in interchange.cpp: what does not wrap from 0 on does not in parts.
    const auto bound = bounds.of(start);
    const bool safe = bound && *bound <= Bounds::max;
    value = b.CreateAdd(start, steps, "fission.at", safe && next->hasNoUnsignedWrap(),
                        safe && next->hasNoSignedWrap());
  }
  phi.replaceAllUsesWith(value);
  phi.eraseFromParent();
}

}  // namespace

void share_steps(Function& function, Divergence& divergence) {
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const Bounds bounds(function);
  bool changed = false;
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    if (loop->getLoopPreheader() == nullptr || loop->getLoopLatch() == nullptr || !holds_cut(*loop)) continue;
    SmallVector<BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    bool together = true;
    for (BasicBlock* block : exiting) together = together && !divergence.branch_differs(*block);
    if (!together) continue;
    for (PHINode& phi : make_early_inc_range(loop->getHeader()->phis()))
      if (Value* step = common_step(phi, *loop, divergence)) {
        rewrite(phi, step, *loop, bounds);
        changed = true;
      }
  }
  if (changed) divergence.compute();
}

}  // namespace arr_fission
