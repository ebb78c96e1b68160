// SPDX-License-Identifier: MIT
#include "points.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <vector>

#include "loop_utilities.h"
#include "markers.h"
#include "switches.h"

namespace arr_fission {

using namespace llvm;

namespace {

constexpr size_t most_points = 6;
constexpr unsigned most_splits = 64, most_instructions = 400;

class Points {
 public:
  Points(Loop& loop, LoopInfo& loops, DominatorTree& dominators, ScalarEvolution& evolution,
         const TargetTransformInfo& target)
      : loop_(loop),
        loops_(loops),
        dominators_(dominators),
        evolution_(evolution),
        target_(target),
        expander_(evolution, loop.getHeader()->getDataLayout(), "fission.points"),
        int_(Type::getInt64Ty(loop.getHeader()->getContext())) {}

  // A thread loop, left at its end only.
  bool can_be_split() {
    if (!is_thread_loop(loop_)) return false;
    unsigned instructions = 0;
    for (const BasicBlock* block : loop_.blocks()) instructions += static_cast<unsigned>(block->size());
    if (instructions > most_instructions) return false;
    taken_ = evolution_.getBackedgeTakenCount(&loop_);
    return !isa<SCEVCouldNotCompute>(taken_) && expands(taken_);
  }

  bool run() {
    if (!can_be_split()) return false;
    for (BasicBlock* block : loop_.blocks())
      if (auto* branch = dyn_cast<BranchInst>(block->getTerminator());
          branch != nullptr && branch->isConditional() && block != loop_.getLoopLatch())
        find(branch->getCondition());
    if (points_.empty() || points_.size() > most_points) return false;
    formLCSSA(loop_, dominators_, &loops_, &evolution_);
    split();
    return true;
  }

 private:
  bool expands(const SCEV* value) {
    return expander_.isSafeToExpandAt(value, loop_.getLoopPreheader()->getTerminator());
  }

  void find(Value* condition) {
    using namespace PatternMatch;
    Value *a = nullptr, *b = nullptr;
    if (match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) ||
        match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
      find(a);
      find(b);
    } else if (auto* compare = dyn_cast<ICmpInst>(condition);
               compare != nullptr && compare->isEquality() && loop_.contains(compare)) {
      add(*compare);
    }
  }

  void add(ICmpInst& compare) {
    for (const Point& point : points_)
      if (point.compare == &compare) return;
    const auto point = point_of(compare, loop_, evolution_);
    if (point && expands(point->start) && expands(point->bound)) points_.push_back(*point);
  }

  // before -> head; head -> (a point is here ? middle : front loop); front loop -> between;
  // between -> (at the end ? exit : middle); middle -> the old body, once -> tail -> (at the end ? exit :
  // head)
  void split() {
    BasicBlock* before = loop_.getLoopPreheader();
    exit_ = loop_.getExitBlock();
    latch_ = loop_.getLoopLatch();
    find_places(before->getTerminator());
    SmallVector<BasicBlock*, 8> blocks;
    middle_ = SplitBlock(before, before->getTerminator(), &dominators_, &loops_);
    Loop* front =
        cloneLoopWithPreheader(middle_, before, &loop_, values_, ".between", &loops_, &dominators_, blocks);
    remapInstructionsInBlocks(blocks, values_);
    LLVMContext& context = before->getContext();
    BasicBlock* head = BasicBlock::Create(context, "fission.points", before->getParent(), middle_);
    BasicBlock* between = BasicBlock::Create(context, "fission.point", before->getParent(), middle_);
    before->getTerminator()->eraseFromParent();
    BranchInst::Create(head, before);
    IRBuilder<> b(between);
    begin(before, head, *front, b);
    count(*front, between);
    fold_tail(*front, target_);
    b.CreateCondBr(b.CreateICmpEQ(stop_, all_), exit_, middle_);
    run_once(head, between);
    for (const Point& point : points_) {
      auto* copy = cast<ICmpInst>(values_[point.compare]);
      copy->replaceAllUsesWith(ConstantInt::getBool(context, copy->getPredicate() == CmpInst::ICMP_NE));
    }
  }

  // The number of iterations, and those of the points.
  void find_places(Instruction* at) {
    IRBuilder<> b(at);
    all_ = expander_.expandCodeFor(evolution_.getTruncateOrZeroExtend(taken_, int_), int_, at);
    b.SetInsertPoint(at);
    all_ = b.CreateAdd(all_, b.getInt64(1), "fission.all");
    SmallPtrSet<const SCEV*, 8> known;  // one thread may be compared in several places
    for (const Point& point : points_) {
      const SCEV* distance = evolution_.getMinusSCEV(point.bound, point.start);
      if (!known.insert(distance).second) continue;
      Value* place = expander_.expandCodeFor(distance, point.start->getType(), at);
      b.SetInsertPoint(at);
      places_.push_back(b.CreateFreeze(b.CreateZExt(place, int_)));
    }
  }

