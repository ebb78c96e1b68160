// SPDX-License-Identifier: MIT
#include "split.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <vector>

#include "loop_utilities.h"
#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

// A comparison of start + j with a bound, j being the loop's iteration: `holds` for the first iterations.
struct Guard {
  ICmpInst* compare;
  bool holds;                   // the comparison's value in them
  CmpInst::Predicate relation;  // less or less-or-equal: of start + j to the bound, in them
  const SCEVAddRecExpr* counter;
  const SCEV* bound;
};

class Split {
 public:
  Split(Loop& loop, LoopInfo& loops, DominatorTree& dominators, ScalarEvolution& evolution,
        const TargetTransformInfo& target)
      : loop_(loop),
        loops_(loops),
        dominators_(dominators),
        evolution_(evolution),
        target_(target),
        expander_(evolution, loop.getHeader()->getDataLayout(), "fission.split"),
        int_(Type::getInt64Ty(loop.getHeader()->getContext())) {}

  bool run() {
    if (!can_be_split()) return false;
    for (BasicBlock* block : loop_.blocks())
      if (auto* branch = dyn_cast<BranchInst>(block->getTerminator());
          branch != nullptr && branch->isConditional() && block != loop_.getLoopLatch())
        add_guards(*branch);
    if (guards_.empty()) return false;
    formLCSSA(loop_, dominators_, &loops_, &evolution_);
    split();
    return true;
  }

 private:
  // A thread loop: innermost, left at its end only.
  bool can_be_split() {
    if (!is_thread_loop(loop_)) return false;
    taken_ = evolution_.getBackedgeTakenCount(&loop_);
    return !isa<SCEVCouldNotCompute>(taken_) && expands(taken_);
  }

  // A loop's value as the front loop has it.
  static Value* of_front(ValueToValueMapTy& values, Value* value) {
    return values.count(value) != 0 ? static_cast<Value*>(values[value]) : value;
  }

  bool expands(const SCEV* value) {
    return expander_.isSafeToExpandAt(value, loop_.getLoopPreheader()->getTerminator());
  }

  // The way of a branch on which the body goes on, not to the end of the loop.
  void add_guards(const BranchInst& branch) {
    const auto ends = [&](const BasicBlock* at) {
      return at == loop_.getLoopLatch() ||
             (at->size() == 1 && at->getSingleSuccessor() == loop_.getLoopLatch());
    };
    const bool first = ends(branch.getSuccessor(0)), second = ends(branch.getSuccessor(1));
    if (first != second) return add_guards(branch.getCondition(), second);
    // Both ways do something: the one that the first threads go.
    const size_t known = guards_.size();
    add_guards(branch.getCondition(), true);
    if (guards_.size() == known) add_guards(branch.getCondition(), false);
  }

  // Comparisons that make the condition what is `wanted`.
  void add_guards(Value* condition, bool wanted) {
    using namespace PatternMatch;
    Value *a = nullptr, *b = nullptr;
    if (wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
               : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
      add_guards(a, wanted);
      add_guards(b, wanted);
    } else if (auto* compare = dyn_cast<ICmpInst>(condition); compare != nullptr) {
      add_guard(*compare, wanted);
    }
  }

  void add_guard(ICmpInst& compare, bool wanted) {
    if (!compare.getOperand(0)->getType()->isIntegerTy() || !loop_.contains(&compare)) return;
    for (const Guard& guard : guards_)
      if (guard.compare == &compare) return;
    CmpInst::Predicate relation = wanted ? compare.getPredicate() : compare.getInversePredicate();
    const SCEV *left = evolution_.getSCEV(compare.getOperand(0)),
               *right = evolution_.getSCEV(compare.getOperand(1));
    if (evolution_.isLoopInvariant(left, &loop_)) {
      std::swap(left, right);
      relation = CmpInst::getSwappedPredicate(relation);
    }
    const auto* counter = dyn_cast<SCEVAddRecExpr>(left);
    if (counter == nullptr || counter->getLoop() != &loop_ || !counter->isAffine() ||
        !counter->getStepRecurrence(evolution_)->isOne() || !evolution_.isLoopInvariant(right, &loop_))
      return;
    if (!ICmpInst::isLT(relation) && !ICmpInst::isLE(relation)) return;
    if (!expands(counter->getStart()) || !expands(right)) return;
    guards_.push_back({&compare, wanted, relation, counter, right});
  }

