// SPDX-License-Identifier: MIT
// Small steps of the loop form that do not depend on how a kernel's pieces are laid out.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>
#include <vector>

namespace arr_fission {

struct Pieces;

std::vector<llvm::BasicBlock*> copy_blocks(const std::vector<llvm::BasicBlock*>& blocks, int region,
                                           llvm::ValueToValueMapTy& values);

// Makes a table with the operation and line of the cut before each piece, for the message about a deadlock.
llvm::GlobalVariable* cut_sites(llvm::Module& module, const Pieces& pieces);

// True if all lanes take part in the warp function of a cut, whose mask is stored right before its block.
bool has_full_mask(const llvm::BasicBlock& at, const llvm::AllocaInst* masks);

// CUDA's limits of a block's threads along an axis, and that of a run of blocks: the compiler then knows that
// no sum with an index wraps.
llvm::Value* clamped_size(llvm::IRBuilder<>& b, llvm::Value* size, unsigned axis);

// Notes that threads of the kernel wait for others, so that its loops over threads are those of one block.
void mark_as_waiting(llvm::Function& kernel);
bool threads_wait(const llvm::Function& kernel);

// Lets the last threads of such a loop be a vector too, of which not all lanes are active. A few threads less
// than a row has would otherwise be a row of single ones. It pays where vector instructions have masks.
void fold_tail(llvm::Loop& loop, const llvm::TargetTransformInfo& target);

// True if the loop is over threads, innermost, and left at its end only.
bool is_thread_loop(const llvm::Loop& loop);

// A comparison of start + j with a bound, j being the loop's iteration: equal for one thread.
struct Point {
  llvm::ICmpInst* compare;
  const llvm::SCEV *start, *bound;
};
std::optional<Point> point_of(llvm::ICmpInst& compare, const llvm::Loop& loop,
                              llvm::ScalarEvolution& evolution);

// True if the phi counts its loop's iterations, in steps of a constant.
bool is_counter(llvm::PHINode& phi, llvm::ScalarEvolution& evolution);
// Returns the value of a counter that began with `start`, after `rounds` of its loop: null if the phi is no
// counter. The vectoriser folds the tail of a loop only where nothing outside reads what its counters end
// with.
llvm::Value* counted(llvm::PHINode& phi, llvm::Value* start, llvm::Value* rounds,
                     llvm::ScalarEvolution& evolution, llvm::IRBuilder<>& b);

// Gives each loop of a function to `rewrite`, which returns true if it changed the loop: what is known of all
// loops is then determined again. Returns true if any was changed.
bool rewrite_loops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses,
                   llvm::function_ref<bool(llvm::Loop&)> rewrite);

// Stops the compiler if a pass left code that LLVM does not accept.
void verify_code(const llvm::Function& function);
// The end of a pass over a function that checks what it changed: the analyses that still hold.
llvm::PreservedAnalyses checked(const llvm::Function& function, bool changed);

// Gives calls without a location the kernel's first line: with line information every call needs one.
void locate_calls(llvm::Function& function);

}  // namespace arr_fission
