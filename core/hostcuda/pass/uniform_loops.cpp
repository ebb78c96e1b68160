// SPDX-License-Identifier: MIT
#include "uniform_loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <map>

#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

// Returns i of `sext i < n`; the relation says which extension is meant.
Value* without_extension(Value* value, CmpInst::Predicate relation) {
  if (CmpInst::isSigned(relation) ? !isa<SExtInst>(value) : !isa<ZExtInst>(value)) return value;
  return cast<CastInst>(value)->getOperand(0);
}

// In front of the loop: test -> (some ? before : join), before -> header. Its end: latch -> (again ? header :
// exit), exit -> join.
class Rounds {
 public:
  Rounds(Loop& loop, LoopInfo& loops, const Counters& counters, const Bounds& bounds,
         const Divergence& divergence)
      : loop_(loop), loops_(loops), counters_(counters), bounds_(bounds), divergence_(divergence) {}

  bool is_possible() {
    if (!find_blocks() || !find_counter() || !tests_first() || !leaves_what_it_carried()) return false;
    return std::all_of(before_->begin(), before_->end(),
                       [](const Instruction& i) {
                         return i.isTerminator() ||
                                (!i.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&i));
                       }) &&
           has_first_thread(counter_->start);
  }

  bool run() {
    if (!is_possible()) return false;
    IRBuilder<> b(test_);
    Value* start = of_first_thread(b, counter_->start);
    if (start == nullptr) return false;
    while (!before_->front().isTerminator()) before_->front().moveBefore(test_);
    keep_for_wrapping();
    b.SetInsertPoint(test_);
    Value* some = b.CreateICmp(relation_, widened(b, start), bound_, "fission.some");
    if (test_->getSuccessor(0) != before_) some = b.CreateNot(some);
    test_->setCondition(some);
    guard_body(start);
    return true;
  }

 private:
  bool find_blocks() {
    header_ = loop_.getHeader();
    latch_ = loop_.getLoopLatch();
    before_ = loop_.getLoopPreheader();
    exit_ = loop_.getExitBlock();
    again_ = dyn_cast<BranchInst>(latch_->getTerminator());
    if (before_ == nullptr || exit_ == nullptr || loop_.getExitingBlock() != latch_ || again_ == nullptr)
      return false;
    BasicBlock* front = before_->getSinglePredecessor();
    test_ = front != nullptr ? dyn_cast<BranchInst>(front->getTerminator()) : nullptr;
    if (test_ == nullptr || !test_->isConditional()) return false;
    join_ = test_->getSuccessor(test_->getSuccessor(0) == before_ ? 1 : 0);
    return exit_->getSingleSuccessor() == join_ && exit_->getFirstNonPHI() == exit_->getTerminator() &&
           before_->phis().empty();
  }

  // start or next < bound, as a branch goes on to `in`; false: it is not of that kind.
  bool reads(const BranchInst& branch, const BasicBlock* in, const Value* counted,
             CmpInst::Predicate* relation, Value** bound) const {
    const auto* compare = dyn_cast<ICmpInst>(branch.getCondition());
    if (compare == nullptr) return false;
    *relation = branch.getSuccessor(0) == in ? compare->getPredicate() : compare->getInversePredicate();
    Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    const auto is_counted = [&](Value* v) {
      return v == counted || without_extension(v, *relation) == counted;
    };
    if (is_counted(right)) {
      std::swap(left, right);
      *relation = CmpInst::getSwappedPredicate(*relation);
    }
    *bound = right;
    return is_counted(left) && (ICmpInst::isLT(*relation) || ICmpInst::isLE(*relation));
  }

  bool find_counter() {
    for (const RoundCounter& c : counters_.own)
      if (reads(*again_, header_, c.next, &relation_, &bound_)) {
        counter_ = &c;
        break;
      }
    return counter_ != nullptr && loop_.isLoopInvariant(bound_) && !divergence_.differs(bound_);
  }

  bool tests_first() const {
    CmpInst::Predicate relation = CmpInst::BAD_ICMP_PREDICATE;
    Value* bound = nullptr;
    return reads(*test_, before_, counter_->start, &relation, &bound) && relation == relation_ &&
           bound == bound_;
  }

  // Behind the loop a thread may use what it carried through it, but not how far it counted; and threads that
  // never were in it, what they would have brought there.
  bool leaves_what_it_carried() {
    for (PHINode& phi : header_->phis())
      if (!is_common(phi)) carried_[phi.getIncomingValueForBlock(latch_)] = &phi;
    for (const PHINode& phi : exit_->phis())
      if (carried_.count(phi.getIncomingValue(0)) == 0) return false;
    for (const PHINode& phi : join_->phis()) {
      const Value* left = phi.getIncomingValueForBlock(exit_);
      const auto* behind = dyn_cast<PHINode>(left);
      if (behind != nullptr && behind->getParent() == exit_)
        left = carried_.at(behind->getIncomingValue(0))->getIncomingValueForBlock(before_);
      if (left != phi.getIncomingValueForBlock(test_->getParent())) return false;
    }
    return true;
  }
  bool is_common(const PHINode& phi) const { return amount(phi) != nullptr; }
  Value* amount(const PHINode& phi) const {
    if (&phi == counters_.rounds) return ConstantInt::get(phi.getType(), 1);
    for (const auto& [common, step] : counters_.common)
      if (common == &phi) return step;
    return nullptr;
  }

  bool has_first_thread(const Value* value) const {
    if (!divergence_.differs(value)) return true;
    const auto* instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr || !bounds_.of(value)) return false;
    if (marker_of(*instruction) == Marker::thread_index) return true;
    const unsigned code = instruction->getOpcode();
    if (code == Instruction::SExt || code == Instruction::ZExt)
      return has_first_thread(instruction->getOperand(0));
    return code == Instruction::Add && has_first_thread(instruction->getOperand(0)) &&
           has_first_thread(instruction->getOperand(1));
  }

  // Returns the value of a sum in thread (0, 0, 0) if no thread has a smaller one; null if that cannot be
  // shown.
  Value* of_first_thread(IRBuilder<>& b, Value* value) const {
    if (!divergence_.differs(value)) return value;
    auto* instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr || !bounds_.of(value)) return nullptr;
    if (marker_of(*instruction) == Marker::thread_index) return ConstantInt::get(value->getType(), 0);
    const unsigned code = instruction->getOpcode();
    if (code == Instruction::SExt || code == Instruction::ZExt) {
      Value* from = of_first_thread(b, instruction->getOperand(0));
      return from != nullptr ? b.CreateZExt(from, value->getType()) : nullptr;
    }
    if (code != Instruction::Add) return nullptr;
    Value* x = of_first_thread(b, instruction->getOperand(0));
    Value* y = of_first_thread(b, instruction->getOperand(1));
    return x != nullptr && y != nullptr ? b.CreateAdd(x, y, "", true, true) : nullptr;
  }

  Value* widened(IRBuilder<>& b, Value* value) const {
    Type* type = bound_->getType();
    return CmpInst::isSigned(relation_) ? b.CreateSExt(value, type) : b.CreateZExt(value, type);
  }

  // A counter that may wrap brings threads back that have left: then each goes through a copy of the loop on
  // its own.
  void keep_for_wrapping() {
    BasicBlock* front = test_->getParent();
    IRBuilder<> b(test_);
    const unsigned bits = counter_->step->getType()->getIntegerBitWidth();
    const bool is_signed = CmpInst::isSigned(relation_);
    Type* wide = b.getIntNTy(2 * bound_->getType()->getIntegerBitWidth());
    const auto extended = [&](Value* v) { return is_signed ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide); };
    Value* step = extended(counter_->step);
    Value* last = b.CreateAdd(extended(bound_), step);
    const APInt max_value = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    Value* safe =
        b.CreateAnd(b.CreateICmpSLE(last, ConstantInt::get(wide, max_value.zext(wide->getIntegerBitWidth()))),
                    b.CreateICmpSGT(step, ConstantInt::get(wide, 0)), "fission.safe");
    DominatorTree dominators(*front->getParent());
    ValueToValueMapTy values;
    SmallVector<BasicBlock*, 8> blocks;
    Loop* copy =
        cloneLoopWithPreheader(before_, front, &loop_, values, ".alone", &loops_, &dominators, blocks);
    remapInstructionsInBlocks(blocks, values);
    BasicBlock* exit = BasicBlock::Create(front->getContext(), "fission.alone", front->getParent(), exit_);
    if (Loop* outer = loop_.getParentLoop()) outer->addBasicBlockToLoop(exit, loops_);
    auto* latch = cast<BasicBlock>(values[latch_]);
    latch->getTerminator()->replaceSuccessorWith(exit_, exit);
    BranchInst::Create(join_, exit);
    // front -> (safe ? front, split off : alone); alone -> (the old test ? copy : join)
    BasicBlock* uniform = front->splitBasicBlock(test_, "fission.uniform");
    BasicBlock* alone = BasicBlock::Create(front->getContext(), "fission.tests", front->getParent(), exit_);
    if (Loop* outer = loop_.getParentLoop())
      for (BasicBlock* block : {uniform, alone}) outer->addBasicBlockToLoop(block, loops_);
    front->getTerminator()->eraseFromParent();
    b.SetInsertPoint(front);
    b.CreateCondBr(safe, uniform, alone);
    b.SetInsertPoint(alone);
    auto* test = cast<BranchInst>(b.Insert(test_->clone()));
    test->replaceSuccessorWith(before_, copy->getLoopPreheader());
    for (PHINode& phi : join_->phis()) {
      phi.addIncoming(phi.getIncomingValueForBlock(uniform), alone);
      Value* left = phi.getIncomingValueForBlock(exit_);
      if (auto* behind = dyn_cast<PHINode>(left); behind != nullptr && behind->getParent() == exit_) {
        Value* brought = behind->getIncomingValue(0);
        if (values.count(brought) != 0) brought = values[brought];
        PHINode* out = PHINode::Create(phi.getType(), 1, "", exit->begin());
        out->addIncoming(brought, latch);
        left = out;
      }
      phi.addIncoming(left, exit);
    }
  }

  // The first thread's counter. It is at least 0 and stops at the bound: nothing wraps.
  Value* first_at(IRBuilder<>& b, Value* start, Value* rounds) const {
    Value* gone = b.CreateMul(b.CreateZExtOrTrunc(rounds, bound_->getType()), widened(b, counter_->step));
    return b.CreateAdd(widened(b, start), gone, "fission.first");
  }

  // header -> (this thread's is below ? body ... latch : end); latch -> end; end -> (some ? header : exit)
  void guard_body(Value* start) {
    BasicBlock* body = header_->splitBasicBlock(point_after(counter_->value), "fission.guarded");
    if (latch_ == header_) latch_ = body;
    BasicBlock* end = BasicBlock::Create(header_->getContext(), "fission.end", header_->getParent(), exit_);
    for (BasicBlock* block : {body, end}) loop_.addBasicBlockToLoop(block, loops_);

    IRBuilder<> b(header_->getTerminator());
    Value* left = b.CreateSub(bound_, first_at(b, start, counters_.rounds), "fission.left");
    Value* ahead = b.CreateSub(counter_->start, start, "fission.ahead", true, true);
    b.CreateCondBr(b.CreateICmp(relation_, widened(b, ahead), left), body, end);
    header_->getTerminator()->eraseFromParent();

    b.SetInsertPoint(end);
    std::map<PHINode*, Value*> kept;
    Value* next_first = nullptr;
    for (PHINode& phi : header_->phis())
      if (!is_common(phi)) {
        PHINode* both = b.CreatePHI(phi.getType(), 2, "fission.kept");
        both->addIncoming(phi.getIncomingValueForBlock(latch_), latch_);
        both->addIncoming(&phi, header_);
        kept[&phi] = both;
      }
    for (PHINode& phi : header_->phis()) {
      Value* next = is_common(phi) ? b.CreateAdd(&phi, amount(phi), "fission.next") : kept.at(&phi);
      if (&phi == counters_.rounds) next_first = first_at(b, start, next);
      const auto at = static_cast<unsigned>(phi.getBasicBlockIndex(latch_));
      phi.setIncomingValue(at, next);
      phi.setIncomingBlock(at, end);
    }
    for (PHINode& phi : exit_->phis()) {
      phi.setIncomingValue(0, kept.at(carried_.at(phi.getIncomingValue(0))));
      phi.setIncomingBlock(0, end);
    }
    Value* some = b.CreateICmp(relation_, next_first, bound_, "fission.some");
    BranchInst* back = b.CreateCondBr(some, header_, exit_);
    auto* old = cast<BranchInst>(latch_->getTerminator());
    back->copyMetadata(*old, LLVMContext::MD_loop);
    BranchInst::Create(end, old->getIterator());
    old->eraseFromParent();
  }

  static BasicBlock::iterator point_after(Value* value) {
    auto* instruction = cast<Instruction>(value);
    return isa<PHINode>(instruction) ? instruction->getParent()->getFirstInsertionPt()
                                     : std::next(instruction->getIterator());
  }

  Loop& loop_;
  LoopInfo& loops_;
  const Counters& counters_;
  const Bounds& bounds_;
  const Divergence& divergence_;
  BasicBlock *header_ = nullptr, *latch_ = nullptr, *before_ = nullptr, *exit_ = nullptr, *join_ = nullptr;
  BranchInst *again_ = nullptr, *test_ = nullptr;
  CmpInst::Predicate relation_ = CmpInst::BAD_ICMP_PREDICATE;
  const RoundCounter* counter_ = nullptr;
  Value* bound_ = nullptr;
  std::map<const Value*, PHINode*> carried_;  // the value that goes round, and the phi that takes it up
};

}  // namespace

bool can_make_rounds_common(Loop& loop, LoopInfo& loops, const Counters& counters, const Bounds& bounds,
                            const Divergence& divergence) {
  return Rounds(loop, loops, counters, bounds, divergence).is_possible();
}

bool make_rounds_common(Loop& loop, LoopInfo& loops, const Counters& counters, const Bounds& bounds,
                        const Divergence& divergence) {
  return counters.rounds != nullptr && Rounds(loop, loops, counters, bounds, divergence).run();
}

}  // namespace arr_fission