  // t_: the iteration; stop_: the next point, or the end. `behind` inserts behind the front loop.
  void begin(BasicBlock* before, BasicBlock* head, const Loop& front, IRBuilder<>& behind) {
    IRBuilder<> b(head);
    t_ = b.CreatePHI(int_, 2, "fission.t");
    t_->addIncoming(b.getInt64(0), before);
    for (PHINode& phi : loop_.getHeader()->phis()) {
      PHINode* at_head = b.CreatePHI(phi.getType(), 2);
      at_head->addIncoming(phi.getIncomingValueForBlock(middle_), before);
      carried_.push_back(at_head);
      next_.push_back(phi.getIncomingValueForBlock(latch_));
    }
    stop_ = all_;
    for (Value* place : places_)
      stop_ = b.CreateSelect(b.CreateICmpUGE(place, t_),
                             b.CreateBinaryIntrinsic(Intrinsic::umin, stop_, place), stop_);
    b.CreateCondBr(b.CreateICmpUGT(stop_, t_), front.getLoopPreheader(), middle_);
    size_t i = 0;
    Value* rounds = behind.CreateSub(stop_, t_);
    for (PHINode& phi : loop_.getHeader()->phis()) {
      Value* end = counted(phi, carried_[i], rounds, evolution_, behind);
      reached_.push_back(end != nullptr ? end : of_front(next_[i]));
      i++;
    }
    i = 0;
    for (PHINode& phi : front.getHeader()->phis())
      phi.setIncomingValueForBlock(front.getLoopPreheader(), carried_[i++]);
  }

  Value* of_front(Value* v) { return values_.count(v) != 0 ? static_cast<Value*>(values_[v]) : v; }

  // The old body, without its way back.
  void run_once(BasicBlock* head, BasicBlock* between) {
    // The values that the front loop leaves, by the old loop's phis, which go.
    std::vector<Value*> left_by_front;
    for (PHINode& phi : exit_->phis())
      left_by_front.push_back(of_front(phi.getIncomingValueForBlock(latch_)));
    size_t i = 0;
    for (PHINode& phi : make_early_inc_range(loop_.getHeader()->phis())) {
      PHINode* here = PHINode::Create(phi.getType(), 2, "fission.on", middle_->begin());
      here->addIncoming(carried_[i], head);
      here->addIncoming(reached_[i], between);
      i++;
      phi.replaceAllUsesWith(here);
      std::replace(next_.begin(), next_.end(), static_cast<Value*>(&phi), static_cast<Value*>(here));
      phi.eraseFromParent();
    }
    BasicBlock* tail = BasicBlock::Create(head->getContext(), "fission.tail", head->getParent(), exit_);
    latch_->getTerminator()->eraseFromParent();
    BranchInst::Create(tail, latch_);
    IRBuilder<> b(tail);
    Value* after = b.CreateAdd(stop_, b.getInt64(1), "", true, true);
    b.CreateCondBr(b.CreateICmpEQ(after, all_), exit_, head);
    t_->addIncoming(after, tail);
    for (i = 0; i < carried_.size(); i++) carried_[i]->addIncoming(next_[i], tail);
    i = 0;
    for (PHINode& phi : exit_->phis()) {
      Value* v = phi.getIncomingValueForBlock(latch_);
      phi.removeIncomingValue(latch_, false);
      phi.addIncoming(v, tail);
      phi.addIncoming(left_by_front[i++], between);
    }
  }

  // The loop runs from t_ to stop_.
  void count(Loop& front, BasicBlock* out) {
    BasicBlock* latch = front.getLoopLatch();
    auto* old = cast<BranchInst>(latch->getTerminator());
    PHINode* counter = PHINode::Create(int_, 2, "fission.j", front.getHeader()->begin());
    IRBuilder<> b(old);
    Value* next = b.CreateAdd(counter, b.getInt64(1), "", true, true);
    counter->addIncoming(t_, front.getLoopPreheader());
    counter->addIncoming(next, latch);
    BranchInst* branch = b.CreateCondBr(b.CreateICmpULT(next, stop_), front.getHeader(), out);
    branch->copyMetadata(*old, LLVMContext::MD_loop);
    old->eraseFromParent();
  }

  Loop& loop_;
  LoopInfo& loops_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
  const TargetTransformInfo& target_;
  SCEVExpander expander_;
  Type* int_;
  const SCEV* taken_ = nullptr;
  std::vector<Point> points_;
  std::vector<Value*> places_;
  BasicBlock *exit_ = nullptr, *latch_ = nullptr, *middle_ = nullptr;
  ValueToValueMapTy values_;  // of the front loop
  PHINode* t_ = nullptr;
  Value *all_ = nullptr, *stop_ = nullptr;
  std::vector<PHINode*> carried_;       // what goes round in the old loop's phis
  std::vector<Value*> next_, reached_;  // the same after an iteration, and behind the front loop
};

// One loop at a time, since each changes what is known of all.
bool split_one(Function& function, const TargetLibraryInfo& library, const TargetTransformInfo& target) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop* loop : loops) simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
  AssumptionCache assumptions(function);
  ScalarEvolution evolution(function, const_cast<TargetLibraryInfo&>(library), assumptions, dominators,
                            loops);
  for (Loop* loop : loops.getLoopsInPreorder())
    if (Points(*loop, loops, dominators, evolution, target).run()) return true;
  return false;
}

}  // namespace

PreservedAnalyses SplitAtPoints::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_kernel(function)) return PreservedAnalyses::all();
  const auto& library = analyses.getResult<TargetLibraryAnalysis>(function);
  const auto& target = analyses.getResult<TargetIRAnalysis>(function);
  bool changed = lower_switches(function, analyses.getResult<LoopAnalysis>(function));
  for (unsigned i = 0; i < most_splits && split_one(function, library, target); i++) changed = true;
  return checked(function, changed);
}

}  // namespace arr_fission
