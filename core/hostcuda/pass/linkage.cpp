// SPDX-License-Identifier: MIT
#include "linkage.h"

#include <llvm/IR/Module.h>

#include "markers.h"

namespace arr_fission {

using namespace llvm;

namespace {
constexpr const char* exposed = "arr-fission-exposed";
}  // namespace

PreservedAnalyses ExposeKernels::run(Module& module, ModuleAnalysisManager&) {
  bool changed = false;
  for (Function& function : module) {
    if (!is_kernel(function) || !function.hasLocalLinkage()) continue;
    function.setLinkage(GlobalValue::WeakODRLinkage);
    function.setVisibility(GlobalValue::HiddenVisibility);
    function.addFnAttr(exposed);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void hide_kernels(Module& module) {
  for (Function& function : module) {
    if (!function.hasFnAttribute(exposed)) continue;
    function.removeFnAttr(exposed);
    function.setVisibility(GlobalValue::DefaultVisibility);  // a local function has no other
    function.setLinkage(GlobalValue::InternalLinkage);
  }
}

}  // namespace arr_fission
