// SPDX-License-Identifier: MIT
// An LLVM pass that turns a CUDA kernel with barriers into loops over the threads of a block, so that it runs
// without a stack per thread, and vectorised. Loaded by the library into clang (-fpass-plugin); the shim's
// part is shim/fission.h. For each kernel it cannot handle, it puts the reason in the variable
// arr_refusal_<i> of the image; the library then compiles the source for fibers.
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <set>

#include "block_runs.h"
#include "code_size.h"
#include "conversions.h"
#include "divisions.h"
#include "fission.h"
#include "inlining.h"
#include "linkage.h"
#include "loop_utilities.h"
#include "single_threads.h"
#include "split.h"

namespace arr_fission {

using namespace llvm;

namespace {

// Functions that hold markers, or call one that does.
std::set<Function*> functions_with_markers(Module& module) {
  std::set<Function*> found;
  for (Function& function : module)
    if (holds_marker(function)) found.insert(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (Function* callee : std::set<Function*>(found))
      for (User* user : callee->users())
        if (const auto* call = dyn_cast<CallBase>(user))
          if (call->getCalledFunction() == callee)
            changed = found.insert(const_cast<Function*>(call->getFunction())).second || changed;
  }
  return found;
}

// Inlines what holds markers, as deep as it goes. "" or what keeps it from being inlined.
std::string inline_marked(Function& kernel, const std::set<Function*>& marked) {
  for (int rounds = 0;; rounds++) {
    CallInst* found = nullptr;
    for (BasicBlock& block : kernel)
      for (Instruction& instruction : block)
        if (auto* call = dyn_cast<CallInst>(&instruction))
          if (Function* callee = call->getCalledFunction(); callee != nullptr && marked.count(callee) != 0)
            found = call;
    if (found == nullptr) return "";
    InlineFunctionInfo info;
    if (rounds == 500) return "recursion around a barrier or a thread's index";
    if (const InlineResult result = InlineFunction(*found, info); !result.isSuccess())
      return result.getFailureReason();
  }
}

// Kernel i is the one that arr_loop_<i> calls.
std::string index_of(const Function& kernel) {
  for (const User* user : kernel.users())
    if (const auto* call = dyn_cast<CallInst>(user)) {
      StringRef caller = call->getFunction()->getName();
      if (caller.consume_front("arr_loop_")) return caller.str();
    }
  return "";
}

void refuse(Function& kernel, const std::string& reason) {
  Module& module = *kernel.getParent();
  if (GlobalVariable* variable = module.getGlobalVariable("arr_refusal_" + index_of(kernel), true)) {
    Constant* bytes = ConstantDataArray::getString(module.getContext(), reason);
    auto* string = new GlobalVariable(module, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes);
    variable->setInitializer(string);
  }
  kernel.deleteBody();
  kernel.setLinkage(GlobalValue::InternalLinkage);
  kernel.setComdat(nullptr);
  BasicBlock* only = BasicBlock::Create(module.getContext(), "", &kernel);
  ReturnInst::Create(module.getContext(), only);
}

// Functions that still contain markers, and those that call one, are dead or cannot be inlined. Only their
// bodies are deleted, because other passes may hold analyses of them.
std::string remove_leftovers(Module& module, const std::set<Function*>& marked) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Function* leftover : marked) {
      Function& function = *leftover;
      if (function.isDeclaration()) continue;
      function.removeDeadConstantUsers();
      if (!function.use_empty()) continue;
      function.deleteBody();
      function.setComdat(nullptr);
      function.setLinkage(GlobalValue::ExternalLinkage);
      changed = true;
    }
  }
  for (Function& function : module)
    if (!is_kernel(function) && !function.isDeclaration() && holds_marker(function))
      return "a pointer to a function with a barrier or a thread's index";
  return "";
}

struct Fission : PassInfoMixin<Fission> {
  static bool isRequired() { return true; }

  static PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    std::vector<Function*> kernels;
    for (Function& function : module)
      if (is_kernel(function)) kernels.push_back(&function);
    std::set<Function*> marked = functions_with_markers(module);
    for (Function* kernel : kernels) marked.erase(kernel);
    // Without kernels, functions of the source may hold markers too: it may have only templates.
    if (kernels.empty() && marked.empty()) return PreservedAnalyses::all();
    for (Function* kernel : kernels) {
      std::string reason = inline_marked(*kernel, marked);
      Pieces pieces;
      if (reason.empty()) reason = cut_kernel(*kernel, pieces);
      set_run_threads(*kernel, reason.empty() && pieces.joins);
      if (reason.empty()) {
        if (!pieces.alone) mark_as_waiting(*kernel);
        lay_out(*kernel, pieces);
        verify_code(*kernel);
      } else {
        refuse(*kernel, reason);
      }
    }
    if (const std::string reason = remove_leftovers(module, marked); !reason.empty())
      refuse_all(module, kernels, reason);
    hide_kernels(module);
    return PreservedAnalyses::none();
  }

  // Bodies of the functions that are left would not link.
  static void refuse_all(Module& module, const std::vector<Function*>& kernels, const std::string& reason) {
    for (Function* kernel : kernels) refuse(*kernel, reason);
    for (Function& function : module) {
      if (function.isDeclaration() || !holds_marker(function)) continue;
      function.deleteBody();
      function.setComdat(nullptr);
      function.setLinkage(GlobalValue::InternalLinkage);
      BasicBlock* only = BasicBlock::Create(module.getContext(), "", &function);
      new UnreachableInst(module.getContext(), only);
    }
  }
};

}  // namespace
}  // namespace arr_fission

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {
      LLVM_PLUGIN_API_VERSION, "arr_fission", "1", [](llvm::PassBuilder& builder) {
        builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
          passes.addPass(arr_fission::RelaxInlining());
          passes.addPass(arr_fission::ExposeKernels());
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(arr_fission::ConvertAsPtx()));
        });
        builder.registerVectorizerStartEPCallback(
            [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
              passes.addPass(llvm::LoopSimplifyPass());  // copies of unswitched loops share an exit
              passes.addPass(arr_fission::TakeOutSingleThreads());
              passes.addPass(llvm::SimplifyCFGPass());  // branches to what was taken out
              passes.addPass(llvm::LoopSimplifyPass());
              passes.addPass(arr_fission::SplitAtGuards());
              passes.addPass(llvm::SimplifyCFGPass());
              passes.addPass(arr_fission::HoistDivisions());
              passes.addPass(arr_fission::LimitCopiesOfLoops());
            });
        builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
          passes.addPass(arr_fission::LimitCodeGeneration());
        });
        builder.registerOptimizerEarlyEPCallback(
            [&builder](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
              passes.addPass(arr_fission::Fission());
              if (level != llvm::OptimizationLevel::O0)
                passes.addPass(llvm::createModuleToFunctionPassAdaptor(
                    builder.buildFunctionSimplificationPipeline(level, llvm::ThinOrFullLTOPhase::None)));
            });
      }};
}
