// SPDX-License-Identifier: MIT
#include "inlining.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>

#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

// Instructions before any optimization, of which some tenth is left.
constexpr uint64_t longest = 3000, endless = 1u << 30;

struct Inlined {
  uint64_t instructions = 0;  // with those of what it calls
  bool marked = false;        // it or what it calls holds a marker
};

class Sizes {
 public:
  const Inlined& of(const Function& function) {
    const auto [found, is_new] = known_.try_emplace(&function);
    Inlined& size = found->second;  // a map's elements stay where they are
    if (!is_new) return size;
    Inlined sum;
    for (const BasicBlock& block : function)
      for (const Instruction& instruction : block) {
        sum.instructions++;
        sum.marked = sum.marked || marker_of(instruction) != Marker::none;
        const auto* call = dyn_cast<CallBase>(&instruction);
        const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
        if (callee == nullptr || callee->isDeclaration()) continue;
        const Inlined& inner = of(*callee);
        sum.instructions = std::min(endless, sum.instructions + inner.instructions);
        sum.marked = sum.marked || inner.marked;
      }
    return size = sum;
  }

 private:
  std::map<const Function*, Inlined> known_;
};

}  // namespace

PreservedAnalyses RelaxInlining::run(Module& module, ModuleAnalysisManager&) {
  Sizes sizes;
  bool changed = false;
  for (Function& function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(Attribute::AlwaysInline)) continue;
    const Inlined& size = sizes.of(function);
    if (size.marked || size.instructions < longest) continue;
    function.removeFnAttr(Attribute::AlwaysInline);
    function.addFnAttr(Attribute::InlineHint);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace arr_fission
