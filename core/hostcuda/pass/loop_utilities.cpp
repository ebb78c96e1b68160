// SPDX-License-Identifier: MIT
#include "loop_utilities.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "block_runs.h"
#include "fission.h"

namespace arr_fission {

using namespace llvm;

std::vector<BasicBlock*> copy_blocks(const std::vector<BasicBlock*>& blocks, int region,
                                     ValueToValueMapTy& values) {
  std::vector<BasicBlock*> copies;
  for (BasicBlock* original : blocks) {
    BasicBlock* copy = CloneBasicBlock(original, values, ".p" + Twine(region), original->getParent());
    values[original] = copy;
    copies.push_back(copy);
  }
  return copies;
}

GlobalVariable* cut_sites(Module& module, const Pieces& pieces) {
  Type* number = Type::getInt32Ty(module.getContext());
  std::vector<Constant*> sites((pieces.cuts.size() + 1) * 2, ConstantInt::get(number, 0));
  for (const Cut& cut : pieces.cuts) {
    sites[static_cast<size_t>(cut.region) * 2] = ConstantInt::get(number, cut.operation);
    sites[static_cast<size_t>(cut.region) * 2 + 1] = ConstantInt::get(number, cut.line);
  }
  auto* type = ArrayType::get(number, sites.size());
  return new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, ConstantArray::get(type, sites),
                            "fission.sites");
}

bool has_full_mask(const BasicBlock& at, const AllocaInst* masks) {
  const BasicBlock* before = at.getSinglePredecessor();
  if (before == nullptr) return false;
  for (const Instruction& instruction : reverse(*before))
    if (const auto* store = dyn_cast<StoreInst>(&instruction);
        store != nullptr && store->getPointerOperand() == masks) {
      const auto* mask = dyn_cast<ConstantInt>(store->getValueOperand());
      return mask != nullptr && mask->isMinusOne();
    }
  return false;
}

namespace {

constexpr const char* waiting_mark = "arr-fission-waits";

}  // namespace

void mark_as_waiting(Function& kernel) { kernel.addFnAttr(waiting_mark); }

Value* clamped_size(IRBuilder<>& b, Value* size, unsigned axis) {
  constexpr unsigned limits[] = {max_run_threads, 1024, 1024};
  return b.CreateBinaryIntrinsic(Intrinsic::umin, size, b.getInt32(limits[axis]));
}

bool threads_wait(const Function& kernel) { return kernel.hasFnAttribute(waiting_mark); }

void fold_tail(Loop& loop, const TargetTransformInfo& target) {
  constexpr unsigned bits_of_vectors_with_masks = 512;
  if (!threads_wait(*loop.getHeader()->getParent()) ||
      target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() <
          bits_of_vectors_with_masks)
    return;
  addStringMetadataToLoop(&loop, "llvm.loop.vectorize.predicate.enable", 1);
}

bool is_thread_loop(const Loop& loop) {
  return loop.isInnermost() && loop.isLoopSimplifyForm() && loop.getExitingBlock() == loop.getLoopLatch() &&
         loop.getExitBlock() != nullptr && loop.isSafeToClone() &&
         findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses") != nullptr;
}

std::optional<Point> point_of(ICmpInst& compare, const Loop& loop, ScalarEvolution& evolution) {
  Type* type = compare.getOperand(0)->getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() < 32 || type->getIntegerBitWidth() > 64) return {};
  const SCEV *left = evolution.getSCEV(compare.getOperand(0)),
             *right = evolution.getSCEV(compare.getOperand(1));
  if (evolution.isLoopInvariant(left, &loop)) std::swap(left, right);
  const auto* counter = dyn_cast<SCEVAddRecExpr>(left);
  if (counter == nullptr || counter->getLoop() != &loop || !counter->isAffine() ||
      !counter->getStepRecurrence(evolution)->isOne() || !evolution.isLoopInvariant(right, &loop))
    return {};
  return Point{&compare, counter->getStart(), right};
}

namespace {

const SCEVConstant* step_of(PHINode& phi, ScalarEvolution& evolution) {
  if (!phi.getType()->isIntegerTy()) return nullptr;
  const auto* counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&phi));
  if (counter == nullptr || !counter->isAffine() || counter->getLoop()->getHeader() != phi.getParent())
    return nullptr;
  return dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution));
}

}  // namespace

bool is_counter(PHINode& phi, ScalarEvolution& evolution) { return step_of(phi, evolution) != nullptr; }

Value* counted(PHINode& phi, Value* start, Value* rounds, ScalarEvolution& evolution, IRBuilder<>& b) {
  const auto* step = step_of(phi, evolution);
  if (step == nullptr) return nullptr;
  return b.CreateAdd(start, b.CreateMul(b.CreateZExtOrTrunc(rounds, phi.getType()), step->getValue()));
}

bool rewrite_loops(Function& function, FunctionAnalysisManager& analyses, function_ref<bool(Loop&)> rewrite) {
  auto& loops = analyses.getResult<LoopAnalysis>(function);
  auto& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop* loop : loops.getLoopsInPreorder())
    if (rewrite(*loop)) {
      changed = true;
      evolution.forgetAllLoops();
      dominators.recalculate(function);
    }
  return changed;
}

void verify_code(const Function& function) {
  if (verifyFunction(function, &errs())) report_fatal_error("arr_fission made invalid code");
}

PreservedAnalyses checked(const Function& function, bool changed) {
  if (!changed) return PreservedAnalyses::all();
  verify_code(function);
  return PreservedAnalyses::none();
}

void locate_calls(Function& function) {
  DISubprogram* kernel = function.getSubprogram();
  if (kernel == nullptr) return;
  for (BasicBlock& block : function)
    for (Instruction& instruction : block)
      if (isa<CallInst>(instruction) && !instruction.getDebugLoc())
        instruction.setDebugLoc(DILocation::get(function.getContext(), kernel->getLine(), 0, kernel));
}

}  // namespace arr_fission
