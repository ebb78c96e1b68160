// SPDX-License-Identifier: MIT
#include "thread_ranges.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <set>

#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

constexpr unsigned max_depth = 24;

// The relation of start + t to a bound, t being a thread's index along an axis: nothing wraps in the sum.
struct Guard {
  ICmpInst* compare;
  bool holds;  // the comparison's value for the threads that go on
  CmpInst::Predicate relation;
  Value *counted, *bound;
  unsigned axis;
};

class Guards {
 public:
  explicit Guards(Function& function)
      : function_(function), at_(function.getEntryBlock().getTerminator()), builder_(at_) {
    for (unsigned axis = 0; axis < 3; axis++) {
      size_[axis] = function.getArg(axis == 0 ? static_cast<unsigned>(run_threads) : block_dim + axis);
      ranges_.first[axis] = builder_.getInt32(0);
      ranges_.last[axis] = size_[axis];
    }
  }

  ThreadRanges run() {
    if (!others_may_be_left_out()) return {};
    BasicBlock* block = function_.getEntryBlock().getSingleSuccessor();
    for (unsigned i = 0; block != nullptr && i < max_guards && is_free_of_effects(*block); i++) {
      auto* branch = dyn_cast<BranchInst>(block->getTerminator());
      if (branch == nullptr) break;
      if (branch->isConditional()) {
        const bool first = does_nothing(branch->getSuccessor(0)),
                   second = does_nothing(branch->getSuccessor(1));
        if (first == second || !take(*branch, second)) break;
      }
      BasicBlock* next = cast<BranchInst>(block->getTerminator())->isConditional()
                             ? nullptr
                             : block->getTerminator()->getSuccessor(0);
      block = next != nullptr && next->getSinglePredecessor() == block ? next : nullptr;
    }
    for (Instruction& instruction : function_.getEntryBlock())
      if (!isa<AllocaInst>(instruction) && &instruction != at_) ranges_.code.push_back(&instruction);
    return ranges_;
  }

 private:
  static constexpr unsigned max_guards = 8;

  // Warp functions and votes count the lanes that have not ended.
  bool others_may_be_left_out() const {
    for (const BasicBlock& block : function_)
      for (const Instruction& instruction : block) switch (marker_of(instruction)) {
          case Marker::cut_warp:
          case Marker::cut_phase:
          case Marker::lanes:
          case Marker::group:
            return false;
          default:
            break;
        }
    return true;
  }

  static bool is_free_of_effects(const BasicBlock& block) {
    for (const Instruction& instruction : block)
      if (isa<PHINode>(instruction) || is_cut(marker_of(instruction)) ||
          (marker_of(instruction) == Marker::none && instruction.mayHaveSideEffects()))
        return false;
    return true;
  }

  // Leads to the kernel's end.
  static bool does_nothing(const BasicBlock* block) {
    for (unsigned i = 0; i < max_depth && block != nullptr; i++) {
      const Instruction* end = block->getFirstNonPHIOrDbgOrLifetime();
      if (end != block->getTerminator()) return false;
      if (isa<ReturnInst>(end)) return true;
      block = block->getSingleSuccessor();
    }
    return false;
  }

  // Takes what it can of a branch that goes on where its condition is `wanted`. True if nothing is left of
  // it.
  bool take(BranchInst& branch, bool wanted) {
    std::vector<Guard> guards;
    find(branch.getCondition(), wanted, guards);
    if (guards.empty()) return false;
    for (const Guard& guard : guards) narrow(guard);
    ranges_.any = true;
    BasicBlock* block = branch.getParent();
    for (const Guard& guard : guards)
      replaceAndRecursivelySimplify(guard.compare, ConstantInt::getBool(function_.getContext(), guard.holds));
    ConstantFoldTerminator(block);
    return !cast<BranchInst>(block->getTerminator())->isConditional();
  }

  void find(Value* condition, bool wanted, std::vector<Guard>& guards) const {
    using namespace PatternMatch;
    Value *a = nullptr, *b = nullptr;
    if (wanted ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
               : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
      find(a, wanted, guards);
      find(b, wanted, guards);
    } else if (match(condition, m_Not(m_Value(a)))) {
      find(a, !wanted, guards);
    } else if (auto* compare = dyn_cast<ICmpInst>(condition); compare != nullptr) {
      for (const Guard& guard : guards)
        if (guard.compare == compare) return;
      add(*compare, wanted, guards);
    }
  }

