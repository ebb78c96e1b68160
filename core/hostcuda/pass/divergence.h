// SPDX-License-Identifier: MIT
// The values and branches of a kernel that may differ between the threads of a block.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <set>

namespace arr_fission {

class Divergence {
 public:
  // `in_rows`: the threads run row by row, so that y and z are the same for all.
  explicit Divergence(llvm::Function& function, bool in_rows = false)
      : function_(function), in_rows_(in_rows) {}

  // Sources are the thread's index, loads, atomics and local arrays; it spreads by operands, to where paths
  // that a differing branch chose join, and out of loops that threads leave at different times.
  void compute();

  [[nodiscard]] bool differs(const llvm::Value* value) const { return differing_.count(value) != 0; }
  [[nodiscard]] bool branch_differs(const llvm::BasicBlock& block) const;
  // True when it was not marked before.
  bool mark(const llvm::Value* value) { return differing_.insert(value).second; }
  // Counters that `interchange` made the same for all threads, whatever their loop's exit says.
  void force_uniform(const llvm::PHINode* phi) { forced_.insert(phi); }

  // Blocks between a block's branch and the block where all its paths have joined again, which is not one.
  [[nodiscard]] static std::set<llvm::BasicBlock*> influenced(llvm::BasicBlock* block,
                                                              llvm::BasicBlock* join);

 private:
  void mark_sources();
  bool spread_by_operands();
  bool spread_by_branches();
  bool mark_uses_behind(const llvm::Loop& loop, llvm::Instruction& value);

  llvm::Function& function_;
  bool in_rows_;
  std::set<const llvm::Value*> differing_;
  std::set<const llvm::PHINode*> forced_;
};

}  // namespace arr_fission