  // In how many of the first iterations the guard holds, at most `all`. In twice the bits nothing wraps: and
  // what is below the bound in these is below it in the type's own.
  Value* iterations(IRBuilder<>& b, const Guard& guard, Value* all) {
    Type* type = guard.counter->getType();
    Type* wide = b.getIntNTy(2 * std::max(64U, type->getIntegerBitWidth()));
    const auto widened = [&](const SCEV* value) {
      Value* v = expander_.expandCodeFor(value, type, &*b.GetInsertPoint());
      return ICmpInst::isSigned(guard.relation) ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide);
    };
    Value* start = widened(guard.counter->getStart());
    Value* bound = widened(guard.bound);
    Value* n = b.CreateSub(bound, start);
    if (ICmpInst::isLE(guard.relation)) n = b.CreateAdd(n, ConstantInt::get(wide, 1));
    n = b.CreateBinaryIntrinsic(Intrinsic::smax, n, ConstantInt::get(wide, 0));
    n = b.CreateBinaryIntrinsic(Intrinsic::smin, n, b.CreateZExt(all, wide));
    return b.CreateTrunc(n, int_);
  }

  // before -> (some ? front loop -> (all ? exit : middle) : middle) -> the old loop -> exit
  void split() {
    BasicBlock *before = loop_.getLoopPreheader(), *exit = loop_.getExitBlock(),
               *latch = loop_.getLoopLatch();
    IRBuilder<> b(before->getTerminator());
    Value* all = expander_.expandCodeFor(evolution_.getTruncateOrZeroExtend(taken_, int_), int_,
                                         before->getTerminator());
    all = b.CreateAdd(all, b.getInt64(1), "fission.all");
    Value* n = all;
    for (const Guard& guard : guards_)
      n = b.CreateBinaryIntrinsic(Intrinsic::umin, n, iterations(b, guard, all));
    BasicBlock* middle = SplitBlock(before, before->getTerminator(), &dominators_, &loops_);
    ValueToValueMapTy values;
    SmallVector<BasicBlock*, 8> blocks;
    Loop* front =
        cloneLoopWithPreheader(middle, before, &loop_, values, ".front", &loops_, &dominators_, blocks);
    remapInstructionsInBlocks(blocks, values);
    b.SetInsertPoint(before->getTerminator());
    b.CreateCondBr(b.CreateIsNotNull(n), front->getLoopPreheader(), middle);
    before->getTerminator()->eraseFromParent();
    BasicBlock* between =
        BasicBlock::Create(exit->getContext(), "fission.between", exit->getParent(), middle);
    if (Loop* outer = loop_.getParentLoop()) outer->addBasicBlockToLoop(between, loops_);
    b.SetInsertPoint(between);
    std::vector<Value*> reached;
    for (PHINode& phi : loop_.getHeader()->phis()) {
      Value* end = counted(phi, phi.getIncomingValueForBlock(middle), n, evolution_, b);
      reached.push_back(end != nullptr ? end : of_front(values, phi.getIncomingValueForBlock(latch)));
    }
    b.CreateCondBr(b.CreateICmpEQ(n, all), exit, middle);
    count(*front, n, between);
    fold_tail(*front, target_);
    size_t i = 0;
    for (PHINode& phi : loop_.getHeader()->phis()) {
      PHINode* start = PHINode::Create(phi.getType(), 2, "fission.on", middle->begin());
      start->addIncoming(phi.getIncomingValueForBlock(middle), before);
      start->addIncoming(reached[i++], between);
      phi.setIncomingValueForBlock(middle, start);
    }
    for (PHINode& phi : exit->phis())
      phi.addIncoming(of_front(values, phi.getIncomingValueForBlock(latch)), between);
    decide(values);
  }

  // The front loop counts its own iterations.
  void count(Loop& front, Value* n, BasicBlock* out) {
    BasicBlock* latch = front.getLoopLatch();
    auto* old = cast<BranchInst>(latch->getTerminator());
    PHINode* counter = PHINode::Create(int_, 2, "fission.j", front.getHeader()->begin());
    IRBuilder<> b(old);
    Value* next = b.CreateAdd(counter, b.getInt64(1), "", true, true);
    counter->addIncoming(b.getInt64(0), front.getLoopPreheader());
    counter->addIncoming(next, latch);
    BranchInst* branch = b.CreateCondBr(b.CreateICmpULT(next, n), front.getHeader(), out);
    branch->copyMetadata(*old, LLVMContext::MD_loop);
    old->eraseFromParent();
  }

  void decide(ValueToValueMapTy& values) {
    LLVMContext& context = int_->getContext();
    for (const Guard& guard : guards_)
      values[guard.compare]->replaceAllUsesWith(ConstantInt::getBool(context, guard.holds));
    // Behind the bound of the only guard it does not hold again, unless the counter wraps.
    const Guard& only = guards_.front();
    const bool stays = ICmpInst::isSigned(only.relation) ? only.counter->hasNoSignedWrap()
                                                         : only.counter->hasNoUnsignedWrap();
    if (guards_.size() == 1 && stays)
      only.compare->replaceAllUsesWith(ConstantInt::getBool(context, !only.holds));
  }

  Loop& loop_;
  LoopInfo& loops_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
  const TargetTransformInfo& target_;
  SCEVExpander expander_;
  Type* int_;
  const SCEV* taken_ = nullptr;
  std::vector<Guard> guards_;
};

}  // namespace

PreservedAnalyses SplitAtGuards::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_kernel(function)) return PreservedAnalyses::all();
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const auto& target = analyses.getResult<TargetIRAnalysis>(function);
  return checked(function, rewrite_loops(function, analyses, [&](Loop& loop) {
                   return Split(loop, loops, dominators, evolution, target).run();
                 }));
}

}  // namespace arr_fission
