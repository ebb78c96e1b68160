// SPDX-License-Identifier: MIT
#include "interchange.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>
#include <vector>

#include "bounds.h"
#include "markers.h"
#include "strides.h"
#include "uniform_loops.h"

namespace arr_fission {

using namespace llvm;

namespace {

class Interchange {
 public:
  Interchange(Function& function, Divergence& divergence, bool alone)
      : function_(function),
        alone_(alone),
        divergence_(divergence),
        strides_(function, divergence),
        dominators_(function),
        loops_(dominators_),
        joins_(function),
        bounds_(function) {}

  void run() {
    for (Loop* loop : loops_) {
      simplifyLoop(loop, &dominators_, &loops_, nullptr, nullptr, nullptr, false);
      formLCSSARecursively(*loop, dominators_, &loops_, nullptr);
    }
    divergence_.compute();
    joins_.recalculate(function_);
    for (Loop* loop : loops_.getLoopsInPreorder())
      if (is_worth_it(*loop) && is_entered_at_once(*loop) && goes_through_together(*loop)) cut(*loop);
    FunctionCallee marker = function_.getParent()->getOrInsertFunction(
        "arr_fission_interchange", Type::getVoidTy(function_.getContext()));
    for (Instruction* at : cuts_) CallInst::Create(marker, {}, "", at->getIterator());
  }

 private:
  // An innermost loop that goes through memory, without cuts, atomics or calls, whose threads are better its
  // inner loop.
  bool is_worth_it(Loop& loop) {
    if (!loop.isInnermost() || !loop.isLoopSimplifyForm()) return false;
    bool touches_memory = false;
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) {
        if (is_cut(marker_of(instruction)) || instruction.isAtomic()) return false;
        touches_memory = touches_memory || isa<LoadInst>(instruction) || isa<StoreInst>(instruction);
        const auto* call = dyn_cast<CallInst>(&instruction);
        if (call != nullptr && !isa<IntrinsicInst>(call) && !call->doesNotAccessMemory()) return false;
      }
    return touches_memory && strides_.are_threads_better_inside(loop, alone_);
  }

  // The threads enter the loop and leave it together, or will when their rounds are made common. Otherwise
  // each round would ask every thread where it is.
  bool goes_through_together(Loop& loop) {
    bool together = true;
    SmallVector<BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (BasicBlock* block : exiting) together = together && !divergence_.branch_differs(*block);
    BasicBlock* test = loop.getLoopPreheader()->getSinglePredecessor();
    for (BasicBlock& block : function_) {
      if (loop.contains(&block) || !divergence_.branch_differs(block)) continue;
      const auto* node = joins_.getNode(&block);
      BasicBlock* join =
          node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
      if (Divergence::influenced(&block, join).count(loop.getHeader()) == 0) continue;
      if (&block != test) return false;
      together = false;
    }
    if (together) return true;
    Counters counters;
    for (PHINode& phi : loop.getHeader()->phis())
      if (const auto c = counter_of(loop, phi); c && divergence_.differs(c->start))
        counters.own.push_back({&phi, c->start, c->step, c->next});
      else if (c)
        counters.common.emplace_back(&phi, c->step);
    return can_make_rounds_common(loop, loops_, counters, bounds_, divergence_);
  }

  // All threads that enter the loop enter it at the same time: no outer loop is left at different times, and
  // no barrier stands between the loop and a branch that decides which threads get there.
  bool is_entered_at_once(Loop& loop) {
    for (Loop* outer = loop.getParentLoop(); outer != nullptr; outer = outer->getParentLoop()) {
      SmallVector<BasicBlock*, 4> exiting;
      outer->getExitingBlocks(exiting);
      for (BasicBlock* block : exiting)
        if (divergence_.branch_differs(*block)) return false;
    }
    for (BasicBlock& block : function_) {
      if (loop.contains(&block) || !divergence_.branch_differs(block)) continue;
      const auto* node = joins_.getNode(&block);
      BasicBlock* join =
          node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
      const std::set<BasicBlock*> between = Divergence::influenced(&block, join);
      if (between.count(loop.getHeader()) == 0) continue;
      for (BasicBlock* at : between)
        for (Instruction& instruction : *at)
          if (is_cut(marker_of(instruction)) && Divergence::influenced(at, join).count(loop.getHeader()) != 0)
            return false;
    }
    return true;
  }

