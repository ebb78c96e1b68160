// SPDX-License-Identifier: MIT
#include "single_threads.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "loop_utilities.h"
#include "markers.h"
#include "switches.h"

namespace arr_fission {

using namespace llvm;

namespace {

// The copies of a loop's body, one for each thread, are dead code for the most part.
constexpr size_t max_threads = 6;
constexpr unsigned max_instructions = 400, max_depth = 8;

// The variable or parameter that a pointer leads to.
const Value* object_of(const Value* pointer) {
  const Value* object = getUnderlyingObject(pointer, 0);
  const auto* intrinsic = dyn_cast<IntrinsicInst>(object);
  const bool is_local = intrinsic != nullptr && intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address;
  return is_local ? intrinsic->getArgOperand(0) : object;
}

// Static shared memory is a variable that no parameter leads to: a launch knows nothing of it.
bool are_apart(const Value* a, const Value* b) {
  const auto is_shared = [](const Value* object) {
    const auto* global = dyn_cast<GlobalVariable>(object);
    return global != nullptr && global->isThreadLocal();
  };
  const auto is_known = [](const Value* object) {
    return isa<GlobalVariable>(object) || isa<Argument>(object) || isNoAliasCall(object);
  };
  return a != b && ((is_shared(a) && is_known(b)) || (is_shared(b) && is_known(a)));
}

class SingleThreads {
 public:
  SingleThreads(Loop& loop, LoopInfo& loops, DominatorTree& dominators, ScalarEvolution& evolution,
                AAResults& aliases)
      : loop_(loop),
        loops_(loops),
        dominators_(dominators),
        evolution_(evolution),
        aliases_(aliases),
        expander_(evolution, loop.getHeader()->getDataLayout(), "fission.single"),
        int_(Type::getInt64Ty(loop.getHeader()->getContext())) {}

  bool run() {
    if (!can_be_split()) return false;
    find_statements();
    if (statements_.empty()) return false;
    find_accesses();
    drop_what_must_stay();
    find_iterations();
    if (iterations_.empty() || iterations_.size() > max_threads) return false;
    formLCSSA(loop_, dominators_, &loops_, &evolution_);
    copy_bodies();
    for (const Statement& statement : statements_) remove_stores(*statement.block);
    return true;
  }

 private:
  // The stores of a block to which single threads come.
  struct Statement {
    BasicBlock* block;
    std::vector<Point> threads;
  };
  struct Access {
    Instruction* at;
    Value* pointer;
    int64_t bytes;
    bool writes;
  };

  // A loop over threads whose order is free, and of which only counters go from one thread to the next.
  bool can_be_split() {
    if (!is_thread_loop(loop_) || !loop_.isAnnotatedParallel()) return false;
    size_t instructions = 0;
    for (const BasicBlock* block : loop_.blocks()) {
      instructions += block->size();
      for (const Instruction& instruction : *block)
        if (instruction.mayHaveSideEffects() && !is_simple_store(instruction)) return false;
    }
    if (instructions > max_instructions) return false;
    taken_ = evolution_.getBackedgeTakenCount(&loop_);
    if (isa<SCEVCouldNotCompute>(taken_) || !expands(taken_)) return false;
    return all_of(loop_.getHeader()->phis(), [&](PHINode& phi) { return is_counter(phi, evolution_); });
  }
  static bool is_simple_store(const Instruction& instruction) {
    const auto* store = dyn_cast<StoreInst>(&instruction);
    return store != nullptr && store->isSimple();
  }
  bool expands(const SCEV* value) {
    return expander_.isSafeToExpandAt(value, loop_.getLoopPreheader()->getTerminator());
  }

  void find_statements() {
    for (BasicBlock* block : loop_.blocks()) {
      const bool stores = any_of(*block, [](const Instruction& i) { return isa<StoreInst>(i); });
      if (Statement statement{block, {}}; stores && are_known(*block, statement.threads))
        statements_.push_back(statement);
    }
  }