  void add(ICmpInst& compare, bool wanted, std::vector<Guard>& guards) const {
    if (!compare.getOperand(0)->getType()->isIntegerTy() ||
        compare.getOperand(0)->getType()->getIntegerBitWidth() > 64)
      return;
    CmpInst::Predicate relation = wanted ? compare.getPredicate() : compare.getInversePredicate();
    Value *counted = compare.getOperand(0), *bound = compare.getOperand(1);
    if (is_common(counted)) {
      std::swap(counted, bound);
      relation = CmpInst::getSwappedPredicate(relation);
    }
    if (!is_common(bound) || tests_loop(counted, bound)) return;
    if (relation == CmpInst::ICMP_NE) {  // x > 0, of what is not below 0
      if (!match(bound, PatternMatch::m_Zero())) return;
      relation = CmpInst::ICMP_UGT;
    }
    // An equation has a solution in either way to read it.
    const bool is_signed =
        CmpInst::isSigned(relation) || (relation == CmpInst::ICMP_EQ && axis_of_sum(counted, true) >= 0);
    const int axis = axis_of_sum(counted, is_signed);
    if (axis < 0) return;
    if (relation == CmpInst::ICMP_EQ) relation = is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
    guards.push_back({&compare, wanted, relation, counted, bound, static_cast<unsigned>(axis)});
  }

  // The first test of a loop that counts on from the index, whose form uniform_loops.h knows.
  static bool tests_loop(const Value* counted, const Value* bound) {
    std::vector<const Value*> counts = {counted};
    if (isa<SExtInst>(counted) || isa<ZExtInst>(counted))
      counts.push_back(cast<CastInst>(counted)->getOperand(0));
    for (const Value* count : counts)
      for (const User* user : count->users()) {
        const auto* phi = dyn_cast<PHINode>(user);
        if (phi == nullptr && (isa<SExtInst>(user) || isa<ZExtInst>(user)))
          for (const User* next : user->users())
            if (isa<PHINode>(next)) phi = cast<PHINode>(next);
        if (phi != nullptr && is_tested(*phi, bound)) return true;
      }
    return false;
  }
  // True if the value that goes round in the phi with a sum is compared with the bound.
  static bool is_tested(const PHINode& phi, const Value* bound) {
    const auto is_compared = [&](const Value* value) {
      return any_of(value->users(), [&](const User* user) {
        return isa<ICmpInst>(user) && (user->getOperand(0) == bound || user->getOperand(1) == bound);
      });
    };
    for (const Value* value : phi.incoming_values()) {
      const auto* next = dyn_cast<Instruction>(value);
      if (next == nullptr || next->getOpcode() != Instruction::Add ||
          (next->getOperand(0) != &phi && next->getOperand(1) != &phi))
        continue;
      if (is_compared(next) || any_of(next->users(), [&](const User* user) {
            return (isa<SExtInst>(user) || isa<ZExtInst>(user)) && is_compared(user);
          }))
        return true;
    }
    return false;
  }

