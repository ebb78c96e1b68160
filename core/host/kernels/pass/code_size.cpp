// SPDX-License-Identifier: MIT
#include "code_size.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>

#include <algorithm>

namespace arr_fission {

using namespace llvm;

namespace {

// Instructions of the longest function. Kernels of a hundred lines have some thousand.
constexpr unsigned longest = 6000;

// Options of clang's code generator, which it reads when the optimizer has run. One that the user set stays.
void set_option(StringRef name, StringRef value) {
  StringMap<cl::Option*>& options = cl::getRegisteredOptions();
  const auto found = options.find(name);
  if (found == options.end() || found->second->getNumOccurrences() != 0) return;
  found->second->addOccurrence(0, name, value);
}

}  // namespace

PreservedAnalyses LimitCodeGeneration::run(Module& module, ModuleAnalysisManager&) {
  unsigned most = 0;
  for (const Function& function : module) most = std::max(most, function.getInstructionCount());
  if (most > longest) {
    set_option("disable-lsr", "true");                             // loop strength reduction
    set_option("disable-x86-domain-reassignment", "true");         // between mask and general registers
    set_option("grow-region-complexity-budget", "100");            // of splits of live ranges around loops
    set_option("experimental-debug-variable-locations", "false");  // there are lines only
  }
  return PreservedAnalyses::all();
}

}  // namespace arr_fission