  // The threads that alone come to a block; false if they are not known.
  bool are_known(const BasicBlock& block, std::vector<Point>& threads, unsigned depth = 0) {
    if (&block == loop_.getHeader() || depth > max_depth) return false;
    for (const BasicBlock* before : predecessors(&block)) {
      const auto* branch = dyn_cast<BranchInst>(before->getTerminator());
      if (branch == nullptr) return false;
      const bool decides = branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1);
      if (decides && names_threads(branch->getCondition(), branch->getSuccessor(0) == &block, threads))
        continue;
      if (!are_known(*before, threads, depth + 1)) return false;
    }
    return true;
  }

  // The threads for which alone a condition is `wanted`; false if they are not known.
  bool names_threads(Value* condition, bool wanted, std::vector<Point>& threads) {
    using namespace PatternMatch;
    Value *a = nullptr, *b = nullptr;
    const bool is_and = match(condition, m_LogicalAnd(m_Value(a), m_Value(b)));
    if (is_and || match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
      std::vector<Point> first, second;
      const bool of_first = names_threads(a, wanted, first), of_second = names_threads(b, wanted, second);
      if (is_and == wanted) {  // both hold: each says enough
        if (!of_first && !of_second) return false;
        threads.insert(threads.end(), of_first ? first.begin() : second.begin(),
                       of_first ? first.end() : second.end());
        return true;
      }
      if (!of_first || !of_second) return false;
      threads.insert(threads.end(), first.begin(), first.end());
      threads.insert(threads.end(), second.begin(), second.end());
      return true;
    }
    auto* compare = dyn_cast<ICmpInst>(condition);
    if (compare == nullptr || compare->getPredicate() != (wanted ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE))
      return false;
    const auto point = point_of(*compare, loop_, evolution_);
    if (!point || !expands(point->start) || !expands(point->bound)) return false;
    threads.push_back(*point);
    return true;
  }

  void find_accesses() {
    const DataLayout& layout = loop_.getHeader()->getDataLayout();
    for (BasicBlock* block : loop_.blocks()) {
      std::vector<BasicBlock*> work = {block};
      while (!work.empty()) {
        BasicBlock* at = work.back();
        work.pop_back();
        if (!before_[block].insert(at).second || at == loop_.getHeader()) continue;
        work.insert(work.end(), pred_begin(at), pred_end(at));
      }
      for (Instruction& instruction : *block)
        if (Value* pointer = getLoadStorePointerOperand(&instruction))
          accesses_.push_back(
              {&instruction, pointer,
               static_cast<int64_t>(layout.getTypeStoreSize(getLoadStoreType(&instruction)).getFixedValue()),
               isa<StoreInst>(instruction)});
    }
  }

  // The thread may come from one to the other, without another round.
  bool may_follow(const Instruction& first, const Instruction& second) const {
    if (first.getParent() == second.getParent()) return first.comesBefore(&second);
    return before_.at(second.getParent()).count(const_cast<BasicBlock*>(first.getParent())) != 0;
  }

  // A statement can be moved behind what follows it in the same thread where the two touch different memory.
  // Statements that move keep their order.
  void drop_what_must_stay() {
    for (bool changed = true; changed;) {
      changed = false;
      std::set<const BasicBlock*> moving;
      for (const Statement& statement : statements_) moving.insert(statement.block);
      for (size_t i = 0; i < statements_.size() && !changed; i++)
        if (must_stay(statements_[i], moving)) {
          statements_.erase(statements_.begin() + static_cast<std::ptrdiff_t>(i));
          changed = true;
        }
    }
  }

