// SPDX-License-Identifier: MIT
#include "code_size.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

#include "loop_utilities.h"
#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {

// Instructions of the longest function. Kernels of a hundred lines have some thousand.
constexpr unsigned longest = 6000;

// An option of clang, which stays if the user set it: such an option counts its occurrences, which a setting
// from here does not.
void set_option(StringRef name, StringRef value) {
  StringMap<cl::Option*>& options = cl::getRegisteredOptions();
  const auto found = options.find(name);
  if (found == options.end() || found->second->getNumOccurrences() != 0) return;
  found->second->addOccurrence(0, name, value, true);
}

}  // namespace

PreservedAnalyses LimitCodeGeneration::run(Module& module, ModuleAnalysisManager&) {
  unsigned max_instructions = 0, all = 0, waiting = 0;
  for (const Function& function : module) {
    const unsigned instructions = function.getInstructionCount();
    max_instructions = std::max(max_instructions, instructions);
    all += instructions;
    if (threads_wait(function)) waiting += instructions;
  }
  set_option("experimental-debug-variable-locations", "false");  // there are lines only
  // Loops of kernels with barriers are over the threads of a row: a few vectors each, at addresses that one
  // register gives. These two passes take half of the time of the compilation there, and no kernel was slower
  // without them.
  if (max_instructions > longest || 2 * waiting > all) {
    set_option("disable-lsr", "true");                      // loop strength reduction
    set_option("disable-x86-domain-reassignment", "true");  // between mask and general registers
  }
  if (max_instructions > longest)
    set_option("grow-region-complexity-budget", "100");  // of splits of live ranges around loops
  return PreservedAnalyses::all();
}

PreservedAnalyses LimitCopiesOfLoops::run(Function& function, FunctionAnalysisManager& analyses) {
  const bool waits = is_kernel(function) && threads_wait(function);
  set_option("enable-epilogue-vectorization", waits ? "false" : "true");
  if (!waits) return PreservedAnalyses::all();
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (findOptionMDForLoop(loop, "llvm.loop.parallel_accesses") != nullptr) {
      addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
      addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 1);
    }
  return PreservedAnalyses::all();  // what is known of the code does not depend on it
}

}  // namespace arr_fission
