// SPDX-License-Identifier: MIT
#include "prefetch.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <vector>

#include "loop_utilities.h"
#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

constexpr unsigned most_streams = 4, lines_of_row = 4, rounds_ahead = 2;
constexpr int64_t line = 64;

// An expression's value some rounds of a loop later.
class Later : public SCEVRewriteVisitor<Later> {
 public:
  Later(ScalarEvolution& evolution, const Loop& rounds) : SCEVRewriteVisitor(evolution), rounds_(rounds) {}
  const SCEV* visitAddRecExpr(const SCEVAddRecExpr* counter) {
    if (counter->getLoop() != &rounds_) return SCEVRewriteVisitor::visitAddRecExpr(counter);
    if (!counter->isAffine()) return counter;
    const SCEV* step = counter->getStepRecurrence(SE);
    return SE.getAddExpr(counter, SE.getMulExpr(step, SE.getConstant(step->getType(), rounds_ahead)));
  }

 private:
  const Loop& rounds_;
};

class Prefetch {
 public:
  Prefetch(Loop& loop, Loop& rounds, ScalarEvolution& evolution)
      : loop_(loop),
        rounds_(rounds),
        evolution_(evolution),
        expander_(evolution, loop.getHeader()->getDataLayout(), "fission.prefetch") {}

  bool run() {
    for (BasicBlock* block : loop_.blocks())
      if (is_for_most(*block))
        for (Instruction& access : *block)
          if ((isa<LoadInst>(access) || isa<StoreInst>(access)) && streams_.size() < most_streams)
            add(access);
    for (const Stream& stream : streams_) fetch(stream);
    return !streams_.empty();
  }

 private:
  struct Stream {
    const SCEV *begin, *later;  // of the row's first thread, in this round and in a later one
    uint64_t bytes;             // of a thread
    bool is_written;
  };

  // Not a block for single threads or single rows, as those at the edges of a tile have.
  bool is_for_most(const BasicBlock& block) const {
    for (const BasicBlock* at = &block; at != loop_.getHeader();) {
      const BasicBlock* before = at->getSinglePredecessor();
      if (before == nullptr) return true;
      const auto* branch = dyn_cast<BranchInst>(before->getTerminator());
      if (branch == nullptr) return false;
      if (branch->isConditional()) {
        if (loop_.isLoopInvariant(branch->getCondition())) return false;
        const auto* compare = dyn_cast<ICmpInst>(branch->getCondition());
        if (compare != nullptr && compare->isEquality()) return false;
      }
      at = before;
    }
    return true;
  }

  // Memory of the block itself is in the caches.
  static bool is_of_block(const Value* pointer) {
    const Value* object = getUnderlyingObject(pointer, 0);
    if (const auto* global = dyn_cast<GlobalVariable>(object)) return global->isThreadLocal();
    return !isa<Argument>(object) && !isa<LoadInst>(object);
  }

  void add(Instruction& access) {
    Value* pointer = getLoadStorePointerOperand(&access);
    if (is_of_block(pointer)) return;
    // Assuming that no sum wraps will do: a wrong address is fetched for nothing.
    PredicatedScalarEvolution assuming(evolution_, loop_);
    const SCEVAddRecExpr* along_row = assuming.getAsAddRec(pointer);
    if (along_row == nullptr || along_row->getLoop() != &loop_ || !along_row->isAffine()) return;
    const auto* step = dyn_cast<SCEVConstant>(along_row->getStepRecurrence(evolution_));
    const SCEV* begin = along_row->getStart();
    if (step == nullptr || step->getAPInt().getSignificantBits() > 32) return;
    const int64_t bytes = step->getAPInt().getSExtValue();
    if (bytes <= 0 || bytes > line) return;
    const SCEV* later = Later(evolution_, rounds_).visit(begin);
    const SCEV* way = evolution_.getMinusSCEV(later, begin);
    // A stream that goes on where this round ends is one that the processor sees.
    if (way->isZero() || isa<SCEVCouldNotCompute>(way)) return;
    for (const Stream& known : streams_) {
      const auto* apart = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(known.later, later));
      if (apart != nullptr && apart->getAPInt().abs().ult(static_cast<uint64_t>(line))) return;
    }
    if (!expander_.isSafeToExpandAt(later, loop_.getLoopPreheader()->getTerminator())) return;
    streams_.push_back({begin, later, static_cast<uint64_t>(bytes), isa<StoreInst>(access)});
  }

  // The lines of a row, or the first of them: then the processor knows.
  void fetch(const Stream& stream) {
    Instruction* at = loop_.getLoopPreheader()->getTerminator();
    Type* wide = Type::getInt64Ty(at->getContext());
    Value* begin = expander_.expandCodeFor(stream.later, stream.later->getType(), at);
    Value* taken = expander_.expandCodeFor(
        evolution_.getTruncateOrZeroExtend(evolution_.getBackedgeTakenCount(&loop_), wide), wide, at);
    IRBuilder<> b(at);
    Value* last = b.CreateMul(taken, b.getInt64(stream.bytes));  // of the last thread, from the first
    for (unsigned i = 0; i < lines_of_row; i++) {
      Value* offset = b.CreateBinaryIntrinsic(Intrinsic::umin, last, b.getInt64(i * line));
      Value* address = b.CreateGEP(b.getInt8Ty(), begin, offset);
      b.CreateIntrinsic(Intrinsic::prefetch, {address->getType()},
                        {address, b.getInt32(stream.is_written ? 1 : 0), b.getInt32(3), b.getInt32(1)});
    }
  }

  Loop &loop_, &rounds_;
  ScalarEvolution& evolution_;
  SCEVExpander expander_;
  std::vector<Stream> streams_;
};

// The loop around those over the rows and planes of a block.
Loop* rounds_of(const Loop& loop) {
  Loop* around = loop.getParentLoop();
  for (unsigned axis = 1; axis < 3 && around != nullptr; axis++) around = around->getParentLoop();
  return around;
}

}  // namespace

PreservedAnalyses PrefetchRounds::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_kernel(function) || !threads_wait(function)) return PreservedAnalyses::all();
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    Loop* rounds = rounds_of(*loop);
    if (rounds == nullptr || !loop->isInnermost() || !loop->isLoopSimplifyForm() ||
        findOptionMDForLoop(loop, "llvm.loop.parallel_accesses") == nullptr ||
        isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(loop)))
      continue;
    changed = Prefetch(*loop, *rounds, evolution).run() || changed;
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

}  // namespace arr_fission