  bool must_stay(const Statement& statement, const std::set<const BasicBlock*>& moving) {
    const std::set<const Instruction*> needed = needs(statement);
    for (const Instruction* instruction : needed)
      if (instruction->mayReadFromMemory() && !isa<LoadInst>(instruction)) return true;
    for (const Access& own : accesses_) {
      if (needed.count(own.at) == 0) continue;
      for (const Access& other : accesses_) {
        if ((!own.writes && !other.writes) || (other.writes && moving.count(other.at->getParent()) != 0))
          continue;
        if (may_follow(*own.at, *other.at) && !are_disjoint(own, other, statement)) return true;
      }
    }
    return false;
  }

  // The stores of a statement, and all of the loop that decides what they store and if.
  std::set<const Instruction*> needs(const Statement& statement) const {
    std::set<const Instruction*> found;
    std::vector<const Value*> work;
    for (const Instruction& instruction : *statement.block)
      if (isa<StoreInst>(instruction)) work.push_back(&instruction);
    for (const BasicBlock* block : before_.at(statement.block)) work.push_back(block->getTerminator());
    while (!work.empty()) {
      const auto* instruction = dyn_cast<Instruction>(work.back());
      work.pop_back();
      if (instruction == nullptr || !loop_.contains(instruction) || !found.insert(instruction).second)
        continue;
      work.insert(work.end(), instruction->op_begin(), instruction->op_end());
    }
    return found;
  }

  // In each of the statement's threads.
  bool are_disjoint(const Access& a, const Access& b, const Statement& statement) {
    if (are_apart(object_of(a.pointer), object_of(b.pointer))) return true;
    if (aliases_.isNoAlias(MemoryLocation::get(a.at), MemoryLocation::get(b.at))) return true;
    const SCEV* distance =
        evolution_.getMinusSCEV(evolution_.getSCEV(a.pointer), evolution_.getSCEV(b.pointer));
    if (isa<SCEVCouldNotCompute>(distance)) return false;
    return all_of(statement.threads, [&](const Point& thread) {
      const SCEV* there = distance;
      const auto* counter = dyn_cast<SCEVAddRecExpr>(distance);
      if (counter != nullptr && counter->getLoop() == &loop_)
        there = counter->evaluateAtIteration(
            evolution_.getTruncateOrZeroExtend(iteration_of(thread), counter->getType()), evolution_);
      const ConstantRange range = evolution_.getSignedRange(there);
      return range.getSignedMin().sge(b.bytes) || (-range.getSignedMax()).sge(a.bytes);
    });
  }

  // The iteration of a thread.
  const SCEV* iteration_of(const Point& thread) {
    return evolution_.getMinusSCEV(thread.bound, thread.start);
  }

  void find_iterations() {
    for (const Statement& statement : statements_)
      for (const Point& thread : statement.threads)
        if (const SCEV* iteration = iteration_of(thread); !is_contained(iterations_, iteration))
          iterations_.push_back(iteration);
  }

  // loop -> exit -> (the first thread is there ? its copy : next) -> ... -> the rest
  void copy_bodies() {
    Instruction* top = loop_.getLoopPreheader()->getTerminator();
    IRBuilder<> b(top);
    Value* all = expander_.expandCodeFor(evolution_.getTruncateOrZeroExtend(taken_, int_), int_, top);
    b.SetInsertPoint(top);
    all = b.CreateAdd(all, b.getInt64(1), "fission.all");
    std::vector<Value*> threads;
    for (const SCEV* iteration : iterations_) {
      Value* thread = expander_.expandCodeFor(iteration, iteration->getType(), top);
      b.SetInsertPoint(top);
      threads.push_back(b.CreateFreeze(b.CreateZExt(thread, int_)));
    }
    BasicBlock* exit = loop_.getExitBlock();
    BasicBlock* rest = SplitBlock(exit, exit->getFirstNonPHIOrDbg()->getIterator(), &dominators_, &loops_);
    exit->getTerminator()->eraseFromParent();
    BasicBlock* at = exit;
    for (size_t i = 0; i < threads.size(); i++) {
      BasicBlock* next = i + 1 < threads.size() ? new_block("fission.single", rest) : rest;
      b.SetInsertPoint(at);
      Value* is_there = b.CreateICmpULT(threads[i], all);
      for (size_t k = 0; k < i; k++) is_there = b.CreateAnd(is_there, b.CreateICmpNE(threads[i], threads[k]));
      BasicBlock* copy = copy_body(threads[i], b, rest, next);
      b.CreateCondBr(is_there, copy, next);
      at = next;
    }
  }