  struct Counter {
    Value *start, *step;
    BinaryOperator* next;
  };
  std::optional<Counter> counter_of(Loop& loop, PHINode& phi) {
    auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!phi.getType()->isIntegerTy() || next == nullptr || next->getOpcode() != Instruction::Add) return {};
    Value* step = next->getOperand(0) == &phi   ? next->getOperand(1)
                  : next->getOperand(1) == &phi ? next->getOperand(0)
                                                : nullptr;
    if (step == nullptr || divergence_.differs(step) || !loop.isLoopInvariant(step)) return {};
    return Counter{phi.getIncomingValueForBlock(loop.getLoopPreheader()), step, next};
  }

  // 0, 1, 2, ... in the loop, the same for all threads.
  PHINode* common_counter(Loop& loop) {
    Type* type = Type::getInt64Ty(function_.getContext());
    auto* counter = PHINode::Create(type, 2, "fission.k", loop.getHeader()->begin());
    auto* next = BinaryOperator::CreateNUWAdd(counter, ConstantInt::get(type, 1), "fission.next",
                                              loop.getLoopLatch()->getTerminator()->getIterator());
    counter->addIncoming(ConstantInt::get(type, 0), loop.getLoopPreheader());
    counter->addIncoming(next, loop.getLoopLatch());
    divergence_.force_uniform(counter);
    return counter;
  }

  RoundCounter rewrite(Loop& loop, PHINode& phi, const Counter& c, PHINode* common) {
    IRBuilder<> b(&*loop.getHeader()->getFirstInsertionPt());
    // start + step * k does not wrap where the sum did not and step * k, too, is within the type: it is when
    // the loop starts at or above 0.
    const auto start = bounds_.of(c.start);
    const bool safe = start && *start <= Bounds::max;
    const bool nuw = safe && c.next->hasNoUnsignedWrap(), nsw = safe && c.next->hasNoSignedWrap();
    Value* k = b.CreateZExtOrTrunc(common, phi.getType());
    Value* value = b.CreateAdd(c.start, b.CreateMul(k, c.step, "", nuw, nsw), "fission.i", nuw, nsw);
    const RoundCounter rewritten{value, c.start, c.step, c.next};
    phi.replaceAllUsesWith(value);
    phi.eraseFromParent();
    return rewritten;
  }

  void cut(Loop& loop) {
    Counters counters;
    for (PHINode& phi : make_early_inc_range(loop.getHeader()->phis())) {
      const auto counter = counter_of(loop, phi);
      if (!counter) continue;
      if (!divergence_.differs(counter->start)) {
        divergence_.force_uniform(&phi);
        counters.common.emplace_back(&phi, counter->step);
        continue;
      }
      if (counters.rounds == nullptr) counters.rounds = common_counter(loop);
      counters.own.push_back(rewrite(loop, phi, *counter, counters.rounds));
    }
    if (make_rounds_common(loop, loops_, counters, bounds_, divergence_)) {
      dominators_.recalculate(function_);
      joins_.recalculate(function_);
    }
    cuts_.push_back(&*loop.getHeader()->getFirstInsertionPt());
    SmallVector<BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    for (BasicBlock* exit : exits) cuts_.push_back(&*exit->getFirstInsertionPt());
  }

  Function& function_;
  bool alone_;
  Divergence& divergence_;
  Strides strides_;
  DominatorTree dominators_;
  LoopInfo loops_;
  PostDominatorTree joins_;
  Bounds bounds_;
  std::vector<Instruction*> cuts_;
};

}  // namespace

void interchange(Function& function, Divergence& divergence, bool alone) {
  Interchange(function, divergence, alone).run();
}

}  // namespace arr_fission