  // The same for all threads, and able to be computed before their loops.
  bool is_common(const Value* value, unsigned depth = 0) const {
    if (isa<Constant>(value) || isa<Argument>(value)) return true;
    const auto* instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr || depth > max_depth || isa<PHINode>(instruction) ||
        isa<AllocaInst>(instruction) || marker_of(*instruction) != Marker::none)
      return false;
    // A load stands before all effects of the thread, see is_free_of_effects.
    const auto* load = dyn_cast<LoadInst>(instruction);
    if (load != nullptr ? !load->isSimple() || !is_first(*load) : !isSafeToSpeculativelyExecute(instruction))
      return false;
    if (load == nullptr && instruction->mayReadOrWriteMemory()) return false;
    for (const Value* operand : instruction->operands())
      if (!isa<Function>(operand) && !is_common(operand, depth + 1)) return false;
    return true;
  }
  // In the block that every thread runs first.
  bool is_first(const Instruction& instruction) const {
    const BasicBlock* first = function_.getEntryBlock().getSingleSuccessor();
    return instruction.getParent() == first && is_free_of_effects(*first);
  }

  // The axis of a sum of common values and one index, in which nothing wraps; -1 for other values.
  int axis_of_sum(const Value* value, bool is_signed, unsigned depth = 0) const {
    const auto* instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr || depth > max_depth) return -1;
    if (marker_of(*instruction) == Marker::thread_index) return static_cast<int>(axis_of(*instruction));
    const Value *a = nullptr, *b = nullptr;
    switch (instruction->getOpcode()) {
      case Instruction::SExt:
        return axis_of_sum(instruction->getOperand(0), true, depth + 1);
      case Instruction::ZExt:
        return axis_of_sum(instruction->getOperand(0), false, depth + 1);
      case Instruction::Add:
      case Instruction::Sub:
        if (is_signed ? !instruction->hasNoSignedWrap() : !instruction->hasNoUnsignedWrap()) return -1;
        break;
      case Instruction::Or:
        if (!cast<PossiblyDisjointInst>(instruction)->isDisjoint()) return -1;
        break;
      default:
        return -1;
    }
    a = instruction->getOperand(0), b = instruction->getOperand(1);
    if (is_common(b)) return axis_of_sum(a, is_signed, depth + 1);
    if (instruction->getOpcode() != Instruction::Sub && is_common(a))
      return axis_of_sum(b, is_signed, depth + 1);
    return -1;
  }

  // A copy of a value in the entry block, for the thread of index 0.
  Value* copy(Value* value) {
    auto* instruction = dyn_cast<Instruction>(value);
    if (instruction == nullptr) return value;
    if (marker_of(*instruction) == Marker::thread_index) return ConstantInt::get(value->getType(), 0);
    if (const auto known = copies_.find(instruction); known != copies_.end()) return known->second;
    std::vector<Value*> operands;
    for (Value* operand : instruction->operands()) operands.push_back(copy(operand));
    Instruction* made = instruction->clone();
    for (unsigned i = 0; i < operands.size(); i++) made->setOperand(i, operands[i]);
    made->insertBefore(at_);
    return copies_[instruction] = made;
  }

  void narrow(const Guard& guard) {
    const bool is_signed = CmpInst::isSigned(guard.relation);
    const unsigned bits = guard.bound->getType()->getIntegerBitWidth();
    Type* wide = builder_.getIntNTy(bits <= 32 ? 64 : 128);
    const auto widened = [&](Value* value) {
      Value* v = copy(value);
      return is_signed ? builder_.CreateSExt(v, wide) : builder_.CreateZExt(v, wide);
    };
    Value* start = widened(guard.counted);
    Value* left = builder_.CreateSub(widened(guard.bound), start);  // the index that equals the bound
    Value* one = ConstantInt::get(wide, 1);
    const CmpInst::Predicate original =
        guard.holds ? guard.compare->getPredicate() : guard.compare->getInversePredicate();
    const bool equal = original == CmpInst::ICMP_EQ;
    if (equal || ICmpInst::isGE(guard.relation)) raise(guard.axis, left, wide);
    if (ICmpInst::isGT(guard.relation)) raise(guard.axis, builder_.CreateAdd(left, one), wide);
    if (equal || ICmpInst::isLE(guard.relation)) lower(guard.axis, builder_.CreateAdd(left, one), wide);
    if (ICmpInst::isLT(guard.relation)) lower(guard.axis, left, wide);
  }

  Value* clamped(Value* value, unsigned axis, Type* wide) {
    value = builder_.CreateBinaryIntrinsic(Intrinsic::smax, value, ConstantInt::get(wide, 0));
    value = builder_.CreateBinaryIntrinsic(Intrinsic::smin, value, builder_.CreateZExt(size_[axis], wide));
    return builder_.CreateTrunc(value, builder_.getInt32Ty());
  }
  void raise(unsigned axis, Value* to, Type* wide) {
    ranges_.first[axis] =
        builder_.CreateBinaryIntrinsic(Intrinsic::umax, ranges_.first[axis], clamped(to, axis, wide));
  }
  void lower(unsigned axis, Value* to, Type* wide) {
    ranges_.last[axis] =
        builder_.CreateBinaryIntrinsic(Intrinsic::umin, ranges_.last[axis], clamped(to, axis, wide));
  }

  Function& function_;
  Instruction* at_;
  IRBuilder<> builder_;
  Value* size_[3] = {};
  ThreadRanges ranges_;
  std::map<Instruction*, Value*> copies_;
};

}  // namespace

ThreadRanges take_guards(Function& function) { return Guards(function).run(); }

Value* compute_ranges(const ThreadRanges& ranges, IRBuilder<>& b) {
  for (Instruction* instruction : ranges.code)
    instruction->moveBefore(*b.GetInsertBlock(), b.GetInsertBlock()->end());
  Value* some = b.getTrue();
  for (unsigned axis = 0; axis < 3; axis++)
    some = b.CreateAnd(some, b.CreateICmpULT(ranges.first[axis], ranges.last[axis]));
  return some;
}

}  // namespace arr_fission
