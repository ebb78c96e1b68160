// SPDX-License-Identifier: MIT
#include "switches.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <vector>

namespace arr_fission {

using namespace llvm;

namespace {

constexpr unsigned max_cases = 6;

bool lower_switch(SwitchInst& choice) {
  if (choice.getNumCases() > max_cases) return false;
  BasicBlock *at = choice.getParent(), *otherwise = choice.getDefaultDest();
  std::vector<std::pair<ConstantInt*, BasicBlock*>> cases;
  for (const auto& c : choice.cases()) cases.emplace_back(c.getCaseValue(), c.getCaseSuccessor());
  Value* value = choice.getCondition();
  std::vector<BasicBlock*> tests = {at};
  for (size_t i = 1; i < cases.size(); i++)
    tests.push_back(BasicBlock::Create(at->getContext(), "fission.case", at->getParent(), at->getNextNode()));
  std::vector<std::pair<PHINode*, Value*>> incoming;
  SmallPtrSet<BasicBlock*, 8> targets(succ_begin(at), succ_end(at));
  for (BasicBlock* target : targets)
    for (PHINode& phi : target->phis()) {
      incoming.emplace_back(&phi, phi.getIncomingValueForBlock(at));
      while (phi.getBasicBlockIndex(at) >= 0) phi.removeIncomingValue(at, false);
    }
  choice.eraseFromParent();
  const auto leads = [&](BasicBlock* from, BasicBlock* to) {
    for (auto& [phi, v] : incoming)
      if (phi->getParent() == to) phi->addIncoming(v, from);
  };
  for (size_t i = 0; i < cases.size(); i++) {
    IRBuilder<> b(tests[i]);
    BasicBlock* next = i + 1 < cases.size() ? tests[i + 1] : otherwise;
    b.CreateCondBr(b.CreateICmpEQ(value, cases[i].first), cases[i].second, next);
    leads(tests[i], cases[i].second);
    if (next == otherwise) leads(tests[i], next);
  }
  return true;
}

}  // namespace

bool lower_switches(Function& function, const LoopInfo& loops) {
  std::vector<SwitchInst*> choices;
  for (BasicBlock& block : function) {
    const Loop* loop = loops.getLoopFor(&block);
    auto* choice = dyn_cast<SwitchInst>(block.getTerminator());
    if (choice != nullptr && loop != nullptr && loop->isInnermost() &&
        findOptionMDForLoop(loop, "llvm.loop.parallel_accesses") != nullptr)
      choices.push_back(choice);
  }
  bool changed = false;
  for (SwitchInst* choice : choices) changed = lower_switch(*choice) || changed;
  return changed;
}

}  // namespace arr_fission