  BasicBlock* new_block(const Twine& name, BasicBlock* before) {
    BasicBlock* made = BasicBlock::Create(before->getContext(), name, before->getParent(), before);
    if (Loop* outer = loop_.getParentLoop()) outer->addBasicBlockToLoop(made, loops_);
    return made;
  }

  // One iteration of the loop, of which only the statements are left. `b` inserts where its counters are
  // computed.
  BasicBlock* copy_body(Value* thread, IRBuilder<>& b, BasicBlock* before, BasicBlock* next) {
    BasicBlock *preheader = loop_.getLoopPreheader(),
               *latch = loop_.getLoopLatch();  // as long as no copy leads to them
    ValueToValueMapTy values;
    SmallVector<BasicBlock*, 8> copies;
    for (BasicBlock* block : loop_.blocks()) {
      BasicBlock* copy = CloneBasicBlock(block, values, ".single", before->getParent());
      copy->moveBefore(before);
      if (Loop* outer = loop_.getParentLoop()) outer->addBasicBlockToLoop(copy, loops_);
      values[block] = copy;
      copies.push_back(copy);
    }
    for (PHINode& phi : loop_.getHeader()->phis()) {
      auto* copy = cast<PHINode>(values[&phi]);
      values[&phi] = counted(phi, phi.getIncomingValueForBlock(preheader), thread, evolution_, b);
      copy->eraseFromParent();
    }
    remapInstructionsInBlocks(copies, values);
    std::set<const BasicBlock*> kept;
    for (const Statement& statement : statements_) kept.insert(cast<BasicBlock>(values[statement.block]));
    for (BasicBlock* copy : copies)
      if (kept.count(copy) == 0) remove_stores(*copy);
    auto* end = cast<BasicBlock>(values[latch])->getTerminator();
    BranchInst::Create(next, end->getIterator());
    end->eraseFromParent();
    return cast<BasicBlock>(values[loop_.getHeader()]);
  }

  // Takes the stores out of a block, and what was computed for them, so that no branch leads to nothing but
  // that.
  static void remove_stores(BasicBlock& block) {
    SmallVector<WeakTrackingVH, 8> operands;
    for (Instruction& instruction : make_early_inc_range(block)) {
      if (!isa<StoreInst>(instruction)) continue;
      operands.append(instruction.op_begin(), instruction.op_end());
      instruction.eraseFromParent();
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
  }

  Loop& loop_;
  LoopInfo& loops_;
  DominatorTree& dominators_;
  ScalarEvolution& evolution_;
  AAResults& aliases_;
  SCEVExpander expander_;
  Type* int_;
  const SCEV* taken_ = nullptr;
  std::vector<Statement> statements_;
  std::vector<Access> accesses_;
  std::map<const BasicBlock*, std::set<BasicBlock*>> before_;  // with the block itself
  std::vector<const SCEV*> iterations_;
};

}  // namespace

PreservedAnalyses TakeOutSingleThreads::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_kernel(function)) return PreservedAnalyses::all();
  bool changed = lower_switches(function, analyses.getResult<LoopAnalysis>(function));
  if (changed) analyses.invalidate(function, PreservedAnalyses::none());
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto& aliases = analyses.getResult<AAManager>(function);
  changed |= rewrite_loops(function, analyses, [&](Loop& loop) {
    return SingleThreads(loop, loops, dominators, evolution, aliases).run();
  });
  return checked(function, changed);
}

}  // namespace arr_fission
