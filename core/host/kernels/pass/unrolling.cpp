// SPDX-License-Identifier: MIT
#include "unrolling.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <set>

#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

// Four copies, as LLVM makes them, of fewer addresses than this fit in registers.
constexpr size_t too_many_addresses = 2;

bool has_many_strides(const Loop& loop, ScalarEvolution& evolution) {
  std::set<const SCEV*> addresses;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& access : *block) {
      const Value* pointer = getLoadStorePointerOperand(&access);
      if (pointer == nullptr) continue;
      const auto* walk = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value*>(pointer)));
      if (walk != nullptr && walk->getLoop() == &loop && walk->isAffine() &&
          !isa<SCEVConstant>(walk->getStepRecurrence(evolution)))
        addresses.insert(walk);
    }
  return addresses.size() >= too_many_addresses;
}

}  // namespace

PreservedAnalyses KeepStridedLoops::run(Function& function, FunctionAnalysisManager& analyses) {
  if (!is_kernel(function)) return PreservedAnalyses::all();
  auto& evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && has_many_strides(*loop, evolution))
      addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
  return PreservedAnalyses::all();  // what is known of the code does not depend on it
}

}  // namespace arr_fission
