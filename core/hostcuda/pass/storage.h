// SPDX-License-Identifier: MIT
// Storage of values while the pieces of a kernel are loops: values that differ between threads are in arrays
// of the worker, common ones in slots outside the loops.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <map>
#include <set>
#include <vector>

#include "fission.h"

namespace arr_fission {

class Storage {
 public:
  Storage(llvm::Function& function, const Pieces& pieces) : function_(function), pieces_(pieces) {}

  // Asks for the memory, in the function's first block.
  void reserve(llvm::IRBuilder<>& b, llvm::Value* threads);
  // The same for a constant number of threads, on the stack where they are few: as values that can be
  // registers.
  void reserve(llvm::IRBuilder<>& b, unsigned threads);
  // Notes in block `at` that no thread of the block is to run. Returns the block to go on in.
  llvm::BasicBlock* end_all(llvm::BasicBlock* at, llvm::Value* threads);
  // Per thread: the piece it is to run next; per warp: its lanes that have not ended. Only of masked kernels.
  [[nodiscard]] llvm::Value* next() const { return next_; }
  [[nodiscard]] llvm::Value* live() const { return live_; }
  [[nodiscard]] llvm::Value* array(llvm::AllocaInst* slot) const { return arrays_.at(slot); }

  // The slots that blocks read or write.
  struct Used {
    std::set<llvm::AllocaInst*> any;
    std::map<llvm::AllocaInst*, llvm::Value*> incoming;  // of the common ones, read before the loops
  };
  Used read_common(const std::vector<llvm::BasicBlock*>& blocks, llvm::IRBuilder<>& before);
  // Replaces values in a loop's body by a thread's element or by a copy of the common value. `top`: the
  // function's first block.
  void map(const Used& used, llvm::Value* thread, llvm::BasicBlock& top, llvm::IRBuilder<>& body,
           llvm::ValueToValueMapTy& values);
  // A common value is kept outside the loops too, where it is defined.
  void keep_common(llvm::StoreInst& store);

 private:
  void reserve_common(llvm::IRBuilder<>& b);

  llvm::Function& function_;
  const Pieces& pieces_;
  llvm::Value *next_ = nullptr, *live_ = nullptr;
  std::map<llvm::AllocaInst*, llvm::AllocaInst*> uniform_;
  std::map<llvm::AllocaInst*, llvm::Value*> arrays_;
  std::map<llvm::Value*, llvm::AllocaInst*> local_;  // a copy of a common value, and the slot it stands for
};

}  // namespace arr_fission
